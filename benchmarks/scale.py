"""The whole job on page sets of growing size: seconds, memory, shuffle, comparisons, and what it found.

    DEDUP_CORPUS=FOLDER python -m benchmarks.scale 10000 100000 [--work DIR] [--out FILE] [--check N]

Pages come from ``$DEDUP_DATA/pages`` and, where it is set, ``$DEDUP_CORPUS``: folders of Parquet files with page_id,
url, html, fetched_at. The job runs as a user would run it; each run appends one row of JSON to the file.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from benchmarks.pages import REAL
from benchmarks.planted import build
from dedup.config import Settings
from dedup.matches import compare_room
from dedup.rules import Rule

MASTER, DRIVER_MEMORY = "local[2]", "4g"
SITE = "input.site_pattern=^[a-z]+://([^/]+/[^/@]+)"
"""Of the pages at hand: a package of a release (deb://suite/package/…), a repository (git://owner/name@…)."""

SAMPLE_SECONDS = 0.5
PAIRS_AT_ONCE, PAGES_AT_ONCE = 20_000, 500


class Use:
    """What a process and all below it use, by sampling; a page of memory shared counts once for each process.

    Attributes:
        peak: bytes of resident memory: ``total`` of all together, ``jvm`` of the largest Java process, ``worker`` of
            the largest process below one, which is a Python worker.
    """

    def __init__(self) -> None:
        self.peak = {"total": 0, "jvm": 0, "worker": 0}
        self._cpu: dict[int, float] = {}
        self._busy = _busy()

    def sample(self, root: psutil.Process) -> None:
        total, below = 0, set[int]()
        for process in (root, *root.children(recursive=True)):  # parents come before what is below them
            try:
                with process.oneshot():
                    size, name, parent = process.memory_info().rss, process.name(), process.ppid()
                    self._cpu[process.pid] = sum(process.cpu_times()[:2])
            except psutil.Error:
                continue
            if parent in below and not name.startswith("python"):
                continue  # a fork of the JVM before it becomes another program: it has none of that memory itself
            total += size
            if name == "java" or parent in below:
                below.add(process.pid)
                kind = "jvm" if name == "java" else "worker"
                self.peak[kind] = max(self.peak[kind], size)
        self.peak["total"] = max(self.peak["total"], total)

    def cpu(self) -> dict[str, float]:
        """CPU seconds since the start: of the job, and of all else on the machine, which slows it down."""
        own = sum(self._cpu.values())
        return {"cpu_seconds": round(own, 1), "cpu_seconds_of_others": round(max(0, _busy() - self._busy - own), 1)}


def _busy() -> float:
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system)


def run(pages: Path, output: Path) -> dict[str, Any]:
    """One run of the job in its own process.

    Args:
        pages: folder of Parquet files.
        output: folder for the results; another run there is replaced.

    Returns:
        the manifest, ``wall_seconds`` with the start of Spark, CPU seconds, peaks of memory, bytes shuffled.
    """
    use = Use()
    with tempfile.TemporaryDirectory(prefix="dedup-scale-") as folder:
        temp = Path(folder)
        (temp / "events").mkdir()
        properties = {
            "spark.driver.memory": DRIVER_MEMORY,
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": (temp / "events").as_uri(),
            "spark.eventLog.compress": "false",
        }
        (temp / "spark.properties").write_text("".join(f"{key} {value}\n" for key, value in properties.items()))
        words = [str(Path(sys.executable).with_name("dedup")), "run", "--format", "parquet", "--overwrite", "--json"]
        words += ["--input", str(pages), "--output", str(output), "--master", MASTER]
        words += ["--set", SITE, "--set", "output.keep_work=true", "--spark-properties", str(temp / "spark.properties")]
        started = time.monotonic()
        with (temp / "manifest.json").open("wb") as told:
            process = psutil.Popen(words, stdout=told)
            while True:
                try:
                    code = process.wait(SAMPLE_SECONDS)
                    break
                except psutil.TimeoutExpired:
                    use.sample(process)
        spent = time.monotonic() - started
        if code:
            raise SystemExit(f"dedup run ended with code {code}")
        return {
            "manifest": json.loads((temp / "manifest.json").read_text("utf-8")),
            "wall_seconds": round(spent, 1),
            **use.cpu(),
            "peak_bytes": use.peak,
            **_shuffled(temp / "events"),
        }


def _shuffled(events: Path) -> dict[str, int]:
    found: Counter[str] = Counter(shuffle_bytes_written=0, bytes_spilled=0)
    for file in (file for file in events.rglob("*") if file.is_file()):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                if line.startswith('{"Event":"SparkListenerTaskEnd"'):
                    told = json.loads(line).get("Task Metrics") or {}
                    written = told.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
                    found["shuffle_bytes_written"] += written
                    found["bytes_spilled"] += told.get("Disk Bytes Spilled", 0)
    return dict(found)


def as_compared(output: Path) -> tuple[pa.Table, pa.Table]:
    """Of a run that kept its work: the pages that were compared, by what; and the copies (copy, head) of them."""
    signed = ds.dataset(output / "_work" / "heads", format="parquet").to_table(["page_id", "fingerprints", "weights"])
    copies = ds.dataset(output / "_work" / "copies", format="parquet").to_table()
    sides = {"copy": "worse", "head": "better"}
    return signed, pa.table({name: pc.struct_field(copies[side], "page_id") for name, side in sides.items()})


def planted_pairs(
    truth: pa.Table, survivors: pa.Array, signed: pa.Table, heads: pa.Table, rule: Rule
) -> dict[str, dict[str, int]]:
    """Planted pairs for each edit: how many ``planted``, of these ``meet`` the rule, of these ``found``.

    A pair is found when not both of its pages survive; ``parted`` counts that for all planted, also those whose edit
    leaves less in common than the rule asks. Whether a pair meets the rule is computed from the signatures alone.
    """
    survive = [pc.is_in(truth[side], survivors).to_numpy() for side in ("original_id", "planted_id")]
    better, worse = (
        pc.fill_null(pc.index_in(_head(truth[side], heads), signed["page_id"]), -1).to_numpy()
        for side in ("original_id", "planted_id")
    )
    there = np.flatnonzero((better >= 0) & (worse >= 0))  # the others are in quarantine
    meets = np.zeros(truth.num_rows, bool)
    for start in range(0, len(there), PAIRS_AT_ONCE):
        rows = there[start : start + PAIRS_AT_ONCE]
        sides = [pc.take(signed["page_id"], pa.array(side[rows])) for side in (better, worse)]
        asked = pa.table([*map(_named, sides)], names=["better", "worse"])
        pages = signed.take(pc.unique(pa.array(np.r_[better[rows], worse[rows]])))
        pages = pages.set_column(0, "keep", _named(pages["page_id"]))
        met = compare_room(asked, pages, rule)
        accepted = {
            (a["page_id"], b["page_id"])
            for a, b in zip(met["better"].to_pylist(), met["worse"].to_pylist(), strict=True)
        }
        pairs = zip(*(side.to_pylist() for side in sides), strict=True)
        meets[rows] = [a == b or (a, b) in accepted for a, b in pairs]
    edits, parted = np.array(truth["edit"].to_pylist(), str), ~(survive[0] & survive[1])
    counted = {"planted": np.ones_like(meets), "meet": meets, "found": meets & parted, "parted": parted}
    return {
        edit: {name: int((which & (edits == edit)).sum()) for name, which in counted.items()}
        for edit in sorted(set(edits.tolist()))
    }


def _head(page_id: pa.ChunkedArray, heads: pa.Table) -> pa.ChunkedArray:
    """The page by which each page was compared: itself, or the one that it is a copy of."""
    return pc.coalesce(heads["head"].take(pc.index_in(page_id, heads["copy"])), page_id)


def _named(page_id: pa.ChunkedArray) -> pa.StructArray:
    """A keep struct that does no more than name the page."""
    return pa.StructArray.from_arrays([page_id.combine_chunks()], names=["page_id"])


def misses(survivors: pa.Array, signed: pa.Table, rule: Rule, sample: int) -> tuple[int, int]:
    """Survivors that the rule says match after all: an exact run has none.

    ``sample`` survivors, evenly, are held against all survivors by all fingerprints, frequent ones included.

    Returns:
        how many survivors were sampled, and how many pairs of them and any survivor meet the rule.
    """
    signed = signed.filter(pc.is_in(signed["page_id"], survivors)).combine_chunks()
    chosen = np.unique(np.linspace(0, signed.num_rows - 1, sample).astype(np.int64)) if signed.num_rows else _NONE
    page, held, weighing, sizes = _flat(signed.take(pa.array(chosen)), rule)
    order = np.argsort(held, kind="stable")
    # The index: sampled pages that hold the same fingerprint stand together.
    page, held, weighing = page[order], held[order], weighing[order]
    missed: set[tuple[int, int]] = set()
    for start in range(0, signed.num_rows, PAGES_AT_ONCE):
        row, value, weight, size = _flat(signed.slice(start, PAGES_AT_ONCE), rule)
        first = np.searchsorted(held, value)
        count = np.searchsorted(held, value, side="right") - first
        entry = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
        cell = np.repeat(row * len(chosen), count) + page[entry]
        shared = rule.measure.common(weighing[entry], np.repeat(weight, count))
        common = np.bincount(cell, shared).astype(np.int64)
        met = np.flatnonzero(common)
        other, one = np.divmod(met, len(chosen))
        like = np.flatnonzero(rule.accepts(common[met], sizes[one], size[other]))
        for a, b in zip(chosen[one[like]].tolist(), (other[like] + start).tolist(), strict=True):
            if a != b:
                missed.add((min(a, b), max(a, b)))
    return len(chosen), len(missed)


_NONE = np.empty(0, np.int64)


def _flat(pages: pa.Table, rule: Rule) -> tuple[npt.NDArray[np.int64], ...]:
    """Of each fingerprint its page's number, itself and its weight; of each page its size by the rule."""
    lists = pages["fingerprints"]
    row = np.repeat(np.arange(len(lists)), pc.list_value_length(lists).to_numpy())
    held = pc.list_flatten(lists).to_numpy()
    weight = pc.list_flatten(pages["weights"]).to_numpy().astype(np.int64)
    size = np.bincount(row, rule.measure.size(weight), minlength=len(lists)).astype(np.int64)
    return row, held, weight, size


def measure(pages: int, sources: list[Path], work: Path, sample: int) -> dict[str, Any]:
    """Build the set, run the job, judge its result: one row."""
    folder, output = work / f"set-{pages}", work / f"out-{pages}"
    made = build(folder, pages, sources)
    print(f"{pages:,} pages, {made['html_bytes'] / 1e6:,.0f} MB, {made['planted']:,} planted", file=sys.stderr)
    done = run(folder / "pages", output)
    manifest = done.pop("manifest")
    counts, comparisons, seconds = manifest["counts"], manifest["comparisons"], manifest["seconds"]
    rule = Settings.model_validate(manifest["settings"]).build_detector().rule
    survivors = ds.dataset(output / "survivors", format="parquet").to_table()["page_id"].combine_chunks()
    signed, heads = as_compared(output)
    edits = planted_pairs(pq.read_table(folder / "truth.parquet"), survivors, signed, heads, rule)
    sampled, missed = misses(survivors, signed, rule, sample)
    return {
        "date": time.strftime("%Y-%m-%d"),
        "pages": pages,
        "html_bytes": made["html_bytes"],
        "master": MASTER,
        "driver_memory": DRIVER_MEMORY,
        **done,
        "stage_seconds": seconds,
        "share_after_signing": round(1 - seconds["sign"] / sum(seconds.values()), 3),
        "candidate_keys": comparisons["leading_keys"],
        "largest_group": comparisons["largest_group"],
        "pairs_compared": comparisons["compared"],
        "pairs_per_page": round(comparisons["compared"] / pages, 3),
        "matches": comparisons["matched"],
        **{name: counts[name] for name in ("survivors", "exact", "near", "quarantined")},
        **{name: sum(edit[name] for edit in edits.values()) for name in ("planted", "meet", "found", "parted")},
        "edits": edits,
        "checked_survivors": sampled,
        "missed_pairs": missed,
        "rule": manifest["rule"],
        "versions": manifest["versions"],
    }


TABLE: dict[str, Callable[[dict[str, Any]], str]] = {
    "pages": lambda row: f"{row['pages']:,}",
    "HTML MB": lambda row: f"{row['html_bytes'] / 1e6:,.0f}",
    "seconds": lambda row: f"{row['wall_seconds']:,.0f}",
    "CPU seconds": lambda row: f"{row['cpu_seconds']:,.0f}",
    "of others": lambda row: f"{row['cpu_seconds_of_others']:,.0f}",
    "pages/s": lambda row: f"{row['pages'] / row['wall_seconds']:,.0f}",
    "after signing": lambda row: f"{row['share_after_signing']:.0%}",
    "peak GB": lambda row: f"{row['peak_bytes']['total'] / 1e9:.1f}",
    "JVM": lambda row: f"{row['peak_bytes']['jvm'] / 1e9:.1f}",
    "worker": lambda row: f"{row['peak_bytes']['worker'] / 1e9:.2f}",
    "shuffle MB": lambda row: f"{row['shuffle_bytes_written'] / 1e6:,.0f}",
    "keys": lambda row: f"{row['candidate_keys']:,}",
    "largest": lambda row: f"{row['largest_group']:,}",
    "pairs/page": lambda row: f"{row['pairs_per_page']:.2f}",
    "matches": lambda row: f"{row['matches']:,}",
    "survivors": lambda row: f"{row['survivors']:,}",
    "planted": lambda row: f"{row['planted']:,}",
    "meet rule": lambda row: f"{row['meet']:,}",
    "found": lambda row: f"{row['found']:,}",
    "missed": lambda row: f"{row['missed_pairs']:,} of {row['checked_survivors']:,}",
}


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text, a column a run; MB and GB are millions and thousands of millions of bytes."""
    lines = [[name, *(show(row) for row in rows)] for name, show in TABLE.items()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=int, nargs="+", help="sizes of the sets")
    parser.add_argument("--work", type=Path, default=Path("build/scale"), help="folder for sets and results")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/scale.jsonl"), help="appended to")
    parser.add_argument(
        "--check", type=int, default=3_000, metavar="N", help="survivors held against all by brute force"
    )
    given = parser.parse_args()
    folders = [REAL, *(Path(name) for name in [os.environ.get("DEDUP_CORPUS")] if name)]
    sources = [file for folder in folders for file in sorted(folder.glob("*.parquet"))]
    if not sources:
        parser.error("no real pages: DEDUP_DATA or DEDUP_CORPUS names their folder")
    rows = []
    for pages in given.pages:
        rows.append(measure(pages, sources, given.work, given.check))
        with given.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows[-1]) + "\n")
        print(table(rows), flush=True)


if __name__ == "__main__":
    main()

"""Hostile page sets: what would make a careless job quadratic, against ordinary pages with as many blocks.

    python -m benchmarks.hostile                      # all of them, full size
    python -m benchmarks.hostile chain one_block --scale 0.1

Every set is a function from page numbers to signatures, so it comes in batches of any size, the same pages each
time. A set is written to Parquet, then the job runs on it from signatures on: `dedup.pipeline.clean`. One row a set
goes to benchmarks/results/hostile.jsonl.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from dedup.config import load
from dedup.io.publish import Output
from dedup.pipeline import Result, clean
from dedup.session import open_session
from dedup.watch import Watch

Numbers = npt.NDArray[np.int64]

RESULTS = Path(__file__).parent / "results" / "hostile.jsonl"
TIMES = 4
"""Times as long as an ordinary set with as many blocks that a hostile one may take."""

WIDTHS = (16, 9, 8, 8, 6, 13, 7, 6)
BLOCKS_A_FILE = 2_000_000
BLOCKS_A_PAGE = 60  # of the ordinary set, on average


# ------------------------------------------------------------------------------------ numbers from numbers


def mix(*parts: int | Numbers) -> Numbers:
    """A 64-bit number that depends on all ``parts`` and looks like chance (splitmix64)."""
    told = np.zeros(1, np.uint64)
    for part in parts:
        told = told ^ np.asarray(part).astype(np.int64).view(np.uint64)
        told = told + np.uint64(0x9E3779B97F4A7C15)
        told = (told ^ (told >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        told = (told ^ (told >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        told = told ^ (told >> np.uint64(31))
    return told.view(np.int64)


def below(limit: int, *parts: int | Numbers) -> Numbers:
    """Chance in ``range(limit)``."""
    return (mix(*parts).view(np.uint64) % np.uint64(limit)).astype(np.int64)


def even(*parts: int | Numbers) -> npt.NDArray[np.float64]:
    """Chance in [0, 1)."""
    return (mix(*parts).view(np.uint64) >> np.uint64(11)).astype(np.float64) / 2**53


# ------------------------------------------------------------------------------------------------ page sets


@dataclass(frozen=True)
class Pages:
    """Signatures of some pages. ``fingerprints`` and ``weights`` lie page after page, ``counts`` of them each."""

    place: Numbers  # keep order: the least is the best page
    content: Numbers  # pages of equal content are copies
    counts: Numbers
    fingerprints: Numbers
    weights: Numbers


Make = Callable[[Numbers, int, int], Pages]
"""Page numbers, pages in all, blocks a page → those pages."""


@dataclass(frozen=True)
class Case:
    """A page set of a given size."""

    name: str
    make: Make
    pages: int
    blocks: int = BLOCKS_A_PAGE
    long: bool = False  # it is the blocks that are many, so it is they that scale

    def scaled(self, scale: float) -> Case:
        if self.long:
            return replace(self, blocks=max(100, round(self.blocks * scale)))
        return replace(self, pages=max(20, round(self.pages * scale)))

    def batches(self, blocks: int = BLOCKS_A_FILE) -> Iterator[Pages]:
        """All pages, about ``blocks`` blocks at a time."""
        step = max(1, blocks // self.blocks)
        for start in range(0, self.pages, step):
            yield self.make(np.arange(start, min(self.pages, start + step)), self.pages, self.blocks)


def grid(number: Numbers, blocks: int) -> tuple[Numbers, Numbers]:
    """The page and the position of each of ``blocks`` blocks a page."""
    return np.repeat(number, blocks), np.tile(np.arange(blocks), len(number))


def lengths(fingerprint: Numbers) -> Numbers:
    """Characters of a block, 10 to 209; the same wherever the block stands."""
    return 10 + below(200, 7, fingerprint)


def equal_counts(number: Numbers, blocks: int, fingerprint: Numbers, weight: Numbers | None = None) -> Pages:
    """Pages of ``blocks`` blocks each, no two with the same text, in an order of chance."""
    return Pages(
        mix(1, number),
        number,
        np.full(len(number), blocks),
        fingerprint,
        lengths(fingerprint) if weight is None else weight,
    )


def ordinary(number: Numbers, pages: int, blocks: int) -> Pages:
    """30 to 90 blocks; ten of them the site's. One page in ten is a copy, one a near copy of one in its family."""
    kind = np.where(number % 8 == 0, 9, below(10, 11, number))  # 0 copy, 1 near copy
    parent = np.where(kind < 2, number // 8 * 8, number)
    counts = blocks // 2 + below(blocks + 1, 12, parent)
    page, first = np.repeat(np.arange(len(number)), counts), np.repeat(np.cumsum(counts) - counts, counts)
    position = np.arange(len(page)) - first
    own, whose = number[page], parent[page]
    changed = (kind[page] == 1) & (below(20, 13, own, position) == 0)
    whose = np.where(changed, own, whose)
    site = -1 - own // 320
    fingerprint = np.where(position < blocks // 6, mix(14, site, position), mix(15, whose, position))
    return Pages(mix(1, number), np.where(kind == 0, parent, number), counts, fingerprint, lengths(fingerprint))


def identical(number: Numbers, pages: int, blocks: int) -> Pages:
    """Every page the same, byte for byte."""
    made = equal_counts(number, blocks, mix(21, grid(number, blocks)[1]))
    return replace(made, content=np.zeros_like(number))


def one_block(number: Numbers, pages: int, blocks: int) -> Pages:
    """Every page the same but for one short block."""
    page, position = grid(number, blocks)
    own = position == blocks - 1
    fingerprint = np.where(own, mix(22, page), mix(23, position))
    return equal_counts(number, blocks, fingerprint, np.where(own, 10, lengths(fingerprint)))


def template(number: Numbers, pages: int, blocks: int) -> Pages:
    """60 % of every page is the template's, the rest is its own: no two match."""
    page, position = grid(number, blocks)
    own = position >= blocks * 6 // 10
    return equal_counts(number, blocks, np.where(own, mix(24, page, position), mix(25, position)), _all(page, 100))


def template_near(number: Numbers, pages: int, blocks: int) -> Pages:
    """As `template`, its share from 69 to 82 %: the template's blocks lead, still no two match."""
    page, position = grid(number, blocks)
    shared = blocks * 6 // 10
    own = position >= shared
    # Two pages match where what they have of their own comes to 3/7 of the template together.
    least, most = shared * 100 * 3 / 14, shared * 100 * 3 / 7
    part = (least + 1 + even(26, number) * (most - least)) / (blocks - shared)
    weight = np.where(own, np.ceil(np.repeat(part, blocks)).astype(np.int64), 100)
    return equal_counts(number, blocks, np.where(own, mix(27, page, position), mix(28, position)), weight)


def notice(number: Numbers, pages: int, blocks: int) -> Pages:
    """Ordinary pages, and one block that all of them have."""
    made = ordinary(number, pages, blocks - 1)
    ends = np.cumsum(made.counts)
    return replace(
        made,
        counts=made.counts + 1,
        fingerprints=np.insert(made.fingerprints, ends, mix(31)[0]),
        weights=np.insert(made.weights, ends, 150),
    )


def two_blocks(own: Callable[[Numbers, int], Numbers]) -> Make:
    """One block of 1,000 characters that all pages have, and one of their own."""

    def make(number: Numbers, pages: int, blocks: int) -> Pages:
        page, position = grid(number, 2)
        fingerprint = np.where(position == 1, mix(32, page), mix(33))
        return equal_counts(number, 2, fingerprint, np.where(position == 1, np.repeat(own(number, pages), 2), 1000))

    return make


def hub(number: Numbers, pages: int, blocks: int) -> Pages:
    """Two blocks; each of the worse half matches all of the better half, and within the better half none do."""
    made = two_blocks(lambda number, pages: np.where(number < pages // 2, 300, 100))(number, pages, blocks)
    return replace(made, place=number)


def hub_late(number: Numbers, pages: int, blocks: int) -> Pages:
    """As `hub`, after as many pages that meet none."""
    made = hub(number - pages // 2, pages // 2, blocks)
    alone = np.repeat(number < pages // 2, 2)
    return replace(
        made, fingerprints=np.where(alone, mix(30, made.fingerprints, np.repeat(number, 2)), made.fingerprints)
    )


def chain(step: int) -> Make:
    """Each page matches its neighbours only; pages come in the order of the chain, or against it."""

    def make(number: Numbers, pages: int, blocks: int) -> Pages:
        page, position = grid(number, blocks)
        made = equal_counts(number, blocks, mix(34, page * (blocks * 2 // 15) + position), _all(page, 100))
        return replace(made, place=number * step)

    return make


def long_alike(number: Numbers, pages: int, blocks: int) -> Pages:
    """Very long pages, alike but for ten blocks."""
    page, position = grid(number, blocks)
    return equal_counts(number, blocks, np.where(position < blocks - 10, mix(35, position), mix(36, page, position)))


def long_different(number: Numbers, pages: int, blocks: int) -> Pages:
    """Very long pages with nothing in common."""
    page, position = grid(number, blocks)
    return equal_counts(number, blocks, mix(37, page, position))


def zipf(exponent: float, vocabulary: int = 1_000_000) -> Make:
    """Blocks drawn from a vocabulary in which the r-th is as frequent as r ** -exponent."""

    def make(number: Numbers, pages: int, blocks: int) -> Pages:
        page, position = grid(number, blocks)
        chance = even(38, page, position)
        if exponent == 1:
            rank = vocabulary**chance
        else:
            rank = (1 - chance * (1 - vocabulary ** (1 - exponent))) ** (1 / (1 - exponent))
        word = np.minimum(rank.astype(np.int64), vocabulary)
        order = np.lexsort((word, page))
        page, word = page[order], word[order]
        first = np.r_[True, (page[1:] != page[:-1]) | (word[1:] != word[:-1])]  # blocks are distinct within a page
        page, fingerprint = page[first], mix(39, word[first])
        counts = np.bincount(page - number[0], minlength=len(number))
        return Pages(mix(1, number), number, counts, fingerprint, lengths(fingerprint))

    return make


def unique(number: Numbers, pages: int, blocks: int) -> Pages:
    """Nothing in common anywhere."""
    page, position = grid(number, blocks)
    return equal_counts(number, blocks, mix(40, page, position))


def single(copies: bool, words: int = 20) -> Make:
    """One block a page, of few."""

    def make(number: Numbers, pages: int, blocks: int) -> Pages:
        word = below(words, 41, number)
        made = equal_counts(number, 1, mix(42, word))
        return replace(made, content=word) if copies else made

    return make


def _all(like: Numbers, value: int) -> Numbers:
    return np.full(len(like), value)


CASES = {
    case.name: case
    for case in (
        Case("identical", identical, 200_000),
        Case("one_block", one_block, 200_000),
        Case("template", template, 200_000),
        Case("template_near", template_near, 200_000),
        Case("notice", notice, 200_000),
        Case("common_below", two_blocks(lambda number, pages: _all(number, 1000)), 100_000, 2),
        Case("common_near", two_blocks(lambda number, pages: _all(number, 220)), 100_000, 2),
        Case("common_above", two_blocks(lambda number, pages: _all(number, 200)), 100_000, 2),
        Case("common_around", two_blocks(lambda number, pages: 150 + below(150, 43, number)), 100_000, 2),
        Case("hub", hub, 100_000, 2),
        Case("hub_late", hub_late, 100_000, 2),
        Case("chain", chain(1), 10_000),
        Case("chain_against", chain(-1), 10_000),
        Case("long_alike", long_alike, 50, 100_000, long=True),
        Case("long_different", long_different, 50, 100_000, long=True),
        Case("zipf", zipf(1.0), 200_000, 30),
        Case("zipf_steep", zipf(1.5), 200_000, 30),
        Case("unique", unique, 200_000),
        Case("single", single(copies=False), 200_000, 1),
        Case("single_copies", single(copies=True), 200_000, 1),
    )
}
ORDINARY = Case("ordinary", ordinary, 200_000)


# -------------------------------------------------------------------------------------------------- to disk


def table(made: Pages, number: Numbers) -> pa.Table:
    """The signatures that `clean` takes."""
    rows = len(number)
    page_id = pc.utf8_lpad(pa.array(number).cast(pa.string()), 9, "0")
    offsets = pa.array(np.r_[0, np.cumsum(made.counts)].astype(np.int32))
    digests = np.stack((mix(51, made.content), mix(52, made.content)), axis=1).tobytes()
    digest = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), rows, [None, pa.py_buffer(digests)])
    nothing, empty = pa.nulls(rows, pa.string()), pa.array(np.full(rows, ""), pa.string())
    return pa.table(
        {
            "page_id": page_id,
            "url": empty,
            "site": empty,
            "source": empty,
            "keep": pa.StructArray.from_arrays(
                [pa.array(np.zeros(rows, bool)), pa.array(made.place), page_id],
                names=["fetched_at_missing", "fetched_at", "page_id"],
            ),
            "content_digest": digest.cast(pa.binary()),
            "fingerprints": pa.ListArray.from_arrays(offsets, pa.array(made.fingerprints)),
            "weights": pa.ListArray.from_arrays(offsets, pa.array(made.weights.astype(np.int32))),
            "reason": nothing,
            "detail": nothing,
        }
    )


def write(case: Case, folder: Path) -> int:
    """The set as Parquet files; how many blocks it has."""
    folder.mkdir(parents=True)
    start = blocks = 0
    for made in case.batches():
        number = np.arange(start, start + len(made.counts))
        pq.write_table(table(made, number), folder / f"part-{start:09d}.parquet", row_group_size=20_000)
        start += len(number)
        blocks += len(made.fingerprints)
    return blocks


# ----------------------------------------------------------------------------------------------- measuring


@dataclass
class Peak:
    """The most memory that this process and all it started held at once (bytes, resident)."""

    bytes: int = 0


@contextmanager
def memory(every: float = 0.25) -> Iterator[Peak]:
    peak, end, me = Peak(), threading.Event(), psutil.Process()

    def look() -> None:
        while not end.wait(every):
            held = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    held += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            peak.bytes = max(peak.bytes, held)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield peak
    finally:
        end.set()
        looking.join()


def run(spark: SparkSession, case: Case, folder: Path, **told: Any) -> dict[str, Any]:
    """Write the set, run the job on it, say what came of it."""
    blocks = write(case, folder / "signed")
    output = Output(str(folder / "out"), "hostile")
    output.start()
    names: list[str] = []

    def settle(frame: DataFrame, name: str) -> DataFrame:
        names.append(name)
        return output.settle(frame, name)

    watch = Watch(quiet=True)
    with memory() as peak:
        start = time.monotonic()
        result: Result = clean(spark.read.parquet(str(folder / "signed")), load(**told), settle, watch)
        seconds = time.monotonic() - start
    found = result.comparisons
    return {
        "name": case.name,
        "pages": case.pages,
        "blocks": blocks,
        "seconds": round(seconds, 1),
        "compared": found["compared"],
        "planned_at_most": found["planned_at_most"],
        "largest_group": found["largest_group"],
        "matched": found["matched"],
        "survivors": result.counts["survivors"],
        "batches": sum(bool(re.fullmatch(r"matches-\d+", name)) for name in names),
        "peak_mb": round(peak.bytes / 2**20),
        "stages": {name: round(spent, 1) for name, spent in watch.seconds.items()},
    }


def like(blocks: int) -> Case:
    """Ordinary pages with about as many blocks in all."""
    return replace(ORDINARY, pages=max(1, blocks // BLOCKS_A_PAGE))


def measure(spark: SparkSession, cases: list[Case], **told: Any) -> Iterator[dict[str, Any]]:
    """One row a set, beside the time of an ordinary one in the same session."""
    beside: dict[int, float] = {}
    for case in [like(60_000), *cases]:  # the first is not counted: the JVM and its workers warm up
        with tempfile.TemporaryDirectory() as folder:
            row = run(spark, case, Path(folder) / "it", **told)
            if case.name == ORDINARY.name:
                continue
            size = round(row["blocks"], -max(0, len(str(row["blocks"])) - 2))  # two digits are near enough
            if size not in beside:
                beside[size] = run(spark, like(size), Path(folder) / "ordinary", **told)["seconds"]
        row |= {"ordinary_seconds": beside[size], "times": round(row["seconds"] / beside[size], 2)}
        yield row


def main() -> None:
    """Measure, print, and write a row a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CASES)}; all of them by default")
    parser.add_argument("--scale", type=float, default=1.0, help="of the full number of pages")
    parser.add_argument("--out", type=Path, default=RESULTS, help="JSON lines; rows are added")
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="KEY=VALUE", help="a setting")
    parser.add_argument("--master", default="local[2]")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in CASES]
    if unknown:
        parser.error(f"no such set: {', '.join(unknown)}; there are {', '.join(CASES)}")
    cases = [CASES[name].scaled(given.scale) for name in given.names or CASES]
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    given.out.parent.mkdir(parents=True, exist_ok=True)
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        properties = Path(folder) / "spark.properties"
        properties.write_text("spark.driver.memory 4g\n")
        spark = open_session(master=given.master, properties=str(properties), log=Path(folder) / "spark.log")
        names = ("pages", "seconds", "ordinary", "times", "compared", "batches", "MB")
        print(" ".join(f"{name:>{width}}" for name, width in zip(("", *names), WIDTHS, strict=True)))
        for row in measure(spark, cases, sets=given.sets):
            row = {"date": time.strftime("%Y-%m-%d"), "scale": given.scale, **row}
            shown = ("pages", "seconds", "ordinary_seconds", "times", "compared", "batches", "peak_mb")
            figures = [f"{row[key]:>{width},}" for key, width in zip(shown, WIDTHS[1:], strict=True)]
            print(f"{row['name']:{WIDTHS[0]}}", *figures, flush=True)
            with given.out.open("a", encoding="utf-8") as rows:
                rows.write(json.dumps(row) + "\n")
            if row["times"] > TIMES:
                slow.append(row["name"])
        spark.stop()
    if slow:
        print(f"more than {TIMES} times as long as ordinary pages: {', '.join(slow)}", file=sys.stderr)


if __name__ == "__main__":
    main()

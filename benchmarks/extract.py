"""Speed of signing against the bare parser, on the same pages, in interleaved rounds.

    python -m benchmarks.extract [--pages PARQUET] [--limit N] [--rounds N] [--out FILE]

Rows: the bare lexbor parser and the turbohtml parser (bytes in, tree out, nothing else), signing in plain Python,
and signing inside Spark, reading and writing Parquet included. Seconds are CPU seconds of all processes, so one
core's worth whatever the number of cores; a ratio is the median over rounds of (this row / lexbor in that round).
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from selectolax.lexbor import LexborHTMLParser
from turbohtml import parse

from benchmarks.pages import default_pages
from dedup.config import load
from dedup.detectors import TagTree
from dedup.io.pages import read_pages
from dedup.keep import keep_struct
from dedup.session import open_session
from dedup.signatures import sign
from dedup.text.documents import Reader
from dedup.text.html import extract

BATCH_BYTES = 8 << 20


def cpu_of_all() -> float:
    """CPU seconds of this process and all below it, workers that have ended included."""
    total = 0.0
    me = psutil.Process()
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
        if process is not me:
            total += times.children_user + times.children_system
    return total


def batches(html: pa.Array) -> list[pa.Array]:
    """The pages in the batches that Spark would hand over."""
    ends = pc.cumulative_sum(pc.fill_null(pc.binary_length(html).cast("int64"), 0)).to_pylist()
    parts, start, floor = [], 0, 0
    for place, end in enumerate(ends, 1):
        if end - floor > BATCH_BYTES or place == len(ends):
            parts.append(html.slice(start, place - start))
            start, floor = place, end
    return parts


def measure(html: pa.Array, folder: str, rounds: int, master: str) -> dict[str, Any]:
    """CPU seconds of each row in each round."""
    pages = [page for page in html.to_pylist() if page]
    parts = batches(html)
    reader, detector = Reader(), TagTree()
    settings = load(None, input__path=folder, input__format="parquet")
    log = Path(tempfile.mkstemp(suffix=".log")[1])
    spark = open_session(master=master, log=log)

    def in_spark() -> None:
        read = read_pages(spark, settings.input, ("fetched_at",))
        kept = read.withColumn("keep", keep_struct(read, settings.keep_order))
        signed = sign(kept, {detector.name: detector}, reader)
        with tempfile.TemporaryDirectory() as out:
            signed.write.mode("overwrite").parquet(f"{out}/signed")

    def read_only() -> None:
        rows = read_pages(spark, settings.input, ("fetched_at",)).mapInArrow(_count, "n long")
        rows.agg({"n": "sum"}).collect()

    rows: dict[str, Callable[[], object]] = {
        "lexbor, parse alone": lambda: _each(LexborHTMLParser, pages),
        "turbohtml, parse alone": lambda: _each(lambda page: parse(page.decode("utf-8", "replace")), pages),
        "text and marks": lambda: _each(lambda page: extract(page.decode("utf-8", "replace")), pages),
        "reading as documents": lambda: _each(reader.read, parts),
        "signing in plain Python": lambda: _each(lambda part: detector.sign(reader.read(part)), parts),
        "reading and hand-over in Spark": read_only,
        "signing in Spark": in_spark,
    }
    in_spark()  # the JVM and its workers warm up once
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, work in rows.items():
            start = cpu_of_all()
            work()
            seconds[name].append(cpu_of_all() - start)
    spark.stop()
    log.unlink()
    size = sum(map(len, pages))
    base = seconds["lexbor, parse alone"]
    return {
        "pages": len(pages),
        "html_mb": round(size / 1e6, 1),
        "rounds": rounds,
        "master": master,
        "rows": [
            {
                "way": name,
                "cpu_seconds": round(statistics.median(spent), 2),
                "pages_per_core_second": round(len(pages) / statistics.median(spent)),
                "mb_per_core_second": round(size / 1e6 / statistics.median(spent), 1),
                "relative_time": round(statistics.median(s / b for s, b in zip(spent, base, strict=True)), 2),
            }
            for name, spent in seconds.items()
        ],
    }


def _each(work: Callable[[Any], object], items: Iterable[Any]) -> None:
    for item in items:
        work(item)  # nothing is kept: all trees at once would measure the allocator


def _count(batches: Any) -> Any:
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"n": [batch.num_rows]})


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--pages", help="Parquet with page_id, url, html, fetched_at; real pages where they are, else the sample site"
    )
    parser.add_argument("--limit", type=int, default=5_000, help="pages at most")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--master", default="local[1]", help="one core by default, since rates are per core")
    parser.add_argument("--out", help="write the figures as JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = default_pages(given.pages, given.limit)
        for part in range(0, table.num_rows, 1_000):
            pq.write_table(table.slice(part, 1_000), f"{folder}/part-{part:06d}.parquet")
        started = time.strftime("%Y-%m-%d")
        found = {"date": started, **measure(table["html"].combine_chunks(), folder, given.rounds, given.master)}
    print(
        f"{found['pages']:,} pages, {found['html_mb']:,} MB of HTML, {given.rounds} interleaved rounds, {given.master}"
    )
    print(f"{'':32} {'pages/s':>9} {'MB/s':>7} {'of lexbor':>10} {'relative time':>14}   (per core)")
    for row in found["rows"]:
        print(
            f"{row['way']:32} {row['pages_per_core_second']:>9,} {row['mb_per_core_second']:>7} "
            f"{1 / row['relative_time']:>10.2f} {row['relative_time']:>14.2f}"
        )
    if given.out:
        Path(given.out).write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""Real pages through the whole job: a tenth of them against the oracle, all of them by what the job owes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from dedup.config import Settings, load
from dedup.io.publish import Output
from dedup.plan import plan
from dedup.run import run
from dedup.watch import Watch
from tests import serial
from tests.spark import from_html
from tests.spark.from_html import Index, Published
from tests.spark.packed import check_same

PROBES = 3_000


def chance(text: str) -> int:
    return zlib.crc32(text.encode())


def path_end(url: str) -> str:
    """What versions of one page have in common."""
    return "/".join(url.split("/")[-2:])


def rows(pages: ds.Dataset | pa.Table) -> Iterator[tuple[str, bytes | None, datetime | None, str]]:
    for batch in pages.to_batches():
        for row in batch.select(["page_id", "html", "fetched_at", "url"]).to_pylist():
            yield row["page_id"], row["html"], row["fetched_at"], urlsplit(row["url"]).hostname or ""


def cleaned(spark: SparkSession, pages: Path, output: Path) -> tuple[Published, dict[str, Any]]:
    told = {"input__path": str(pages), "input__format": "parquet", "output__path": str(output)}
    settings = load(**told, templates__sample_pages=10**6).as_run()  # of large sites too, as the oracle does
    manifest = run(spark, settings, Output(str(output), settings.run_id), Watch(quiet=True))
    return Published.read(output), manifest


def test_a_tenth_equals_the_oracle(spark: SparkSession, real_pages: Path, tmp_path: Path) -> None:
    """About 2,000 pages, versions of a page together."""
    every = ds.dataset(real_pages, format="parquet").to_table()
    chosen = [place for place, url in enumerate(every["url"].to_pylist()) if chance(path_end(url)) % 10 == 0]
    tenth = every.take(chosen)
    (tmp_path / "pages").mkdir()
    for part in range(3):
        pq.write_table(tenth.take(list(range(part, len(tenth), 3))), tmp_path / "pages" / f"part-{part}.parquet")
    assert len(tenth) > 1_500

    found, manifest = cleaned(spark, tmp_path / "pages", tmp_path / "out")
    pages, reasons = from_html.read_pages(rows(tenth))
    from_html.check_accounts(found, manifest["counts"], tenth["page_id"].to_pylist())
    assert {page_id: row["reason"] for page_id, row in found.quarantine.items()} == reasons
    from_html.check_signatures(found, pages)
    compared = serial.bare(pages, serial.Templates())
    assert compared != pages, "no site with template blocks"
    check_same(found.outcome, from_html.deduplicate(compared))
    from_html.check_removals(found, compared)
    assert min(manifest["counts"]["exact"], manifest["counts"]["near"]) > 50


@pytest.mark.slow
def test_all_of_them(spark: SparkSession, real_pages: Path, tmp_path: Path) -> None:
    found, manifest = cleaned(spark, real_pages, tmp_path / "out")
    every = ds.dataset(real_pages, format="parquet")
    pages, reasons = from_html.read_pages(rows(every))
    counts = manifest["counts"]
    assert counts["survivors"] + counts["duplicates"] + counts["quarantined"] == every.count_rows() == 20_000
    from_html.check_accounts(found, counts, [*reasons, *(page.page_id for page in pages)])
    from_html.check_signatures(found, pages)
    compared = serial.bare(pages, serial.Templates())
    from_html.check_removals(found, compared)

    told = plan(spark, Settings.model_validate(manifest["settings"]), sample=4_000)["expected"]["pairs"]
    assert 1 / 3 < told / manifest["comparisons"]["compared"] < 3

    staying = set(found.survivors)
    survivors = [page for page in compared if page.page_id in staying]
    probes = sorted(survivors, key=lambda page: chance(page.page_id))[:PROBES]
    index = Index(survivors)
    for page in probes:
        also = index.matches(page)
        assert not also, f"{page.page_id} and {also[0].page_id} stay and match"
    digests = [page.digest for page in survivors if page.digest]
    assert len(set(digests)) == len(digests), "two survivors have the same content"

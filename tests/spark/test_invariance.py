"""The same result whatever the partitions, the order of rows, the planner's mood, and the batches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup import survivors
from dedup.detectors import TagTree
from dedup.sample.plan import make_book
from dedup.signatures import sign
from dedup.survivors import Settle
from dedup.text.documents import Reader
from tests.serial import Page
from tests.spark.packed import flat, job, page_sets, signed, told

RULE: tuple[str, dict[str, Any]] = ("weighted_jaccard", {"threshold": "0.4"})
SETS = page_sets(40, of=41)


@dataclass(frozen=True)
class Way:
    """One way to run the same thing.

    Attributes:
        seed: how input rows are shuffled; 0 leaves them.
        at_once, boundary_sample: constants of ``survivors``; None leaves them.
    """

    partitions: int = 3
    seed: int = 0
    aqe: bool = True
    shuffles: int = 3
    pairs_per_page: int = 100
    at_once: int | None = None
    boundary_sample: int | None = None
    batch_rows: int = 10_000


def differing(way: Way) -> str:
    """A way by what sets it off from the plainest one."""
    told_ = {field.name: getattr(way, field.name) for field in fields(Way)}
    return "-".join(f"{name}={value}" for name, value in told_.items() if value != getattr(Way(), name)) or "usual"


@contextmanager
def conf(spark: SparkSession, **words: object) -> Iterator[None]:
    """Settings of the session for as long as the block lasts; ``__`` stands for the dot."""
    told_ = {key.replace("__", "."): str(value).lower() for key, value in words.items()}
    before = {key: spark.conf.get(key) for key in told_}
    try:
        for key, value in told_.items():
            spark.conf.set(key, value)
        yield
    finally:
        for key, kept in before.items():
            assert kept is not None
            spark.conf.set(key, kept)


def rows(frame: DataFrame) -> list[Any]:
    """All rows, sorted."""
    return sorted((tuple(row) for row in frame.collect()), key=repr)


def laid_out(spark: SparkSession, held: list[Page], way: Way) -> DataFrame:
    """Signatures in as many partitions as asked, rows in shuffled order."""
    held = list(held)
    if way.seed:
        random.Random(way.seed).shuffle(held)
    frame = signed(spark, held)
    # A number that is given is one that the planner keeps.
    return frame.coalesce(1) if way.partitions == 1 else frame.repartition(way.partitions, F.rand(way.seed))


def outcome(spark: SparkSession, settle: Settle, monkeypatch: pytest.MonkeyPatch, way: Way) -> dict[str, Any]:
    """All that a run tells of pages; what it tells of its own work may differ."""
    with monkeypatch.context() as patch:
        if way.at_once is not None:
            patch.setattr(survivors, "AT_ONCE", way.at_once)
        if way.boundary_sample is not None:
            patch.setattr(survivors, "BOUNDARY_SAMPLE", way.boundary_sample)
        with conf(
            spark,
            spark__sql__adaptive__enabled=way.aqe,
            spark__sql__shuffle__partitions=way.shuffles,
            spark__sql__execution__arrow__maxRecordsPerBatch=way.batch_rows,
        ):
            settings = told(*RULE, pairs_per_page=way.pairs_per_page)
            found = job(laid_out(spark, flat(SETS), way), settings, settle)
            return {
                "survivors": rows(found.result.survivors),
                "duplicates": rows(found.result.duplicates),
                "signatures": rows(found.result.signatures),
                "counts": found.result.counts,
            }


@pytest.fixture(scope="module")
def usual(spark: SparkSession) -> dict[str, Any]:
    """The outcome of the plainest way."""
    with pytest.MonkeyPatch.context() as patch:
        found = outcome(spark, lambda frame, name: frame.localCheckpoint(), patch, Way())
    assert found["counts"]["near"] > 50
    assert found["counts"]["exact"] > 10
    return found


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Way(partitions=1, seed=1, aqe=False, shuffles=1), id="one-partition-no-aqe"),
        pytest.param(
            Way(partitions=16, seed=2, shuffles=7, pairs_per_page=1, batch_rows=5), id="16-partitions-batches"
        ),
        pytest.param(Way(seed=3, aqe=False, shuffles=2, pairs_per_page=1, at_once=50), id="batches-no-aqe"),
    ],
)
def test_same_result(
    spark: SparkSession, checkpoint: Settle, monkeypatch: pytest.MonkeyPatch, usual: dict[str, Any], way: Way
) -> None:
    assert outcome(spark, checkpoint, monkeypatch, way) == usual


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        *(Way(partitions=n, seed=n, aqe=aqe) for n, aqe in ((1, True), (3, False), (16, False))),
        Way(shuffles=16, seed=16, aqe=False),
        *(Way(pairs_per_page=n, boundary_sample=size) for n, size in ((1, 3), (2, 20), (5, 1000))),
        Way(seed=10, pairs_per_page=1, at_once=10),
        Way(batch_rows=1),
    ],
    ids=differing,
)
def test_same_result_in_every_way(
    spark: SparkSession, settle: Settle, monkeypatch: pytest.MonkeyPatch, usual: dict[str, Any], way: Way
) -> None:
    assert outcome(spark, settle, monkeypatch, way) == usual


def test_signatures_know_no_neighbours(spark: SparkSession) -> None:
    """A page is signed alike alone, among few, and among all."""
    held = [(page.path, page.data) for page in make_book(7, 60).pages]

    def signatures(order: list[tuple[str, bytes]], partitions: int, batch_rows: int) -> list[Any]:
        nothing = F.lit(None).cast("string")
        pages = spark.createDataFrame(order, "page_id string, html binary").select(
            "page_id",
            "html",
            *(nothing.alias(name) for name in ("url", "site", "source", "charset", "reason", "detail")),
            F.struct("page_id").alias("keep"),
        )
        with conf(spark, spark__sql__execution__arrow__maxRecordsPerBatch=batch_rows):
            return rows(sign(pages.repartition(partitions, "page_id"), {"tag_tree": TagTree()}, Reader()))

    whole = signatures(held, 1, 10_000)
    assert len(whole) == len(held)
    assert signatures(held[::-1], 3, 1) == whole
    assert signatures(held[::-1], 2, 7) == whole

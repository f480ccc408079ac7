"""Many small page sets in one job: what a run costs is paid once for all of them.

Each set has a vocabulary, digests and page ids of its own, so the sets cannot meet, and the oracle, which is
quadratic, may take them one by one. Their keep orders interleave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import isclose
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.config import Settings, load
from dedup.pipeline import Result, clean
from dedup.survivors import Settle
from dedup.text import TEXT_VERSION
from dedup.watch import Watch
from tests import serial
from tests.serial import Mode, Outcome, Page, Rule
from tests.strategies import pages

X = TypeVar("X")
Words = Mapping[str, Any]

ROW = T.StructType(
    [
        T.StructField("page_id", T.StringType()),
        T.StructField("place", T.LongType()),
        T.StructField("content_digest", T.BinaryType()),
        T.StructField("fingerprints", T.ArrayType(T.LongType())),
        T.StructField("weights", T.ArrayType(T.IntegerType())),
        T.StructField("site", T.StringType()),
    ]
)


def drawn(strategy: st.SearchStrategy[X], number: int, of: int) -> list[X]:
    """``number`` examples of a strategy, the same ones for the same seed ``of``."""
    found: list[X] = []

    @seed(of)
    @settings(
        max_examples=number,
        database=None,
        phases=(Phase.generate,),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: X) -> None:
        found.append(value)

    collect()
    return found


def page_sets(number: int, of: int, max_pages: int = 30) -> list[list[Page]]:
    """Sets of pages that cannot meet those of another set; the first keeps the vocabulary's extreme numbers."""
    sets = drawn(pages(max_pages=max_pages, min_pages=2), number, of)
    return [[_own(page, place) for page in held] for place, held in enumerate(sets)]


def _own(page: Page, place: int) -> Page:
    def other(fingerprint: int) -> int:
        told = blake2b(f"{place}/{fingerprint}".encode(), digest_size=8).digest()
        return int.from_bytes(told, "big", signed=True) if place else fingerprint

    return replace(
        page,
        page_id=f"s{place:03d}-{page.page_id}",
        fingerprints=tuple(map(other, page.fingerprints)),
        digest=page.digest and blake2b(page.digest, digest_size=16, salt=place.to_bytes(4, "big")).digest(),
    )


def flat(sets: Iterable[Iterable[Page]]) -> list[Page]:
    return [page for held in sets for page in held]


def signed(spark: SparkSession, held: Iterable[Page]) -> DataFrame:
    """Pages whose ``order`` is one number, as the table that ``clean`` takes."""
    rows = [(p.page_id, p.order[0], p.digest, list(p.fingerprints), list(p.weights), p.site) for p in held]
    keep = F.struct(F.lit(False).alias("place_missing"), F.col("place").alias("place"), F.col("page_id"))
    nothing = F.lit(None).cast("string")
    return spark.createDataFrame(rows, ROW).select(
        "page_id",
        F.lit("").alias("url"),
        "site",
        F.lit("here").alias("source"),
        keep.alias("keep"),
        "content_digest",
        "fingerprints",
        "weights",
        F.lit(TEXT_VERSION).alias("text_version"),
        nothing.alias("reason"),
        nothing.alias("detail"),
    )


def told(
    name: str, words: Words, mode: Mode = serial.EXACT, pairs_per_page: int = 100, resolve: str = "walk", **more: Any
) -> Settings:
    """Settings in the words of the oracle; ``more`` by dotted name with ``__`` for the dot."""
    return load(
        rule={"name": name, **words},
        candidates={"pre": mode.pre, "variant": mode.variant},
        survivors={"pairs_per_page": pairs_per_page, "resolve": resolve},
        **more,
    )


@dataclass(frozen=True)
class Found:
    """What the job found, in plain Python."""

    outcome: Outcome
    rows: dict[str, Any]
    result: Result


def job(frame: DataFrame, settings_: Settings, settle: Settle) -> Found:
    """The run from signatures on."""
    result = clean(frame, settings_, settle, Watch(quiet=True))
    survivors = [row["page_id"] for row in result.survivors.collect()]
    rows = {row["page_id"]: row for row in result.duplicates.collect()}
    assert len(set(survivors)) == len(survivors), "a survivor is named twice"
    assert len(rows) == result.duplicates.count(), "a removed page is named twice"
    keepers = {page_id: (row["keeper_id"], row["stage"]) for page_id, row in rows.items()}
    return Found(Outcome(set(survivors), keepers), rows, result)


def expected(sets: Iterable[Sequence[Page]], rule: Rule, mode: Mode = serial.EXACT, resolve: str = "walk") -> Outcome:
    """The oracle's outcome, set by set."""
    survivors: set[str] = set()
    keepers: dict[str, tuple[str, str]] = {}
    for held in sets:
        one = serial.deduplicate(held, rule, mode, resolve)
        survivors |= one.survivors
        keepers |= one.keepers
    return Outcome(survivors, keepers)


def check_same(found: Outcome, wanted: Outcome) -> None:
    """Equal, and if not, which pages differ."""
    differs = {
        page_id: (found.keepers.get(page_id), wanted.keepers.get(page_id))
        for page_id in sorted({*found.keepers, *wanted.keepers})
        if found.keepers.get(page_id) != wanted.keepers.get(page_id)
    }
    assert not differs, f"{len(differs)} pages differ (job, oracle), such as {dict(list(differs.items())[:5])}"
    assert found.survivors == wanted.survivors


def check_evidence(
    found: Found, sets: Iterable[Sequence[Page]], rule: Rule, mode: Mode = serial.EXACT, cap: int = 32
) -> None:
    """Every figure of every removal, recomputed; removals without a direct match have no score."""
    by_id = {page.page_id: page for page in flat(sets)}
    for page_id, row in found.rows.items():
        page, keeper = by_id[page_id], by_id[row["keeper_id"]]
        alike = serial.match(keeper, page, rule, mode)
        assert (row["score"] is not None) == alike, f"{row}: a score where, and only where, two pages match"
        common = serial.common(keeper, page)
        sizes = (len(common), len(page.fingerprints), len(keeper.fingerprints))
        assert (row["common"], row["m"], row["m_keeper"]) == sizes, f"{row}: {sizes}"
        score = 1.0 if row["stage"] == "exact" else rule.score(keeper, page)
        assert not alike or isclose(row["score"], score, rel_tol=1e-12), f"{row}: score {score}"
        assert row["shared"] == [f for f in page.fingerprints if f in common][:cap], f"{row}: {page}, {keeper}"


def check_guarantees(found: Found, sets: Iterable[Sequence[Page]], rule: Rule, mode: Mode) -> None:
    """What a walk owes, set by set."""
    for held in sets:
        ids = {page.page_id for page in held}
        keepers = {page_id: keeper for page_id, keeper in found.outcome.keepers.items() if page_id in ids}
        serial.check_guarantees(held, Outcome(found.outcome.survivors & ids, keepers), rule, mode)

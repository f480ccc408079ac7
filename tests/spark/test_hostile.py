"""Hostile page sets in small: as the oracle says, and no more pairs than pages call for.

The sets themselves are those that ``benchmarks/hostile.py`` measures at full size.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from benchmarks.hostile import CASES, ORDINARY, Case, mix
from dedup.survivors import Settle
from tests import serial
from tests.serial import EXACT, Page
from tests.spark.packed import Found, check_evidence, check_guarantees, check_same, expected, flat, job, signed, told

RULE = ("weighted_jaccard", {"threshold": "0.7"})
ORACLE = serial.WeightedJaccard("0.7")

PAGES = 90
FEW = {"long_alike": (12, 700), "long_different": (12, 700), "hub": (60, 2), "hub_late": (60, 2)}
LEFT = {
    "identical": 1,
    "one_block": 1,
    "template": PAGES,
    "template_near": PAGES,
    "common_below": PAGES,
    "common_near": PAGES,
    "common_above": 1,
    "hub": 30,
    "hub_late": 45,
    "chain": PAGES // 2,
    "chain_against": PAGES // 2,
    "long_alike": 1,
    "long_different": 12,
    "unique": PAGES,
}
"""Pages that stay, where the set's own making says it."""

NEVER = {
    "identical",
    "template",
    "template_near",
    "common_below",
    "common_near",
    "long_different",
    "unique",
    "single_copies",
}
"""Sets of which no two pages need be compared."""


def small(case: Case, pages: int = PAGES) -> Case:
    pages, blocks = FEW.get(case.name, (pages, case.blocks))
    return replace(case, pages=pages, blocks=blocks)


def held(case: Case, salt: int = 0) -> list[Page]:
    """The set as the oracle takes it; sets of different ``salt`` never meet."""
    (made,) = case.batches(10**9)
    ends = np.cumsum(made.counts)
    fingerprints = np.split(mix(salt, made.fingerprints), ends[:-1])
    weights = np.split(made.weights, ends[:-1])
    return [
        Page(
            f"{case.name}-{number:04d}",
            (int(made.place[number]),),
            tuple(fingerprints[number].tolist()),
            tuple(weights[number].tolist()),
            b"%8d%8d" % (salt, made.content[number] % 10**8),
        )
        for number in range(len(made.counts))
    ]


def compared(spark: SparkSession, case: Case, settle: Settle, pairs_per_page: int) -> Found:
    return job(signed(spark, held(case)), told(*RULE, pairs_per_page=pairs_per_page), settle)


@pytest.mark.parametrize("pairs_per_page", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_as_the_oracle_says(spark: SparkSession, checkpoint: Settle, pairs_per_page: int) -> None:
    """All sets at once; of each the verdicts, the evidence, the guarantees, and which pairs were compared."""
    assert spark.conf.get("spark.sql.adaptive.enabled") == "true"
    cases = [small(case) for case in (ORDINARY, *CASES.values())]
    sets = {case.name: held(case, salt) for salt, case in enumerate(cases)}
    pairs: Counter[str] = Counter()

    def settle(frame: DataFrame, name: str) -> DataFrame:
        done = checkpoint(frame, name)
        if name.endswith("-pairs"):
            whose = F.substring_index("better.page_id", "-", 1).alias("name")
            pairs.update({row["name"]: row["count"] for row in done.groupBy(whose).count().collect()})
        return done

    found = job(signed(spark, flat(sets.values())), told(*RULE, pairs_per_page=pairs_per_page), settle)

    check_same(found.outcome, expected(sets.values(), ORACLE))
    check_evidence(found, sets.values(), ORACLE)
    check_guarantees(found, sets.values(), ORACLE, EXACT)
    staying = Counter(page_id.partition("-")[0] for page_id in found.outcome.survivors)
    assert {name: staying[name] for name in LEFT} == LEFT
    assert {name: pairs[name] for name in sorted(NEVER)} == dict.fromkeys(sorted(NEVER), 0)
    assert sum(pairs.values()) == found.result.comparisons["compared"]


GROW = 2.5
"""Times as many pairs that twice as many pages may take; a quadratic job takes 4."""


@pytest.mark.parametrize(
    "name",
    [
        "one_block",
        "hub",
        pytest.param("hub_late", marks=pytest.mark.slow),
        "single",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("common_above", "common_around", "chain", "chain_against", "notice")
        ),
    ],
)
def test_pairs_grow_as_pages_do(spark: SparkSession, checkpoint: Settle, name: str) -> None:
    few, more = (
        compared(spark, replace(CASES[name], pages=pages), checkpoint, 2).result.comparisons for pages in (200, 400)
    )
    assert few["planned_at_most"] or few["shared_keys"], f"pages that never meet: {few}"
    assert more["compared"] <= GROW * few["compared"], f"200 pages: {few}, 400 pages: {more}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pages", "share"), [("zipf", 2_000, 0.0001), ("zipf_steep", 400, 0.02)])
def test_pages_of_chance_seldom_meet(
    spark: SparkSession, checkpoint: Settle, name: str, pages: int, share: float
) -> None:
    """What meets by chance grows as all pairs do; it must stay a small share of them (docs/how-it-works.md)."""
    found = compared(spark, replace(CASES[name], pages=pages), checkpoint, 2).result.comparisons
    assert found["shared_keys"]
    assert found["compared"] <= share * pages * (pages - 1) / 2, found


@pytest.mark.parametrize("name", ["identical", "template_near", "chain", "zipf", "single_copies", "notice"])
def test_pages_are_the_same_in_any_batches(name: str) -> None:
    case = small(CASES[name])
    whole = list(case.batches(10**9))
    parts = list(case.batches(7 * case.blocks))
    assert len(whole) == 1
    assert len(parts) > 10
    for field in ("place", "content", "counts", "fingerprints", "weights"):
        assert np.array_equal(getattr(whole[0], field), np.concatenate([getattr(part, field) for part in parts])), field


@pytest.mark.parametrize("name", sorted({*CASES, "ordinary"}))
def test_sets_keep_the_contract(name: str) -> None:
    """Distinct fingerprints in a page, one weight a fingerprint in a set, equal content for equal digests only."""
    pages = held(small(CASES.get(name, ORDINARY)))
    weights: dict[int, int] = {}
    contents: dict[bytes, tuple[int, ...]] = {}
    for page in pages:
        assert len(set(page.fingerprints)) == len(page.fingerprints) == len(page.weights) > 0
        assert all(weights.setdefault(f, w) == w for f, w in zip(page.fingerprints, page.weights, strict=True))
        assert min(page.weights) > 0
        assert page.digest is not None
        assert contents.setdefault(page.digest, page.fingerprints) == page.fingerprints

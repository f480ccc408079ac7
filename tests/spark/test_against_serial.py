"""The job against the oracle: who stays, who keeps whom, at which stage, and by what evidence."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup import survivors
from dedup.keep import KeepKey, keep_struct
from dedup.survivors import Settle
from tests import serial
from tests.serial import EXACT, Mode
from tests.spark.packed import (
    Found,
    Words,
    check_evidence,
    check_guarantees,
    check_same,
    drawn,
    expected,
    flat,
    job,
    page_sets,
    signed,
    told,
)
from tests.strategies import modes, rules

Rule = tuple[str, Words]

WEIGHTED: Rule = ("weighted_jaccard", {"threshold": "0.5"})
OVERLAP: Rule = ("overlap", {"min_common": 3})
JACCARD: Rule = ("jaccard", {"threshold": "0.333"})
DICE: Rule = ("dice", {"threshold": "0.667"})
COSINE: Rule = ("cosine", {"threshold": "0.6"})
WEIGHTED_COSINE: Rule = ("weighted_cosine", {"threshold": "0.8"})
MAX: Rule = ("max", {"threshold": "0.5"})
MIN: Rule = ("min", {"threshold": "0.7", "min_common": 2})
ALL_RULES = (WEIGHTED, OVERLAP, JACCARD, DICE, COSINE, WEIGHTED_COSINE, MAX, MIN)
ALL_MODES = (
    EXACT,
    Mode(0),
    Mode(1, "any"),
    Mode(3, "any"),
    Mode(2, "all"),
    Mode(3, "all"),
    Mode(2, "same_position"),
    Mode(3, "same_position"),
)


def check(
    spark: SparkSession,
    settle: Settle,
    rule: Rule,
    mode: Mode = EXACT,
    pairs_per_page: int = 100,
    resolve: str = "walk",
    seed: int = 1,
    cap: int = 32,
    **more: Any,
) -> Found:
    """One run over many page sets, held against all that the oracle says of it."""
    sets = page_sets(40, of=seed)
    oracle = serial.RULES[rule[0]](**rule[1])
    settings = told(*rule, mode, pairs_per_page, resolve, output__shared_cap=cap, **more)
    found = job(signed(spark, flat(sets)), settings, settle)
    check_same(found.outcome, expected(sets, oracle, mode, resolve))
    check_evidence(found, sets, oracle, mode, cap)
    if resolve == "walk":
        check_guarantees(found, sets, oracle, mode)
    counts = found.result.counts
    assert counts["survivors"] + counts["exact"] + counts["near"] == counts["pages"] == len(flat(sets))
    assert min(counts["exact"], counts["near"]) > 0, f"{counts}: nothing to decide"
    return found


class Names:
    """A settle that remembers what it was asked for: the path that a run took."""

    def __init__(self, settle: Settle) -> None:
        self._settle, self.seen = settle, set[str]()

    def __call__(self, frame: DataFrame, name: str) -> DataFrame:
        self.seen.add(name)
        return self._settle(frame, name)


@pytest.mark.parametrize(
    ("rule", "mode", "pairs_per_page"),
    [
        pytest.param(WEIGHTED, EXACT, 100, id="weighted_jaccard"),
        pytest.param(WEIGHTED_COSINE, EXACT, 100, id="weighted_cosine"),
        pytest.param(MIN, EXACT, 2, id="min-batches"),
        pytest.param(COSINE, Mode(2, "any"), 100, id="cosine-any-of-2"),
        pytest.param(MAX, Mode(2, "all"), 100, id="max-all-of-2"),
        pytest.param(DICE, Mode(2, "same_position"), 100, id="dice-same-position-of-2"),
        pytest.param(JACCARD, Mode(0), 100, id="jaccard-all-pairs"),
    ],
)
def test_walk(spark: SparkSession, checkpoint: Settle, rule: Rule, mode: Mode, pairs_per_page: int) -> None:
    check(spark, checkpoint, rule, mode, pairs_per_page)


def test_many_batches(spark: SparkSession, settle: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches that begin and end where a sample of a few pages says."""
    monkeypatch.setattr(survivors, "BOUNDARY_SAMPLE", 40)
    names = Names(settle)
    check(spark, names, OVERLAP, pairs_per_page=1, seed=2)
    assert {"matches-1-on", "matches-2"} <= names.seen, f"one batch only: {sorted(names.seen)}"


def test_batches_end_in_any_keep_order(
    spark: SparkSession, checkpoint: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A boundary is a row of the keep order, written out: text, numbers, moments, and nulls of each."""
    monkeypatch.setattr(survivors, "BOUNDARY_SAMPLE", 40)
    names = Names(checkpoint)
    sets = page_sets(40, of=9)
    columns: dict[str, tuple[str, list[Any]]] = {
        "name": ("string", ["中文😀", "ab", "a", None]),
        "quality": ("double", [2.5, 0.0, -1.25, None]),
        "seen": ("timestamp", ["2024-02-29 12:00:00.000001", "1970-01-01 00:00:00", "1969-12-31 23:59:59.5", None]),
        "main": ("boolean", [True, True, False, None]),
    }
    place = F.col("keep.place").cast("int")
    frame = signed(spark, flat(sets)).withColumns(
        {name: F.get(F.array(*map(F.lit, values)), place).cast(kind) for name, (kind, values) in columns.items()}
    )
    keep = keep_struct(frame, tuple(KeepKey(name, descending=True) for name in columns))
    found = job(frame.withColumn("keep", keep).drop(*columns), told(*WEIGHTED, pairs_per_page=1), names)
    assert {"matches-1-on", "matches-2"} <= names.seen, f"one batch only: {sorted(names.seen)}"
    oracle = serial.RULES[WEIGHTED[0]](**WEIGHTED[1])
    check_same(found.outcome, expected(sets, oracle))
    check_evidence(found, sets, oracle)


def test_components(spark: SparkSession, settle: Settle) -> None:
    found = check(spark, settle, JACCARD, resolve="components", seed=3)
    assert any(row["score"] is None for row in found.rows.values()), "no chain: nothing that sets it off from a walk"


TEMPLATES = serial.Templates(share="0.3", at_least=2, min_pages=3)


@pytest.mark.parametrize("rule", [WEIGHTED, pytest.param(OVERLAP, marks=pytest.mark.slow)])
def test_template_blocks(spark: SparkSession, checkpoint: Settle, rule: Rule) -> None:
    """Pages of two sites in each set, and some of no site: which blocks each site's pages are compared without."""
    sets = [
        [replace(page, site=f"{number}.{place % 3}" if place % 3 else "") for place, page in enumerate(held)]
        for number, held in enumerate(page_sets(40, of=21))
    ]
    words = {"share": float(TEMPLATES.share), "at_least": TEMPLATES.at_least, "min_pages": TEMPLATES.min_pages}
    found = job(signed(spark, flat(sets)), told(*rule, templates=words), checkpoint)
    blocks = {(row["site"], row["fingerprint"]) for row in found.result.templates.collect()}
    assert blocks == set().union(*map(TEMPLATES.of, sets))
    assert len(blocks) > 40
    compared = [serial.bare(held, TEMPLATES) for held in sets]
    oracle = serial.RULES[rule[0]](**rule[1])
    assert expected(compared, oracle) != expected(sets, oracle)
    check_same(found.outcome, expected(compared, oracle))
    check_evidence(found, compared, oracle)
    check_guarantees(found, compared, oracle, EXACT)


def test_no_template_blocks(spark: SparkSession, checkpoint: Settle) -> None:
    sets = [[replace(page, site=f"{number}") for page in held] for number, held in enumerate(page_sets(40, of=21))]
    words = {"share": 0.1, "at_least": 1, "min_pages": 1, "enabled": False}
    found = job(signed(spark, flat(sets)), told(*WEIGHTED, templates=words), checkpoint)
    assert found.result.templates.count() == 0
    check_same(found.outcome, expected(sets, serial.RULES[WEIGHTED[0]](**WEIGHTED[1])))


def test_parallel_rounds(spark: SparkSession, checkpoint: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision of a batch in rounds, none left for one task."""
    monkeypatch.setattr(survivors, "AT_ONCE", 0)
    names = Names(checkpoint)
    check(spark, names, ("max", {"threshold": "0.4"}), seed=4)
    assert "greedy-1-leaving-1" in names.seen, "one round only"
    assert "greedy-1-components" not in names.seen


def test_finish_by_component(spark: SparkSession, checkpoint: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    """After one round the components of what is left are walked, each by one task."""
    monkeypatch.setattr(survivors, "AT_ONCE", 0)
    monkeypatch.setattr(survivors, "ROUNDS", 1)
    names = Names(checkpoint)
    check(spark, names, JACCARD, seed=6)
    assert any(name.startswith("greedy-1-components") for name in names.seen), "nothing was left"


@pytest.mark.slow
def test_finish_by_one_task(spark: SparkSession, checkpoint: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds until one task can walk the rest."""
    monkeypatch.setattr(survivors, "AT_ONCE", 30)
    names = Names(checkpoint)
    check(spark, names, WEIGHTED, pairs_per_page=2, seed=6)
    assert "greedy-1-leaving-0" in names.seen


@pytest.mark.slow
@pytest.mark.parametrize(("at_once", "rounds", "pairs_per_page"), [(0, 1, 2), (0, 2, 1), (5, 8, 1)])
def test_rounds_in_batches(
    spark: SparkSession,
    checkpoint: Settle,
    monkeypatch: pytest.MonkeyPatch,
    at_once: int,
    rounds: int,
    pairs_per_page: int,
) -> None:
    monkeypatch.setattr(survivors, "AT_ONCE", at_once)
    monkeypatch.setattr(survivors, "ROUNDS", rounds)
    check(spark, checkpoint, ("min", {"threshold": "0.5", "min_common": 1}), Mode(2, "any"), pairs_per_page, seed=7)


@pytest.mark.slow
def test_shared_is_capped(spark: SparkSession, checkpoint: Settle) -> None:
    check(spark, checkpoint, WEIGHTED, seed=8, cap=2)


@pytest.mark.slow
@pytest.mark.parametrize(("sample_pages", "hottest"), [(20, 3), (50_000, 0)])
def test_exact_needs_no_frequencies(spark: SparkSession, checkpoint: Settle, sample_pages: int, hottest: int) -> None:
    """The common order may come from a poor sample, or from none."""
    check(spark, checkpoint, DICE, seed=9, candidates__sample_pages=sample_pages, candidates__hottest=hottest)


# Each rule in two modes, each mode with one rule at least.
EVERY = [
    (rule, ALL_MODES[(place + step) % len(ALL_MODES)], pairs_per_page)
    for (place, rule), (step, pairs_per_page) in product(enumerate(ALL_RULES), ((1, 1), (4, 2)))
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "mode", "pairs_per_page"), EVERY, ids=[f"{r[0]}-{m.pre}-{m.variant}-{n}" for r, m, n in EVERY]
)
def test_every_rule_in_every_mode(
    spark: SparkSession, checkpoint: Settle, rule: Rule, mode: Mode, pairs_per_page: int
) -> None:
    check(spark, checkpoint, rule, mode, pairs_per_page, seed=10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "mode"), [(WEIGHTED, EXACT), (COSINE, Mode(0)), (MIN, Mode(3, "any")), (OVERLAP, EXACT)]
)
def test_components_of_every_rule(spark: SparkSession, checkpoint: Settle, rule: Rule, mode: Mode) -> None:
    check(spark, checkpoint, rule, mode, resolve="components", seed=11)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 28))
def test_any_words(spark: SparkSession, checkpoint: Settle, seed: int) -> None:
    """Rules, thresholds and modes as they fall: 0.07, 0.333, 1, floors up to 5, pre from 0 to 4."""
    name, words = drawn(rules(), 12, seed)[-1]  # the first ones are the simplest
    mode = drawn(modes(), 12, seed)[-1] if seed % 2 else EXACT
    pairs_per_page = (1, 2, 100)[seed % 3]
    sets = page_sets(40, of=seed)
    oracle = serial.RULES[name](**words)
    found = job(signed(spark, flat(sets)), told(name, words, mode, pairs_per_page), checkpoint)
    check_same(found.outcome, expected(sets, oracle, mode))
    check_evidence(found, sets, oracle, mode)
    check_guarantees(found, sets, oracle, mode)

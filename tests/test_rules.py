"""The rules against the oracle: same verdict, same score, and leading fingerprints that lose no pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.rules import RULES as KINDS
from dedup.rules import Measure, Rule, ratio
from tests import serial
from tests.serial import Page
from tests.strategies import FAMILIAR, VOCABULARY, pages, rules, thresholds

RULES: Mapping[str, Callable[..., Rule]] = KINDS
BY_COUNT = ("jaccard", "dice", "cosine", "max")
BY_WEIGHT = ("weighted_jaccard", "weighted_cosine")
TOLD: list[tuple[str, dict[str, Any]]] = [
    *(("overlap", {"min_common": floor}) for floor in (1, 2, 3, 4)),
    *((name, {"threshold": t}) for name in (*BY_COUNT, *BY_WEIGHT) for t in FAMILIAR),
    *(("min", {"threshold": t, "min_common": floor}) for t in FAMILIAR for floor in (1, 2, 4)),
]
each_rule = pytest.mark.parametrize(
    ("name", "words"), TOLD, ids=[f"{name}-{'-'.join(map(str, words.values()))}" for name, words in TOLD]
)

WEIGHTS = (1, 2, 3, 7, 20, 40)
"""Of the fingerprints 0, 1, 2, …, again and again."""

IN_COMMON: dict[Measure, Callable[[int, int], int]] = {
    Measure.COUNT: lambda v, w: min(1, v * w),
    Measure.LEAST: min,
    Measure.PRODUCT: lambda v, w: v * w,
}


def page(fingerprints: Sequence[int], ranks: Sequence[int] = (1,)) -> Page:
    weights = tuple(WEIGHTS[f % len(WEIGHTS)] * ranks[f % len(ranks)] for f in fingerprints)
    return Page(f"p{min(fingerprints, default=0)}", (), tuple(fingerprints), weights)


def measured(rule: Rule, a: Page, b: Page) -> tuple[int, int, int]:
    """What the rule judges: the sizes of A ∩ B, A, B in its own measure."""
    common = sum(IN_COMMON[rule.measure](v, w) for v, w in serial.weights(a, b))
    return common, sum(sizes(rule, a).values()), sum(sizes(rule, b).values())


def sizes(rule: Rule, held: Page) -> dict[int, int]:
    """What each fingerprint adds to the size of its page."""
    return {f: IN_COMMON[rule.measure](w, w) for f, w in zip(held.fingerprints, held.weights, strict=True)}


def leading(rule: Rule, held: Page, order: Sequence[int]) -> list[tuple[int, int]]:
    """The page's leading fingerprints in an order common to all pages, each with what is left from it on."""
    weight = sizes(rule, held)
    size = rest = sum(weight.values())
    found: list[tuple[int, int]] = []
    reachable = True
    for fingerprint in sorted(held.fingerprints, key=order.index):
        now = bool(rule.reachable(rest, size))
        assert reachable or not now, "leading fingerprints are not the first ones"
        reachable = now
        if reachable:
            found.append((fingerprint, rest))
        rest -= weight[fingerprint]
    return found


def met_first(rule: Rule, a: Page, b: Page, order: Sequence[int]) -> tuple[int, int] | None:
    """What is left of both pages from their first common leading fingerprint on."""
    rest_b = dict(leading(rule, b, order))
    return next(((rest, rest_b[f]) for f, rest in leading(rule, a, order) if f in rest_b), None)


def assert_not_lost(rule: Rule, a: Page, b: Page, order: Sequence[int]) -> None:
    """An accepted pair shares a leading fingerprint, and what is left there still satisfies the rule."""
    _, size_a, size_b = measured(rule, a, b)
    first = met_first(rule, a, b, order)
    assert first is not None, f"{rule} accepts {a}, {b}; their leading fingerprints in {order} do not meet"
    assert rule.possible(*first, size_a, size_b), f"{rule} refuses {a}, {b} where they meet in {order}"
    for rest, size, other in ((first[0], size_a, size_b), (first[1], size_b, size_a)):
        assert size > other or rule.indexes(rest, size), f"{rule}: the smaller of {a}, {b} is not found in {order}"


# ------------------------------------------------------------------------------------- verdicts and scores


@each_rule
def test_same_verdict_and_score_as_the_oracle(name: str, words: dict[str, Any]) -> None:
    rule, oracle = RULES[name](**words), serial.RULES[name](**words)
    pairs = [
        (page(range(a), ranks), page(range(a - common, a - common + b)))
        for ranks in ((1,), (1, 10, 8))
        for a, b in product(range(1, 10), repeat=2)
        for common in range(min(a, b) + 1)
    ]
    measures = [measured(rule, a, b) for a, b in pairs]
    verdicts = [oracle.accepts(a, b) for a, b in pairs]
    scores = [oracle.score(a, b) for a, b in pairs]

    assert [bool(rule.accepts(*size)) for size in measures] == verdicts
    assert [rule.score(*size) for size in measures] == pytest.approx(scores, abs=1e-12)

    arrays = [np.array(column, np.int64) for column in zip(*measures, strict=True)]
    assert rule.accepts(*arrays).tolist() == verdicts
    assert np.asarray(rule.score(*arrays), np.float64).tolist() == pytest.approx(scores, abs=1e-12)


@pytest.mark.parametrize("name", [*BY_COUNT, "min"])
@pytest.mark.parametrize("threshold", ["0.07", "0.14", "0.28", "0.29", "0.55", "0.56", "0.57", "0.58"])
def test_hundreds_where_floating_point_is_wrong(name: str, threshold: str) -> None:
    words = {"threshold": threshold} | ({"min_common": 1} if name == "min" else {})
    rule, oracle = RULES[name](**words), serial.RULES[name](**words)
    hundred = page(range(100))
    for b, common in product((50, 100, 200), range(1, 101)):
        if common <= b:
            other = page(range(100 - common, 100 - common + b))
            assert bool(rule.accepts(common, 100, b)) == oracle.accepts(hundred, other), (common, b)


def test_seven_of_a_hundred_is_seven_hundredths() -> None:
    rule = RULES["max"](threshold="0.07")
    assert rule.accepts(7, 100, 100)
    assert not rule.accepts(6, 100, 100)
    assert rule.reachable(7, 100)
    assert not rule.reachable(6, 100)


@settings(max_examples=300, deadline=None)
@given(rules(), st.integers(1, 10**12), st.integers(1, 10**12), st.data())
def test_large_sizes_stay_exact_in_64_bits(
    told: tuple[str, dict[str, Any]], a: int, b: int, data: st.DataObject
) -> None:
    rule = RULES[told[0]](**told[1])
    common = data.draw(st.integers(0, min(a, b)))
    arrays = (np.array([size], np.int64) for size in (common, a, b))
    assert rule.accepts(*arrays).tolist() == [bool(rule.accepts(common, a, b))]
    rest, size, other = (np.array([value], np.int64) for value in (common, a, b))
    assert rule.reachable(rest, size).tolist() == [bool(rule.reachable(common, a))]
    assert rule.possible(rest, rest, size, other).tolist() == [bool(rule.possible(common, common, a, b))]
    assert 0 <= rule.score(rest, size, other)[0] <= 1


# ---------------------------------------------------------------------------------- leading fingerprints


@each_rule
def test_leading_fingerprints_lose_no_pair_of_any_sets(name: str, words: dict[str, Any]) -> None:
    """All pairs of subsets of four fingerprints, weighing more or less from page to page; in two orders."""
    rule, oracle = RULES[name](**words), serial.RULES[name](**words)
    vocabulary = range(4)
    subsets = list(chain.from_iterable(combinations(vocabulary, size) for size in range(1, 5)))
    held = [page(subset, ranks) for subset in subsets for ranks in ((1,), (10, 1), (1, 8, 10))]
    for a, b in product(held, repeat=2):
        if oracle.accepts(a, b):
            for order in (vocabulary, vocabulary[::-1]):
                assert_not_lost(rule, a, b, order)


@settings(max_examples=400, deadline=None)
@given(pages(min_pages=2, max_pages=8), rules(), st.permutations(VOCABULARY))
def test_leading_fingerprints_lose_no_pair_in_any_common_order(
    given_pages: list[Page], told: tuple[str, dict[str, Any]], order: list[int]
) -> None:
    name, words = told
    rule, oracle = RULES[name](**words), serial.RULES[name](**words)
    for a, b in combinations(given_pages, 2):
        if oracle.accepts(a, b):
            assert_not_lost(rule, a, b, order)


@pytest.mark.parametrize("m", [1, 2, 3, 7, 10, 99, 100])
@pytest.mark.parametrize("threshold", [*FAMILIAR, "0.14", "0.999", "0.001"])
def test_no_more_leading_fingerprints_than_the_table_says(m: int, threshold: str) -> None:
    t = Fraction(threshold)
    needs = {"jaccard": t * m, "dice": t * m / (2 - t), "cosine": t**2 * m, "max": t * m}
    for name, share in needs.items():
        found = leading(RULES[name](threshold=threshold), page(range(m)), range(m))
        assert len(found) == m - math.ceil(share) + 1, name


@pytest.mark.parametrize("m", [1, 3, 4, 5, 100])
def test_a_floor_leaves_as_many_as_the_table_says(m: int) -> None:
    for rule in (RULES["overlap"](min_common=4), RULES["min"](threshold="0.9", min_common=4)):
        assert len(leading(rule, page(range(m)), range(m))) == max(0, m - 4 + 1)


def test_weighted_leading_fingerprints_end_where_too_little_weight_is_left() -> None:
    # 40 + 20 + 7 + 3 = 70; 0.4 of it is 28: 70 and 30 are enough, 10 and 3 are not.
    rule, held = RULES["weighted_jaccard"](threshold="0.4"), page((5, 4, 3, 2))
    assert leading(rule, held, (5, 4, 3, 2)) == [(5, 70), (4, 30)]


# ---------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize("name", [*BY_COUNT, *BY_WEIGHT, "min"])
@pytest.mark.parametrize(
    ("threshold", "message"),
    [
        ("0", "outside"),
        (0, "outside"),
        ("-0.1", "outside"),
        ("1.5", "outside"),
        (1.5, "outside"),
        (70, "outside"),
        ("0.1234", "three decimals"),
        (0.1234, "three decimals"),
        (Fraction(1, 3), "three decimals"),
        ("much", "much"),
    ],
)
def test_thresholds_that_cannot_be_meant_are_refused(name: str, threshold: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RULES[name](threshold=threshold)


@pytest.mark.parametrize("name", ["overlap", "min"])
@pytest.mark.parametrize("floor", [0, -1])
def test_a_floor_below_one_is_refused(name: str, floor: int) -> None:
    with pytest.raises(ValueError, match=f"min_common {floor} is below 1"):
        RULES[name](min_common=floor)


@given(thresholds())
def test_a_threshold_means_the_decimal_that_is_written(text: str) -> None:
    assert ratio(text) == ratio(float(text)) == ratio(Fraction(text)) == Fraction(text)


@each_rule
def test_a_pair_that_is_accepted_could_be_two_pages_as_small_as_the_smaller(name: str, words: dict[str, Any]) -> None:
    """What the smaller page needs does not fall when the other grows: only its keys need be found by others."""
    rule = RULES[name](**words)
    for smaller, other in product(range(1, 40), range(1, 40)):
        for common in range(1, smaller + 1):
            if smaller <= other and rule.accepts(common, smaller, other):
                assert rule.accepts(common, smaller, smaller), (common, smaller, other)


def test_the_oracle_knows_every_rule() -> None:
    assert RULES.keys() == serial.RULES.keys()

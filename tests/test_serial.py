"""The oracle's own checks: cases that the specification answers, then its guarantees at large."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.serial import (
    EXACT,
    RULES,
    Mode,
    Outcome,
    Page,
    Rule,
    check_guarantees,
    collapse,
    components,
    deduplicate,
    meet,
    walk,
)
from tests.strategies import modes, pages, rules

HALF = RULES["jaccard"](threshold="0.5")


def page(page_id: str, *fingerprints: int, order: int = 0, digest: bytes | None = None) -> Page:
    """A page whose fingerprints all weigh 1; the name decides the keep order unless ``order`` does."""
    return Page(page_id, (order,), fingerprints, (1,) * len(fingerprints), digest)


def weighing(page_id: str, weights: dict[int, int]) -> Page:
    return Page(page_id, (), tuple(weights), tuple(weights.values()))


# A ~ B and B ~ C at one half, A and C have one of five in common.
CHAIN = [page("A", 1, 2, 3), page("B", 2, 3, 4), page("C", 3, 4, 5)]


def test_a_page_stays_unless_a_better_page_that_stays_matches_it() -> None:
    assert deduplicate(CHAIN, HALF) == Outcome({"A", "C"}, {"B": ("A", "near")})


def test_the_keep_order_decides_which_page_of_the_chain_stays() -> None:
    middle_first = [page("A", 1, 2, 3, order=1), page("B", 2, 3, 4, order=0), page("C", 3, 4, 5, order=2)]
    assert walk(middle_first, HALF) == {"A": "B", "C": "B"}


def test_components_remove_along_the_chain() -> None:
    assert components(CHAIN, HALF) == {"B": "A", "C": "A"}
    outcome = deduplicate(CHAIN, HALF, resolve="components")
    assert outcome == Outcome({"A"}, {"B": ("A", "near"), "C": ("A", "near")})
    with pytest.raises(AssertionError, match=r"C removed for A .*no match"):
        check_guarantees(CHAIN, outcome, HALF)


def test_components_reach_through_a_worse_page() -> None:
    assert components([page("A", 1, 2, 3), page("B", 3, 4, 5), page("C", 2, 3, 4)], HALF) == {
        "B": "A",
        "C": "A",
    }


def test_page_id_decides_between_equal_orders() -> None:
    assert walk([page("b", 1), page("a", 1), page("c", 1, order=-1)], HALF) == {"a": "c", "b": "c"}
    assert walk([page("b", 1), page("a", 1)], HALF) == {"b": "a"}


def test_the_keeper_is_the_best_page_that_matches_not_the_most_alike() -> None:
    far, near, last = page("A", 1, 2, 3, 9), page("B", 2, 3, 4, 5), page("C", 2, 3, 4)
    assert HALF.score(near, last) > HALF.score(far, last)
    assert walk([last, near, far], RULES["jaccard"](threshold="0.4"))["C"] == "A"


def test_exact_copies_go_first_and_name_the_best_of_their_content() -> None:
    copies = [page("A", 1, digest=b"x"), page("B", 1, digest=b"x"), page("C", 1, digest=b"x")]
    assert collapse(reversed(copies)) == ([copies[0]], {"B": "A", "C": "A"})
    assert deduplicate(copies, HALF) == Outcome({"A"}, {"B": ("A", "exact"), "C": ("A", "exact")})


def test_a_missing_digest_equals_nothing() -> None:
    assert deduplicate([page("A"), page("B")], HALF) == Outcome({"A", "B"}, {})


def test_a_copy_of_a_removed_page_names_the_keeper_that_stays() -> None:
    both = [page("A", 1, 2, 3), page("B", 2, 3, 4, digest=b"x"), page("C", 2, 3, 4, digest=b"x")]
    assert deduplicate(both, HALF) == Outcome({"A"}, {"B": ("A", "near"), "C": ("A", "near")})


def test_equal_content_collapses_where_the_rule_asks_for_more_than_there_is() -> None:
    tiny = [page("A", 1, digest=b"x"), page("B", 1, digest=b"x"), page("C", 1)]
    assert deduplicate(tiny, RULES["overlap"](min_common=4)) == Outcome({"A", "C"}, {"B": ("A", "exact")})


@pytest.mark.parametrize(
    "rule",
    [
        RULES["overlap"](min_common=1),
        RULES["min"](threshold="0.001", min_common=1),
        *(RULES[name](threshold="0.001") for name in ("jaccard", "weighted_jaccard", "dice", "cosine", "max")),
    ],
    ids=repr,
)
def test_pages_without_fingerprints_match_nothing(rule: Rule) -> None:
    assert not rule.accepts(page("A"), page("B"))
    assert not rule.accepts(page("A"), page("B", 1))
    assert deduplicate([page("A"), page("B"), page("C", 1)], rule, Mode(0)).keepers == {}
    # Without fingerprints they are still compared by their content.
    empty = [page("A", digest=b"x"), page("B", digest=b"x")]
    assert deduplicate(empty, rule) == Outcome({"A"}, {"B": ("A", "exact")})


A, B = page("A", *range(10)), page("B", *range(8), 20, 21, 22, 23)  # 10, 12, and 8 in common


@pytest.mark.parametrize(
    ("name", "just", "too_much", "score"),
    [
        ("jaccard", "0.571", "0.572", 8 / 14),
        ("dice", "0.727", "0.728", 16 / 22),
        ("cosine", "0.73", "0.731", 8 / 120**0.5),
        ("max", "0.666", "0.667", 8 / 12),
    ],
)
def test_ratios(name: str, just: str, too_much: str, score: float) -> None:
    assert RULES[name](threshold=just).accepts(A, B)
    assert not RULES[name](threshold=too_much).accepts(A, B)
    assert RULES[name](threshold=just).score(A, B) == pytest.approx(score, abs=1e-12)


def test_overlap_counts() -> None:
    assert RULES["overlap"](min_common=8).accepts(A, B)
    assert not RULES["overlap"](min_common=9).accepts(A, B)
    assert RULES["overlap"](min_common=8).score(A, B) == pytest.approx(8 / 12)


def test_min_is_containment_with_a_floor() -> None:
    assert RULES["min"](threshold="0.8", min_common=8).accepts(A, B)
    assert not RULES["min"](threshold="0.801", min_common=8).accepts(A, B)
    assert not RULES["min"](threshold="0.8", min_common=9).accepts(A, B)
    assert RULES["min"](threshold="0.8", min_common=8).score(A, B) == pytest.approx(0.8)


def test_weighted_jaccard_weighs() -> None:
    a, b = weighing("A", {1: 30, 2: 4}), weighing("B", {1: 30, 3: 6})
    assert RULES["weighted_jaccard"](threshold="0.75").accepts(a, b)  # 30 of 40
    assert not RULES["weighted_jaccard"](threshold="0.751").accepts(a, b)
    assert RULES["weighted_jaccard"](threshold="1").score(b, a) == 0.75


def test_thresholds_are_fractions() -> None:
    # 0.07 of 100 is 7, which floating point puts a little above.
    a, b = page("A", *range(100)), page("B", *range(93, 193))
    assert 0.07 * 100 > 7
    assert RULES["max"](threshold="0.07").accepts(a, b)


@pytest.mark.parametrize(
    ("a", "b", "any_of_them", "all_of_them", "same_position"),
    [
        ((1, 2, 3, 4), (1, 2, 3, 5), True, True, True),
        ((1, 2, 3, 4), (3, 1, 2, 4), True, False, False),
        ((1, 2, 3), (4, 2, 5), True, False, True),
        ((1, 2, 3, 4), (5, 6, 7, 4), False, False, False),
        ((1, 2), (1, 2), True, True, True),
        ((1, 2), (1, 2, 3), True, False, True),
    ],
)
def test_where_pages_meet_by_their_first_three(
    a: tuple[int, ...], b: tuple[int, ...], any_of_them: bool, all_of_them: bool, same_position: bool
) -> None:
    found = [meet(page("A", *a), page("B", *b), Mode(3, how)) for how in ("any", "all", "same_position")]
    assert found == [any_of_them, all_of_them, same_position]
    assert meet(page("A", *a), page("B", *b), Mode(0))
    assert meet(page("A", *a), page("B", *b), EXACT)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="most"):
        meet(A, B, Mode(3, "most"))


def test_pages_that_do_not_meet_do_not_match() -> None:
    late = [page("A", 1, 2, 3, 4, 5, 6), page("B", 4, 5, 6, 1, 2, 3)]
    assert walk(late, HALF, Mode(3)) == {}
    assert walk(late, HALF, Mode(4)) == {"B": "A"}
    assert walk(late, HALF) == {"B": "A"}


def test_three_first_ones_miss_much_at_random_places_and_nothing_in_a_common_order() -> None:
    """Ten fingerprints each, eight in common: 0 to 7; 8 and 9 are A's own, 10 and 11 B's own."""
    ours, theirs = range(10), (*range(8), 10, 11)
    at_random = [
        meet(page("A", *a), page("B", *b), Mode(3)) for a in combinations(ours, 3) for b in combinations(theirs, 3)
    ]
    assert sum(at_random) / len(at_random) == pytest.approx(0.60, abs=0.005)

    # Every common order, up to the names of the common ones: which places the four own ones take.
    for own_a in combinations(range(12), 2):
        for own_b in combinations(sorted(set(range(12)) - set(own_a)), 2):
            a = [place for place in range(12) if place not in own_b]
            b = [place for place in range(12) if place not in own_a]
            assert meet(page("A", *a), page("B", *b), Mode(3))


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Outcome({"A", "C"}, {}), "accounted for"),
        (Outcome({"A", "B", "C"}, {"B": ("A", "near")}), "accounted for"),
        (Outcome({"A"}, {"B": ("A", "near"), "C": ("B", "near")}), "C removed for B .*does not stay"),
        (Outcome({"B", "C"}, {"A": ("B", "near")}), "A removed for B .*not better"),
        (Outcome({"A", "B"}, {"C": ("A", "near")}), "C removed for A .*no match"),
        (Outcome({"A", "C"}, {"B": ("A", "exact")}), "wrong stage"),
        (Outcome({"A", "B", "C"}, {}), "both stay and match"),
    ],
)
def test_the_guarantees_tell_what_is_broken(outcome: Outcome, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_guarantees(CHAIN, outcome, HALF)


Told = tuple[str, dict[str, Any]]


@settings(max_examples=300, deadline=None)
@given(pages(), rules(), modes())
def test_guarantees_hold(given_pages: list[Page], told: Told, mode: Mode) -> None:
    rule = RULES[told[0]](**told[1])
    check_guarantees(given_pages, deduplicate(given_pages, rule, mode), rule, mode)


@settings(max_examples=200, deadline=None)
@given(pages(), rules(), modes())
def test_collapsing_first_changes_nothing(given_pages: list[Page], told: Told, mode: Mode) -> None:
    rule = RULES[told[0]](**told[1])
    outcome = deduplicate(given_pages, rule, mode)
    assert {removed: keeper for removed, (keeper, _) in outcome.keepers.items()} == walk(given_pages, rule, mode)


@settings(max_examples=100, deadline=None)
@given(pages(max_pages=20), rules(), modes(), st.data())
def test_the_order_of_the_input_means_nothing(
    given_pages: list[Page], told: Told, mode: Mode, data: st.DataObject
) -> None:
    rule, shuffled = RULES[told[0]](**told[1]), data.draw(st.permutations(given_pages))
    for resolve in ("walk", "components"):
        assert deduplicate(shuffled, rule, mode, resolve) == deduplicate(given_pages, rule, mode, resolve)


@settings(max_examples=100, deadline=None)
@given(pages(max_pages=25), rules(), modes())
def test_components_remove_at_least_what_the_walk_removes(given_pages: list[Page], told: Told, mode: Mode) -> None:
    rule = RULES[told[0]](**told[1])
    assert walk(given_pages, rule, mode).keys() <= components(given_pages, rule, mode).keys()


@settings(max_examples=200, deadline=None)
@given(pages(min_pages=2, max_pages=6), rules())
def test_scores_are_shares(given_pages: list[Page], told: Told) -> None:
    rule = RULES[told[0]](**told[1])
    held = [page for page in given_pages if page.fingerprints]
    for a in held:
        assert rule.score(a, a) == 1
        for b in held:
            assert 0 <= rule.score(a, b) <= 1
            assert rule.score(a, b) == rule.score(b, a)
            assert rule.accepts(a, b) == rule.accepts(b, a)

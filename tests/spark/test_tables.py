"""The tables that pass between the steps, each by a small example worked out by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from chispa import assert_df_equality
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup import schema
from dedup.candidates import Candidates, Frequencies, frequencies, leading_keys, pair
from dedup.components import components
from dedup.errors import DataError
from dedup.groups import Histogram, groups, histogram
from dedup.identity import one_row_each
from dedup.keep import KeepKey, keep_struct
from dedup.matches import ROOM, compare, compare_room
from dedup.rules import Jaccard, MinRatio, Overlap, Rule, WeightedJaccard
from dedup.survivors import Settle, collapse, without
from dedup.templates import Templates, strip, templates
from dedup.verdicts import duplicates

KEEP = "struct<page_id: string>"
KEY = f"key long, keep {KEEP}, size long, rest long, previous long, m int"
GROUP = "key long, g long, i long, pairs long"
PAIR = f"better {KEEP}, worse {KEEP}"
REMOVED = f"worse {KEEP}, better {KEEP}"
SIGNATURES = f"page_id string, keep {KEEP}, content_digest binary, fingerprints array<long>, weights array<int>"


def same(found: DataFrame, wanted: DataFrame) -> None:
    """Equal rows, in any order; whether Spark thinks a column could be null does not matter."""
    assert_df_equality(found, wanted, ignore_row_order=True, ignore_nullable=True)


def table(spark: SparkSession, rows: Iterable[Sequence[Any]], kind: str) -> DataFrame:
    """Rows in which a page is named by its id: a column that is a keep struct takes the id alone.

    A KEY row that does not say ``m`` has as many fingerprints as its size.
    """
    whole = [(*row, row[2]) if kind == KEY and len(row) == 5 else tuple(row) for row in rows]
    frame = spark.createDataFrame(whole, kind.replace(KEEP, "string"))
    structs = [part.split()[0] for part in _columns(kind) if part.endswith(KEEP)]
    return frame.select(
        *(F.struct(F.col(name).alias("page_id")).alias(name) if name in structs else name for name in frame.columns)
    )


def _columns(kind: str) -> list[str]:
    return [part.strip() for part in kind.split(",")]


def signatures(
    spark: SparkSession,
    held: dict[str, list[int]],
    weights: dict[str, list[int]] | None = None,
    digests: dict[str, bytes] | None = None,
) -> DataFrame:
    weights, digests = weights or {}, digests or {}
    rows = [(p, p, digests.get(p), list(fs), weights.get(p, [1] * len(fs))) for p, fs in held.items()]
    return table(spark, rows, SIGNATURES)


# -------------------------------------------------------------------------------------- collapse


def test_collapse_names_the_best_page_of_each_content(spark: SparkSession) -> None:
    held = signatures(
        spark,
        {name: [1] for name in "abcdefg"},
        digests={"b": b"x", "d": b"x", "c": b"x", "a": b"y", "e": b"y", "f": b"z"},  # g has none
    )
    same(collapse(held), table(spark, [("c", "b"), ("d", "b"), ("e", "a")], REMOVED))


def test_collapse_never_pairs_pages_without_digest(spark: SparkSession) -> None:
    same(collapse(signatures(spark, {"a": [], "b": [], "c": [1]})), table(spark, [], REMOVED))


def test_without(spark: SparkSession) -> None:
    held = table(spark, [("a", 1), ("b", 2), ("c", 3)], f"keep {KEEP}, n int")
    removed = table(spark, [("b", "a"), ("b", "a"), ("z", "a")], REMOVED)
    same(without(held, removed), table(spark, [("a", 1), ("c", 3)], f"keep {KEEP}, n int"))


# ------------------------------------------------------------------------------------------ keys

ORDER = Frequencies(np.array([1, 2], np.int64), np.array([3, 2], np.int64))
"""1 stands on three pages, 2 on two, all others on one: 3, 5, 9, …, then 2, then 1."""


def test_exact_keys_by_count(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [5, 1, 2, 3], "b": [1], "c": [], "d": [-7, 1]})
    found = leading_keys(held, Jaccard("0.5"), Candidates(frequencies=ORDER))  # type: ignore[arg-type]
    wanted = [
        (3, "a", 4, 4, None, 4),
        (5, "a", 4, 3, 3, 4),
        (2, "a", 4, 2, 5, 4),  # 1 alone is a quarter of the page: no match by it
        (1, "b", 1, 1, None, 1),
        (-7, "d", 2, 2, None, 2),
        (1, "d", 2, 1, -7, 2),
    ]
    same(found, table(spark, wanted, KEY))


def test_exact_keys_by_weight(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [5, 1, 2, 3], "b": [1, 9]}, {"a": [10, 1, 1, 8], "b": [40, 2]})
    found = leading_keys(held, WeightedJaccard("0.5"), Candidates(frequencies=ORDER))  # type: ignore[arg-type]
    wanted = [(3, "a", 20, 20, None, 4), (5, "a", 20, 12, 3, 4), (9, "b", 42, 42, None, 2), (1, "b", 42, 40, 9, 2)]
    same(found, table(spark, wanted, KEY))


def test_exact_keys_without_frequencies_go_by_fingerprint(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [5, 1, 2, 3]})
    wanted = [(1, "a", 4, 4, None, 4), (2, "a", 4, 3, 1, 4)]
    same(leading_keys(held, Overlap(3), Candidates()), table(spark, wanted, KEY))


@pytest.mark.parametrize("variant", ["any", "all", "same_position"])
def test_keys_of_all_pairs(spark: SparkSession, variant: str) -> None:
    held = signatures(spark, {"a": [5, 1], "b": [], "c": [7]}, {"a": [4, 5], "c": [6]})
    wanted = [(0, "a", 9, 9, None, 2), (0, "c", 6, 6, None, 1)]
    same(leading_keys(held, WeightedJaccard(), Candidates(0, variant)), table(spark, wanted, KEY))


FIRST = {"x": [5, 1, 9], "y": [5, 1, 7, 8], "z": [1, 5], "short": [5], "none": []}


def test_keys_any_of_the_first(spark: SparkSession) -> None:
    wanted = [
        *((5, "x", 3, 3, None, 3), (1, "x", 3, 3, 5, 3)),
        *((5, "y", 4, 4, None, 4), (1, "y", 4, 4, 5, 4)),
        *((1, "z", 2, 2, None, 2), (5, "z", 2, 2, 1, 2)),
        (5, "short", 1, 1, None, 1),
    ]
    same(leading_keys(signatures(spark, FIRST), Jaccard(), Candidates(2, "any")), table(spark, wanted, KEY))


def test_keys_all_of_the_first(spark: SparkSession) -> None:
    rows = leading_keys(signatures(spark, FIRST), Jaccard(), Candidates(2, "all")).collect()
    assert sorted((r["keep"]["page_id"], r["size"], r["rest"], r["previous"]) for r in rows) == [
        *(("short", 1, 1, None), ("x", 3, 3, None), ("y", 4, 4, None), ("z", 2, 2, None)),
    ]
    key = {r["keep"]["page_id"]: r["key"] for r in rows}
    assert key["x"] == key["y"]
    assert len({key["x"], key["z"], key["short"]}) == 3


def test_keys_in_the_same_position(spark: SparkSession) -> None:
    rows = leading_keys(signatures(spark, FIRST), Jaccard(), Candidates(2, "same_position")).collect()
    held: dict[str, list[tuple[int, int | None]]] = {}
    for row in sorted(rows, key=lambda row: row["previous"] is not None):
        held.setdefault(row["keep"]["page_id"], []).append((row["key"], row["previous"]))
    assert {page: len(found) for page, found in held.items()} == {"x": 2, "y": 2, "z": 2, "short": 1}
    assert held["x"] == held["y"]
    assert held["short"] == held["x"][:1]
    assert held["x"][1][1] == held["x"][0][0], "previous is the key before"
    assert not {key for key, _ in held["x"]} & {key for key, _ in held["z"]}, "5 and 1 stand elsewhere in z"


def test_unknown_variant(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="'first' is none of any, all, same_position"):
        leading_keys(signatures(spark, FIRST), Jaccard(), Candidates(2, "first"))


def test_frequencies(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [-1, 2, 3], "b": [-1, 2], "c": [-1, 4], "d": [5, 2]})
    every = frequencies(held, pages=4, sample=100, hottest=10)
    assert every.fingerprints.tolist() == [-1, 2]
    assert every.counts.tolist() == [3, 3]
    assert frequencies(held, 4, 100, hottest=1).fingerprints.tolist() == [-1]  # of equals the smaller number
    assert every.of(np.array([5, -1, 2**63 - 1, 2], np.int64)).tolist() == [0, 3, 0, 3]
    none = frequencies(held, 4, 100, hottest=0)
    assert none.of(np.array([-1], np.int64)).tolist() == [0]


def test_groups(spark: SparkSession) -> None:
    rows = [
        *((1, "a", 1, 1, None), (1, "b", 1, 1, None), (1, "c", 1, 1, None)),
        *((2, "a", 1, 1, 1), (2, "b", 1, 1, 1), (3, "d", 1, 1, None)),
        *((4, "a", 1, 1, 2), (4, "b", 1, 1, 2), (4, "d", 1, 1, 3)),
    ]
    found = groups(table(spark, rows, KEY), Overlap(1))
    same(found, table(spark, [(1, 3, 3, 3), (4, 3, 3, 2)], GROUP))
    assert histogram(found) == Histogram(keys=2, largest=3, pairs=5)
    nothing = groups(table(spark, [], KEY), Overlap(1))
    assert histogram(nothing) == Histogram(keys=0, largest=0, pairs=0)


def test_groups_count_what_can_be_found(spark: SparkSession) -> None:
    """Jaccard 0.5 wants two thirds of a page in common with one of its size: of the group of 1 that is b alone."""
    rows = [
        *((1, "a", 4, 2, 6), (1, "b", 3, 2, 7), (1, "c", 4, 2, 8), (7, "a", 4, 4, None)),
        *((2, "d", 4, 2, 9), (2, "e", 4, 2, 9)),
    ]
    found = groups(table(spark, rows, KEY), Jaccard("0.5"))  # type: ignore[arg-type]
    same(found, table(spark, [(1, 3, 1, 2)], GROUP))
    assert histogram(found) == Histogram(keys=1, largest=3, pairs=2)


# ------------------------------------------------------------------------------------------ pair


def met(left: DataFrame, right: DataFrame, rule: Rule) -> DataFrame:
    return pair(left, right, rule).select("better", "worse")


def test_pairs_say_where_they_met_and_what_they_hold(spark: SparkSession) -> None:
    """a and b meet at 1 and, with others in between, at 9: at the least of these, once."""
    rows = [
        *((9, "a", 3, 3, None, 5), (7, "a", 3, 2, 9, 5), (1, "a", 3, 1, 7, 5)),
        *((9, "b", 2, 2, None, 4), (1, "b", 2, 1, 9, 4)),
    ]
    held = table(spark, rows, KEY)
    same(pair(held, held, Overlap(1)), table(spark, [("a", "b", 1, 9)], f"{PAIR}, key long, load long"))


def test_each_pair_once_and_the_better_page_first(spark: SparkSession) -> None:
    """b and c meet at 1 and again at 2 (consecutive), a and b at 1 and at 9 with others in between."""
    rows = [
        *((1, "b", 3, 3, None), (2, "b", 3, 2, 1), (9, "b", 3, 1, 2)),
        *((1, "c", 2, 2, None), (2, "c", 2, 1, 1)),
        *((1, "a", 3, 3, None), (7, "a", 3, 2, 1), (9, "a", 3, 1, 7)),
        (8, "d", 1, 1, None),
    ]
    held = table(spark, rows, KEY)
    same(met(held, held, Overlap(1)), table(spark, [("b", "c"), ("a", "c"), ("a", "b")], PAIR))


def test_pairs_between_two_parts(spark: SparkSession) -> None:
    left = table(spark, [(1, "b", 1, 1, None), (2, "d", 1, 1, None)], KEY)
    right = table(spark, [(1, "a", 1, 1, None), (1, "c", 1, 1, None), (2, "e", 1, 1, None)], KEY)
    same(met(left, right, Overlap(1)), table(spark, [("b", "c"), ("d", "e")], PAIR))


def test_pairs_between_two_parts_whichever_is_larger(spark: SparkSession) -> None:
    left = table(spark, [(1, "a", 3, 3, None), (1, "c", 5, 5, None)], KEY)
    right = table(spark, [(1, "b", 4, 4, None), (1, "d", 3, 3, None), (1, "e", 5, 5, None)], KEY)
    wanted = [("a", "b"), ("a", "d"), ("a", "e"), ("c", "d"), ("c", "e")]
    same(met(left, right, Overlap(1)), table(spark, wanted, PAIR))


def test_no_pair_that_cannot_match(spark: SparkSession) -> None:
    """Jaccard 0.5 wants o ≥ (a + b) / 3: a and c have too different sizes; a and d meet too near to their ends."""
    rows = [
        *((1, "a", 6, 6, None), (4, "a", 6, 3, 1)),
        *((1, "b", 3, 3, None), (1, "c", 2, 2, None), (4, "d", 6, 3, 3)),
    ]
    held = table(spark, rows, KEY)
    same(met(held, held, Jaccard("0.5")), table(spark, [("a", "b"), ("b", "c")], PAIR))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "candidates"),
    [
        (Jaccard("0.5"), Candidates()),  # type: ignore[arg-type]
        (Overlap(2), Candidates()),
        (MinRatio("0.5", 1), Candidates(2, "any")),  # type: ignore[arg-type]
        (Overlap(1), Candidates(2, "same_position")),
        (Overlap(1), Candidates(2, "all")),
        (Overlap(1), Candidates(0)),
    ],
    ids=str,
)
def test_pairs_have_no_repeats_and_lose_no_match(spark: SparkSession, rule: Rule, candidates: Candidates) -> None:
    numbers = np.random.default_rng(5)
    held = {f"p{n:02d}": numbers.permutation(8)[: numbers.integers(0, 8)].tolist() for n in range(30)}
    leading = leading_keys(signatures(spark, held), rule, candidates)
    found = [(r["better"]["page_id"], r["worse"]["page_id"]) for r in pair(leading, leading, rule).collect()]
    assert len(set(found)) == len(found)
    assert all(better < worse for better, worse in found)

    def meet(a: list[int], b: list[int]) -> bool:
        if not candidates.pre:
            return True
        a, b = a[: candidates.pre], b[: candidates.pre]
        if candidates.variant == "any":
            return bool(set(a) & set(b))
        return a == b if candidates.variant == "all" else any(x == y for x, y in zip(a, b, strict=False))

    wanted = {
        (a, b)
        for a, b in combinations(sorted(held), 2)
        if held[a] and held[b] and meet(held[a], held[b])
        if rule.accepts(len(set(held[a]) & set(held[b])), len(held[a]), len(held[b]))
    }
    assert wanted
    assert wanted <= set(found)

    # The same pairs where a batch meets the pages that follow it.
    better, worse = (leading.where(f"keep.page_id {sign} 'p12'") for sign in ("<=", ">"))
    across = [(r["better"]["page_id"], r["worse"]["page_id"]) for r in pair(better, worse, rule).collect()]
    assert len(set(across)) == len(across)
    assert set(across) == {(a, b) for a, b in found if a <= "p12" < b}


# --------------------------------------------------------------------------------------- compare

MATCH = f"better {KEEP}, worse {KEEP}, score double"


def compared(
    spark: SparkSession, pairs: list[tuple[str, str]], held: DataFrame, rule: Rule, load: int = 2
) -> DataFrame:
    """Pairs compared that all met at one key."""
    there = table(spark, pairs, PAIR).withColumns({"key": F.lit(7).cast("long"), "load": F.lit(load).cast("long")})
    return compare(there, held, rule)


def test_compare_by_count(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [1, 2, 3, 4], "b": [4, 3, 9, 1], "c": [7, 8], "d": []})
    pairs = [("a", "b"), ("a", "c"), ("c", "d"), ("a", "d")]
    same(compared(spark, pairs, held, Jaccard("0.6")), table(spark, [("a", "b", 0.6)], MATCH))  # type: ignore[arg-type]
    same(compared(spark, pairs, held, Jaccard("0.601")), table(spark, [], MATCH))  # type: ignore[arg-type]


def test_compare_by_weight_takes_the_worse_page_s_weights(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [1, 2], "b": [2, 1, 3]}, {"a": [10, 10], "b": [6, 6, 3]})
    wanted = [("a", "b", 12 / 23)]  # 12 / (20 + 15 - 12)
    same(compared(spark, [("a", "b")], held, WeightedJaccard("0.521")), table(spark, wanted, MATCH))  # type: ignore[arg-type]
    same(compared(spark, [("a", "b")], held, WeightedJaccard("0.522")), table(spark, [], MATCH))  # type: ignore[arg-type]


def test_compare_at_the_ends_of_64_bits(spark: SparkSession) -> None:
    low, high = -(2**63), 2**63 - 1
    held = signatures(spark, {"a": [low, high], "b": [high, 0, low]})
    same(compared(spark, [("a", "b")], held, Overlap(2)), table(spark, [("a", "b", 2 / 3)], MATCH))


def test_no_pairs_no_matches(spark: SparkSession) -> None:
    same(compared(spark, [], signatures(spark, {"a": [1]}), Overlap(1)), table(spark, [], MATCH))


@pytest.mark.parametrize("load", [1, ROOM // 200, ROOM - 1, ROOM, ROOM * 3])
def test_a_key_with_more_pairs_than_a_room_holds(spark: SparkSession, load: int) -> None:
    """However many rooms its pairs are spread over, each is compared once."""
    ids = [f"p{n:02d}" for n in range(40)]
    held = signatures(spark, {name: [1, 2, 3, n // 2 + 10] for n, name in enumerate(ids)})
    pairs = [(a, b) for a, b in combinations(ids, 2)]
    wanted = [(a, b, 1.0 if n % 2 == 0 else 0.6) for n, (a, b) in enumerate(pairwise(ids))]
    found = compared(spark, pairs, held, Jaccard("0.6"), load).collect()  # type: ignore[arg-type]
    score = {(row["better"]["page_id"], row["worse"]["page_id"]): row["score"] for row in found}
    assert len(found) == len(score) == len(pairs)
    assert all(score[a, b] == value for a, b, value in wanted)


def room(
    pairs: list[tuple[str, str]], held: dict[str, list[int]], weights: dict[str, list[int]]
) -> list[tuple[Any, ...]]:
    keep = pa.struct([("page_id", pa.string())])

    def ids(names: Iterable[str]) -> pa.Array:
        return pa.array([{"page_id": name} for name in names], keep)

    pages = pa.table(
        {
            "keep": ids(held),
            "fingerprints": pa.array(list(held.values()), pa.list_(pa.int64())),
            "weights": pa.array(list(weights.values()), pa.list_(pa.int32())),
        }
    )
    both = pa.table({"better": ids(a for a, _ in pairs), "worse": ids(b for _, b in pairs)})
    return [
        (row["better"]["page_id"], row["worse"]["page_id"], row["score"])
        for row in compare_room(both, pages, WeightedJaccard("0.5")).to_pylist()  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("at_once", [1, 7, 10**6])
def test_rooms_of_any_step(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a plain reading of the rule says, wherever the steps end; pages of many blocks and of none among them."""
    monkeypatch.setattr("dedup.matches.AT_ONCE", at_once)
    chance = np.random.default_rng(11)
    held = {f"p{n:02d}": chance.permutation(9)[: chance.integers(0, 9)].tolist() for n in range(30)}
    weigh = {fingerprint: int(chance.integers(1, 2**22)) for fingerprint in range(9)}
    weights = {name: [weigh[f] for f in found] for name, found in held.items()}
    pairs = [(a, b) for a, b in combinations(held, 2) if chance.random() < 0.7]

    def score(a: str, b: str) -> float:
        either = sum(weigh[f] for f in {*held[a], *held[b]})
        return sum(weigh[f] for f in {*held[a]} & {*held[b]}) / either if either else 0.0

    wanted = [(a, b, score(a, b)) for a, b in pairs if score(a, b) >= 0.5]
    assert len(wanted) > 10
    assert room(pairs, held, weights) == wanted
    assert room([], held, weights) == []


# ------------------------------------------------------------------------------------- templates

BLOCKS = "site string, content_digest binary, fingerprints array<long>, weights array<int>"


def site(spark: SparkSession, *pages: tuple[str, str | None, list[int]]) -> DataFrame:
    """Pages (site, content, blocks); a block weighs what it is."""
    rows = [(where, content and content.encode(), held, held) for where, content, held in pages]
    return spark.createDataFrame(rows, BLOCKS)


def test_a_template_block_stands_beside_different_ones(spark: SparkSession) -> None:
    """1 stands beside 7, 8 and 9; 2 beside 9 alone, four times; 9, the largest, beside 2 and 1; copies count once."""
    pages = site(
        spark,
        *(("s", "a", [1, 7]), ("s", "b", [8, 1]), ("s", "c", [1, 9, 2]), ("s", "c", [1, 9, 2])),
        *(("s", "d", [9, 2]), ("s", "e", [9, 2, 3]), ("s", None, [2, 9]), ("s", None, [1])),
        *(("t", "f", [1, 7]), ("t", "g", [1, 8]), ("", "h", [1, 7]), ("", "i", [1, 8]), ("", "j", [1, 9])),
        ("u", "k", []),
    )
    rule = Templates(Fraction("0.4"), at_least=2, min_pages=3)
    same(templates(pages, rule), spark.createDataFrame([("s", 1, 4, 3, 7)], schema.TEMPLATE))
    two = templates(pages, replace(rule, share=Fraction("0.2")))
    same(two, spark.createDataFrame([("s", 1, 4, 3, 7), ("s", 9, 4, 2, 7)], schema.TEMPLATE))
    assert templates(pages, replace(rule, min_pages=8)).count() == 0
    assert templates(pages, replace(rule, at_least=4)).count() == 0


def test_of_a_large_site_some_pages_are_looked_at(spark: SparkSession) -> None:
    """As many as asked, about, and the same ones in any order; a menu is a menu all the same."""
    pages = site(spark, *(("s", f"c{n}", [1, 100 + n]) for n in range(600)))
    rule = Templates(Fraction("0.2"), 5, 20, sample_pages=100)
    (found,) = templates(pages, rule).collect()
    assert (found["fingerprint"], found["pages"], found["others"]) == (1, found["site_pages"], found["site_pages"])
    assert 60 <= found["site_pages"] <= 140
    assert templates(pages.orderBy(F.rand(3)), rule).collect() == [found]


def test_copies_do_not_crowd_out_the_other_pages_of_a_site(spark: SparkSession) -> None:
    """What is looked at is chosen among contents, not among rows."""
    rule = Templates(Fraction("0.2"), 5, 20, sample_pages=30)
    pages = site(
        spark, *(("s", "copied", [1, 99]) for _ in range(900)), *(("s", f"c{n}", [1, n + 2]) for n in range(29))
    )
    same(templates(pages, rule), spark.createDataFrame([("s", 1, 30, 30, 30)], schema.TEMPLATE))


def test_strip(spark: SparkSession) -> None:
    """Template blocks go from their own site's pages, the rest keeps its order; a page may be left with nothing."""
    held = [
        ("a", "s", [3, 1, 2]),
        ("b", "s", [1]),
        ("c", "t", [1, 3]),
        ("d", "", [1]),
        ("e", "s", []),
        ("f", None, [1]),
    ]
    kind = "name string, site string, fingerprints array<long>, weights array<int>"
    pages = spark.createDataFrame([(name, where, f, [10 * x for x in f]) for name, where, f in held], kind)
    found = spark.createDataFrame([("s", 1, 9, 9, 9), ("s", 4, 9, 9, 9), ("t", 3, 9, 9, 9)], schema.TEMPLATE)
    left = {"a": [3, 2], "b": [], "c": [1], "d": [1], "e": [], "f": [1]}
    wanted = [(name, where, left[name], [10 * x for x in left[name]]) for name, where, _ in held]
    same(strip(pages, found), spark.createDataFrame(wanted, kind))
    same(strip(pages, found.limit(0)), pages)


# ----------------------------------------------------------------------------------- keep order

VALUES: dict[str, tuple[str, list[Any]]] = {
    "fetched_at": (
        "timestamp",
        [
            datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
            datetime(1970, 1, 1, tzinfo=UTC),
            datetime(2024, 2, 29, 12, 0, 0, 1, tzinfo=UTC),
            datetime(2024, 2, 29, 12, 0, 0, 2, tzinfo=UTC),
        ],
    ),
    "day": ("date", [date(1582, 10, 20), date(1970, 1, 1), date(2024, 2, 29)]),
    "title": ("string", ["", "A", "AB", "B", "a", "a\x00", "ab", "abc", "b", "é", "中", "中文", "文", "\uffee", "😀"]),
    "rank": ("int", [-(2**31), -1, 0, 1, 2**31 - 1]),
    "big": ("long", [-(2**63), -1, 0, 1, 2**63 - 1]),
    "small": ("byte", [-128, 0, 127]),
    "quality": ("double", [float("-inf"), -1.5, 0.0, 1e-300, 2.5, float("inf")]),
    "price": ("decimal(10,2)", [Decimal("-1.50"), Decimal("0.00"), Decimal("12.25")]),
    "main": ("boolean", [False, True]),
}


def ordered(frame: DataFrame, *order: str) -> list[str]:
    """Page ids as the keep struct sorts them."""
    keep = keep_struct(frame, tuple(KeepKey.parse(text) for text in order))
    found = frame.select(keep.alias("keep")).orderBy("keep").select("keep.page_id").collect()
    return [row["page_id"] for row in found]


@pytest.mark.parametrize("column", sorted(VALUES))
def test_keep_order_of_each_type(spark: SparkSession, column: str) -> None:
    """Ascending and descending; nulls last both ways; ties by page_id."""
    kind, values = VALUES[column]
    rows = [(f"v{place:02d}", value) for place, value in enumerate(values)]
    frame = spark.createDataFrame([("none2", None), *rows[::-1], ("none1", None)], f"page_id string, {column} {kind}")
    ids = [page_id for page_id, _ in rows]
    assert ordered(frame, f"{column} asc") == [*ids, "none1", "none2"]
    assert ordered(frame, f"{column} desc") == [*ids[::-1], "none1", "none2"]
    assert ordered(frame, column) == ordered(frame, f"{column} asc")


def test_keep_order_of_several_columns(spark: SparkSession) -> None:
    rows = [
        *(("e", 2, "x"), ("d", 2, "xy"), ("c", 2, "xy"), ("b", 1, "z"), ("a", None, "zz"), ("f", None, None)),
        *(("g", 2, None),),
    ]
    frame = spark.createDataFrame(rows, "page_id string, quality int, url string")
    assert ordered(frame, "quality desc", "url_length desc") == ["c", "d", "e", "g", "b", "a", "f"]
    assert ordered(frame, "quality", "url desc") == ["b", "c", "d", "e", "g", "a", "f"]
    assert ordered(frame) == list("abcdefg")
    assert ordered(frame, "page_id desc") == list("abcdefg"), "page_id ends every order, best first ascending"


def test_keep_order_by_length(spark: SparkSession) -> None:
    html = spark.createDataFrame([("a", b"123"), ("b", "中中".encode()), ("c", None)], "page_id string, html binary")
    assert ordered(html, "length desc") == ["b", "a", "c"]
    text = spark.createDataFrame([("a", "123"), ("b", "中中"), ("c", None)], "page_id string, text string")
    assert ordered(text, "length desc") == ["a", "b", "c"]


def test_keep_order_of_a_column_that_is_not_there(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("a", {"k": 1})], "page_id string, words map<string,int>")
    with pytest.raises(ValueError, match="'quality', which the pages do not have"):
        keep_struct(frame, (KeepKey("quality"),))
    with pytest.raises(DataError, match="cannot sort by 'words' of type map<string,int>"):
        keep_struct(frame, (KeepKey("words"),))


def test_keep_structs_compare_as_they_sort(spark: SparkSession) -> None:
    """Every later step says ``<``, ``min`` and ``=`` of them."""
    frame = spark.createDataFrame([("b", "ab"), ("a", "a"), ("c", "abc"), ("d", None)], "page_id string, title string")
    keep = keep_struct(frame, (KeepKey("title", descending=True),))
    held = frame.select(keep.alias("keep"))
    assert held.agg(F.min("keep").alias("best")).first()["best"]["page_id"] == "c"  # type: ignore[index]
    a, b = held.alias("a"), held.alias("b")
    less = a.join(b, F.col("a.keep") < F.col("b.keep")).select(F.col("a.keep.page_id"), F.col("b.keep.page_id"))
    assert sorted(map(tuple, less.collect())) == sorted(combinations("cbad", 2))


# -------------------------------------------------------------------------------------- identity


def identity_rows(spark: SparkSession, rows: list[tuple[str, str, str, int, bytes | None]]) -> DataFrame:
    frame = spark.createDataFrame(rows, "page_id string, url string, source string, place int, content_digest binary")
    return frame.select("page_id", "url", "source", F.struct("place", "page_id").alias("keep"), "content_digest")


def test_distinct_ids_pass(spark: SparkSession) -> None:
    held = identity_rows(spark, [("a", "u", "s", 1, b"x"), ("b", "u", "s", 1, b"x")])
    sound, repeated = one_row_each(
        held.withColumns({name: F.lit(None).cast("string") for name in ("reason", "detail")})
    )
    same(sound.select(*held.columns), held)
    assert schema.conform(repeated, schema.FAULT).count() == 0


@pytest.mark.parametrize("turn", [1, -1])
def test_the_best_row_of_an_id_stays(spark: SparkSession, turn: int) -> None:
    rows = [
        ("a", "u1", "s", 2, b"x"),
        ("a", "u2", "s", 1, b"z"),  # best in keep order
        ("b", "u1", "s", 1, b"y"),
        ("b", "u2", "s", 1, b"x"),  # then by content
        ("c", "u2", "s", 1, b"x"),
        ("c", "u1", "t", 1, b"x"),
        ("c", "u1", "s", 1, b"x"),  # then by url and source
        ("d", "u1", "s", 9, None),
    ]
    held = identity_rows(spark, rows[::turn]).withColumns(
        {name: F.lit(None).cast("string") for name in ("reason", "detail")}
    )
    sound, repeated = one_row_each(held)
    chosen = ["page_id", "url", "source", "content_digest"]
    wanted = [("a", "u2", "s", b"z"), ("b", "u2", "s", b"x"), ("c", "u1", "s", b"x"), ("d", "u1", "s", None)]
    same(
        sound.select(*chosen),
        spark.createDataFrame(wanted, "page_id string, url string, source string, content_digest binary"),
    )
    told = [
        ("s", "a", "u1", 2),
        ("s", "b", "u1", 2),
        ("s", "c", "u2", 3),
        ("t", "c", "u1", 3),
    ]
    faults = [
        (source, page_id, url, "account", "duplicate_page_id",
         f"{n} rows carry this page_id; the best in keep order stays a page")
        for source, page_id, url, n in told
    ]  # fmt: skip
    same(schema.conform(repeated, schema.FAULT), spark.createDataFrame(faults, schema.FAULT))


# -------------------------------------------------------------------------------------- verdicts


def test_copies_follow_their_twin_to_its_keeper(spark: SparkSession) -> None:
    """b is near a; c is a copy of b, e a copy of a; d stands alone."""
    held = signatures(spark, {"a": [1, 2, 3], "b": [4, 2, 1, 5], "c": [4, 2, 1, 5], "d": [9], "e": [1, 2, 3]})
    copies = table(spark, [("c", "b"), ("e", "a")], REMOVED)
    removed = table(spark, [("b", "a", 0.5)], f"{REMOVED}, score double")
    wanted = [
        ("b", "a", "near", 2, 4, 3, 0.5, [2, 1]),  # shared: in the removed page's order
        ("c", "a", "near", 2, 4, 3, 0.5, [2, 1]),
        ("e", "a", "exact", 3, 3, 3, 1.0, [1, 2, 3]),
    ]
    for cap in (0, 2, 32):
        capped = [(*row[:-1], row[-1][:cap]) for row in wanted]  # type: ignore[index]
        same(duplicates(held, copies, removed, cap), spark.createDataFrame(capped, schema.DUPLICATE))


def test_verdicts_by_chain_have_no_score(spark: SparkSession) -> None:
    held = signatures(spark, {"a": [1], "b": [1, 2], "c": [2]})
    removed = table(spark, [("b", "a", 0.5), ("c", "a", None)], f"{REMOVED}, score double")
    wanted = [("b", "a", "near", 1, 2, 1, 0.5, [1]), ("c", "a", "near", 0, 1, 1, None, [])]
    found = duplicates(held, table(spark, [], REMOVED), removed, 32)
    same(found, spark.createDataFrame(wanted, schema.DUPLICATE))


# ------------------------------------------------------------------------------------ components


def test_components_are_named_by_their_best_page(spark: SparkSession, checkpoint: Settle) -> None:
    edges = [("b", "d"), ("d", "e"), ("a", "e"), ("c", "f"), ("a", "e"), ("g", "h"), ("f", "h")]
    found = components(table(spark, edges, PAIR), checkpoint)
    wanted = [*((page, "a") for page in "abde"), *((page, "c") for page in "cfgh")]
    same(found, table(spark, wanted, f"page {KEEP}, component {KEEP}"))


def test_no_edges_no_components(spark: SparkSession, checkpoint: Settle) -> None:
    found = components(table(spark, [], PAIR), checkpoint)
    same(found, table(spark, [], f"page {KEEP}, component {KEEP}"))


@pytest.mark.slow
def test_a_long_chain_is_one_component(spark: SparkSession, checkpoint: Settle) -> None:
    """Pages of a chain of 200 in an order that helps nobody, each next to two others."""
    ids = [f"p{n:03d}" for n in np.random.default_rng(3).permutation(200)]
    edges = [(min(pair_), max(pair_)) for pair_ in pairwise(ids)]
    found = components(table(spark, edges, PAIR), checkpoint).collect()
    assert {row["page"]["page_id"]: row["component"]["page_id"] for row in found} == dict.fromkeys(ids, "p000")
    assert len(found) == 200


# ---------------------------------------------------------------------------------------- schema


def test_conform_selects_casts_and_orders(spark: SparkSession) -> None:
    kind = T.StructType([T.StructField("n", T.IntegerType()), T.StructField("s", T.StringType())])
    found = schema.conform(spark.createDataFrame([("x", 7, 1.5)], "s string, n long, other double"), kind)
    same(found, spark.createDataFrame([(7, "x")], kind))


def test_conform_names_what_is_missing(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("x",)], "page_id string")
    with pytest.raises(ValueError, match=r"missing columns \['keeper_id', 'stage'.*; the frame has \['page_id'\]"):
        schema.conform(frame, schema.DUPLICATE)


def test_keep_must_be_a_struct(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="keep is string, not a struct"):
        schema.keep_type(spark.createDataFrame([("x",)], "keep string"))

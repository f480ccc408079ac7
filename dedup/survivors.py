"""Survivors: a page stays unless a better page that stays matches it (algorithms.md §5).

The serial algorithm walks the pages in keep order and deletes what resembles the one in hand. Its result is
unique, so any schedule that takes the same decisions gives the same result. This one walks in batches:

1. A batch is the best part of the pages still open. Every better page than those of a batch is decided already:
   earlier batches were compared with all that followed, and what matched their survivors has left.
2. So the fate of a batch's page depends on the batch alone: its own matches are resolved as the serial walk does.
3. Its survivors are compared with all pages that follow, and what matches them leaves, its keeper being the best
   of them; that is the page at which the serial walk would have deleted it.

By induction over the batches the survivors and the keepers are those of the serial walk, wherever the batches end.
What batches buy: of a group of g true copies only the share that falls into the first batch is compared pair by
pair; the rest is compared with its survivor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.candidates import indexing
from dedup.components import components
from dedup.rules import Rule
from dedup.schema import keep_type

Settle = Callable[[DataFrame, str], DataFrame]
"""Computes a frame once under a name and hands it back cheap to read: a written table, or a checkpoint."""

Match = Callable[[DataFrame, DataFrame, str], DataFrame]
"""KEY × KEY → MATCH, settled under a name: pair and compare."""

ROUNDS = 8
"""Rounds of parallel decisions before what is left of a batch is finished per component."""

AT_ONCE = 1_000_000
"""Matches that one task may walk alone; a constant, whatever the number of pages."""

BOUNDARY_SAMPLE = 10_000
"""Pages that a batch boundary is read from."""


@dataclass(frozen=True)
class Groups:
    """The key histogram in four numbers."""

    keys: int
    largest: int
    pairs: int  # that the join of KEY with itself looks at; an upper bound of what is compared
    pages: int


def groups(keys: DataFrame, rule: Rule) -> Groups:
    """Count the groups in which pages meet: keys that two pages hold or more."""
    size = keys.groupBy("key").agg(
        F.count("*").alias("g"),
        F.count_if(indexing(rule)).alias("i"),
        F.count_if(F.col("previous").isNull()).alias("first"),
    )
    row = size.agg(
        F.count_if(F.col("g") > 1).alias("keys"),
        F.coalesce(F.max("g"), F.lit(0)).alias("largest"),
        F.coalesce(F.sum(F.expr("i * (i - 1) div 2 + i * (g - i)")), F.lit(0)).alias("pairs"),
        F.coalesce(F.sum("first"), F.lit(0)).alias("pages"),
    ).first()
    assert row is not None
    return Groups(row["keys"], row["largest"], row["pairs"], row["pages"])


def collapse(signatures: DataFrame) -> DataFrame:
    """Signature → copy (worse, better): exact duplicates and the best page with the same content digest."""
    digests = signatures.where("content_digest is not null").select("content_digest", "keep")
    best = digests.groupBy("content_digest").agg(F.min("keep").alias("better"), F.count("*").alias("g"))
    return (
        digests.join(best.where("g > 1"), "content_digest")
        .where(F.col("keep") != F.col("better"))
        .select(F.col("keep").alias("worse"), "better")
    )


def without(frame: DataFrame, removed: DataFrame, column: str = "keep") -> DataFrame:
    """The rows of ``frame`` whose page is not among ``removed.worse``."""
    gone = removed.select(F.col("worse").alias("gone"))
    return frame.join(gone, F.col(column) == F.col("gone"), "left_anti")


def walk(keys: DataFrame, rule: Rule, match: Match, settle: Settle, pairs_per_page: int) -> tuple[DataFrame, DataFrame]:
    """The greedy walk in batches.

    Args:
        keys: the KEY table of all pages that are open.
        rule: when two of them match.
        match: pairs and compares two parts of it.
        settle: computes a frame once.
        pairs_per_page: how many pairs the first batch may look at, for each open page.

    Returns:
        removed (worse, better): every removed page and its keeper; and the MATCH rows seen on the way.
    """
    removed: list[DataFrame] = []
    matches: list[DataFrame] = []
    number, planned, budget = 0, 0, 0
    while True:
        number += 1
        found = groups(keys, rule)
        if number == 1:
            budget = pairs_per_page * found.pages
        elif 2 * found.pairs > planned:
            # The batch before did not halve what is left. With that, batches grow in number as the logarithm
            # of the pairs at most.
            budget *= 2
        planned = found.pairs
        boundary = _boundary(keys, rule, budget) if planned > budget else None
        batch = keys if boundary is None else keys.where(F.col("keep") <= boundary)
        inner = match(batch, batch, f"matches-{number}")
        losers = settle(greedy(inner, settle, f"greedy-{number}"), f"losers-{number}")
        matches.append(inner)
        removed.append(losers)
        if boundary is None:
            break
        rest = keys.where(F.col("keep") > boundary)
        outer = match(without(batch, losers), rest, f"matches-{number}-on")
        leavers = settle(outer.groupBy("worse").agg(F.min("better").alias("better")), f"leavers-{number}")
        matches.append(outer)
        removed.append(leavers.select("worse", "better"))
        keys = settle(without(rest, leavers), f"keys-{number}")
    return _union(removed), _union(matches)


def closure(keys: DataFrame, match: Match, settle: Settle) -> tuple[DataFrame, DataFrame]:
    """What peers do, for comparison: all matches, their transitive closure, the best page of each stays.

    It over-deletes by chaining: a removed page need not match its keeper. Returns as :func:`walk`.
    """
    matches = match(keys, keys, "matches-1")
    grouped = settle(components(matches, settle), "components")
    removed = grouped.where(F.col("page") != F.col("component"))
    return removed.select(F.col("page").alias("worse"), F.col("component").alias("better")), matches


def greedy(matches: DataFrame, settle: Settle, name: str) -> DataFrame:
    """MATCH within one batch → removed (worse, better), as the serial walk decides.

    Few matches are walked by one task. Many are decided in rounds: every undecided page that no better undecided
    page matches stays, and what it matches leaves. After ROUNDS rounds the components of what is left are
    walked one by one.
    """
    edges = matches.select("better", "worse")
    if edges.count() <= AT_ONCE:
        return _walk_sorted(edges.coalesce(1))

    gone: list[DataFrame] = []
    open_edges = edges
    for turn in range(ROUNDS):
        staying = open_edges.select(F.col("better").alias("stay")).distinct()
        losing = open_edges.select(F.col("worse").alias("lose")).distinct()
        staying = staying.join(losing, F.col("stay") == F.col("lose"), "left_anti")
        leaving = settle(
            open_edges.join(staying, F.col("better") == F.col("stay"), "left_semi").select("worse").distinct(),
            f"{name}-leaving-{turn}",
        )
        gone.append(leaving)
        open_edges = settle(
            without(without(open_edges, leaving, "worse"), leaving, "better").join(
                staying, F.col("better") == F.col("stay"), "left_anti"
            ),
            f"{name}-open-{turn}",
        )
        left = open_edges.count()
        if left <= AT_ONCE:
            break
    if left <= AT_ONCE:
        last = _walk_sorted(open_edges.coalesce(1))
    else:
        grouped = components(open_edges, settle, f"{name}-components")
        last = _walk_sorted(open_edges.join(grouped, F.col("worse") == F.col("page")).repartition("component"))
    leavers = settle(_union([*gone, last.select("worse")]), f"{name}-gone")
    # The keeper is the best page that stays and matches, which an earlier round need not have known yet.
    return (
        without(edges, leavers, "better")
        .join(leavers.withColumnRenamed("worse", "gone"), F.col("worse") == F.col("gone"), "left_semi")
        .groupBy("worse")
        .agg(F.min("better").alias("better"))
    )


def _walk_sorted(edges: DataFrame) -> DataFrame:
    """The serial walk over the matches of each partition; whole components must stand in one."""
    keep = keep_type(edges, "worse")
    result = T.StructType([T.StructField("worse", keep), T.StructField("better", keep)])
    ordered = edges.select("worse", "better").sortWithinPartitions("worse", "better")
    return ordered.mapInArrow(_serial, result)


def _serial(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    # Sorted by worse, then better: when a page comes up, all better ones are decided, best keeper first.
    removed: set[str] = set()
    for batch in batches:
        worse = batch["worse"].field("page_id").to_pylist()
        better = batch["better"].field("page_id").to_pylist()
        leave: list[int] = []
        for row, (page, keeper) in enumerate(zip(worse, better, strict=True)):
            if page not in removed and keeper not in removed:
                removed.add(page)
                leave.append(row)
        yield batch.take(pa.array(leave, pa.int64()))


def _boundary(keys: DataFrame, rule: Rule, budget: int) -> Column | None:
    """The keep value up to which the best pages look at about ``budget`` pairs, from a sample of bounded size.

    Counted are the pairs of a page with all others, so the budget holds for the batch within itself and with what
    follows. Pages that meet nobody cost nothing and are not sampled.
    """
    size = keys.groupBy("key").agg(F.count("*").alias("g"), F.count_if(indexing(rule)).alias("i"))
    met = keys.join(size.where("g > 1 and i > 0"), "key")
    load = F.sum(F.when(indexing(rule), F.col("g") - 1).otherwise(F.col("i")))
    pages = met.groupBy("keep").agg(load.alias("load"))
    sample = pages.orderBy(F.xxhash64("keep.page_id")).limit(BOUNDARY_SAMPLE).orderBy("keep").collect()
    each = pages.count() / BOUNDARY_SAMPLE if len(sample) == BOUNDARY_SAMPLE else 1.0
    spent = 0.0
    for row in sample[:-1]:
        spent += row["load"] * each
        if spent >= budget:
            return _literal(row["keep"], keep_type(keys))
    return None


def _literal(row: Any, kind: T.StructType) -> Column:
    return F.struct(*(F.lit(row[f.name]).cast(f.dataType).alias(f.name) for f in kind.fields))


def _union(frames: list[DataFrame]) -> DataFrame:
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    return whole

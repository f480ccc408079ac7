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
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.candidates import indexing
from dedup.components import components
from dedup.groups import groups, histogram, meetings
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
"""Pages that a batch boundary is read from, and less than twice as many."""


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


def walk(keys: DataFrame, found: DataFrame, rule: Rule, match: Match, settle: Settle, budget: int) -> DataFrame:
    """The greedy walk in batches.

    Args:
        keys: the KEY table of all pages that are open.
        found: its GROUP table.
        rule: when two of them match.
        match: pairs and compares two parts of KEY.
        settle: computes a frame once.
        budget: how many pairs the first batch may look at.

    Returns:
        removed (worse, better, score): every removed page and its keeper.
    """
    removed: list[DataFrame] = []
    number, planned = 0, 0
    while True:
        number += 1
        pairs = histogram(found).pairs
        if number > 1 and 2 * pairs > planned:
            # The batch before did not halve what is left. With that, batches grow in number as the logarithm
            # of the pairs at most.
            budget *= 2
        planned = pairs
        boundary = _boundary(keys, found, rule, budget) if planned > budget else None
        batch = keys if boundary is None else keys.where(F.col("keep") <= boundary)
        inner = match(batch, batch, f"matches-{number}")
        losers = settle(greedy(inner, settle, f"greedy-{number}"), f"losers-{number}")
        removed.append(losers)
        if boundary is None:
            return _union(removed)
        rest = keys.where(F.col("keep") > boundary)
        outer = match(without(batch, losers), rest, f"matches-{number}-on")
        leavers = settle(_best(outer), f"leavers-{number}")
        removed.append(leavers)
        keys = settle(without(rest, leavers), f"keys-{number}")
        found = settle(groups(keys, rule), f"groups-{number}")


def closure(keys: DataFrame, match: Match, settle: Settle) -> DataFrame:
    """What peers do, for comparison: all matches, their transitive closure, the best page of each stays.

    It over-deletes by chaining: a removed page need not match its keeper; its score is null then. Returns as
    :func:`walk`.
    """
    matches = match(keys, keys, "matches-1")
    grouped = settle(components(matches, settle), "components")
    removed = grouped.where(F.col("page") != F.col("component"))
    return removed.select(F.col("page").alias("worse"), F.col("component").alias("better")).join(
        matches, ["worse", "better"], "left"
    )


def greedy(matches: DataFrame, settle: Settle, name: str) -> DataFrame:
    """MATCH within one batch → removed (worse, better, score), as the serial walk decides.

    Few matches are walked by one task. Many are decided in rounds: every undecided page that no better undecided
    page matches stays, and what it matches leaves. After ROUNDS rounds the components of what is left are
    walked one by one.
    """
    if matches.count() <= AT_ONCE:
        return _walk_sorted(matches.coalesce(1))
    edges = matches.select("better", "worse")

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
    left_over = open_edges.join(matches, ["worse", "better"])
    if left <= AT_ONCE:
        last = _walk_sorted(left_over.coalesce(1))
    else:
        grouped = components(open_edges, settle, f"{name}-components")
        last = _walk_sorted(left_over.join(grouped, F.col("worse") == F.col("page")).repartition("component"))
    leavers = settle(_union([*gone, last.select("worse")]), f"{name}-gone")
    # The keeper is the best page that stays and matches, which an earlier round need not have known yet.
    return _best(
        without(matches, leavers, "better").join(
            leavers.withColumnRenamed("worse", "gone"), F.col("worse") == F.col("gone"), "left_semi"
        )
    )


def _best(matches: DataFrame) -> DataFrame:
    """Of each worse page's matches the one with the best page."""
    found = matches.groupBy("worse").agg(F.min(F.struct("better", "score")).alias("best"))
    return found.select("worse", "best.better", "best.score")


def _walk_sorted(matches: DataFrame) -> DataFrame:
    """The serial walk over the matches of each partition; whole components must stand in one."""
    keep = keep_type(matches, "worse")
    result = T.StructType(
        [T.StructField("worse", keep), T.StructField("better", keep), T.StructField("score", T.DoubleType())]
    )
    ordered = matches.select("worse", "better", "score").sortWithinPartitions("worse", "better")
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


def _boundary(keys: DataFrame, found: DataFrame, rule: Rule, budget: int) -> Column | None:
    """The keep value up to which the best pages look at about ``budget`` pairs, from a sample of bounded size.

    Counted are the pairs of a page with all others, so the budget holds for the batch within itself and with what
    follows. Pages that meet nobody cost nothing and are not sampled.
    """
    held = keys.agg(F.approx_count_distinct("keep.page_id").alias("pages")).first()
    assert held is not None
    every = max(1, held["pages"] // BOUNDARY_SAMPLE)
    chosen = keys.where(F.pmod(F.xxhash64("keep.page_id"), F.lit(every)) == 0)
    # Those that have met before are taken off evenly.
    first = F.col("pairs") / meetings("g", "i")
    load = F.sum(F.when(indexing(rule), F.col("g") - 1).otherwise(F.col("i")) * first)
    pages = chosen.join(found, "key").groupBy("keep").agg(load.alias("load"))
    spent = 0
    for row in pages.orderBy("keep").collect()[:-1]:
        spent += row["load"] * every
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

"""Connected components of a match graph, by alternating large and small stars (Kiveris et al., 2014).

Every page ends up pointing at the best page of its component in O(log² n) rounds, and no round holds a
component in memory.
"""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

MAX_ROUNDS = 60
"""Far above what alternating stars need: log²(10⁹) is about 900, seen in practice are under 15."""


def components(edges: DataFrame, settle: Callable[[DataFrame, str], DataFrame], name: str = "stars") -> DataFrame:
    """Edges (better, worse) → (page, component): the component is named by its best page, itself included.

    Raises:
        RuntimeError: not settled after MAX_ROUNDS rounds.
    """
    links = settle(edges.select("worse", "better").distinct(), f"{name}-0")
    before = _mark(links)
    for number in range(1, MAX_ROUNDS):
        links = settle(_small_star(_large_star(links)), f"{name}-{number}")
        now = _mark(links)
        if now == before:
            break
        before = now
    else:
        raise RuntimeError(f"components did not settle in {MAX_ROUNDS} rounds")
    return links.select(F.col("worse").alias("page"), F.col("better").alias("component")).unionByName(
        links.select(F.col("better").alias("page"), F.col("better").alias("component")).distinct()
    )


def _large_star(links: DataFrame) -> DataFrame:
    """Each page links its worse neighbours to the best of its neighbourhood."""
    both = links.select(F.col("worse").alias("page"), F.col("better").alias("near")).unionByName(
        links.select(F.col("better").alias("page"), F.col("worse").alias("near"))
    )
    best = both.groupBy("page").agg(F.least(F.min("near"), F.col("page")).alias("best"))
    return (
        both.join(best, "page")
        .where(F.col("near") > F.col("page"))
        .select(F.col("near").alias("worse"), F.col("best").alias("better"))
        .distinct()
    )


def _small_star(links: DataFrame) -> DataFrame:
    """Each page links its better neighbours and itself to the best of them."""
    best = links.groupBy("worse").agg(F.min("better").alias("best"))
    moved = links.join(best, "worse").where(F.col("better") != F.col("best"))
    return (
        moved.select(F.col("better").alias("worse"), F.col("best").alias("better"))
        .unionByName(best.select("worse", F.col("best").alias("better")))
        .distinct()
    )


def _mark(links: DataFrame) -> tuple[int, int]:
    row = links.agg(
        F.count("*").alias("n"),
        F.coalesce(F.sum(F.xxhash64("worse", "better").cast("decimal(38,0)")), F.lit(0)).alias("mark"),
    ).first()
    assert row is not None
    return int(row["n"]), int(row["mark"])

"""Groups: the keys at which pages meet, and how many pairs that makes.

GROUP table, one row for each key at which a pair can be found::

    key    long
    g      long     pages that hold it
    i      long     those of them which others find there (see ``dedup.candidates.indexing``)
    pairs  long     how many of them can meet there, at most; pages with the same previous key have met before
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from dedup.candidates import indexing
from dedup.rules import Rule


@dataclass(frozen=True)
class Histogram:
    """The groups in which pages can meet, in three numbers."""

    keys: int
    largest: int
    pairs: int  # that can meet there; an upper bound of what is compared


def groups(keys: DataFrame, rule: Rule) -> DataFrame:
    """KEY → GROUP."""
    runs = keys.groupBy("key", "previous").agg(F.count("*").alias("g"), F.count_if(indexing(rule)).alias("i"))
    before = F.sum(F.when(F.col("previous").isNotNull(), meetings("g", "i")).otherwise(0))
    size = runs.groupBy("key").agg(F.sum("g").alias("g"), F.sum("i").alias("i"), before.alias("before"))
    return size.select("key", "g", "i", (meetings("g", "i") - F.col("before")).alias("pairs")).where("pairs > 0")


def histogram(found: DataFrame) -> Histogram:
    """GROUP in three numbers."""
    row = found.agg(
        F.count("*").alias("keys"),
        F.coalesce(F.max("g"), F.lit(0)).alias("largest"),
        F.coalesce(F.sum("pairs"), F.lit(0)).alias("pairs"),
    ).first()
    assert row is not None
    return Histogram(row["keys"], row["largest"], row["pairs"])


def meetings(g: str, i: str) -> Column:
    """Pairs among g pages of which one at least is among the i that are found."""
    return F.expr(f"{i} * ({i} - 1) div 2 + {i} * ({g} - {i})")

"""Verdicts: every removed page, its keeper, and the evidence."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.schema import DUPLICATE, conform


def duplicates(signatures: DataFrame, copies: DataFrame, removed: DataFrame, shared_cap: int) -> DataFrame:
    """DUPLICATE: exact copies and near ones, each with a keeper that stays.

    A copy whose twin stays names the twin (stage ``exact``). A copy whose twin was removed names the twin's
    keeper, which matches it just as well, since equal content has equal fingerprints (stage ``near``).

    Args:
        signatures: keep, fingerprints of all pages.
        copies: worse, better (see ``dedup.survivors.collapse``).
        removed: worse, better, score (see ``dedup.survivors.walk``).
        shared_cap: how many shared fingerprints a verdict names.
    """
    twin = copies.select(F.col("worse").alias("copy"), F.col("better").alias("twin"))
    followed = twin.join(removed, F.col("twin") == F.col("worse"), "left")
    fell = followed.where("better is not null").select(F.col("copy").alias("worse"), "better", "score")
    stood = followed.where("better is null").select(
        F.col("copy").alias("worse"), F.col("twin").alias("better"), F.lit(1.0).alias("score")
    )
    near = removed.select("worse", "better", "score").unionByName(fell).withColumn("stage", F.lit("near"))

    keeper = signatures.select(F.col("keep").alias("kept"), F.col("fingerprints").alias("theirs"))
    page = signatures.select(F.col("keep").alias("gone"), F.col("fingerprints").alias("own"))
    judged = (
        near.join(keeper, F.col("better") == F.col("kept"))
        .drop("kept")
        # An exact copy has its keeper's fingerprints: they need not be fetched twice.
        .unionByName(stood.withColumn("stage", F.lit("exact")), allowMissingColumns=True)
        .join(page, F.col("worse") == F.col("gone"))
        .withColumn("both", F.coalesce(F.array_intersect("own", "theirs"), "own"))
    )
    return conform(
        judged.select(
            F.col("worse.page_id").alias("page_id"),
            F.col("better.page_id").alias("keeper_id"),
            "stage",
            F.size("both").alias("common"),
            F.size("own").alias("m"),
            F.size(F.coalesce("theirs", "own")).alias("m_keeper"),
            "score",
            F.slice("both", 1, shared_cap).alias("shared"),
        ),
        DUPLICATE,
    )

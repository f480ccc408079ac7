"""Verdicts: every removed page, its keeper, and the evidence."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.schema import DUPLICATE, conform


def duplicates(heads: DataFrame, copies: DataFrame, removed: DataFrame, shared_cap: int) -> DataFrame:
    """DUPLICATE: exact copies and near ones, each with a keeper that stays.

    A copy whose twin stays names the twin (stage ``exact``). A copy whose twin was removed names the twin's
    keeper, which matches it just as well, since equal content has equal fingerprints (stage ``near``). What is
    told of a copy (blocks in common, sizes) is told by its twin, for which it was compared.

    Args:
        heads: keep, fingerprints of the pages that were compared.
        copies: worse, better (see ``dedup.survivors.collapse``).
        removed: worse, better, score (see ``dedup.survivors.walk``).
        shared_cap: how many shared fingerprints a verdict names.
    """
    twin = copies.select(F.col("worse").alias("copy"), F.col("better").alias("head"))
    followed = twin.join(removed, F.col("head") == F.col("worse"), "left")
    fell = followed.where("better is not null").select(F.col("copy").alias("page"), "head", "better", "score")
    stood = followed.where("better is null").select(
        F.col("copy").alias("page"), "head", F.col("head").alias("better"), F.lit(1.0).alias("score")
    )
    near = removed.select(F.col("worse").alias("page"), F.col("worse").alias("head"), "better", "score")
    near = near.unionByName(fell).withColumn("stage", F.lit("near"))

    keeper = heads.select(F.col("keep").alias("kept"), F.col("fingerprints").alias("theirs"))
    judged = (
        near.join(keeper, F.col("better") == F.col("kept"))
        .drop("kept")
        # An exact copy has its keeper's fingerprints: they need not be fetched twice.
        .unionByName(stood.withColumn("stage", F.lit("exact")), allowMissingColumns=True)
        .join(
            heads.select(F.col("keep").alias("own_keep"), F.col("fingerprints").alias("own")),
            F.col("head") == F.col("own_keep"),
        )
        .withColumn("both", F.coalesce(F.array_intersect("own", "theirs"), "own"))
    )
    return conform(
        judged.select(
            F.col("page.page_id").alias("page_id"),
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

"""Verdicts: every removed page, its keeper, and the evidence."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.schema import DUPLICATE, EVIDENCE, conform


def duplicates(
    signatures: DataFrame, copies: DataFrame, removed: DataFrame, matches: DataFrame, shared_cap: int
) -> DataFrame:
    """DUPLICATE: exact copies and near ones, each with a keeper that stays.

    A copy whose twin stays names the twin (stage ``exact``). A copy whose twin was removed names the twin's
    keeper, which matches it just as well, since equal content has equal fingerprints (stage ``near``).
    """
    seen = matches.select(F.col("better").alias("b"), F.col("worse").alias("w"), *EVIDENCE.names)
    met = (F.col("better") == F.col("b")) & (F.col("worse") == F.col("w"))
    near = removed.join(seen, met, "left").select("worse", "better", *EVIDENCE.names)

    twin = copies.select(F.col("worse").alias("copy"), F.col("better").alias("twin"))
    followed = twin.join(near, F.col("twin") == F.col("worse"), "left")
    fell = followed.where("better is not null").drop("worse").withColumnRenamed("copy", "worse")
    stood = followed.where("better is null").select("copy", "twin")
    m = F.size("fingerprints")
    exact = stood.join(signatures, F.col("copy") == F.col("keep")).select(
        F.col("copy").alias("worse"),
        F.col("twin").alias("better"),
        m.alias("common"),
        m.alias("m_better"),
        m.alias("m_worse"),
        F.lit(1.0).alias("score"),
        F.slice("fingerprints", 1, shared_cap).alias("shared"),
    )
    columns = ("worse", "better", *EVIDENCE.names)
    whole = (
        near.select(*columns)
        .unionByName(fell.select(*columns))
        .withColumn("stage", F.lit("near"))
        .unionByName(exact.select(*columns).withColumn("stage", F.lit("exact")))
    )
    return conform(
        whole.withColumns(
            {
                "page_id": F.col("worse.page_id"),
                "keeper_id": F.col("better.page_id"),
                "m": F.col("m_worse"),
                "m_keeper": F.col("m_better"),
            }
        ),
        DUPLICATE,
    )

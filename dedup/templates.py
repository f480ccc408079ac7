"""Template blocks: what a site's pages carry along whatever they say (algorithms.md §8, S2 消噪).

TEMPLATE table, one row for each template block of a site::

    site         string
    fingerprint  long
    pages        long     pages of the site that hold it
    others       long     distinct largest other blocks among those pages
    site_pages   long     pages of the site, exact copies counted once

A menu stands beside many different texts, an article that was copied fifty times beside one. So a block is
furniture not because many pages hold it, but because many pages that are otherwise different do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


@dataclass(frozen=True)
class Templates:
    """When a block is one.

    Attributes:
        share: of the site's pages, beside as many different largest other blocks.
        at_least: pages, whatever the share says.
        min_pages: sites with fewer pages have no templates.
    """

    share: Fraction = Fraction(1, 5)
    at_least: int = 5
    min_pages: int = 20


def templates(signatures: DataFrame, rule: Templates) -> DataFrame:
    """Signature → TEMPLATE, for pages of which no two have the same content; pages without a site have none.

    Args:
        signatures: site, fingerprints, weights.
        rule: when a block is a template.
    """
    known = signatures.where("site != ''")
    sites = known.groupBy("site").agg(F.count("*").alias("site_pages")).where(F.col("site_pages") >= rule.min_pages)
    largest = F.sort_array(F.arrays_zip(F.col("weights").alias("w"), F.col("fingerprints").alias("f")), asc=False)
    held = known.select("site", "fingerprints", largest.alias("largest")).select(
        "site",
        F.get("largest", F.lit(0))["f"].alias("first"),
        F.get("largest", F.lit(1))["f"].alias("second"),
        F.explode("fingerprints").alias("fingerprint"),
    )
    other = F.when(F.col("fingerprint") == F.col("first"), F.col("second")).otherwise(F.col("first"))
    counted = (
        held.join(sites, "site", "left_semi")
        .groupBy("site", "fingerprint")
        .agg(F.count("*").alias("pages"), F.count_distinct(other).alias("others"))
        .where(F.col("others") >= rule.at_least)
    )
    share = rule.share
    often = F.col("others") * share.denominator >= F.col("site_pages") * share.numerator
    return counted.join(sites, "site").where(often).select("site", "fingerprint", "pages", "others", "site_pages")


def strip(signatures: DataFrame, found: DataFrame) -> DataFrame:
    """Signatures without the template blocks of their sites; a page may be left with none at all.

    Args:
        signatures: site, fingerprints, weights, and whatever else.
        found: TEMPLATE. Of one site there are never more than ``mean blocks of a page / share``.
    """
    of_site = found.groupBy("site").agg(F.collect_list("fingerprint").alias("furniture"))
    blocks = F.arrays_zip(F.col("fingerprints").alias("f"), F.col("weights").alias("w"))
    own = F.filter(blocks, lambda block: ~F.array_contains("furniture", block["f"]))
    bare = signatures.join(of_site, "site", "left").withColumn("own", F.when(F.col("furniture").isNotNull(), own))
    return bare.withColumns(
        {"fingerprints": _left("own.f", "fingerprints"), "weights": _left("own.w", "weights")}
    ).select(*signatures.columns)


def _left(stripped: str, whole: str) -> Column:
    return F.coalesce(F.col(stripped), F.col(whole))

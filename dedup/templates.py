"""Template blocks: what a site's pages carry along whatever they say (algorithms.md §8, S2 消噪).

TEMPLATE table, one row for each template block of a site::

    site         string
    fingerprint  long
    pages        long     pages that hold it
    others       long     distinct largest other blocks among those pages
    site_pages   long     pages of the site that were looked at; exact copies count once

A menu stands beside many different texts, an article that was copied fifty times beside one. So a block is
furniture not because many pages hold it, but because many pages that are otherwise different do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.schema import TEMPLATE

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Templates:
    """When a block is one.

    Attributes:
        share: of the site's pages that hold it beside different largest other blocks.
        at_least: so many of them, whatever the share.
        min_pages: sites with fewer pages have no templates.
        sample_pages: of a larger site about as many are looked at, drawn by a hash of their content.
    """

    share: Fraction = Fraction(1, 5)
    at_least: int = 5
    min_pages: int = 20
    sample_pages: int = 2_000

    def of_sample(self, every: float) -> Templates:
        """The same for one page in ``every``; where few pages are left of a site, fewer must agree."""
        return replace(
            self,
            at_least=max(min(self.at_least, 3), round(self.at_least / every)),
            min_pages=max(min(self.min_pages, 5), round(self.min_pages / every)),
        )


def templates(signatures: DataFrame, rule: Templates) -> DataFrame:
    """Signature → TEMPLATE; pages without a site have none.

    Args:
        signatures: site, content_digest, fingerprints, weights.
        rule: when a block is a template.
    """
    known = signatures.where("site != '' and size(fingerprints) > 0")
    # Copies must not count: a sample is drawn of contents, and a thousand copies of a page are one of them.
    contents = F.count_distinct("content_digest") + F.count_if(F.col("content_digest").isNull())
    sites = known.groupBy("site").agg(contents.alias("n")).where(F.col("n") >= rule.min_pages)
    every = F.expr(f"greatest(1, n div {rule.sample_pages})")
    chosen = known.join(sites, "site").where(F.pmod(F.xxhash64("content_digest"), every) == 0)

    def look(pages: pa.Table) -> pa.Table:
        return site_templates(pages, rule)

    return (
        chosen.select("site", "content_digest", "fingerprints", "weights").groupBy("site").applyInArrow(look, TEMPLATE)
    )


def site_templates(pages: pa.Table, rule: Templates) -> pa.Table:
    """The TEMPLATE rows of the pages (site, content_digest, fingerprints, weights) of one site."""
    pages = _distinct(pages).combine_chunks()
    lists = pages["fingerprints"].combine_chunks()
    m = lists.value_lengths().to_numpy()
    block = lists.flatten().to_numpy()
    weight = pages["weights"].combine_chunks().flatten().to_numpy()
    needed = max(rule.at_least, -(-len(pages) * rule.share.numerator // rule.share.denominator))

    value, count = np.unique(block, return_counts=True)
    often = value[count >= needed] if len(pages) >= rule.min_pages else value[:0]
    place = np.searchsorted(often, block)
    held = np.flatnonzero(often[np.minimum(place, len(often) - 1)] == block) if len(often) else place[:0]

    page = np.repeat(np.arange(len(m)), m)[held]
    first, second, alone = _largest(block, weight, m)
    other = np.where(block[held] == first[page], second[page], first[page])
    beside = ~(alone[page] & (block[held] == first[page]))
    pair = np.unique(np.stack((place[held][beside], other[beside])), axis=1)
    others = np.bincount(pair[0], minlength=len(often))
    found = np.flatnonzero(others >= needed)
    return pa.table(
        {
            "site": pa.repeat(pages["site"][0], len(found)),
            "fingerprint": often[found],
            "pages": np.bincount(place[held], minlength=len(often))[found],
            "others": others[found],
            "site_pages": np.full(len(found), len(pages)),
        }
    )


def strip(signatures: DataFrame, found: DataFrame) -> DataFrame:
    """Signatures without the template blocks of their sites; a page may be left with none at all.

    Args:
        signatures: site, fingerprints, weights, and whatever else.
        found: TEMPLATE. Of one site there are never more than ``mean blocks of a page / share``.
    """
    of_site = found.groupBy("site").agg(F.collect_list("fingerprint").alias("furniture"))
    rows = signatures.join(of_site, "site", "left").select(*signatures.columns, "furniture")

    def bare(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield strip_batch(batch)

    # Spark's own filter on arrays takes five times as long.
    return rows.mapInArrow(bare, signatures.schema)


def strip_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch (fingerprints, weights, furniture, …) without what is furniture, and without that column."""
    lists, furniture = batch["fingerprints"], batch["furniture"]
    place = batch.schema.get_field_index
    bare = batch.drop_columns(["furniture"])
    if furniture.null_count == len(batch):
        return bare
    page, block = _flat(lists)
    theirs, template = _flat(furniture)
    # A page and a template in one number: templates count from 0, and more than 2**31 fit in no batch.
    known = np.unique(template)
    code = np.minimum(np.searchsorted(known, block), len(known) - 1)
    there = known[code] == block
    gone = there.copy()
    gone[there] = np.isin(
        page[there] * len(known) + code[there], theirs * len(known) + np.searchsorted(known, template)
    )
    left = pa.array(~gone)
    m = np.bincount(page[~gone], minlength=len(batch))
    ends = pa.array(np.r_[0, np.cumsum(m)].astype(np.int32))
    for name in ("fingerprints", "weights"):
        values = batch[name].flatten().filter(left)
        bare = bare.set_column(
            place(name), bare.schema.field(name), pa.ListArray.from_arrays(ends, values, bare.schema.field(name).type)
        )
    return bare


def _flat(lists: pa.ListArray) -> tuple[Numbers, Numbers]:
    """Of each item its row, and the item; null is an empty list."""
    m = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    return np.repeat(np.arange(len(lists)), m), lists.flatten().to_numpy(zero_copy_only=False)


def _distinct(pages: pa.Table) -> pa.Table:
    """One page of each content; a page without a digest is nobody's copy."""
    digest, row = pages["content_digest"], pa.array(np.arange(len(pages)))
    first = pa.table({"digest": digest, "row": row}).group_by("digest").aggregate([("row", "min")])["row_min"]
    return pages.filter(pc.or_(pc.is_null(digest), pc.is_in(row, first)))


def _largest(block: Numbers, weight: Numbers, m: Numbers) -> tuple[Numbers, Numbers, npt.NDArray[np.bool_]]:
    """Of each page its heaviest block, the next, and whether there is no next; of equally heavy ones the greater."""
    starts = np.r_[0, np.cumsum(m)[:-1]]
    least = np.iinfo(np.int64).min

    def heaviest(weight: Numbers) -> Numbers:
        top = np.maximum.reduceat(weight, starts)
        return np.maximum.reduceat(np.where(weight == np.repeat(top, m), block, least), starts)

    weight = weight.astype(np.int64)
    first = heaviest(weight)
    second = heaviest(np.where(block == np.repeat(first, m), -1, weight))
    return first, second, m < 2

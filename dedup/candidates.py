"""Candidates: pages meet only where their leading fingerprints meet (algorithms.md §4).

KEY table, one row for each leading fingerprint of a page::

    key       long     the fingerprint, or a hash of several
    keep      struct   the page
    size      long     of the page, in the rule's measure
    rest      long     the part of size from this fingerprint on, itself included
    previous  long     the page's key before this one; null for its first
    m         int      number of the page's fingerprints

Exact mode orders every page's fingerprints by (document frequency, fingerprint), rarest first, and keeps those
which the rule calls reachable. Any order common to all pages finds every pair; this one finds them in small
groups. Two things are never needed: the pages' other fingerprints (``rest`` bounds what two pages can still
share), and a second look at a pair whose ``previous`` key was shared too, for it met there already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.rules import Rule
from dedup.schema import keep_type

VARIANTS = ("any", "all", "same_position")


@dataclass(frozen=True)
class Frequencies:
    """Document frequencies of the fingerprints that a sample of pages holds twice or more.

    Bounded: the hottest ones only. A fingerprint that is not listed counts as rare.
    """

    fingerprints: npt.NDArray[np.int64]  # ascending
    counts: npt.NDArray[np.int64]

    def of(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        if not len(self.fingerprints):
            return np.zeros(len(values), np.int64)
        place = np.minimum(np.searchsorted(self.fingerprints, values), len(self.fingerprints) - 1)
        return np.where(self.fingerprints[place] == values, self.counts[place], 0)


@dataclass(frozen=True)
class Candidates:
    """Where pages meet.

    Attributes:
        pre: None for exact; else the number of leading fingerprints in the page's own order (S0, S3). 0 lets
            every page meet every other.
        variant: with ``pre`` set: share ``any`` of the first ones, have ``all`` of them equal, or share one in
            the ``same_position``.
        frequencies: the common order of exact mode.
    """

    pre: int | None = None
    variant: str = "any"
    frequencies: Frequencies | None = None


def frequencies(signatures: DataFrame, pages: int, sample: int, hottest: int) -> Frequencies:
    """Document frequencies from about ``sample`` of the ``pages``, the ``hottest`` of them.

    The sample is drawn by a hash of page_id, so it does not depend on partitions. What comes to the driver is
    at most ``hottest`` pairs of longs, whatever the number of pages.
    """
    every = max(1, pages // max(1, sample))
    counted = (
        signatures.where(F.pmod(F.xxhash64("keep.page_id"), F.lit(every)) == 0)
        .select(F.explode("fingerprints").alias("fingerprint"))
        .groupBy("fingerprint")
        .agg(F.count("*").alias("df"))
        .where("df > 1")
        .orderBy(F.desc("df"), "fingerprint")
        .limit(hottest)
        .toArrow()
    )
    values = counted["fingerprint"].to_numpy()
    order = np.argsort(values)
    return Frequencies(values[order], counted["df"].to_numpy()[order])


def leading_keys(signatures: DataFrame, rule: Rule, candidates: Candidates) -> DataFrame:
    """Signature → KEY, by the mode that ``candidates`` names.

    Raises:
        ValueError: a variant that is not one of VARIANTS.
    """
    if candidates.pre is None:
        return _leading(signatures, rule, candidates.frequencies or Frequencies(*_NOTHING))
    return _first(signatures, rule, candidates.pre, candidates.variant)


def indexing(rule: Rule) -> Column:
    """Whether a KEY row could match a page as large as its own: one of every pair's rows, the smaller page's, must.

    With less than that left, a page meets only smaller ones. Rows of which this is false find partners and are
    never found, so a group in which it is true of none makes no pairs, however many pages share the key.
    """
    indexes: Column = rule.indexes(F.col("rest"), F.col("size"))
    return indexes


def pair(left: DataFrame, right: DataFrame, rule: Rule) -> DataFrame:
    """KEY × KEY → candidate pair: the page of ``left`` is the better one.

    Returns:
        better, worse; key long: the least of those where they met; load long: fingerprints of both.

    A pair that even with all that is left of both pages would fail the rule is never formed: at the pair's
    first common key that bound holds for the whole pair, so nothing is missed. Pairs that share several keys
    with others in between come once.
    """
    small = left.where(indexing(rule))
    if left is right:
        met = _met(small, left, rule, F.struct("a.size", "a.keep") < F.struct("b.size", "b.keep"))
    else:
        # The smaller page may be the better or the worse one.
        upward = (F.col("a.keep") < F.col("b.keep")) & (F.col("a.size") <= F.col("b.size"))
        downward = (F.col("b.keep") < F.col("a.keep")) & (F.col("a.size") < F.col("b.size"))
        met = _met(small, right, rule, upward).unionByName(_met(right.where(indexing(rule)), left, rule, downward))
    return met.groupBy("better", "worse").agg(F.min("key").alias("key"), F.first("load").alias("load"))


def _met(small: DataFrame, large: DataFrame, rule: Rule, ordered: Column) -> DataFrame:
    a, b = small.alias("a"), large.alias("b")
    meet = (
        (F.col("a.key") == F.col("b.key"))
        & ordered
        & rule.possible(F.col("a.rest"), F.col("b.rest"), F.col("a.size"), F.col("b.size"))
        & F.coalesce(F.col("a.previous") != F.col("b.previous"), F.lit(True))
    )
    return a.join(b, meet).select(
        F.least("a.keep", "b.keep").alias("better"),
        F.greatest("a.keep", "b.keep").alias("worse"),
        F.col("a.key").alias("key"),
        (F.col("a.m").cast("long") + F.col("b.m")).alias("load"),
    )


_NOTHING = (np.empty(0, np.int64), np.empty(0, np.int64))


def _key_type(signatures: DataFrame) -> T.StructType:
    return T.StructType(
        [
            T.StructField("key", T.LongType()),
            T.StructField("keep", keep_type(signatures)),
            T.StructField("size", T.LongType()),
            T.StructField("rest", T.LongType()),
            T.StructField("previous", T.LongType()),
            T.StructField("m", T.IntegerType()),
        ]
    )


def _leading(signatures: DataFrame, rule: Rule, order: Frequencies) -> DataFrame:
    def lead(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield leading_batch(batch, rule, order)

    return signatures.select("keep", "fingerprints", "weights").mapInArrow(lead, _key_type(signatures))


def leading_batch(batch: pa.RecordBatch, rule: Rule, order: Frequencies) -> pa.RecordBatch:
    """The KEY rows of a batch of (keep, fingerprints, weights), in exact mode."""
    lists = batch["fingerprints"]
    m = lists.value_lengths().to_numpy(zero_copy_only=False)
    page = np.repeat(np.arange(len(lists)), m)
    fingerprint = lists.flatten().to_numpy(zero_copy_only=False)
    weight = rule.measure.size(batch["weights"].flatten().to_numpy(zero_copy_only=False).astype(np.int64))
    place = np.lexsort((fingerprint, order.of(fingerprint), page))
    fingerprint, weight = fingerprint[place], weight[place]

    # Sorting by page first leaves `page` as it was; sums run backwards from each page's end.
    passed = np.cumsum(weight)
    end = np.searchsorted(page, page, side="right") - 1
    begin = np.searchsorted(page, page, side="left")
    size = passed[end] - passed[begin] + weight[begin]
    rest = passed[end] - passed + weight
    leading = rule.reachable(rest, size)
    first = np.r_[True, page[1:] != page[:-1]] if len(page) else np.empty(0, bool)
    previous = np.r_[np.int64(0), fingerprint[:-1]] if len(page) else fingerprint
    return pa.RecordBatch.from_arrays(
        [
            pa.array(fingerprint[leading]),
            batch["keep"].take(pa.array(page[leading])),
            pa.array(size[leading]),
            pa.array(rest[leading]),
            pa.array(previous[leading], mask=first[leading]),
            pa.array(m[page[leading]].astype(np.int32)),
        ],
        names=["key", "keep", "size", "rest", "previous", "m"],
    )


def _first(signatures: DataFrame, rule: Rule, pre: int, variant: str) -> DataFrame:
    if variant not in VARIANTS:
        raise ValueError(f"variant {variant!r} is none of {', '.join(VARIANTS)}")
    first = F.slice("fingerprints", 1, pre)
    if pre == 0:
        made = F.array(F.lit(0).cast("long"))
    elif variant == "all":
        made = F.array(F.xxhash64(first))
    elif variant == "same_position":
        made = F.transform(first, lambda value, place: F.xxhash64(place, value))
    else:
        made = first
    worth = F.transform("weights", lambda weight: rule.measure.size(weight.cast("long")))
    size = F.aggregate(worth, F.lit(0).cast("long"), lambda total, added: total + added)
    return (
        signatures.where(F.size("fingerprints") > 0)
        .select("keep", size.alias("size"), made.alias("made"), F.size("fingerprints").alias("m"))
        .select("keep", "size", "made", "m", F.posexplode("made").alias("place", "key"))
        .select(
            "key",
            "keep",
            "size",
            F.col("size").alias("rest"),  # the page's own order bounds nothing
            F.when(F.col("place") > 0, F.get("made", F.col("place") - 1)).alias("previous"),
            "m",
        )
    )

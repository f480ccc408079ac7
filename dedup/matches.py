"""Matches: candidate pairs compared by all their fingerprints.

MATCH table: better, worse (keep structs), score double in [0, 1].

Pairs are compared in *rooms*. The pairs that met at one key belong to one room, and a page's signature is brought
into each room where it has pairs, once, not once for each pair: pages that are alike meet at few keys. A key with
more pairs than a room holds gets several rooms, so that no group of pages is one task's burden.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T
from scipy import sparse

from dedup.rules import Measure, Rule
from dedup.schema import keep_type

ROOM = 4_000_000
"""Fingerprints of the pages of one room, about: a task holds some 60 bytes for each."""

WORK = 64_000_000
"""Fingerprints that the pairs of one room hold, counted for each pair anew: some seconds of comparing."""

AT_ONCE = 1_000_000
"""Fingerprints of the pairs that are compared in one step."""


def compare(pairs: DataFrame, signatures: DataFrame, rule: Rule) -> DataFrame:
    """Candidate pair → match: those that the rule accepts.

    Args:
        pairs: of different pages: better, worse, key, load (see ``dedup.candidates.pair``); cheap to read.
        signatures: keep, fingerprints, weights of at least the pages in ``pairs``.
        rule: says what pages have in common and judges the sizes.
    """
    placed = _placed(pairs)
    # Spark tells the two sides of a cogroup apart by the names of their keys.
    needed = placed.select(F.col("room").alias("home"), F.explode(F.array("better", "worse")).alias("keep")).distinct()
    held = needed.join(signatures.select("keep", "fingerprints", "weights"), "keep")
    keep = keep_type(signatures)

    def judge(room: pa.Table, pages: pa.Table) -> pa.Table:
        return compare_room(room, pages, rule)

    result = T.StructType(
        [T.StructField("better", keep), T.StructField("worse", keep), T.StructField("score", T.DoubleType())]
    )
    return placed.groupBy("room").cogroup(held.groupBy("home")).applyInArrow(judge, result)


def _placed(pairs: DataFrame) -> DataFrame:
    """Pairs with the number of their room; rooms are as many as the load of the pairs calls for."""
    row = pairs.agg(F.coalesce(F.sum("load"), F.lit(0)).alias("load")).first()
    assert row is not None
    rooms = row["load"] // ROOM + 1
    if rooms == 1:
        return pairs.select("better", "worse", F.lit(0).cast("long").alias("room"))
    # Keys that fill more than a room are fewer than there are rooms. Their pages stand in a grid, better by worse.
    crowded = pairs.groupBy("key").agg(F.sum("load").alias("load")).where(F.col("load") > ROOM).select("key")
    held = (
        pairs.join(F.broadcast(crowded), "key")
        .groupBy("key")
        .agg(
            F.sum("load").alias("load"),
            (F.avg("load") * F.approx_count_distinct("better.page_id")).alias("better_load"),
            (F.avg("load") * F.approx_count_distinct("worse.page_id")).alias("worse_load"),
        )
        .select("key", "load", _rooms_for("better_load").alias("across"), _rooms_for("worse_load").alias("down"))
        .select("key", "across", (F.col("down") * F.expr(f"load div (across * down * {WORK}) + 1")).alias("down"))
    )
    across, down = (
        F.pmod(F.xxhash64(f"{side}.page_id"), F.coalesce(parts, F.lit(1)))
        for side, parts in (("better", "across"), ("worse", "down"))
    )
    room = F.pmod(F.xxhash64("key", across, down), F.lit(rooms))
    return pairs.join(F.broadcast(held), "key", "left").select("better", "worse", room.alias("room"))


def _rooms_for(load: str) -> Column:
    return F.ceil(F.col(load) / ROOM).cast("long")


def compare_room(pairs: pa.Table, pages: pa.Table, rule: Rule) -> pa.Table:
    """The MATCH rows of pairs (better, worse) of pages (keep, fingerprints, weights)."""
    names = _ids(pages["keep"])
    better, worse = (pc.index_in(_ids(pairs[side]), names).to_numpy() for side in ("better", "worse"))
    held, m, sizes = _measured(pages, rule.measure)

    score = np.full(len(better), np.nan)
    for start, stop in _steps(m[better] + m[worse]):
        left, right = better[start:stop], worse[start:stop]
        one, other = held[left], held[right]
        common = (one.minimum(other) if rule.measure is Measure.LEAST else one.multiply(other)).sum(axis=1)
        sized = common, sizes[left], sizes[right]
        matched = np.flatnonzero(rule.accepts(*sized))
        score[start + matched] = rule.score(*(size[matched] for size in sized))
    chosen = pa.array(np.flatnonzero(~np.isnan(score)))
    return pa.table(
        [pairs["better"].take(chosen), pairs["worse"].take(chosen), pa.array(score).take(chosen)],
        names=["better", "worse", "score"],
    )


def _measured(
    pages: pa.Table, measure: Measure
) -> tuple[sparse.csr_array, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Page × fingerprint, with weights where the measure has them, else ones; each page's fingerprints and its size."""
    lists = pages["fingerprints"].combine_chunks()
    m = pc.fill_null(pc.list_value_length(lists), 0).to_numpy().astype(np.int64)
    row = np.repeat(np.arange(len(m)), m)
    weight = pages["weights"].combine_chunks().flatten().to_numpy().astype(np.int64)
    # Sums of whole numbers, which bincount would make in floating point.
    passed = np.r_[0, np.cumsum(measure.size(weight))]
    ends = np.r_[0, np.cumsum(m)]
    size = passed[ends[1:]] - passed[ends[:-1]]

    # Counted in order of appearance, which is cheaper than sorting; what a single page holds is common to no pair.
    column = lists.flatten().dictionary_encode().indices.to_numpy()
    shared = (np.bincount(column) > 1)[column] if len(column) else np.empty(0, bool)
    ends = np.r_[0, np.cumsum(np.bincount(row[shared], minlength=len(m)))]
    shape = (len(m), int(column.max(initial=0)) + 1)
    value = np.ones_like(weight) if measure is Measure.COUNT else weight
    held = sparse.csr_array((value[shared], column[shared], ends), shape=shape)
    held.sort_indices()
    return held, m, size


def _steps(load: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Ranges of pairs of about AT_ONCE fingerprints each."""
    step = np.cumsum(load) // AT_ONCE
    cuts = np.r_[0, np.flatnonzero(np.diff(step)) + 1, len(load)]
    return zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)


def _ids(keep: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.struct_field(keep, "page_id")

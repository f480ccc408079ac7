"""Matches: candidate pairs compared by all their fingerprints.

MATCH table: better, worse (keep structs), then the EVIDENCE columns of ``dedup.schema``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.rules import Rule
from dedup.schema import EVIDENCE, keep_type


def compare(pairs: DataFrame, signatures: DataFrame, rule: Rule, shared_cap: int) -> DataFrame:
    """Candidate pair → match: those that the rule accepts, with the evidence.

    Args:
        pairs: better, worse.
        signatures: keep, fingerprints, weights of at least the pages in ``pairs``.
        rule: judges the sizes; weighted rules by the worse page's weights of what is common.
        shared_cap: how many shared fingerprints a match names (the first in the worse page's own order).
    """
    held = signatures.select("keep", "fingerprints", "weights")
    better = held.select(*(F.col(name).alias(f"{name}_better") for name in held.columns))
    worse = held.select(*(F.col(name).alias(f"{name}_worse") for name in held.columns))
    both = (
        pairs.join(better, F.col("better") == F.col("keep_better"))
        .join(worse, F.col("worse") == F.col("keep_worse"))
        .drop("keep_better", "keep_worse")
    )

    def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield compare_batch(batch, rule, shared_cap)

    keep = keep_type(signatures)
    result = T.StructType([T.StructField("better", keep), T.StructField("worse", keep), *EVIDENCE.fields])
    return both.mapInArrow(judge, result)


def compare_batch(batch: pa.RecordBatch, rule: Rule, shared_cap: int) -> pa.RecordBatch:
    """The MATCH rows of a batch of pairs with both pages' fingerprints and weights."""
    rows = batch.num_rows
    row_b, held_b = _flat(batch["fingerprints_better"])
    row_w, held_w = _flat(batch["fingerprints_worse"])
    in_common = _in_common(row_w, held_w, row_b, held_b)

    common = np.bincount(row_w[in_common], minlength=rows)
    m_better, m_worse = np.bincount(row_b, minlength=rows), np.bincount(row_w, minlength=rows)
    if rule.weighted:
        weight_b, weight_w = _flat(batch["weights_better"])[1], _flat(batch["weights_worse"])[1]
        sizes = (
            _sums(row_w[in_common], weight_w[in_common], rows),
            _sums(row_b, weight_b, rows),
            _sums(row_w, weight_w, rows),
        )
    else:
        sizes = (common, m_better, m_worse)

    matched = np.flatnonzero(rule.accepts(*sizes))
    chosen = pa.array(matched)
    return pa.RecordBatch.from_arrays(
        [
            batch["better"].take(chosen),
            batch["worse"].take(chosen),
            *(pa.array(count[matched].astype(np.int32)) for count in (common, m_better, m_worse)),
            pa.array(np.asarray(rule.score(*(size[matched] for size in sizes)), np.float64)),
            _capped(row_w[in_common], held_w[in_common], rows, shared_cap).take(chosen),
        ],
        names=["better", "worse", *EVIDENCE.names],
    )


def _flat(lists: pa.ListArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The row of each item, and the items."""
    row = np.repeat(np.arange(len(lists)), lists.value_lengths().to_numpy(zero_copy_only=False))
    return row, lists.flatten().to_numpy(zero_copy_only=False)


def _in_common(
    row_a: npt.NDArray[np.int64],
    held_a: npt.NDArray[np.int64],
    row_b: npt.NDArray[np.int64],
    held_b: npt.NDArray[np.int64],
) -> npt.NDArray[np.bool_]:
    """Which items of ``a`` are in the same row of ``b`` too; items are distinct within a row."""
    row, held = np.concatenate((row_a, row_b)), np.concatenate((held_a, held_b))
    order = np.lexsort((held, row))  # stable: of two equal items the first is from `a`
    row, held = row[order], held[order]
    twice = np.flatnonzero((row[1:] == row[:-1]) & (held[1:] == held[:-1]))
    found = np.zeros(len(row_a), bool)
    found[order[twice]] = True
    return found


def _sums(row: npt.NDArray[np.int64], weight: npt.NDArray[np.int64], rows: int) -> npt.NDArray[np.int64]:
    # bincount sums in float64: exact below 2**53, far above the characters of any page.
    return np.bincount(row, weight, minlength=rows).astype(np.int64)


def _capped(row: npt.NDArray[np.int64], held: npt.NDArray[np.int64], rows: int, cap: int) -> pa.ListArray:
    """Lists of the first ``cap`` items of each row; ``row`` ascends."""
    starts = np.searchsorted(row, np.arange(rows))
    first = np.arange(len(row)) - starts[row] < cap
    offsets = np.r_[0, np.cumsum(np.bincount(row[first], minlength=rows))].astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(held[first]))

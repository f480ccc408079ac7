"""What a run would do: counted on a sample, written nowhere."""

from __future__ import annotations

import time
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup.candidates import Candidates, frequencies
from dedup.config import Settings
from dedup.errors import DataError
from dedup.io.pages import count_pages, explained, read_pages
from dedup.keep import keep_struct
from dedup.rules import told
from dedup.survivors import groups, histogram

SAMPLE = 2_000
"""Pages that are signed for a plan."""


def plan(spark: SparkSession, settings: Settings, sample: int = SAMPLE) -> dict[str, Any]:
    """Sign about ``sample`` pages, chosen by a hash of their ids, and scale up.

    Keys grow with the pages, pairs with their square; both are estimates, and pairs an upper one, since copies
    leave before pairing and batches spare most of a hot group.

    Raises:
        DataError, UsageError: as a run would.
    """
    try:
        return _plan(spark, settings, sample)
    except Exception as error:
        raise explained(error) from error


def _plan(spark: SparkSession, settings: Settings, sample: int) -> dict[str, Any]:
    pages = read_pages(spark, settings.input, tuple(key.column for key in settings.keep_order))
    total = count_pages(spark, settings.input)
    if not total:
        raise DataError(f"input {settings.input.path} holds no pages")
    detector = settings.build_detector()
    every = max(1, total // sample)
    chosen = pages.where(F.pmod(F.xxhash64(F.coalesce("page_id", "source")), F.lit(every)) == 0)
    start = time.monotonic()
    signed = detector.sign(chosen.withColumn("keep", keep_struct(chosen, settings.keep_order))).cache()
    try:
        taken = signed.count()
        seconds = time.monotonic() - start
        sound = signed.where("reason is null")
        keys = detector.keys(sound, _candidates(sound, taken, settings))
        met, leading = histogram(groups(keys, detector.rule)), keys.count()
        reasons = signed.where("reason is not null").groupBy("reason").count().limit(20).collect()
    finally:
        signed.unpersist()
    scale = total / max(1, taken)
    return {
        "run_id": settings.run_id,
        "settings": settings.model_dump(mode="json"),
        "detector": repr(detector),
        "rule": told(detector.rule),
        "exact": settings.pre is None,
        "input": {"pages": total, "columns": _columns(pages)},
        "sample": {
            "pages": taken,
            "quarantined": {row["reason"]: row["count"] for row in reasons},
            "seconds_to_sign": round(seconds, 1),
            "leading_keys": leading,
            "shared_keys": met.keys,
            "largest_group": met.largest,
            "pairs": met.pairs,
        },
        "expected": {
            "seconds_to_sign": round(seconds * scale, 1),
            "leading_keys": round(leading * scale),
            "pairs_at_most": round(met.pairs * scale**2),
        },
    }


def _candidates(signed: DataFrame, pages: int, settings: Settings) -> Candidates:
    told = settings.candidates
    if settings.pre is None:
        return Candidates(frequencies=frequencies(signed, pages, told.sample_pages, told.hottest))
    return Candidates(settings.pre, told.variant)


def _columns(pages: DataFrame) -> dict[str, str]:
    return {field.name: field.dataType.simpleString() for field in pages.schema.fields}

"""What a run would do: counted on a sample, written nowhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup.candidates import leading_keys, pair
from dedup.config import ConfigError, Settings, changed
from dedup.errors import DataError
from dedup.groups import groups, histogram
from dedup.io.pages import count_pages, explained, read_pages
from dedup.keep import keep_struct
from dedup.pipeline import candidates, check_all_pairs
from dedup.rules import told
from dedup.signatures import sign
from dedup.survivors import collapse, without
from dedup.templates import strip, templates

SAMPLE = 10_000
"""Pages that are signed for a plan."""

THRESHOLD_STEP = 0.1
"""What is added to a threshold to see how many pairs that saves."""


def plan(spark: SparkSession, settings: Settings, sample: int = SAMPLE) -> dict[str, Any]:
    """Sign about ``sample`` pages, chosen by a hash of their ids, pair them as a run would, and scale up.

    Two pages are both in a sample of one in k with a chance of one in k², so pairs are scaled by k². That holds for
    pairs wherever they come from, and is as good as there are pairs in the sample.

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
    every = max(1, total // sample)
    chosen = pages.where(F.pmod(F.xxhash64(F.coalesce("page_id", "source")), F.lit(every)) == 0)
    kept = chosen.withColumn("keep", keep_struct(chosen, settings.keep_order))
    detector = settings.build_detector()
    start = time.monotonic()
    signed = sign(kept, {detector.name: detector}, settings.text.build()).cache()
    try:
        taken = signed.count()
        seconds = time.monotonic() - start
        scale = total / max(1, taken)
        sound = signed.where("reason is null")
        met = _meet(sound, settings, scale)
        reasons = signed.where("reason is not null").groupBy("reason").count().limit(20).collect()
        fewer = {}
        for words, other in _otherwise(settings):
            pairs = _meet(sound, other, scale)["pairs"]
            if pairs < met["pairs"]:
                fewer[words] = round(pairs * scale**2)
    finally:
        signed.unpersist()
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
            **met,
        },
        "expected": {
            "seconds_to_sign": round(seconds * scale, 1),
            "leading_keys": round(met["leading_keys"] * scale),
            "pairs": round(met["pairs"] * scale**2),
        },
        "fewer_pairs": fewer,
    }


def _meet(sound: DataFrame, settings: Settings, scale: float) -> dict[str, int]:
    """What a run on the sampled pages would meet; a site's templates are judged by the pages it has in the sample."""
    rule = settings.build_detector().rule
    heads = without(sound, collapse(sound))
    if settings.templates.enabled:
        heads = strip(heads, templates(sound, settings.templates.build().of_sample(scale)))
    heads = heads.cache()
    try:
        pages = heads.count()
        check_all_pairs(round(pages * scale), settings)
        keys = leading_keys(heads, rule, candidates(heads, pages, settings)).cache()
        found = groups(keys, rule)
        met = histogram(found)
        shared = keys.join(found.select("key"), "key", "left_semi")
        pairs = pair(shared, shared, rule).count()
        leading = keys.count()
        keys.unpersist()
    finally:
        heads.unpersist()
    return {"leading_keys": leading, "shared_keys": met.keys, "largest_group": met.largest, "pairs": pairs}


def _otherwise(settings: Settings) -> Iterator[tuple[str, Settings]]:
    """Settings that may leave fewer pairs to compare, each in the words of ``--set``."""
    threshold = getattr(settings.build_detector().rule, "threshold", None)
    tried: dict[str, Any] = {} if settings.templates.enabled else {"templates.enabled": True}
    if threshold is not None:
        tried["rule.threshold"] = round(float(threshold) + THRESHOLD_STEP, 3)
    if settings.pre is None:
        tried["candidates.pre"] = 3
    for key, value in tried.items():
        with suppress(ConfigError):  # such as a threshold above 1
            yield f"{key}={str(value).lower()}", changed(settings, key, value)


def _columns(pages: DataFrame) -> dict[str, str]:
    return {field.name: field.dataType.simpleString() for field in pages.schema.fields}

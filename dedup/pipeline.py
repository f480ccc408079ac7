"""The run, on one page.

A page is remembered as a list of fingerprints; pages meet where their leading fingerprints meet; a page stays
unless a better page that stays matches it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.candidates import Candidates, frequencies, leading_keys, pair
from dedup.config import Settings
from dedup.errors import DataError, UsageError
from dedup.groups import groups, histogram
from dedup.identity import one_row_each
from dedup.keep import keep_struct
from dedup.matches import compare
from dedup.schema import FAULT, SIGNATURE, SURVIVOR, conform
from dedup.signatures import sign
from dedup.survivors import Settle, closure, collapse, walk, without
from dedup.templates import strip, templates
from dedup.verdicts import duplicates
from dedup.watch import Watch


@dataclass
class Result:
    """What a run found: five tables and the figures that go into the manifest."""

    signatures: DataFrame
    templates: DataFrame
    survivors: DataFrame
    duplicates: DataFrame
    quarantine: DataFrame
    counts: dict[str, int] = field(default_factory=dict)
    comparisons: dict[str, Any] = field(default_factory=dict)


def deduplicate(pages: DataFrame, settings: Settings, settle: Settle, watch: Watch) -> Result:
    """PAGE → survivors, duplicates and quarantine.

    Args:
        pages: the PAGE table, with the columns that the keep order names.
        settings: what to remember, where pages meet, when they match, which one stays.
        settle: computes a frame once under a name; the five result tables are settled under their own names.
        watch: told of stages and figures.

    Raises:
        DataError: no pages at all, or more of them in quarantine than ``output.max_quarantine`` allows.
        UsageError: ``candidates.pre = 0`` on more pages than ``candidates.all_pairs_limit``.
    """
    with watch.stage("sign"):
        kept = pages.withColumn("keep", keep_struct(pages, settings.keep_order))
        detector = settings.build_detector()
        signed = settle(sign(kept, {detector.name: detector}, settings.text.build()), "signed")
        watch.say(f"{signed.count():,} pages signed")
    return clean(signed, settings, settle, watch)


def clean(signed: DataFrame, settings: Settings, settle: Settle, watch: Watch) -> Result:
    """Signature (with faults) → the same as :func:`deduplicate`, for pages that are signed already."""
    detector, figures = settings.build_detector(), Result(signed, signed, signed, signed, signed)
    total = signed.count()

    with watch.stage("account"):
        sound, repeated = one_row_each(signed.where("reason is null"))
        faults = signed.where("reason is not null").withColumn("stage", F.lit("sign"))
        faults = conform(faults, FAULT).unionByName(conform(repeated, FAULT))
        figures.quarantine = settle(faults, "quarantine")
        figures.signatures = settle(sound.select(*SIGNATURE.names, "keep"), "signatures")
        _check_input(total, figures.quarantine, settings)

    with watch.stage("collapse"):
        signatures = figures.signatures
        copies = settle(collapse(signatures), "copies")
        distinct = signatures.count() - copies.count()
        watch.say(f"exact copies: {copies.count():,}; distinct pages: {distinct:,}")

    with watch.stage("template"):
        known = signatures.where(F.lit(settings.templates.enabled))
        figures.templates = settle(templates(known, settings.templates.build()), "templates")
        blocks = figures.templates.count()
        heads = without(signatures, copies)
        heads = settle(strip(heads, figures.templates) if blocks else heads, "heads")
        watch.say(f"{blocks:,} template blocks")

    with watch.stage("lead"):
        check_all_pairs(distinct, settings)
        leading = settle(leading_keys(heads, detector.rule, candidates(heads, distinct, settings)), "leading")
        found = settle(groups(leading, detector.rule), "groups")
        # Where no two pages can meet, nothing is left to carry along.
        keys = settle(leading.join(found.select("key"), "key", "left_semi"), "keys")
        met = histogram(found)
        watch.say(f"{leading.count():,} leading keys, {met.keys:,} shared, largest group {met.largest:,}")
    figures.comparisons = {
        "template_blocks": blocks,
        "leading_keys": leading.count(),
        "shared_keys": met.keys,
        "largest_group": met.largest,
        "planned_at_most": met.pairs,
        "compared": 0,
        "matched": 0,
        "exact": settings.pre is None,
    }

    def match(left: DataFrame, right: DataFrame, name: str) -> DataFrame:
        with watch.stage("pair"):
            pairs = settle(pair(left, right, detector.rule), f"{name}-pairs")
            figures.comparisons["compared"] += pairs.count()
        with watch.stage("compare"):
            matches = settle(compare(pairs, heads, detector.rule), name)
            figures.comparisons["matched"] += matches.count()
            watch.say(f"{pairs.count():,} pairs compared, {matches.count():,} match")
            return matches

    with watch.stage("walk"):
        if settings.survivors.resolve == "components":
            removed = closure(keys, match, settle)
        else:
            budget = settings.survivors.pairs_per_page * distinct
            removed = walk(keys, found, detector.rule, match, settle, budget)

    with watch.stage("publish"):
        verdicts = duplicates(heads, copies, removed, settings.output.shared_cap)
        figures.duplicates = settle(verdicts, "duplicates")
        stay = signatures.join(figures.duplicates.select("page_id"), "page_id", "left_anti")
        figures.survivors = settle(conform(stay, SURVIVOR), "survivors")
        figures.counts = _counts(total, figures)
        watch.say(
            "{survivors:,} survivors, {duplicates:,} duplicates, {quarantined:,} quarantined".format(**figures.counts)
        )
    return figures


def candidates(heads: DataFrame, pages: int, settings: Settings) -> Candidates:
    """Where the ``pages`` in ``heads`` meet, as the settings say."""
    told = settings.candidates
    if settings.pre is None:
        return Candidates(frequencies=frequencies(heads, pages, told.sample_pages, told.hottest))
    return Candidates(settings.pre, told.variant)


def check_all_pairs(pages: int, settings: Settings) -> None:
    """Raises: UsageError: ``candidates.pre = 0`` on more distinct pages than ``candidates.all_pairs_limit``."""
    limit = settings.candidates.all_pairs_limit
    if settings.pre == 0 and pages > limit:
        raise UsageError(
            f"candidates.pre = 0 compares all pairs of {pages:,} distinct pages; the limit is "
            f'{limit:,}. Write candidates.pre = "exact", which finds the same pairs, '
            "or raise candidates.all_pairs_limit"
        )


def _check_input(total: int, quarantine: DataFrame, settings: Settings) -> None:
    if not total:
        raise DataError(f"input {settings.input.path} holds no pages")
    bad = quarantine.count()
    if bad > settings.output.max_quarantine * total:
        reasons = quarantine.groupBy("reason").agg(F.count("*").alias("n"), F.first("detail").alias("such"))
        told = "; ".join(f"{r['n']:,} {r['reason']} (such as: {r['such']})" for r in reasons.limit(20).collect())
        raise DataError(
            f"{bad:,} of {total:,} pages cannot be used, more than output.max_quarantine = "
            f"{settings.output.max_quarantine:g} allows: {told}"
        )


def _counts(total: int, figures: Result) -> dict[str, int]:
    stages = {r["stage"]: r["n"] for r in figures.duplicates.groupBy("stage").agg(F.count("*").alias("n")).collect()}
    counts = {
        "pages": total,
        "survivors": figures.survivors.count(),
        "duplicates": sum(stages.values()),
        "exact": stages.get("exact", 0),
        "near": stages.get("near", 0),
        "quarantined": figures.quarantine.count(),
    }
    out = counts["survivors"] + counts["duplicates"] + counts["quarantined"]
    if out != total:
        raise RuntimeError(f"{total} pages went in and {out} came out: {counts}; this is a fault of the program")
    return counts

"""What holds for every detector: one suite over the whole list."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dedup import signatures as signing
from dedup.candidates import Candidates, frequencies, leading_keys
from dedup.detectors import DETECTORS, Detector
from dedup.matches import compare
from dedup.sample import write_sample
from dedup.schema import PAGE, SIGNATURE
from dedup.text.documents import Reader

GOLDEN = Path(__file__).parent / "golden"

pytestmark = pytest.mark.parametrize("detector", [kind() for kind in DETECTORS.values()], ids=list(DETECTORS))

PARAGRAPHS = [
    f"Paragraph {n}: the {word} of the harbour office was repaired before the first frost, says the notice of that year"
    for n, word in enumerate(["bridge", "ferry", "orchard", "gauge", "pump", "lantern", "tram", "archive"])
]
PAGE_HTML = (
    f"<html><head><title>Notices</title></head><body>{''.join(f'<p>{p}.</p>' for p in PARAGRAPHS)}</body></html>"
)

UNMOVED = {
    "attributes": PAGE_HTML.replace("<p>", '<p class="a" data-id=7>'),
    "scripts and comments": PAGE_HTML.replace("</p>", "</p><!-- x --><script>f('<p>x</p>')</script>"),
    "hidden elements": PAGE_HTML.replace("<body>", "<body><div hidden>menu of another day</div>"),
    "inline tags": PAGE_HTML.replace("harbour", "<b>har</b>bour").replace("first", "<a href=/x>first</a>"),
    "white space": PAGE_HTML.replace(" ", " \n\t "),
    "no-break spaces": PAGE_HTML.replace("the first", "the&nbsp;first"),
}
EMPTY = {"empty": "", "blank": " \n ", "no text": "<html><body><img src=x></body></html>"}
ODD = {"broken": "<p><b>cut in the mid", "deep": "<div>" * 5_000 + "deep", "nul": "a\x00b", "huge": "word " * 300_000}


def frame(spark: SparkSession, pages: Iterable[tuple[str, bytes | None]], partitions: int = 1) -> DataFrame:
    rows = [("test", page_id, None, None, None, html, None, None, None) for page_id, html in pages]
    made = spark.createDataFrame(rows, PAGE).repartition(partitions, "page_id")
    return made.withColumn("keep", F.struct(F.col("page_id")))


def sign(detector: Detector, pages: DataFrame) -> DataFrame:
    return signing.sign(pages, {detector.name: detector}, Reader())


def signed(detector: Detector, pages: DataFrame) -> dict[str, dict[str, Any]]:
    rows = sign(detector, pages).select(*SIGNATURE.names, "reason").collect()
    return {row["page_id"]: row.asDict() for row in rows}


def corpus(tmp_path: Path) -> list[tuple[str, bytes]]:
    write_sample(tmp_path)
    files = sorted((tmp_path / "pages").rglob("*.html"))
    return [(str(file.relative_to(tmp_path)), file.read_bytes()) for file in files][::2]


def test_same_bytes_same_signature_whatever_the_rows_beside(
    spark: SparkSession, detector: Detector, tmp_path: Path
) -> None:
    pages = corpus(tmp_path)
    shuffled = random.Random(1).sample(pages, len(pages))
    assert signed(detector, frame(spark, pages)) == signed(detector, frame(spark, shuffled, 5))


def test_signatures_are_well_formed(spark: SparkSession, detector: Detector, tmp_path: Path) -> None:
    for row in signed(detector, frame(spark, corpus(tmp_path))).values():
        assert len(row["fingerprints"]) == len(set(row["fingerprints"])) == len(row["weights"])
        assert all(weight > 0 for weight in row["weights"])
        assert (row["content_digest"] is None) == (not row["fingerprints"])


def test_what_no_reader_sees_does_not_move_it(spark: SparkSession, detector: Detector) -> None:
    rows = signed(
        detector, frame(spark, [("page", PAGE_HTML.encode()), *((k, v.encode()) for k, v in UNMOVED.items())])
    )
    whole = ("content_digest", "fingerprints", "weights")
    moved = [name for name in UNMOVED if any(rows[name][field] != rows["page"][field] for field in whole)]
    assert not moved


def test_another_word_moves_it(spark: SparkSession, detector: Detector) -> None:
    rows = signed(
        detector, frame(spark, [("a", PAGE_HTML.encode()), ("b", PAGE_HTML.replace("ferry", "barge").encode())])
    )
    assert rows["a"]["content_digest"] != rows["b"]["content_digest"]
    assert rows["a"]["fingerprints"] != rows["b"]["fingerprints"]


def test_empty_and_odd_pages_do_not_raise_and_empty_ones_match_nothing(spark: SparkSession, detector: Detector) -> None:
    pages = [(f"{name} {n}", text.encode()) for name, text in {**EMPTY, **ODD}.items() for n in (1, 2)]
    rows = sign(detector, frame(spark, [*pages, ("null 1", None), ("null 2", None)])).cache()
    assert rows.count() == len(pages) + 2
    empty = rows.where(
        "page_id like 'empty%' or page_id like 'blank%' or page_id like 'no text%' or page_id like 'null%'"
    )
    assert empty.where("size(fingerprints) > 0 or content_digest is not null").count() == 0
    for candidates in (Candidates(), Candidates(0), Candidates(3), Candidates(3, "all")):
        assert leading_keys(empty, detector.rule, candidates).count() == 0


COPY = " (copy)"


def at_one_key(pairs: DataFrame) -> DataFrame:
    return pairs.withColumns({"key": F.lit(0).cast("long"), "load": F.lit(100).cast("long")})


def test_scores(spark: SparkSession, detector: Detector, tmp_path: Path) -> None:
    """Of every page with every other and with its own copy."""
    pages = sign(detector, frame(spark, corpus(tmp_path)[:40])).where("size(fingerprints) > 0").cache()
    copies = pages.withColumn("keep", F.col("keep").withField("page_id", F.concat("page_id", F.lit(COPY))))
    signatures = pages.unionByName(copies).cache()
    a, b = signatures.select(F.col("keep").alias("better")), signatures.select(F.col("keep").alias("worse"))
    pairs = a.crossJoin(b).where("better != worse")
    matches = compare(at_one_key(pairs), signatures, detector.rule).select("better.page_id", "worse.page_id", "score")
    score = {(row[0], row[1]): row[2] for row in matches.collect()}
    ids = [row["page_id"] for row in pages.select("page_id").collect()]
    assert all(score[page, page + COPY] == 1 for page in ids)
    assert all(score[other, page] == value for (page, other), value in score.items())
    assert all(0 <= value <= 1 for value in score.values())


def test_a_pair_that_the_rule_accepts_shares_a_key(spark: SparkSession, detector: Detector, tmp_path: Path) -> None:
    signatures = sign(detector, frame(spark, corpus(tmp_path))).where("size(fingerprints) > 0").cache()
    order = frequencies(signatures, signatures.count(), 50, 100)
    keys = leading_keys(signatures, detector.rule, Candidates(frequencies=order)).select("key", "keep")
    a, b = keys.toDF("key", "better"), keys.toDF("key", "worse")
    met = a.join(b, "key").where("better < worse").select("better", "worse").distinct()
    every = signatures.select(F.col("keep").alias("better")).join(
        signatures.select(F.col("keep").alias("worse")), F.expr("better < worse")
    )
    accepted = compare(at_one_key(every), signatures, detector.rule).select("better", "worse")
    assert accepted.count() > 20
    assert accepted.join(met, ["better", "worse"], "left_anti").count() == 0


def test_golden(spark: SparkSession, detector: Detector) -> None:
    known = json.loads((GOLDEN / f"{detector.name}.json").read_text("utf-8"))
    rows = signed(detector, frame(spark, [(case["name"], case["html"].encode()) for case in known]))
    for case in known:
        row = rows[case["name"]]
        assert [f"{value & (2**64 - 1):016x}" for value in row["fingerprints"]] == case["fingerprints"], case["name"]
        assert row["weights"] == case["weights"], case["name"]

"""Signing, where it touches Spark: PAGE → SIGNATURE, each page decoded and parsed once for however many detectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import types as T

from dedup.detectors import Detector
from dedup.schema import SIGNATURE, keep_type
from dedup.text import TEXT_VERSION
from dedup.text.documents import Reader

PASSED = ("page_id", "url", "site", "source", "keep")
"""Columns that travel with a page unchanged; its html goes no further than the worker that parsed it."""

SIGNED = ("content_digest", "fingerprints", "weights", "text_version")


def sign(pages: DataFrame, detectors: Mapping[str, Detector], reader: Reader) -> DataFrame:
    """Page → signature, one row for each page and detector.

    Args:
        pages: the PAGE table with a ``keep`` column; ``text`` may stand in the place of ``html``.
        detectors: by the names that the rows will carry.
        reader: decodes and parses.

    Returns:
        the SIGNATURE table with ``keep``, ``source``, ``detector``, ``reason`` and ``detail``; a row with a reason is
        quarantined, a row without fingerprints survives and matches nothing.
    """
    content = "html" if "html" in pages.columns else "text"
    text = [T.StructField(name, T.StringType()) for name in ("detector", "reason", "detail")]
    passed = [T.StructField("keep", keep_type(pages)) if name == "keep" else pages.schema[name] for name in PASSED]
    result = T.StructType([*passed, *(SIGNATURE[name] for name in SIGNED), *text])

    def signed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            documents = reader.read(batch[content], batch["charset"])
            refused = batch["reason"].is_valid()
            for name, detector in detectors.items():
                made = detector.sign(documents)
                columns = {
                    **{passed: batch[passed] for passed in PASSED},
                    "content_digest": documents["content_digest"],
                    "fingerprints": made["fingerprints"],
                    "weights": made["weights"],
                    "text_version": pa.repeat(pa.scalar(TEXT_VERSION, pa.int32()), len(batch)),
                    "detector": pa.repeat(name, len(batch)),
                    # What the reader refused stays refused for the reader's reason.
                    "reason": pc.if_else(refused, batch["reason"], documents["reason"]),
                    "detail": pc.if_else(refused, batch["detail"], documents["detail"]),
                }
                yield pa.RecordBatch.from_arrays([columns[field.name] for field in result], names=result.fieldNames())

    return pages.select(*PASSED, content, "charset", "reason", "detail").mapInArrow(signed, schema=result)

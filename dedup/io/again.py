"""Single pages read again, to show what their fingerprints stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from dedup.config import Input
from dedup.errors import DataError, UsageError
from dedup.io.files import locate
from dedup.io.pages import explained, read_pages

Content = tuple[bytes | str, str | None]
"""What a page holds, and the charset of its HTTP header."""


def read_again(
    settings: Input, wanted: Iterable[dict[str, Any]], spark: Callable[[], SparkSession]
) -> dict[str, Content]:
    """The content of the pages whose signature rows are given; those that are gone are left out.

    Files are opened where they lie; other inputs are asked through Spark, which ``spark`` starts only then.
    """
    rows = list(wanted)
    if settings.format == "html":
        found = {row["page_id"]: _file(row["url"]) for row in rows}
        return {page_id: (data, None) for page_id, data in found.items() if data is not None}
    try:
        return _asked(spark(), settings, rows)
    except Exception as error:
        if isinstance(explained(error), (DataError, UsageError)):  # the input is gone, or no longer what it was
            return {}
        raise


def _asked(spark: SparkSession, settings: Input, rows: list[dict[str, Any]]) -> dict[str, Content]:
    pages = read_pages(spark, settings)
    content = "html" if "html" in pages.columns else "text"
    chosen = pages.where(F.col("page_id").isin([row["page_id"] for row in rows]))
    read = chosen.where(F.col(content).isNotNull()).select("page_id", F.col(content).alias("content"), "charset")
    return {
        row["page_id"]: (bytes(row["content"]) if content == "html" else row["content"], row["charset"])
        for row in read.limit(2 * len(rows)).collect()
    }


def _file(url: str) -> bytes | None:
    try:
        system, path, _ = locate(url)
        with system.open_input_stream(path) as stream:
            data: bytes = stream.read()
            return data
    except (OSError, ValueError):
        return None

"""Pages as the reader of inputs gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dedup.config import load
from dedup.io.pages import read_pages

Row = dict[str, Any]
Read = Callable[..., dict[str | None, Row]]


@pytest.fixture(scope="session")
def read(spark: SparkSession) -> Read:
    """Input and settings → rows of PAGE by page_id; content as bytes or text."""

    def call(path: object, kind: str = "html", *sets: str, wanted: tuple[str, ...] = ()) -> dict[str | None, Row]:
        settings = load(sets=sets, input__path=str(path), input__format=kind)
        rows = [row.asDict() for row in read_pages(spark, settings.input, wanted).collect()]
        for row in rows:
            if isinstance(row.get("html"), bytearray):
                row["html"] = bytes(row["html"])
        found = {row["page_id"]: row for row in rows}
        assert len(found) == len(rows)
        return found

    return call

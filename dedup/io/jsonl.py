"""JSON lines: columns are known by looking at the first lines, not by a pass over everything."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.errors import DataError

LOOKED_AT = 1_000
BROKEN = "_broken_line"


def read_jsonl(
    spark: SparkSession, path: str, mapped: Iterable[str], extra: Iterable[str]
) -> tuple[DataFrame, Column, list[str]]:
    """JSON lines, plain or gzip → a frame of the columns in use, the text of lines that are no object, all columns.

    Mapped columns are text; extra ones are numbers where all of the first lines have numbers there. A column
    that none of the first LOOKED_AT lines has is left out of the frame, as if the input did not have it.

    Raises:
        DataError: none of the first lines is an object.
    """
    lines = spark.read.text(path, recursiveFileLookup=True).limit(LOOKED_AT)
    found = {
        row["key"]
        for row in lines.select(F.explode(F.json_object_keys("value")).alias("key"))
        .groupBy("key")
        .count()
        .limit(10 * LOOKED_AT)
        .collect()
    }
    if not found:
        raise DataError(
            f"{path} holds no JSON lines: none of the first {LOOKED_AT:,} lines is a JSON object. "
            "For other inputs give --format html, parquet or table"
        )
    fields = [T.StructField(name, T.StringType()) for name in dict.fromkeys(mapped) if name in found]
    known = {field.name for field in fields}
    for name in extra:
        if name in found and name not in known:
            value = F.get_json_object("value", f"$['{name}']")
            odd = lines.where(value.isNotNull() & value.try_cast("double").isNull()).limit(1).count()
            fields.append(T.StructField(name, T.StringType() if odd else T.DoubleType()))
    schema = T.StructType([*fields, T.StructField(BROKEN, T.StringType())])
    # The parser's own limit is 20 million characters; how large a page may be is for detector.max_page_bytes to say.
    frame = (
        spark.read.schema(schema)
        .option("maxStringLen", 2**31 - 1)
        .json(path, mode="PERMISSIVE", columnNameOfCorruptRecord=BROKEN, recursiveFileLookup=True)
    )
    return frame, F.col(BROKEN), sorted(found)

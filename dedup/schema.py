"""The tables that pass between the rooms, as Spark types, and the one check that holds a frame to them.

``keep`` is the sortable struct of the keep-order columns; its fields depend on the configured order, so the
tables below name it without a type and :func:`conform` leaves it as it is. It always ends with ``page_id``
and therefore identifies a page wherever a table speaks of one (``better``, ``worse``).
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

PAGE = T.StructType(
    [
        T.StructField("source", T.StringType()),
        T.StructField("page_id", T.StringType()),
        T.StructField("url", T.StringType()),
        T.StructField("site", T.StringType()),
        T.StructField("fetched_at", T.TimestampType()),
        T.StructField("html", T.BinaryType()),  # or `text`, a string column in the same place
        T.StructField("charset", T.StringType()),  # from the HTTP header, where the input has one
        T.StructField("reason", T.StringType()),  # why the reader already refuses the row, else null
        T.StructField("detail", T.StringType()),
    ]
)

SIGNATURE = T.StructType(
    [
        T.StructField("page_id", T.StringType()),
        T.StructField("url", T.StringType()),
        T.StructField("site", T.StringType()),
        T.StructField("content_digest", T.BinaryType()),  # 16 bytes; null: nothing to compare
        T.StructField("fingerprints", T.ArrayType(T.LongType())),  # most telling first, distinct
        T.StructField("weights", T.ArrayType(T.IntegerType())),  # one for each fingerprint
        T.StructField("text_version", T.IntegerType()),  # of the reading that made it
    ]
)

TEMPLATE = T.StructType(
    [
        T.StructField("site", T.StringType()),
        T.StructField("fingerprint", T.LongType()),
        T.StructField("pages", T.LongType()),  # that hold it
        T.StructField("others", T.LongType()),  # distinct largest other blocks among those pages
        T.StructField("site_pages", T.LongType()),  # that were looked at
    ]
)

FAULT = T.StructType(
    [
        T.StructField("source", T.StringType()),
        T.StructField("page_id", T.StringType()),
        T.StructField("url", T.StringType()),
        T.StructField("stage", T.StringType()),
        T.StructField("reason", T.StringType()),
        T.StructField("detail", T.StringType()),
    ]
)

DUPLICATE = T.StructType(
    [
        T.StructField("page_id", T.StringType()),
        T.StructField("keeper_id", T.StringType()),
        T.StructField("stage", T.StringType()),  # exact, near
        T.StructField("common", T.IntegerType()),  # fingerprints that both pages hold
        T.StructField("m", T.IntegerType()),
        T.StructField("m_keeper", T.IntegerType()),
        T.StructField("score", T.DoubleType()),  # in [0, 1]; null where the rule does not accept the two
        T.StructField("shared", T.ArrayType(T.LongType())),  # the first in common, in the removed page's order
    ]
)

SURVIVOR = T.StructType([T.StructField("page_id", T.StringType())])


def conform(frame: DataFrame, schema: T.StructType) -> DataFrame:
    """Select the columns of ``schema`` in their order, cast to their types.

    Raises:
        ValueError: a column of the table is missing; the message names it and those present.
    """
    missing = [name for name in schema.names if name not in frame.columns]
    if missing:
        raise ValueError(f"missing columns {missing}; the frame has {frame.columns}")
    return frame.select(*(F.col(f.name).cast(f.dataType).alias(f.name) for f in schema.fields))


def keep_type(frame: DataFrame, column: str = "keep") -> T.StructType:
    """The type of the frame's keep-order struct."""
    found = frame.schema[column].dataType
    if not isinstance(found, T.StructType):
        raise ValueError(f"{column} is {found.simpleString()}, not a struct of the keep-order columns")
    return found

"""Keep order: which page of a match stays (algorithms.md §6).

The order becomes one sortable struct, best page first when sorted ascending, so that every later step compares
pages with ``<`` and never needs a row number. Each key is a pair (missing, value): nulls come last whatever the
direction. The struct always ends with ``page_id``, which makes the order total.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dedup.errors import DataError

DERIVED = {
    "length": "bytes of html, or characters of text",
    "url_length": "characters of url",
}


@dataclass(frozen=True)
class KeepKey:
    """One column of the keep order and its direction."""

    column: str
    descending: bool = False

    @classmethod
    def parse(cls, text: str) -> KeepKey:
        """Read ``"fetched_at desc"`` or ``"url_length asc"`` (ascending where nothing is said).

        Raises:
            ValueError: more than two words, or a direction other than asc and desc.
        """
        words = text.split()
        if not 1 <= len(words) <= 2 or (len(words) == 2 and words[1].lower() not in ("asc", "desc")):
            raise ValueError(f'keep order {text!r}: write "column", "column asc" or "column desc"')
        return cls(words[0], len(words) == 2 and words[1].lower() == "desc")


def keep_struct(pages: DataFrame, order: tuple[KeepKey, ...]) -> Column:
    """The ``keep`` column of a page frame: struct of missing/value pairs, then ``page_id``.

    Raises:
        ValueError: a column that the pages do not have.
        DataError: a column of a type that has no order.
    """
    fields: list[Column] = []
    for key in order:
        if key.column == "page_id":
            break
        value, kind = _value(pages, key.column)
        ranked, filler = _ranked(value, kind, key)
        fields.append(value.isNull().alias(f"{key.column}_missing"))
        fields.append(F.coalesce(ranked, filler).alias(key.column))
    return F.struct(*fields, F.col("page_id").alias("page_id"))


def _value(pages: DataFrame, name: str) -> tuple[Column, T.DataType]:
    types = {field.name: field.dataType for field in pages.schema.fields}
    if name in types:
        return F.col(name), types[name]
    if name == "url_length":
        return F.length("url"), T.IntegerType()
    if name == "length":
        return F.length("html" if "html" in types else "text"), T.IntegerType()
    raise ValueError(
        f"keep order names column {name!r}, which the pages do not have; "
        f"they have {sorted(types)} and {sorted(DERIVED)}"
    )


def _ranked(value: Column, kind: T.DataType, key: KeepKey) -> tuple[Column, Column]:
    """A column that sorts ascending in the wanted direction, and what stands in for null."""
    if isinstance(kind, T.TimestampType):
        value, kind = F.unix_micros(value), T.LongType()
    elif isinstance(kind, T.DateType):
        value, kind = F.unix_date(value).cast("long"), T.LongType()
    elif isinstance(kind, (T.BooleanType, T.ByteType, T.ShortType, T.IntegerType)):
        value, kind = value.cast("long"), T.LongType()
    elif isinstance(kind, (T.FloatType, T.DecimalType)):
        value, kind = value.cast("double"), T.DoubleType()
    if isinstance(kind, (T.LongType, T.DoubleType)):
        zero = F.lit(0).cast(kind)
        # ~x = -x - 1 reverses longs without the overflow that -x has at the smallest one.
        reversed_value = F.bitwise_not(value) if isinstance(kind, T.LongType) else -value
        return (reversed_value if key.descending else value), zero
    if isinstance(kind, T.StringType):
        if not key.descending:
            return value, F.lit("")
        # Negated code points with a terminator above them all: "b" before "ab" before "a".
        points = F.transform(F.split(value, ""), lambda c: -F.ascii(c))
        return F.concat(points, F.array(F.lit(1))), F.array(F.lit(1))
    raise DataError(
        f"survivors.keep_order cannot sort by {key.column!r} of type {kind.simpleString()}; "
        "it sorts by numbers, text, dates, timestamps and booleans"
    )

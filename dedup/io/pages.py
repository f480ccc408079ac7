"""Pages in: html files, Parquet, JSON lines or a catalog table become the PAGE table.

Nothing is dropped here. A row that cannot be a page (no id, a line that is not JSON) comes through with a
``reason`` and ends in quarantine, so that what goes in can be counted against what comes out.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession, types
from pyspark.sql import functions as F

from dedup.config import Input
from dedup.errors import DataError, UsageError
from dedup.io.files import as_it_stands
from dedup.io.html_files import found_under, list_files, read_files
from dedup.io.jsonl import read_jsonl
from dedup.keep import DERIVED
from dedup.schema import PAGE

T = TypeVar("T")

CONTENT = (types.BinaryType, types.StringType)
TIME = (
    *(types.TimestampType, types.StringType, types.NumericType),
    *(types.DateType, types.TimestampNTZType, types.NullType),
)
UNREADABLE = re.compile(r"(?:reading file|read footer for file|for file)[:\s]+(\S+?)[.,]?(?:\s|$)")

# Where the path has a scheme, the host; of deb://suite/package the suite; of git://owner/repo the owner.
HOST = r"^[A-Za-z][A-Za-z0-9+.-]*:/+(?:[^/@]*@)?([^/:?#]+)"


@dataclass(frozen=True)
class Raw:
    """An input as Spark reads it: the rows, where each came from, and which rows are broken already."""

    frame: DataFrame
    source: Column
    reason: Column | None = None
    detail: Column | None = None
    known: list[str] = field(default_factory=list)  # all columns, where the frame has only those in use


def check_path(settings: Input) -> None:
    """Look for a local input before Spark starts.

    Raises:
        UsageError: no input is named, or nothing is there.
        DataError: a folder that is said to hold html files has none.
    """
    if not settings.path:
        raise UsageError("no input: give --input PATH (or --input TABLE --format table)")
    if settings.format == "table" or "://" in settings.path:
        return
    path = _absolute(settings.path)
    if not Path(path).exists() and not glob.glob(path) and not ("{" in path and any(found_under(path))):
        raise UsageError(f"input {settings.path} does not exist")
    if settings.format == "html" and not any(found_under(path)):
        raise DataError(
            f"{settings.path} holds no pages: no file there ends in .html or .htm. "
            "For other inputs give --format parquet, jsonl or table"
        )


def count_pages(spark: SparkSession, settings: Input) -> int:
    """How many pages there are, without reading them where that can be known."""
    if settings.format == "html":
        return list_files(spark, _absolute(settings.path)).count()
    return read_pages(spark, settings).select("page_id").count()


def read_pages(spark: SparkSession, settings: Input, wanted: tuple[str, ...] = ()) -> DataFrame:
    """Input → PAGE (with ``text`` for ``html`` where the input holds text), and the ``wanted`` columns.

    Args:
        spark: the session.
        settings: where the pages are and what their columns are called.
        wanted: columns beyond PAGE that later steps need, such as those of the keep order.

    Raises:
        UsageError: a path or table that is not there.
        DataError: a mapped column that the input does not have, or an input without any data.
    """
    own = {*PAGE.names, "text", *DERIVED}
    extra = tuple(dict.fromkeys(name for name in (*settings.extra_columns, *wanted) if name not in own))
    if settings.format == "html":
        if extra:
            raise DataError(
                f"html files have no column {', '.join(map(repr, extra))} (survivors.keep_order, input.extra_columns); "
                f"they have: page_id, url, site, fetched_at, {', '.join(DERIVED)}"
            )
        return _html_files(spark, settings)
    raw = _open(spark, settings, extra)
    return _mapped(raw, settings, extra)


def _html_files(spark: SparkSession, settings: Input) -> DataFrame:
    path = _absolute(settings.path)
    # A number that is given is one that Spark does not lower for the few bytes that paths are.
    spread = int(spark.conf.get("spark.sql.shuffle.partitions") or 200)
    files = read_files(list_files(spark, path).repartition(spread, "path"), path)
    broken = F.col("detail").isNotNull()
    return files.select(
        F.col("uri").alias("source"),
        F.col("relative").alias("page_id"),
        F.col("uri").alias("url"),
        _site(F.col("uri"), settings, F.regexp_extract("relative", "^([^/]+)/", 1)).alias("site"),
        F.col("modified").alias("fetched_at"),
        "html",
        F.lit(None).cast("string").alias("charset"),
        F.when(broken, F.lit("unreadable")).alias("reason"),
        F.col("detail"),
    )


def _open(spark: SparkSession, settings: Input, extra: tuple[str, ...]) -> Raw:
    path = _absolute(settings.path)
    if "://" not in path and Path(path).exists():
        path = as_it_stands(path)
    if settings.format == "parquet":
        frame = _loaded(lambda: spark.read.option("recursiveFileLookup", "true").parquet(path), settings)
        return Raw(frame, F.col("_metadata.file_path"))
    if settings.format == "jsonl":
        mapped = [name for name in settings.columns.model_dump().values() if name]
        frame, broken, known = _loaded(lambda: read_jsonl(spark, path, mapped, extra), settings)
        return Raw(
            frame,
            F.col("_metadata.file_path"),
            F.when(broken.isNotNull(), F.lit("bad_json")),
            F.when(broken.isNotNull(), F.concat(F.lit("not a JSON object: "), F.substring(broken, 1, 120))),
            known,
        )
    frame = _loaded(lambda: spark.read.table(settings.path), settings)
    return Raw(frame, F.lit(settings.path))


def _mapped(raw: Raw, settings: Input, extra: tuple[str, ...]) -> DataFrame:
    columns, has = settings.columns, raw.known or raw.frame.columns
    for field_name, name in columns.model_dump().items():
        needed = field_name in ("html", "text") or name != type(columns).model_fields[field_name].default
        if name and needed and name not in has:
            raise DataError(
                f"{settings.path} has no column {name!r} (input.columns.{field_name}); it has: {', '.join(has)}. "
                f"Write --set input.columns.{field_name}=NAME" + ("" if field_name in ("html", "text") else ', or ""')
            )
    lacking = [name for name in extra if name not in has]
    if lacking:
        raise DataError(f"{settings.path} has no column {', '.join(map(repr, lacking))}; it has: {', '.join(has)}")

    def column(name: str, kind: str) -> Column:
        return F.col(f"`{name}`").cast(kind) if name in has else F.lit(None).cast(kind)

    url = column(columns.url, "string")
    _check_type(raw.frame, columns.fetched_at, "input.columns.fetched_at", TIME, settings)
    fetched_at = _time(raw.frame, columns.fetched_at)
    if columns.page_id in has:
        page_id = column(columns.page_id, "string")
    elif columns.url in has:
        captured = F.coalesce(fetched_at.cast("string"), F.lit(""))
        page_id = F.md5(F.concat_ws("\x1f", F.when(url.isNotNull(), url), captured).cast("binary"))
        page_id = F.when(url.isNotNull(), page_id)
    else:
        raise DataError(
            f"{settings.path} has neither a page_id nor a url column; it has: {', '.join(has)}. "
            "Write --set input.columns.page_id=NAME"
        )
    nameless = page_id.isNull() | (page_id == "")
    given = column(columns.site, "string") if columns.site else F.lit(None).cast("string")
    content = ("html", "binary") if columns.html else ("text", "string")
    _check_type(raw.frame, columns.html or columns.text, f"input.columns.{content[0]}", CONTENT, settings)
    reason = raw.reason if raw.reason is not None else F.lit(None).cast("string")
    detail = raw.detail if raw.detail is not None else F.lit(None).cast("string")
    return raw.frame.select(
        raw.source.alias("source"),
        page_id.alias("page_id"),
        url.alias("url"),
        F.coalesce(given, _site(url, settings, F.lit(None).cast("string"))).alias("site"),
        fetched_at.alias("fetched_at"),
        column(columns.html or columns.text, content[1]).alias(content[0]),
        column(columns.charset, "string").alias("charset"),
        F.coalesce(reason, F.when(nameless, F.lit("no_page_id"))).alias("reason"),
        F.coalesce(detail, F.when(nameless, F.lit("page_id is null or empty, or made of a null url"))).alias("detail"),
        *(F.col(f"`{name}`") for name in extra),
    )


def _check_type(
    frame: DataFrame, name: str, setting: str, fitting: tuple[type[types.DataType], ...], settings: Input
) -> None:
    if name in frame.columns and not isinstance(frame.schema[name].dataType, fitting):
        raise DataError(
            f"{settings.path}: column {name!r} ({setting}) is {frame.schema[name].dataType.simpleString()}, "
            f"not {' or '.join(kind.typeName() for kind in fitting[:2])}"
        )


def _time(frame: DataFrame, name: str) -> Column:
    """Timestamps as they are, text as ISO 8601, numbers as seconds since 1970; what does not parse is null."""
    if name not in frame.columns:
        return F.lit(None).cast("timestamp")
    column, kind = F.col(f"`{name}`"), frame.schema[name].dataType
    if isinstance(kind, types.NumericType):
        return F.timestamp_micros((column.cast("double") * 1_000_000).try_cast("long"))
    if isinstance(kind, types.StringType):
        return F.coalesce(
            column.try_cast("timestamp"),
            F.timestamp_micros((column.try_cast("double") * 1_000_000).try_cast("long")),
        )
    return column.try_cast("timestamp")


def _site(url: Column, settings: Input, otherwise: Column) -> Column:
    """The group of site_pattern in the url; without a pattern, the host, or what the input offers."""
    if settings.site_pattern:
        found = F.regexp_extract(url, settings.site_pattern, 1)
    elif settings.format == "html":
        found = otherwise
    else:
        found = F.lower(F.regexp_extract(url, HOST, 1))
    return F.coalesce(F.nullif(found, F.lit("")), F.nullif(otherwise, F.lit("")))


def _loaded(read: Callable[[], T], settings: Input) -> T:
    try:
        found = read()
        if isinstance(found, DataFrame):
            _ = found.schema  # Spark Connect looks only when asked
        return found
    except AnalysisException as error:
        name = error.getCondition() or ""
        if "PATH_NOT_FOUND" in name:
            raise UsageError(f"input {settings.path} does not exist") from None
        if "TABLE_OR_VIEW_NOT_FOUND" in name:
            raise UsageError(
                f"the catalog knows no table {settings.path}; for files, give --format parquet, jsonl or html"
            ) from None
        if "UNABLE_TO_INFER_SCHEMA" in name:
            raise DataError(f"{settings.path} holds no {settings.format} data") from None
        if settings.format == "table":
            told = next((line for line in str(error).splitlines() if line.strip()), name)
            raise UsageError(
                f"{settings.path} is not the name of a table: {told}; --format says what an input is"
            ) from None
        raise explained(error) from None
    except Exception as error:
        raise explained(error) from None


def explained(error: Exception) -> Exception:
    """Spark's account of what a user can mend, such as an unreadable file, in plain words; other errors as they are."""
    text = str(error)
    if "FAILED_READ_FILE" in text or "CANNOT_READ_FILE_FOOTER" in text or "Could not read footer" in text:
        found = UNREADABLE.search(text)
        return DataError(
            f"cannot read {found[1] if found else 'a file of the input'}: it is broken or not what --format says. "
            "Take it out of the input, or write it again"
        )
    if "INVALID_PARAMETER_VALUE.PATTERN" in text:
        return UsageError(
            "input.site_pattern is no regular expression of Spark's (java.util.regex); "
            "write a plainer one, such as ^https?://([^/]+)"
        )
    return error


def _absolute(path: str) -> str:
    return path if "://" in path else str(Path(path).expanduser().absolute())

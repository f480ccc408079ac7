"""HTML files as rows: one task lists them, all tasks read them.

Workers open the files themselves, so an empty file is a row, and a file that cannot be read is a row with a reason
instead of the end of the run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pyarrow as pa
from pyarrow import fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

from dedup.io.files import locate

BATCH_BYTES = 8 << 20
"""Content that one batch carries, beyond its last file (bytes)."""

ENDING = re.compile(r"\.html?$", re.IGNORECASE)
WILD = re.compile(r"[*?\[{]")

NO_TEXT = "its name is not UTF-8; rename it"

FILE = T.StructType(
    [
        T.StructField("path", T.StringType()),  # as its file system names it
        T.StructField("uri", T.StringType()),
        T.StructField("relative", T.StringType()),  # to the input, or to what stands before its first wildcard
        T.StructField("modified", T.TimestampType()),
        T.StructField("detail", T.StringType()),  # why it cannot be read, else null
    ]
)
ARROW: dict[type[T.DataType], pa.DataType] = {T.TimestampType: pa.timestamp("us", "UTC"), T.BinaryType: pa.binary()}
READ = T.StructType([*FILE.fields, T.StructField("html", T.BinaryType())])


def list_files(spark: SparkSession, path: str) -> DataFrame:
    """FILE: the ``.html`` and ``.htm`` files under a folder, or what a glob names, folders in it included.

    A file that the path itself names counts whatever its ending. Folders are walked once, linked ones too.
    """

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start in batch["path"].to_pylist():
                yield from _batches(found_under(start), FILE)

    return spark.createDataFrame([(path,)], "path string").mapInArrow(walk, FILE)


def read_files(files: DataFrame, path: str) -> DataFrame:
    """FILE → READ: the same with their content, null where ``detail`` says why there is none.

    Args:
        files: as :func:`list_files` gives them, spread over as many partitions as shall read at once.
        path: what was listed.
    """

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        system = locate(path)[0]
        for batch in batches:
            yield from _batches((_read(system, row) for row in batch.to_pylist()), READ)

    return files.mapInArrow(read, READ)


def found_under(path: str) -> Iterator[dict[str, object]]:
    """Rows of FILE for a path, a glob, or a URI of either.

    Hadoop's wildcards: ``*``, ``?``, ``[...]``, ``{a,b}``; none crosses a slash.
    """
    system, whole, prefix = locate(path.rstrip("/") or "/")
    there = system.get_file_info(whole).type
    # A name that exists as it stands is no pattern, whatever signs it holds.
    wild = there == fs.FileType.NotFound and WILD.search(path)
    root = whole[: WILD.search(whole).start()].rpartition("/")[0] if wild else whole  # type: ignore[union-attr]
    if there == fs.FileType.File:
        root = whole.rpartition("/")[0]
    pattern = _pattern(whole.rstrip("/")) if wild else re.escape(whole.rstrip("/"))
    named = re.compile(pattern + r"(?P<below>/.*)?\Z", re.DOTALL)

    seen: set[str] = set()
    open_folders = [root or "/"]
    while open_folders:
        folder = open_folders.pop()
        real = os.path.realpath(folder) if system.type_name == "local" else folder
        if real in seen:
            continue
        seen.add(real)
        try:
            children, odd = _children(system, folder)
        except OSError as error:
            yield {"path": folder, "uri": prefix + folder, "detail": f"{type(error).__name__}: {error}"[:200]}
            continue
        for name, detail in odd:
            path = f"{folder}/{name}"
            if detail == NO_TEXT or named.match(path):
                relative = path[len(root) :].lstrip("/")
                yield {"path": path, "uri": prefix + path, "relative": relative, "detail": detail}
        for info in children:
            where = named.match(info.path)
            if info.type == fs.FileType.Directory:
                if where or wild:
                    open_folders.append(info.path)
            elif where and (not where["below"] or ENDING.search(info.path)):
                yield {
                    "path": info.path,
                    "uri": prefix + info.path,
                    "relative": info.path[len(root) :].lstrip("/"),
                    "modified": info.mtime,
                    "detail": None if info.type == fs.FileType.File else "a pipe, a socket or a device, no file",
                }


def _children(system: fs.FileSystem, folder: str) -> tuple[list[fs.FileInfo], list[tuple[str, str]]]:
    """What is in a folder; and names of pages and folders in it that cannot be opened, made readable, each with why."""
    found = system.get_file_info(fs.FileSelector(folder))
    local = system.type_name == "local"
    try:
        return sorted(found, key=lambda info: info.path), list(_dangling(folder)) if local else []
    except UnicodeDecodeError:  # only a local disk has such names
        named: list[str] = []
        odd: list[tuple[str, str]] = list(_dangling(folder))
        for entry in sorted(os.scandir(os.fsencode(folder)), key=lambda entry: entry.name):
            try:
                named.append(f"{folder}/{entry.name.decode('utf-8')}")
            except UnicodeDecodeError:
                name = entry.name.decode("utf-8", "backslashreplace")
                odd += [(name, NO_TEXT)] if ENDING.search(name) or entry.is_dir() else []
        found = system.get_file_info(named)
        return [info for info in found if info.type != fs.FileType.NotFound], odd


def _dangling(folder: str) -> Iterator[tuple[str, str]]:
    """Links of a local folder that are named as pages and lead nowhere; the file system leaves them out."""
    for entry in sorted(os.scandir(os.fsencode(folder)), key=lambda entry: entry.name):
        name = entry.name.decode("utf-8", "replace")
        if entry.is_symlink() and ENDING.search(name) and "\ufffd" not in name and not os.path.exists(entry.path):
            yield name, f"a link to {os.readlink(entry.path).decode('utf-8', 'backslashreplace')}, which is not there"


def _pattern(path: str) -> str:
    """A Hadoop glob as a regular expression."""
    out, depth, at = "", 0, 0
    while at < len(path):
        sign = path[at]
        bracket = re.match(r"\[[!^]?[^\]/]+\]", path[at:])
        if sign == "[" and bracket:
            out += bracket[0].replace("[!", "[^").replace("\\", "\\\\")
            at += len(bracket[0])
            continue
        if sign == "{":
            depth, out = depth + 1, out + "(?:"
        elif sign == "}" and depth:
            depth, out = depth - 1, out + ")"
        elif sign == "," and depth:
            out += "|"
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(sign) or re.escape(sign)
        at += 1
    return out + ")" * depth


def _read(system: fs.FileSystem, row: dict[str, object]) -> dict[str, object]:
    if row["detail"]:
        return row
    try:
        with system.open_input_stream(str(row["path"])) as stream:
            return {**row, "html": stream.read()}
    except OSError as error:
        return {**row, "detail": f"{type(error).__name__}: {error}"[:200]}


def _batches(rows: Iterator[dict[str, object]], schema: T.StructType) -> Iterator[pa.RecordBatch]:
    kind = pa.schema([(field.name, ARROW.get(type(field.dataType), pa.string())) for field in schema.fields])
    held: list[dict[str, object]] = []
    size = 0
    for row in rows:
        held.append(row)
        html = row.get("html")
        size += 200 + (len(html) if isinstance(html, bytes) else 0)
        if size > BATCH_BYTES:
            yield pa.RecordBatch.from_pylist(held, kind)
            held, size = [], 0
    if held:
        yield pa.RecordBatch.from_pylist(held, kind)

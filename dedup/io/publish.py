"""Results out: tables appear whole or not at all, and ``manifest.json`` last of all.

Everything is computed under ``_work`` in the output folder. Only when all tables are whole are they moved to
their places, the manifest after them; a folder without a manifest is no finished run.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from dedup.errors import UsageError
from dedup.io.files import Folder, as_it_stands

WORK = "_work"
MANIFEST = "manifest.json"
TABLES = ("signatures", "templates", "quarantine", "duplicates", "survivors")
EARLIER = f"{WORK}/_earlier"
OURS = {*TABLES, WORK, MANIFEST, f"_{MANIFEST}.part", ".DS_Store"}


class Output:
    """The output folder of one run.

    Raises:
        UsageError: the folder cannot be written, holds something else, or another run and ``overwrite`` is not given.
    """

    def __init__(self, path: str, run_id: str, overwrite: bool = False) -> None:
        self._path, self.run_id = path, run_id
        self._writing = ""
        self._rows: dict[str, int] = {}
        try:
            self.folder = Folder(path)
            _check_writable(self.folder)
            names = self.folder.names()
            self._new = not self.folder.exists()
        except OSError as error:
            raise self._unwritable(error) from None
        foreign = [name for name in names if name not in OURS and not name.startswith(".")]
        if foreign:
            raise UsageError(f"output {path} holds files that are not of this tool: {', '.join(foreign[:5])}")
        other = self.manifest().get("run_id", run_id)
        if other != run_id and not overwrite:
            raise UsageError(
                f"output {path} holds run {other}; this is run {run_id}. Choose another --output, "
                f"or give --overwrite to replace it"
            )

    def manifest(self) -> dict[str, Any]:
        """The manifest of the finished run in the folder, empty if there is none."""
        return read_manifest(self.folder)

    def start(self) -> None:
        """Empty the work folder of whatever an earlier try left, once the run that it was to replace is back.

        Raises:
            UsageError: the folder cannot be written.
        """
        try:
            self.folder.make()
            self._restore()
            self.folder.remove(WORK)
        except OSError as error:
            raise self._unwritable(error) from None

    def settle(self, frame: DataFrame, name: str) -> DataFrame:
        """Write a table of the work folder and read it back: computed once, lineage cut."""
        where = self.folder.at(f"{WORK}/{name}")
        self._writing, self._rows = name, {}
        frame.write.mode("overwrite").parquet(where)
        spark: SparkSession = frame.sparkSession
        return spark.read.schema(frame.schema).parquet(as_it_stands(where))

    def done(self) -> str:
        """How far the table that is being written has come: the rows of its finished tasks."""
        if not self._writing:
            return ""
        try:
            for file in self.folder.files(f"{WORK}/{self._writing}", ".parquet"):
                # Tasks under way stand two levels of _temporary deep; their files have no footer yet.
                if file not in self._rows and file.count("/_temporary/") < 2:
                    self._rows[file] = pq.read_metadata(file, filesystem=self.folder.filesystem).num_rows
        except (OSError, pa.ArrowInvalid):
            pass  # a file moved meanwhile; the next look sees it
        return f"{sum(self._rows.values()):,} rows"

    def publish(self, manifest: dict[str, Any]) -> None:
        """Move the tables that were settled under their own names into place, then write the manifest.

        What an earlier run left waits in the work folder meanwhile, and comes back if anything fails.
        """
        self.folder.make(EARLIER)
        try:
            for name in (MANIFEST, *TABLES):
                if self.folder.exists(name):
                    self.folder.move(name, f"{EARLIER}/{name}")
            for name in TABLES:
                self.folder.move(f"{WORK}/{name}", name)
            self.folder.write_json(MANIFEST, manifest)
        except BaseException:
            with suppress(OSError):
                self._restore()
            raise

    def clear(self) -> None:
        """Remove the work folder, and the output folder if nothing ever came to stand in it."""
        if self.folder.names(EARLIER) and not self.folder.exists(MANIFEST):
            return  # an earlier run that could not be put back; the next start tries again
        self.folder.remove(WORK)
        if self._new and not self.folder.names():
            self.folder.remove()

    def _restore(self) -> None:
        """Put back what a publishing cut short moved aside; the manifest last, as it was the first to go."""
        if self.folder.exists(MANIFEST):
            return
        for name in (*TABLES, MANIFEST):
            if self.folder.exists(f"{EARLIER}/{name}"):
                self.folder.remove(name)
                self.folder.move(f"{EARLIER}/{name}", name)

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(f"output {self._path} cannot be written: {error}. Choose another --output")


def read_manifest(folder: Folder) -> dict[str, Any]:
    """The manifest of the finished run in a folder, empty if there is none.

    Raises:
        UsageError: a file of that name which no run wrote.
    """
    if not folder.exists(MANIFEST):
        return {}
    try:
        found = folder.read_json(MANIFEST)
    except ValueError:
        found = None
    if not isinstance(found, dict) or "run_id" not in found:
        raise UsageError(f"{folder.at(MANIFEST)} is not of this tool")
    return found


def _check_writable(folder: Folder) -> None:
    """Raise OSError where a local folder cannot be made or written by this user."""
    if folder.filesystem.type_name != "local":
        return
    there = Path(folder.path("")).absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir():
        raise NotADirectoryError(f"{there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(f"no permission to write in {there}")

"""Files beside the tables: the same few acts on a local disk, HDFS or an object store, without the JVM."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pyarrow import fs

RENAMES = ("local", "hdfs")  # where moving a folder is one act of the file system


def as_it_stands(path: str) -> str:
    """A path as Spark must be given it where its wildcards are none."""
    return re.sub(r"[\\{}\[\]*?]", r"\\\g<0>", path)


def locate(where: str | Path) -> tuple[fs.FileSystem, str, str]:
    """The file system of a path or URI, the path as that system names it, and what a URI puts before it.

    Raises:
        OSError: the file system is unknown or cannot be reached.
    """
    text = str(where)
    if text.startswith("file:"):
        text = "/" + text.removeprefix("file:").lstrip("/")
    if "://" not in text:
        return fs.LocalFileSystem(), os.path.abspath(os.path.expanduser(text)), "file://"
    scheme, _, rest = text.partition("://")
    try:
        system, path = fs.FileSystem.from_uri(f"{scheme}://{quote(rest, safe='/:@?&=%')}")
    except (ValueError, OSError) as error:
        raise OSError(f"cannot reach {where}: {error}") from None
    return system, path, text.removesuffix(path.lstrip("/"))


class Folder:
    """One folder, by path or URI (``s3://…``, ``hdfs://…``, ``file:///…``).

    Raises:
        OSError: the file system is unknown or cannot be reached.
    """

    def __init__(self, where: str | Path) -> None:
        self._fs, self._root, prefix = locate(str(where).rstrip("/") or "/")
        self.uri = prefix + self._root

    def at(self, name: str) -> str:
        """The address that Spark is given for something in this folder."""
        return f"{self.uri}/{name}"

    def path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    @property
    def filesystem(self) -> fs.FileSystem:
        return self._fs

    def exists(self, name: str = "") -> bool:
        kind = self._fs.get_file_info(self.path(name)).type
        return bool(kind != fs.FileType.NotFound)

    def names(self, name: str = "") -> list[str]:
        found = self._fs.get_file_info(fs.FileSelector(self.path(name), allow_not_found=True))
        return sorted(info.base_name for info in found)

    def files(self, name: str, ending: str) -> list[str]:
        """Paths of all files under a folder, at any depth, with that ending."""
        selector = fs.FileSelector(self.path(name), recursive=True, allow_not_found=True)
        return [info.path for info in self._fs.get_file_info(selector) if info.path.endswith(ending)]

    def make(self, name: str = "") -> None:
        self._fs.create_dir(self.path(name), recursive=True)

    def remove(self, name: str = "") -> None:
        path = self.path(name)
        kind = self._fs.get_file_info(path).type
        if kind == fs.FileType.Directory:
            self._fs.delete_dir(path)
        elif kind == fs.FileType.File:
            self._fs.delete_file(path)

    def move(self, name: str, to: str) -> None:
        """Move a folder or file; the target must not exist."""
        if self._fs.type_name in RENAMES:
            self._fs.move(self.path(name), self.path(to))
            return
        fs.copy_files(
            self.path(name),
            self.path(to),
            source_filesystem=self._fs,
            destination_filesystem=self._fs,
        )
        self.remove(name)

    def read_json(self, name: str) -> Any:
        with self._fs.open_input_stream(self.path(name)) as stream:
            return json.loads(stream.read())

    def write_json(self, name: str, value: Any) -> None:
        """Write whole or not at all: under another name first, then moved."""
        with self._fs.open_output_stream(self.path(f"_{name}.part")) as stream:
            stream.write(json.dumps(value, indent=2, ensure_ascii=False, default=str).encode() + b"\n")
        self.remove(name)
        self._fs.move(self.path(f"_{name}.part"), self.path(name))

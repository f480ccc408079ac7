"""Small pages with words of their own, so that only those match that are meant to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def article(name: str, sentences: int = 12) -> str:
    """An article whose every sentence names it."""
    said = " ".join(f"Sentence {number} of the article on {name} says thing {number}." for number in range(sentences))
    return f"<html><head><title>All about {name}</title></head><body><p>{said}</p></body></html>"


def near(name: str) -> str:
    """The same article with one sentence more."""
    return article(name).replace("</body>", f"<p>Printed from the site of {name}.</p></body>")


def write_html(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_jsonl(file: Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    """Rows as JSON lines; text stands as it is."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    file.write_text("".join(line + "\n" for line in lines), "utf-8")
    return file


def write_parquet(file: Path, rows: list[dict[str, Any]], schema: pa.Schema | None = None) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema), file)
    return file

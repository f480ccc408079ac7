"""Inputs that are not what they were said to be: the place, the way out, the exit code; nothing is published."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from .conftest import Command, read_output
from .pages import article, write_html, write_jsonl, write_parquet

PAGES: list[dict[str, Any]] = [
    {"page_id": name, "url": f"http://{name}.example/", "html": article(name).encode()} for name in ("a", "b", "c")
]
TEXTS = [{**page, "html": page["html"].decode()} for page in PAGES]


def good(folder: Path) -> Path:
    return write_parquet(folder / "good.parquet", PAGES)


def truncated(folder: Path) -> None:
    data = good(folder).read_bytes()
    (folder / "bad.parquet").write_bytes(data[: len(data) // 2])


def garbage(folder: Path) -> None:
    good(folder)
    (folder / "bad.parquet").write_bytes(b"no Parquet at all " * 100)


def damaged(folder: Path) -> None:
    """The footer is whole, the pages in the middle are not."""
    data = bytearray(write_parquet(folder / "bad.parquet", PAGES * 50).read_bytes())
    data[100:2_000] = b"\xff" * 1_900
    (folder / "bad.parquet").write_bytes(data)


def other_type(folder: Path) -> None:
    good(folder)
    rows = [{"page_id": "x", "url": "u", "html": 5}]
    write_parquet(folder / "bad.parquet", rows)


def broken_gzip(folder: Path) -> None:
    packed = gzip.compress(write_jsonl(folder / "all.jsonl", TEXTS * 200).read_bytes())
    (folder / "all.jsonl").unlink()
    (folder / "bad.jsonl.gz").write_bytes(packed[: len(packed) // 2])


def false_gzip(folder: Path) -> None:
    write_jsonl(folder / "bad.jsonl.gz", TEXTS)


def no_files(folder: Path) -> None:
    pass


def html_files(folder: Path) -> None:
    write_html(folder, {"a.html": article("a"), "b.html": article("b")})


def no_pages(folder: Path) -> None:
    write_html(folder, {"a.txt": "text", "b.pdf": "%PDF"})


def parquet_files(folder: Path) -> None:
    good(folder)


def no_rows(folder: Path) -> None:
    write_parquet(folder / "a.parquet", [], pa.schema([("page_id", pa.string()), ("html", pa.binary())]))


def json_lines(folder: Path) -> None:
    write_jsonl(folder / "pages.jsonl", TEXTS)


def broken_lines(folder: Path) -> None:
    write_jsonl(folder / "pages.jsonl", [*TEXTS, "broken", "broken", "broken"])


def empty_lines(folder: Path) -> None:
    write_jsonl(folder / "pages.jsonl", [])


def without_html(folder: Path) -> None:
    write_parquet(folder / "a.parquet", [{"page_id": "a", "body": "text"}])


def without_ids(folder: Path) -> None:
    write_parquet(folder / "a.parquet", [{"html": b"text", "site": "x"}])


def lines_without_html(folder: Path) -> None:
    write_jsonl(folder / "a.jsonl", [{"page_id": "a", "body": "text"}])


def number_as_html(folder: Path) -> None:
    write_parquet(folder / "a.parquet", [{"page_id": "a", "html": 5}])


def list_as_html(folder: Path) -> None:
    write_parquet(folder / "a.parquet", [{"page_id": "a", "html": ["a", "b"]}])


def list_beside(folder: Path) -> None:
    write_parquet(folder / "a.parquet", [{"page_id": "a", "html": b"<p>a", "words": ["a", "b"]}])


Made = Callable[[Path], Any]

CASES: list[tuple[Made, str, tuple[str, ...], int, tuple[str, ...]]] = [
    (truncated, "parquet", (), 3, ("bad.parquet", "broken")),
    (garbage, "parquet", (), 3, ("bad.parquet", "broken")),
    (damaged, "parquet", (), 3, ("bad.parquet", "broken")),
    (other_type, "parquet", (), 3, ("html",)),
    (broken_gzip, "jsonl", (), 3, ("bad.jsonl.gz", "broken")),
    (false_gzip, "jsonl", (), 3, ("bad.jsonl.gz",)),
    (no_files, "html", (), 3, ("no pages",)),
    (no_files, "parquet", (), 3, ("holds no parquet data",)),
    (no_files, "jsonl", (), 3, ("in",)),
    (no_pages, "html", (), 3, ("no pages",)),
    (no_rows, "parquet", (), 3, ("no pages",)),
    (empty_lines, "jsonl", (), 3, ("in",)),
    (html_files, "parquet", (), 3, (".html", "--format")),
    (html_files, "jsonl", (), 3, ("--format",)),
    (parquet_files, "html", (), 3, ("no pages", ".htm", "--format")),
    (parquet_files, "jsonl", (), 3, ("--format",)),
    (json_lines, "parquet", (), 3, ("pages.jsonl", "--format")),
    (json_lines, "html", (), 3, ("no pages", "--format")),
    (broken_lines, "jsonl", (), 3, ("3 of 6", "output.max_quarantine = 0.2", "3 bad_json", "broken")),
    (without_html, "parquet", (), 3, ("'html'", "page_id, body", "input.columns.html=NAME")),
    (lines_without_html, "jsonl", (), 3, ("'html'", "it has: body, page_id", "input.columns.html=NAME")),
    (without_ids, "parquet", (), 3, ("page_id", "url", "html, site", "input.columns.page_id=NAME")),
    (parquet_files, "parquet", ("input.columns.url=uri",), 3, ("'uri'", "input.columns.url", 'or ""')),
    (parquet_files, "parquet", ("input.columns.page_id=id",), 3, ("'id'", "input.columns.page_id")),
    (parquet_files, "parquet", ('survivors.keep_order=["quality desc"]',), 3, ("'quality'", "page_id, url, html")),
    (parquet_files, "parquet", ('input.extra_columns=["lang"]',), 3, ("'lang'", "page_id, url, html")),
    (html_files, "html", ('survivors.keep_order=["quality desc"]',), 3, ("'quality'",)),
    (number_as_html, "parquet", (), 3, ("'html'", "bigint")),
    (list_as_html, "parquet", (), 3, ("'html'", "array<string>")),
    (html_files, "html", ("output.max_quarantine=0", "text.max_page_bytes=10"), 3, ("2 too_large", "such as")),
    (html_files, "html", ("candidates.pre=0", "candidates.all_pairs_limit=1"), 2, ("candidates.all_pairs_limit",)),
    (html_files, "table", (), 2, ("table", "--format")),
    (html_files, "html", ("input.site_pattern=(?a)^file:(.)",), 2, ("input.site_pattern", "java.util.regex")),
    (list_beside, "parquet", ('survivors.keep_order=["words"]',), 3, ("survivors.keep_order", "'words'", "array")),
]


IDS = [f"{case[1]}-{case[0].__name__}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize(("made", "kind", "sets", "code", "words"), CASES, ids=IDS)
def test_an_input_that_is_not_what_it_was_said_to_be(
    made: Made, kind: str, sets: tuple[str, ...], code: int, words: tuple[str, ...], dedup: Command, tmp_path: Path
) -> None:
    told = _words(made, kind, sets, tmp_path)
    dedup("run", *told, "--output", tmp_path / "out").refused(code, *words)
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.slow
@pytest.mark.parametrize(("made", "kind", "sets", "code", "words"), CASES, ids=IDS)
def test_a_plan_for_it(
    made: Made, kind: str, sets: tuple[str, ...], code: int, words: tuple[str, ...], dedup: Command, tmp_path: Path
) -> None:
    done = dedup("plan", *_words(made, kind, sets, tmp_path))
    if done.code:  # else it is something that only the whole input shows
        done.refused(code, *words)


def _words(made: Made, kind: str, sets: tuple[str, ...], tmp_path: Path) -> list[str]:
    folder = tmp_path / "in"
    folder.mkdir()
    made(folder)
    return ["--input", str(folder), "--format", kind, *(word for setting in sets for word in ("--set", setting))]


def test_a_table_that_the_catalog_does_not_know(dedup: Command, tmp_path: Path) -> None:
    done = dedup("run", "--input", "no_such_table", "--format", "table", "--output", tmp_path / "out")
    done.refused(2, "the catalog knows no table no_such_table", "--format parquet, jsonl or html")


def test_nothing_is_quarantined_away_where_it_is_allowed(dedup: Command, tmp_path: Path) -> None:
    """All pages bad, and the user said that this is fine: a finished run without survivors."""
    site = write_html(tmp_path / "site", {"a.html": "", "b.html": " "})
    done = dedup("run", "--input", site, "--output", tmp_path / "out", "--set", "output.max_quarantine=1", "--json")
    assert done.code == 0, done
    found = read_output(tmp_path / "out")
    assert (found.survivors, found.duplicates, len(found.quarantine)) == (set(), {}, 2)
    assert done.told == found.manifest

"""Inputs: which files are pages, what their columns mean, where ids, sites and times come from."""

from __future__ import annotations

import gzip
import hashlib
import os
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from dedup.config import Input, load
from dedup.errors import DataError, UsageError
from dedup.io.html_files import FILE, found_under, list_files, read_files
from dedup.io.pages import check_path, count_pages, read_pages
from dedup.keep import keep_struct
from tests.cli.pages import write_html, write_jsonl, write_parquet

from .conftest import Read

THEN = datetime(2020, 5, 17, 12, 30, 15, tzinfo=UTC)

NAMES = [
    "index.html",
    "UPPER.HTM",
    "Mixed.Html",
    "_name.html",
    ".name.html",
    "deep/er/and deeper/page.htm",
    "_folder/page.html",
    "with space.html",
    "网页/首页.html",
    "e\u0301 and \u00e9.html",
    "100%.html",
    "%20%41.html",
    "part#2.html",
    "what?.html",
    "a&b=c;d,e+f.html",
    "back\\slash.html",
    "[x] {y} *.html",
    "quote ' \".html",
    "line\nbreak.html",
    "colon:name.html",
    "~tilde.html",
    "x" * 200 + ".html",
]
OTHERS = ["page.txt", "page.html.bak", "html", "page.xhtml5", "style.css", "deep/.hidden/readme"]


def test_every_html_file_is_a_page_whatever_its_name(read: Read, tmp_path: Path) -> None:
    folder = write_html(tmp_path / "pa ges #1 100%", {name: name for name in [*NAMES, *OTHERS]})
    os.utime(folder / "index.html", (THEN.timestamp(), THEN.timestamp()))
    pages = read(folder)
    assert set(pages) == set(NAMES)
    for name, page in pages.items():
        assert page["html"] == str(name).encode()
        assert page["url"] == page["source"] == f"file://{folder}/{name}"
        assert page["reason"] is page["detail"] is page["charset"] is None
    assert pages["deep/er/and deeper/page.htm"]["site"] == "deep"
    assert pages["index.html"]["site"] is None
    assert pages["index.html"]["fetched_at"] == THEN.replace(tzinfo=None)
    assert pages["index.html"]["html"] == b"index.html"


GLOBBED = {"a/1.html", "a/2.htm", "a/b/3.html", "a/note.txt", "c/1.html", "d[1]/1.html", "e/10.html", "f.html"}


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("", {"a/1.html", "a/2.htm", "a/b/3.html", "c/1.html", "d[1]/1.html", "e/10.html", "f.html"}),
        ("/", {"a/1.html", "a/2.htm", "a/b/3.html", "c/1.html", "d[1]/1.html", "e/10.html", "f.html"}),
        ("/*", {"a/1.html", "a/2.htm", "a/b/3.html", "c/1.html", "d[1]/1.html", "e/10.html", "f.html"}),
        ("/*.html", {"f.html"}),
        ("/*/*.html", {"a/1.html", "c/1.html", "d[1]/1.html", "e/10.html"}),
        ("/*/?.html", {"a/1.html", "c/1.html", "d[1]/1.html"}),
        ("/{a,e}", {"a/1.html", "a/2.htm", "a/b/3.html", "e/10.html"}),
        ("/{a,c}/1.{html,htm}", {"a/1.html", "c/1.html"}),
        ("/[a-c]/1.html", {"a/1.html", "c/1.html"}),
        ("/[!a]/1*.html", {"c/1.html", "e/10.html"}),
        ("/[^a]/1*.html", {"c/1.html", "e/10.html"}),
        ("/d[1]", {"1.html"}),
        ("/d[1]/1.html", {"1.html"}),
        ("/a/note.txt", {"note.txt"}),
        ("/a/*", {"1.html", "2.htm", "b/3.html", "note.txt"}),
        ("/f.html", {"f.html"}),
        ("/a", {"1.html", "2.htm", "b/3.html"}),
        ("/none*", set()),
    ],
)
def test_what_a_path_or_glob_names(pattern: str, names: set[str], tmp_path: Path) -> None:
    write_html(tmp_path, {name: name for name in GLOBBED})
    path = f"{tmp_path}{pattern}"
    found = {str(row["relative"]): row for row in found_under(path)}
    assert set(found) == names
    for row in found.values():
        assert Path(str(row["path"])).is_file()
    assert {str(row["relative"]) for row in found_under(f"file://{path}")} == names
    if names:
        check_path(Input(path=path))
    else:
        with pytest.raises(UsageError, match="does not exist"):
            check_path(Input(path=path))


def test_linked_folders_are_walked_once(tmp_path: Path) -> None:
    write_html(tmp_path / "site", {"a.html": "a", "deep/b.html": "b"})
    write_html(tmp_path / "elsewhere", {"c.html": "c"})
    (tmp_path / "site" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "site" / "deep" / "loop").symlink_to(tmp_path / "site")
    (tmp_path / "site" / "gone").symlink_to(tmp_path / "nowhere")
    assert {row["relative"] for row in found_under(str(tmp_path / "site"))} == {"a.html", "deep/b.html", "link/c.html"}


def test_links_that_lead_nowhere_are_rows_with_a_reason(read: Read, tmp_path: Path) -> None:
    folder = write_html(tmp_path / "site", {"a.html": "a", "deep/b.html": "b"})
    for name in ("gone.html", "deep/gone.htm", "gone.txt"):
        (folder / name).symlink_to(tmp_path / "nowhere.html")
    (folder / "loop.html").symlink_to(folder / "loop.html")
    pages = read(folder)
    assert {name: page["reason"] for name, page in pages.items()} == {
        "a.html": None,
        "deep/b.html": None,
        "gone.html": "unreadable",
        "deep/gone.htm": "unreadable",
        "loop.html": "unreadable",
    }
    assert "nowhere.html, which is not there" in pages["gone.html"]["detail"]
    assert {row["relative"] for row in found_under(str(folder / "g*.html"))} == {"gone.html"}


def test_a_relative_path_and_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Read) -> None:
    write_html(tmp_path / "site", {"a.html": "a"})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read("site")["a.html"]["url"] == read("~/site/")["a.html"]["url"] == f"file://{tmp_path}/site/a.html"


def test_files_that_go_between_listing_and_reading(spark: SparkSession, tmp_path: Path) -> None:
    write_html(tmp_path, {"a.html": "a", "b.html": "b"})
    listed = [tuple(row.get(name) for name in FILE.names) for row in found_under(str(tmp_path))]
    (tmp_path / "b.html").unlink()
    rows = read_files(spark.createDataFrame(listed, FILE), str(tmp_path)).collect()
    found = {row["relative"]: (row["html"], row["detail"]) for row in rows}
    assert found["a.html"] == (b"a", None)
    assert found["b.html"][0] is None
    assert found["b.html"][1].startswith("FileNotFoundError: ")


def test_a_folder_that_cannot_be_listed_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_html(tmp_path, {"a.html": "a", "closed/b.html": "b"})
    listing = "dedup.io.html_files._children"
    from dedup.io.html_files import _children

    def closed(system: Any, folder: str) -> Any:
        if folder.endswith("/closed"):
            raise PermissionError(13, "Permission denied")
        return _children(system, folder)

    monkeypatch.setattr(listing, closed)
    rows = list(found_under(str(tmp_path)))
    assert [(row.get("relative"), row["detail"]) for row in rows] == [
        ("a.html", None),
        (None, "PermissionError: [Errno 13] Permission denied"),
    ]
    assert rows[1]["uri"] == f"file://{tmp_path}/closed"


def test_many_files_come_in_several_batches(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Read
) -> None:
    write_html(tmp_path, {f"{number}.html": b"x" * 3_000_000 for number in range(6)})
    pages = read(tmp_path)
    assert {len(page["html"]) for page in pages.values()} == {3_000_000}
    assert count_pages(spark, Input(path=str(tmp_path))) == 6
    assert list_files(spark, str(tmp_path)).count() == 6


# Tables of pages.

ROWS: list[dict[str, Any]] = [
    {"page_id": "a", "url": "http://WWW.Example.com:8080/x", "html": "<p>a", "fetched_at": "2020-05-17T12:30:15Z"},
    {"page_id": "b", "url": "https://user:word@b.example/", "html": "<p>b", "fetched_at": "2020-05-17 14:30:15+02:00"},
    {"page_id": "c", "url": "git://owner/repository", "html": "<p>c", "fetched_at": "1589718615"},
    {"page_id": "d", "url": "no address", "html": "<p>d", "fetched_at": "last year"},
    {"page_id": "e", "url": None, "html": None, "fetched_at": None},
]
SITES = {"a": "www.example.com", "b": "b.example", "c": "owner", "d": None, "e": None}


def folder_of(kind: str, folder: Path, rows: list[dict[str, Any]]) -> Path:
    if kind == "parquet":
        half = len(rows) // 2
        for name, part in (("one.parquet", rows[:half]), ("deep/two three%.parquet", rows[half:])):
            schema = pa.Table.from_pylist(rows).schema
            write_parquet(folder / name, part, schema)
    else:
        file = write_jsonl(folder / "pages 100%.jsonl", rows)
        if kind == "gzip":
            (folder / "deep").mkdir()
            (folder / "deep" / "pages.jsonl.gz").write_bytes(gzip.compress(file.read_bytes()))
            file.unlink()
    return folder


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "gzip"])
def test_a_table_of_pages(kind: str, read: Read, tmp_path: Path) -> None:
    folder = folder_of(kind, tmp_path / "in", ROWS)
    pages = read(folder, "parquet" if kind == "parquet" else "jsonl")
    assert {page: row["site"] for page, row in pages.items()} == SITES
    for row in ROWS:
        page = pages[row["page_id"]]
        assert page["url"] == row["url"]
        assert page["html"] == (row["html"] and row["html"].encode())
        assert page["fetched_at"] == (THEN.replace(tzinfo=None) if row["page_id"] in "abc" else None)
        assert page["reason"] is None
        assert page["source"].startswith("file:")
        assert "in/" in page["source"]


def test_a_table_of_the_catalog(spark: SparkSession, read: Read, tmp_path: Path) -> None:
    frame = spark.createDataFrame(
        [(row["page_id"], row["url"], row["html"]) for row in ROWS], "id string, url string, html string"
    )
    frame.write.option("path", str(tmp_path / "table")).saveAsTable("pages_of_the_test")
    frame.where("id < 'c'").createOrReplaceTempView("some_pages_of_the_test")
    try:
        pages = read("pages_of_the_test", "table", "input.columns.page_id=id")
        assert {page: row["site"] for page, row in pages.items()} == SITES
        assert {row["source"] for row in pages.values()} == {"pages_of_the_test"}
        assert set(read("default.pages_of_the_test", "table", "input.columns.page_id=id")) == set(SITES)
        assert set(read("some_pages_of_the_test", "table", "input.columns.page_id=id")) == {"a", "b"}
    finally:
        spark.sql("DROP TABLE pages_of_the_test")
        spark.catalog.dropTempView("some_pages_of_the_test")
    for name in ("pages_of_the_test", "no.such.catalog.table", "not a name", "/a/path"):
        with pytest.raises(UsageError, match="--format"):
            read(name, "table")


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_columns_by_other_names(kind: str, read: Read, tmp_path: Path) -> None:
    names = {"page_id": "the id", "url": "address", "html": "Body-HTML", "fetched_at": "when.seen"}
    rows = [{names[name]: value for name, value in row.items()} for row in ROWS]
    rows = [{**row, "host": "h", "enc": "gbk", "Body-TEXT": "one line\nanother"} for row in rows]
    folder = folder_of(kind, tmp_path / "in", rows)
    sets = [f"input.columns.{name}={other}" for name, other in names.items()]
    pages = read(folder, kind, *sets, "input.columns.site=host", "input.columns.charset=enc")
    assert pages["a"]["html"] == b"<p>a"
    assert pages["a"]["fetched_at"] == THEN.replace(tzinfo=None)
    assert {(row["site"], row["charset"]) for row in pages.values()} == {("h", "gbk")}
    texts = read(folder, kind, *sets, "input.columns.html=", "input.columns.text=Body-TEXT")
    assert texts["a"]["text"] == "one line\nanother"
    assert "html" not in texts["a"]


def test_a_url_that_is_the_id_and_columns_that_are_not_there(read: Read, tmp_path: Path) -> None:
    rows = [{"url": "http://x.example/1", "html": "a"}, {"url": "http://x.example/2", "html": "b"}]
    folder = folder_of("parquet", tmp_path / "in", rows)
    pages = read(folder, "parquet", "input.columns.page_id=url")
    assert set(pages) == {row["url"] for row in rows}
    # Names that say what the defaults say are no promise.
    assert set(read(folder, "parquet", "input.columns.fetched_at=fetched_at", "input.columns.page_id=url")) == set(
        pages
    )
    assert pages["http://x.example/1"]["fetched_at"] is None


def test_without_an_id_a_digest_of_url_and_time_is_the_id(read: Read, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"url": "http://x.example/", "fetched_at": "2020-05-17T12:30:15Z", "html": "a"},
        {"url": "http://x.example/", "fetched_at": "2021-05-17T12:30:15Z", "html": "b"},
        {"url": "http://x.example/", "fetched_at": None, "html": "c"},
        {"url": None, "fetched_at": "2021-05-17T12:30:15Z", "html": "d"},
    ]
    parquet = read(folder_of("parquet", tmp_path / "p", rows), "parquet")
    lines = read(folder_of("jsonl", tmp_path / "j", list(reversed(rows))), "jsonl")
    assert set(parquet) == set(lines)
    by_content = {row["html"]: page for page, row in parquet.items()}
    assert by_content[b"a"] == hashlib.md5(b"http://x.example/\x1f2020-05-17 12:30:15").hexdigest()
    assert by_content[b"c"] == hashlib.md5(b"http://x.example/\x1f").hexdigest()
    assert by_content[b"d"] is None
    assert parquet[None]["reason"] == "no_page_id"
    assert len(by_content) == 4


@pytest.mark.parametrize(
    ("kind", "value", "page_id"),
    [
        (pa.int32(), 7, "7"),
        (pa.int64(), -(2**63), str(-(2**63))),
        (pa.float64(), 1.5, "1.5"),
        (pa.bool_(), True, "true"),
        (pa.decimal128(20, 2), Decimal("12.30"), "12.30"),
        (pa.date32(), date(2020, 5, 17), "2020-05-17"),
        (pa.binary(), b"abc", "abc"),
        (pa.list_(pa.int64()), [1, 2], "[1, 2]"),
    ],
)
def test_an_id_of_another_type(kind: pa.DataType, value: object, page_id: str, read: Read, tmp_path: Path) -> None:
    schema = pa.schema([("page_id", kind), ("html", pa.string())])
    write_parquet(tmp_path / "a.parquet", [{"page_id": value, "html": "a"}, {"page_id": None, "html": "b"}], schema)
    assert {page: row["reason"] for page, row in read(tmp_path, "parquet").items()} == {
        page_id: None,
        None: "no_page_id",
    }


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (
            pa.string(),
            ["2020-05-17T12:30:15Z", "2020-05-17T12:30:15", "2020-05-17 12:30:15", "1589718615", "1589718615.0"],
        ),
        (pa.int64(), [1589718615]),
        (pa.int32(), [1589718615]),
        (pa.float64(), [1589718615.0]),
        (pa.decimal128(20, 3), [Decimal("1589718615.000")]),
        (pa.timestamp("us", "UTC"), [THEN]),
        (pa.timestamp("us"), [THEN.replace(tzinfo=None)]),
        (pa.timestamp("ms", "Asia/Shanghai"), [THEN]),
    ],
)
def test_times_of_other_types(kind: pa.DataType, values: list[object], read: Read, tmp_path: Path) -> None:
    schema = pa.schema([("page_id", pa.int64()), ("html", pa.string()), ("fetched_at", kind)])
    rows = [{"page_id": n, "html": "a", "fetched_at": value} for n, value in enumerate([*values, None])]
    write_parquet(tmp_path / "a.parquet", rows, schema)
    pages = read(tmp_path, "parquet")
    assert [pages[str(n)]["fetched_at"] for n in range(len(rows))] == [THEN.replace(tzinfo=None)] * len(values) + [None]


@pytest.mark.parametrize(
    ("kind", "value"),
    [(pa.float64(), float("nan")), (pa.float64(), float("inf")), (pa.float64(), 1e300), (pa.int64(), 2**62)]
    + [(pa.string(), text) for text in ("yesterday", "", "nan", "1e400", "99999999999999999999")],
)
def test_times_that_are_none(kind: pa.DataType, value: object, read: Read, tmp_path: Path, spark: SparkSession) -> None:
    schema = pa.schema([("page_id", pa.string()), ("html", pa.string()), ("fetched_at", kind)])
    write_parquet(tmp_path / "a.parquet", [{"page_id": "a", "html": "a", "fetched_at": value}], schema)
    settings = load(input__path=str(tmp_path), input__format="parquet")
    pages = read_pages(spark, settings.input)
    (row,) = pages.select(pages.fetched_at.isNull().alias("none"), keep_struct(pages, settings.keep_order)).collect()
    assert row["none"]


def test_a_time_of_a_type_that_has_none(read: Read, tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", [{"page_id": "a", "html": "a", "fetched_at": {"year": 2020}}])
    with pytest.raises(DataError, match=r"column 'fetched_at' \(input.columns.fetched_at\) is struct<year:bigint>"):
        read(tmp_path, "parquet")


def test_the_site_by_a_pattern(read: Read, tmp_path: Path) -> None:
    pattern = r"input.site_pattern=^https?://([^/]+/[^/]+)"
    rows = [{"page_id": n, "html": "a", "url": url} for n, url in enumerate(("http://a.b/c/d", "http://a.b/", None))]
    pages = read(folder_of("parquet", tmp_path / "in", rows), "parquet", pattern)
    assert [pages[str(n)]["site"] for n in range(3)] == ["a.b/c", None, None]
    folder = write_html(tmp_path / "html", {"x/y/a.html": "a", "b.html": "b"})
    pages = read(folder, "html", r"input.site_pattern=/html/([^/]+/[^/]+)/")
    assert (pages["x/y/a.html"]["site"], pages["b.html"]["site"]) == ("x/y", None)


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_columns_that_the_keep_order_names(kind: str, read: Read, tmp_path: Path) -> None:
    rows = [
        {"page_id": "a", "html": "a", "quality": 2, "lang": "de"},
        {"page_id": "b", "html": "b", "quality": 10, "lang": "en"},
    ]
    folder = folder_of(kind, tmp_path / "in", rows)
    pages = read(folder, kind, 'input.extra_columns=["lang"]', wanted=("quality", "length", "url_length", "site"))
    assert [(pages[page]["quality"], pages[page]["lang"]) for page in "ab"] == [(2, "de"), (10, "en")]
    with pytest.raises(DataError, match=r"no column 'other'; it has: .*\bquality\b"):
        read(folder, kind, wanted=("other",))


def test_lines_whose_columns_vary(read: Read, tmp_path: Path) -> None:
    file = write_jsonl(
        tmp_path / "pages.jsonl",
        [
            {"page_id": "a", "html": "a", "n": 1},
            {"page_id": "b", "html": "b", "n": "many", "url": "http://x.example"},
            {"html": "c", "page_id": "c", "it's": 5, "other": {"deep": [1, 2]}},
        ],
    )
    pages = read(file, "jsonl", 'input.extra_columns=["n", "it\'s"]')
    assert [pages[page]["n"] for page in "abc"] == ["1", "many", None]
    assert pages["c"]["it's"] == 5
    assert [pages[page]["site"] for page in "abc"] == [None, "x.example", None]


def test_files_whose_columns_vary(read: Read, tmp_path: Path) -> None:
    """A file without the content column holds pages without content."""
    write_parquet(tmp_path / "a.parquet", [{"page_id": "a", "html": b"a"}])
    write_parquet(tmp_path / "b.parquet", [{"page_id": "b", "html": b"b", "more": 1}])
    assert {page: row["html"] for page, row in read(tmp_path, "parquet").items()} == {"a": b"a", "b": b"b"}


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_folder_whose_name_holds_wildcards(kind: str, read: Read, tmp_path: Path) -> None:
    folder = folder_of(kind, tmp_path / "in [1] {a,b}*?", ROWS)
    folder_of(kind, tmp_path / "in 1 a", [{**ROWS[0], "page_id": "other"}, ROWS[1]])
    check_path(Input(path=str(folder), format="parquet" if kind == "parquet" else "jsonl"))
    assert set(read(folder, kind)) == set(SITES)


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_glob_of_tables(kind: str, read: Read, tmp_path: Path) -> None:
    for name in ("day1", "day2", "night"):
        folder_of(kind, tmp_path / name, [{"page_id": f"{name}{n}", "html": name} for n in range(2)])
    assert set(read(tmp_path / "day?", kind)) == {"day10", "day11", "day20", "day21"}
    assert set(read(tmp_path / "{day1,night}", kind)) == {"day10", "day11", "night0", "night1"}

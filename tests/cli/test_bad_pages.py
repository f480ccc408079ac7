"""Pages that nobody should have to read: each ends in quarantine with a reason, or stays; none is removed for it."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pyarrow as pa
import pytest

from .conftest import Command, Done, Found, read_output
from .pages import article, near, write_html, write_jsonl, write_parquet

SCHEMA = pa.schema([("page_id", pa.string()), ("url", pa.string()), ("html", pa.binary())])
APPLES = article("apples").encode()
IMAGE = b"<html><body><img src=x></body></html>"

# What the page holds, and the reason for which it is set aside; None: it stays.
PARQUET: dict[str, tuple[bytes | None, str | None]] = {
    "null": (None, "no_content"),
    "empty": (b"", "no_content"),
    "blank": (b" \r\n\t ", "no_content"),
    "wide blank": ("\u3000\u2028".encode(), "no_content"),
    "byte order mark": (b"\xef\xbb\xbf", "no_content"),
    "undecodable": (bytes(range(256)) * 20, "undecodable"),
    "gzip": (gzip.compress(APPLES * 20), "undecodable"),
    "too large": (b"<p>" + b"x" * 2_000_000, "too_large"),
    "cut": (article("plums").encode()[:500] + b'<a href="http://x.exam', None),
    "cut in a character": ("<p>这是一个被切断的网页，最后一个字不完整".encode()[:-1], None),
    "nested": (b"<div>" * 100_000 + b"what stands far below", None),
    "surrogate": (b"<p>A lone \xed\xa0\x80 surrogate in the middle of a text", None),
    "image 1": (IMAGE, None),
    "image 2": (IMAGE, None),
    "script": (b"<script>var x = 1</script>", None),
    "script again": (b"<script>var x = 1</script>", None),
    "one letter": (b"<p>a", None),
    "another letter": (b"<p>b", None),
    "no markup": (b"only words", None),
    "other": (article("pears").encode(), None),
}
ODD_IDS = ["line\nbreak", "quote ' \" \\", "网页/一.html", "x" * 5_000, "[bold]id[/bold]"]


@pytest.fixture(scope="module")
def parquet_run(dedup: Command, tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Found]:
    folder = tmp_path_factory.mktemp("bad")
    rows: list[dict[str, object]] = [
        {"page_id": name, "url": f"http://site.example/{name}", "html": html} for name, (html, _) in PARQUET.items()
    ]
    rows += [{"page_id": name, "html": html} for name, html in (("b", APPLES), ("a", APPLES))]
    rows.append({"page_id": "c", "html": near("apples").encode()})
    nul = article("figs")
    rows.append({"page_id": "figs", "html": nul.encode()})
    rows.append({"page_id": "figs with NUL", "html": nul.replace("thing 3", "th\0ing 3\0").encode()})
    rows += [{"page_id": name, "html": article("without id").encode()} for name in (None, "", None)]
    rows += [{"page_id": "thrice", "html": article(f"the thrice used id {n}").encode()} for n in range(3)]
    rows += [{"page_id": name, "html": article(f"odd id {n}").encode()} for n, name in enumerate(ODD_IDS)]
    half = len(rows) // 2
    write_parquet(folder / "in" / "first.parquet", rows[:half], SCHEMA)
    write_parquet(folder / "in" / "deep" / "50% of #2 [b].parquet", rows[half:], SCHEMA)
    write_parquet(folder / "in" / "no rows.parquet", [], SCHEMA)
    done = dedup(
        *("run", "--input", folder / "in", "--format", "parquet", "--output", folder / "out"),
        *("--set", "output.max_quarantine=0.5", "--set", "text.max_page_bytes=1900000"),
    )
    assert done.code == 0, done
    return done, read_output(folder / "out")


@pytest.mark.parametrize("name", PARQUET)
def test_a_bad_page_of_a_parquet_file(name: str, parquet_run: tuple[Done, Found]) -> None:
    found, reason = parquet_run[1], PARQUET[name][1]
    assert name not in found.duplicates
    assert found.reasons().get(name) == reason
    assert (name in found.survivors) == (reason is None)


def test_good_pages_among_bad_ones_are_cleaned_as_ever(parquet_run: tuple[Done, Found]) -> None:
    _, found = parquet_run
    assert {page: (row["keeper_id"], row["stage"]) for page, row in found.duplicates.items()} == {
        "b": ("a", "exact"),
        "c": ("a", "near"),
        "figs with NUL": ("figs", "exact"),
    }
    assert set(ODD_IDS) <= found.survivors
    assert found.manifest["counts"]["pages"] == len(PARQUET) + 5 + 3 + 3 + len(ODD_IDS)


def test_pages_without_blocks_have_no_signature_to_match(parquet_run: tuple[Done, Found]) -> None:
    _, found = parquet_run
    for name in ("image 1", "image 2", "script", "script again"):
        assert found.signatures[name]["fingerprints"] == []
        assert found.signatures[name]["content_digest"] is None


def test_ids_that_are_none_or_come_again(parquet_run: tuple[Done, Found]) -> None:
    _, found = parquet_run
    nameless = [row for row in found.quarantine if row["reason"] == "no_page_id"]
    assert sorted(row["page_id"] or "" for row in nameless) == ["", "", ""]
    again = [row for row in found.quarantine if row["reason"] == "duplicate_page_id"]
    assert [row["page_id"] for row in again] == ["thrice", "thrice"]
    assert "3 rows carry this page_id" in again[0]["detail"]
    assert "thrice" in found.survivors


def test_the_reasons_say_what_to_look_for(parquet_run: tuple[Done, Found]) -> None:
    _, found = parquet_run
    details = {row["page_id"]: row for row in found.quarantine}
    assert details["too large"]["detail"] == "2000003 bytes; text.max_page_bytes is 1900000"
    assert details["null"]["detail"] == "null"
    assert details["blank"]["detail"] == "5 bytes, all blank"
    assert details["empty"]["source"].endswith("first.parquet")
    assert details["empty"]["url"] == "http://site.example/empty"


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_lines_that_are_no_pages(packed: bool, dedup: Command, tmp_path: Path) -> None:
    file = write_jsonl(
        tmp_path / "in" / "pages.jsonl",
        [
            {"page_id": "a", "html": APPLES.decode(), "url": "http://x.example/a"},
            {"page_id": "b", "html": APPLES.decode()},
            {"page_id": "null", "html": None},
            {"page_id": "absent"},
            {"page_id": "empty", "html": ""},
            {"page_id": "blank", "html": " \n "},
            {"page_id": None, "html": article("null id")},
            {"html": article("no id")},
            {"page_id": 7, "html": article("the id of another type")},
            {"page_id": {"deep": [1]}, "html": article("the id that is an object")},
            {"page_id": "number", "html": 12},
            {"page_id": "object", "html": {"body": "text of an object"}},
            '{"page_id": "surrogate", "html": "<p>A lone \\ud800 surrogate in the middle of this text"}',
            '{"page_id": "id \\ud800", "html": "<p>An id that holds a lone surrogate"}',
            '{"page_id": "nul", "html": "<p>A NUL \\u0000 in the middle of this text"}',
            '{"page_id": "cut", "html": "<p>The line ends here',
            "no JSON at all",
            "",
            "   ",
            '["a", "list"]',
            "42",
            '{"page_id": "number", "html": "12"}',
        ],
    )
    if packed:
        data = file.read_bytes()
        file.unlink()
        # Two members, as tools that append write them.
        (tmp_path / "in" / "pages.jsonl.gz").write_bytes(gzip.compress(data[:2_000]) + gzip.compress(data[2_000:]))
    words = ("--format", "jsonl", "--output", tmp_path / "out", "--set", "output.max_quarantine=0.9")
    done = dedup("run", "--input", tmp_path / "in", *words) if packed else dedup("run", "--input", file, *words)
    assert done.code == 0, done
    found = read_output(tmp_path / "out")
    assert found.manifest["counts"]["pages"] == 20
    assert {page: row["keeper_id"] for page, row in found.duplicates.items()} == {"b": "a"}
    stay = {"a", "7", '{"deep": [1]}', "number", "object", "surrogate", "nul"}
    assert stay <= found.survivors
    assert len(found.survivors) == len(stay) + 1  # the id with a surrogate, in whatever spelling
    reasons = found.reasons()
    assert {reasons[name] for name in ("null", "absent", "empty", "blank")} == {"no_content"}
    assert reasons["number"] == "duplicate_page_id"
    assert [row["reason"] for row in found.quarantine].count("no_page_id") == 2
    broken = [row["detail"] for row in found.quarantine if row["reason"] == "bad_json"]
    assert len(broken) == 4
    assert any("no JSON at all" in detail for detail in broken)
    assert all(detail.startswith("not a JSON object: ") for detail in broken)


def test_files_that_cannot_be_read(dedup: Command, tmp_path: Path) -> None:
    site = write_html(
        tmp_path / "site",
        {
            "a.html": APPLES,
            "b.html": APPLES,
            "empty.html": b"",
            "undecodable.html": bytes(range(256)) * 20,
            "image.html": IMAGE,
            "another image.html": IMAGE,
            "folder.html/inside.html": article("a folder's name"),
        },
    )
    for name in ("a.html", "b.html"):
        os.utime(site / name, (1_000_000_000, 1_000_000_000))
    (site / "loop").symlink_to(site)
    os.mkfifo(site / "pipe.html")
    unreadable = {"pipe.html", r"caf\xe9.html"}
    if Path("/proc/self/mem").exists():
        (site / "device.html").symlink_to("/proc/self/mem")
        unreadable.add("device.html")
    with open(os.fsencode(site) + b"/caf\xe9.html", "wb") as file:
        file.write(article("a name in another charset").encode())
    done = dedup("run", "--input", site, "--output", tmp_path / "out", "--json", "--set", "output.max_quarantine=0.7")
    assert done.code == 0, done
    found = read_output(tmp_path / "out")
    assert found.reasons() == {
        **dict.fromkeys(unreadable, "unreadable"),
        "empty.html": "no_content",
        "undecodable.html": "undecodable",
    }
    assert found.manifest["counts"]["pages"] == 5 + 2 + len(unreadable)
    assert {page: row["keeper_id"] for page, row in found.duplicates.items()} == {"b.html": "a.html"}
    assert {"image.html", "another image.html", "folder.html/inside.html"} <= found.survivors


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_and_folders_without_permission(dedup: Command, tmp_path: Path) -> None:
    site = write_html(tmp_path / "site", {"a.html": APPLES, "secret.html": APPLES, "closed/b.html": APPLES})
    (site / "secret.html").chmod(0)
    (site / "closed").chmod(0)
    try:
        done = dedup("run", "--input", site, "--output", tmp_path / "out", "--set", "output.max_quarantine=0.9")
    finally:
        (site / "closed").chmod(0o700)
    assert done.code == 0, done
    found = read_output(tmp_path / "out")
    assert found.survivors == {"a.html"}
    assert [row["reason"] for row in found.quarantine] == ["unreadable", "unreadable"]
    assert all("Permission" in row["detail"] for row in found.quarantine)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "html", "jsonl"])
def test_a_page_of_50_megabytes(kind: str, dedup: Command, tmp_path: Path) -> None:
    large = b"".join(b"<p>Line %d of the large page.</p>\n" % (n % 1_000) for n in range(1_600_000))
    assert len(large) > 50 << 20
    pages = {"large": large, "copy": large, "small": APPLES}
    if kind == "html":
        write_html(tmp_path / "in", {f"{name}.html": page for name, page in pages.items()})
    elif kind == "parquet":
        rows: list[dict[str, object]] = [{"page_id": name, "html": page} for name, page in pages.items()]
        write_parquet(tmp_path / "in" / "pages.parquet", rows, SCHEMA)
    else:
        write_jsonl(
            tmp_path / "in" / "pages.jsonl", [{"page_id": name, "html": page.decode()} for name, page in pages.items()]
        )
    done = dedup("run", "--input", tmp_path / "in", "--format", kind, "--output", tmp_path / "out")
    assert done.code == 0, done
    found = read_output(tmp_path / "out")
    counts = found.manifest["counts"]
    assert (counts["survivors"], counts["exact"], counts["quarantined"]) == (2, 1, 0)

"""HTML to documents: what a reader sees, cut where the page cuts it; and what cannot be read."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.detectors.tag_tree import TagTree
from dedup.text import documents
from dedup.text.documents import Reader
from dedup.text.hashing import fingerprint, fingerprints
from tests.text.markup import LONG, MARKUP


def read(*pages: bytes | None, reader: Reader | None = None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (reader or Reader()).read(pa.array(pages, pa.binary())).to_pylist()
    return rows


def one(html: str) -> dict[str, Any]:
    return read(html.encode("utf-8", "surrogatepass"))[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>o<b>n</b>e <i>and</i> <a href=x>two</a></p>", ["one and two"]),
        ("bare<div>inner</div>tail", ["bare", "inner", "tail"]),
        (
            "<div>lead<p>first</p>between<p>second</p>after</div>",
            ["lead", "first", "between", "second", "after"],
        ),
        ("first<br>line<br><br>second", ["first line", "second"]),
        ("first<br/>\n <br/>second", ["first", "second"]),
        ("<ul><li>one<li>two<ul><li>three</ul></ul>", ["one", "two", "three"]),
        ("<ul>bare<li>one</ul>", ["bare", "one"]),
        (
            "<table><caption>cap</caption><tr><th>head<td>cell<td><p>in<p>side</table>",
            ["cap", "head", "cell", "in", "side"],
        ),
        (
            "<dl><dt>term<dd>meaning</dl><blockquote>said<p>twice</blockquote>",
            ["term", "meaning", "said", "twice"],
        ),
        ("<form>ask<fieldset><legend>for</legend>more</fieldset></form>", ["ask", "for", "more"]),
        ("<select><option>red<option>blue</select>", ["red", "blue"]),
        ("<a href=x>before<div>block</div>after</a>", ["before", "block", "after"]),
        ("<center>mid</center>dle", ["mid", "dle"]),
        ("<pre>first\n  line\n\nsecond</pre>", ["first line", "second"]),
        (
            "<p>seen<script>var x</script><style>p{}</style><template><p>t</p></template><!-- c --></p>",
            ["seen"],
        ),
        (
            "<p>seen</p><noscript>no</noscript><p hidden>no</p><div style='color:red; display: none'>no<p>no</div>",
            ["seen"],
        ),
        ("<p>seen</p><div style='DISPLAY:NONE'>no</div><iframe>no</iframe>", ["seen"]),
        ("<head><meta name=description content=no></head><p>seen", ["seen"]),
        ("<p>A&nbsp;&amp;&#66; ﬁne ｆｕｌｌ</p>", ["A &B fine full"]),
        ("<p>  much \t white\n\n space\u3000 here </p>", ["much white space here"]),
        ("<p>never closed <b>and <i>mis</b>nested</i><p>next", ["never closed and misnested", "next"]),
        ("<p>same</p><div>same</div>", ["same", "same"]),
        ("<svg><title>no</title><text>drawn</text></svg>", ["drawn"]),
        ("<title>Only a title</title>", []),
        ("<html><body><div></div><img src=x></body></html>", []),
    ],
)
def test_blocks(html: str, expected: list[str]) -> None:
    assert one(html)["blocks"] == expected


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A \n title </title><h1>Heading</h1>", "A title"),
        (f"<p>{LONG}</p><h1>A <i>heading</i></h1><h1>Second</h1>", "A heading"),
        ("<title> </title><h1> </h1><h1>Second</h1>", "Second"),
        ("<title>Q</title><p>body", "Q"),
        ("<p>body", ""),
    ],
)
def test_the_title_else_the_first_heading(html: str, title: str) -> None:
    assert one(html)["title"] == title


def test_lower_folds_case_everywhere() -> None:
    page = read("<title>TITLE</title><p>Straße ÉTÉ</p>".encode(), reader=Reader(lower=True))[0]
    assert (page["title"], page["blocks"]) == ("title", ["straße été"])


def test_the_digest_is_of_all_that_is_said_and_tells_title_from_text() -> None:
    page = one("<title>t</title><p>one<nav>two</nav>")
    assert page["content_digest"] == hashlib.md5(b"t\none\ntwo").digest()
    assert len({one(html)["content_digest"] for html in ("<title>t</title>", "t", "<p>t</p><p>t")}) == 3


def test_a_fingerprint_is_the_first_half_of_an_md5() -> None:
    whole = hashlib.md5("网页".encode()).hexdigest()
    assert fingerprint("网页") == int.from_bytes(bytes.fromhex(whole)[:8], "big", signed=True)
    digests = [hashlib.md5(bytes([n])).digest() for n in range(50)]
    assert fingerprints(digests).tolist() == [int.from_bytes(d[:8], "big", signed=True) for d in digests]
    assert fingerprints([]).tolist() == []


@given(st.lists(MARKUP, max_size=8))
@settings(max_examples=200)
def test_a_batch_is_its_pages(pages: list[str]) -> None:
    assert read(*(page.encode() for page in pages)) == [one(page) for page in pages]


def test_a_slice_of_an_array_is_that_slice() -> None:
    pages = pa.array([b"<p>one", b"<p>two", None, b"<p>three"], pa.binary())
    assert Reader().read(pages.slice(1, 3)).to_pylist() == Reader().read(pages).to_pylist()[1:]


@given(MARKUP, MARKUP)
@settings(max_examples=300)
def test_equal_content_means_equal_text(first: str, second: str) -> None:
    a, b = one(first), one(second)
    said = [(page["title"], page["blocks"]) for page in (a, b)]
    assert (a["content_digest"] == b["content_digest"]) == (said[0] == said[1])
    assert (a["content_digest"] is not None) == bool(a["title"] or a["blocks"])


@given(MARKUP)
@settings(max_examples=200)
def test_what_no_reader_sees_changes_nothing(page: str) -> None:
    page = page.replace("<title>", "")  # what stands in an open title is text, tags and all
    dressed = (
        page.replace("<p>", "<p class='x' id=y>")
        .replace("<b>", "<!-- note --><b>")
        .replace("</div>", "</div ><script>x()</script>")
    )
    assert one(dressed) == one(page)


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (None, "no_content"),
        (b"", "no_content"),
        (b" \r\n\t ", "no_content"),
        ("\u3000\u2028 ".encode(), "no_content"),
        (b"\xef\xbb\xbf", "no_content"),
        (bytes(range(256)) * 20, "undecodable"),
        (b"<p>" + b"x" * 2_000, "too_large"),
        (b"<html><body><img src=x></body></html>", None),
        (b"<p>text</p>", None),
    ],
)
def test_reasons(page: bytes | None, reason: str | None) -> None:
    row = read(page, reader=Reader(max_page_bytes=1_000 if reason == "too_large" else 1 << 20))[0]
    assert row["reason"] == reason
    assert (row["detail"] is None) == (reason is None)
    if reason or b"<img" in (page or b""):
        assert (row["title"], row["blocks"], row["ranks"], row["content_digest"]) == ("", [], [], None)


def test_a_page_that_breaks_the_parser_is_refused_and_the_next_one_read(monkeypatch: pytest.MonkeyPatch) -> None:
    extract = documents.extract

    def breaks(html: str) -> object:
        if "boom" in html:
            raise RecursionError("too deep")
        return extract(html)

    monkeypatch.setattr(documents, "extract", breaks)
    boom, fine = read(b"<p>boom", b"<p>fine")
    assert (boom["reason"], boom["detail"]) == ("parser_failed", "RecursionError: too deep")
    assert fine["blocks"] == ["fine"]


def test_text_is_a_block_a_line() -> None:
    pages = pa.array(["first line\r\nsecond\n\nthird", "", None, "a <b> is text"], pa.string())
    rows = Reader().read(pages).to_pylist()
    assert [row["reason"] for row in rows] == [None, "no_content", "no_content", None]
    assert [row["blocks"] for row in rows] == [["first line", "second", "third"], [], [], ["a <b> is text"]]


def test_the_charset_of_the_header_is_used() -> None:
    page = Reader().read_one("<p>Größe über Maß, ça va déjà</p>".encode("cp1252"), "windows-1252")
    assert page["blocks"].to_pylist() == [["Größe über Maß, ça va déjà"]]


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "deep",
        "<b>" * 100_000 + "deep",
        "<a><div>" * 50_000 + "deep",
        "<nav><main>" * 20_000 + "<p>deep" * 20_000,
        "<table>" * 20_000 + "deep",
        "<table><tr>" + "<td>cell" * 100_000,
        "<p>para" * 200_000,
        "<a>link</a> " * 200_000,
        "<ul><li>" * 50_000,
        "<!--" * 500_000,
        "&nbsp;" * 500_000,
        "word " * 1_000_000,
        "w" * 5_000_000,
        "\u0301" * 1_000_000,
        "Ends. " * 300_000,
        "完。" * 500_000,
        "<span><span style=x>" * 50_000,
    ],
    ids=lambda html: html[:12],
)
def test_hostile_structure_takes_time_by_its_size(html: str) -> None:
    start = time.perf_counter()
    TagTree().sign(Reader().read_one(html.encode()))
    assert time.perf_counter() - start < 15

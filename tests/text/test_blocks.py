"""HTML to blocks: what a reader sees, cut where the page cuts it, in an order that tells the most first."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.text.blocks import BlockRules, arrange, page_blocks, sentences, text_blocks
from dedup.text.html import extract

RULES = BlockRules()
LONG = "The harbour office repaired the wooden bridge behind the old mill before the first frost of that year"
OTHER = "Nobody in the town library could say who had counted the apple orchards along the northern canal"


def texts(html: str, rules: BlockRules = RULES) -> list[str]:
    return page_blocks(html, rules).texts


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one</p><p>two</p>", {"one", "two"}),
        ("<p>o<b>n</b>e <i>and</i> <a href=x>two</a></p>", {"one and two"}),
        ("bare<div>inner</div>tail", {"bare", "inner", "tail"}),
        (
            "<div>lead<p>first</p>between<p>second</p>after</div>",
            {"lead", "first", "between", "second", "after"},
        ),
        ("first<br>line<br><br>second", {"first line", "second"}),
        ("first<br/>\n <br/>second", {"first", "second"}),
        ("<ul><li>one<li>two<ul><li>three</ul></ul>", {"one", "two", "three"}),
        ("<ul>bare<li>one</ul>", {"bare", "one"}),
        (
            "<table><caption>cap</caption><tr><th>head<td>cell<td><p>in<p>side</table>",
            {"cap", "head", "cell", "in", "side"},
        ),
        (
            "<dl><dt>term<dd>meaning</dl><blockquote>said<p>twice</blockquote>",
            {"term", "meaning", "said", "twice"},
        ),
        ("<form>ask<fieldset><legend>for</legend>more</fieldset></form>", {"ask", "for", "more"}),
        ("<select><option>red<option>blue</select>", {"red", "blue"}),
        ("<a href=x>before<div>block</div>after</a>", {"before", "block", "after"}),
        ("<center>mid</center>dle", {"mid", "dle"}),
        ("<pre>first\n  line\n\nsecond</pre>", {"first line", "second"}),
        (
            "<p>seen<script>var x</script><style>p{}</style><template><p>t</p></template><!-- c --></p>",
            {"seen"},
        ),
        (
            "<p>seen</p><noscript>no</noscript><p hidden>no</p><div style='color:red; display: none'>no<p>no</div>",
            {"seen"},
        ),
        ("<p>seen</p><div style='DISPLAY:NONE'>no</div><iframe>no</iframe>", {"seen"}),
        ("<head><meta name=description content=no></head><p>seen", {"seen"}),
        ("<p>A&nbsp;&amp;&#66; ﬁne ｆｕｌｌ</p>", {"A &B fine full"}),
        ("<p>  much \t white\n\n space\u3000 here </p>", {"much white space here"}),
        ("<p>never closed <b>and <i>mis</b>nested</i><p>next", {"never closed and misnested", "next"}),
        ("<p>x</p><p>ab</p>", {"ab"}),  # a single character tells nothing
        ("<p>same</p><div>same</div>", {"same"}),
        ("<svg><title>no</title><text>drawn</text></svg>", {"drawn"}),
        ("", set()),
        ("<html><body><div></div><img src=x></body></html>", set()),
    ],
)
def test_blocks(html: str, expected: set[str]) -> None:
    assert set(texts(html)) == expected


def test_title_first_then_main_body_then_the_rest_longer_first() -> None:
    html = (
        f"<title>T</title><nav>{LONG} in the menu</nav><p>short</p><h1>Heading</h1>"
        f"<main><p>{OTHER}</p><p>{LONG}</p></main><p>{LONG} outside</p><p>a short one</p>"
        f"<div><a href=x>{LONG} in a link</a></div>"
    )
    assert texts(html) == [
        "T",
        LONG,
        OTHER,
        f"{LONG} outside",
        "a short one",
        "Heading",
        "short",
        f"{LONG} in the menu",
        f"{LONG} in a link",
    ]


def test_without_a_title_the_first_heading_leads() -> None:
    assert texts(f"<p>{LONG}</p><h1>A <i>heading</i></h1><h1>Second</h1>")[0] == "A heading"


def test_a_title_may_be_as_short_as_it_likes() -> None:
    assert texts("<title>Q</title><p>body") == ["Q", "body"]


@pytest.mark.parametrize(
    ("block", "pieces"),
    [
        ("One ends. Two ends! Three ends? Four", ["One ends.", "Two ends!", "Three ends?", "Four"]),
        ('He said "no." Then (at last.) Off', ['He said "no."', "Then (at last.)", "Off"]),
        ("Version 1.2.3 of example.com costs 4.50", ["Version 1.2.3 of example.com costs 4.50"]),
        ("第一句。第二句!第三句?第四句;第五句", ["第一句。", "第二句!", "第三句?", "第四句;", "第五句"]),
        ("他说:“好。”然后走了。", ["他说:“好。”", "然后走了。"]),
        ("它是 v1.2 版。See it. Now", ["它是 v1.2 版。", "See it.", "Now"]),
        ("a; b; c", ["a; b; c"]),
    ],
)
def test_sentences(block: str, pieces: list[str]) -> None:
    assert sentences(block) == pieces


def test_only_long_blocks_are_split() -> None:
    short, long = "One. Two. Three.", f"{LONG}. {OTHER}."
    assert set(texts(f"<p>{short}</p><p>{long}</p>")) == {short, f"{LONG}.", f"{OTHER}."}
    assert set(texts(f"<p>{long}</p>", BlockRules(max_block_chars=1000))) == {long}


def test_lower_folds_case_everywhere() -> None:
    assert texts("<title>TITLE</title><p>Straße ÉTÉ</p>", BlockRules(lower=True)) == ["title", "straße été"]


def test_text_is_a_block_a_line() -> None:
    assert set(text_blocks("first line\r\nsecond\n\nthird", RULES).texts) == {"first line", "second", "third"}


TAGS = ["p", "div", "b", "a", "h1", "title", "nav", "main", "span", "li", "td", "table", "br", "article", "header"]
MARKUP = st.lists(
    st.sampled_from(TAGS).map("<{}>".format)
    | st.sampled_from(TAGS).map("</{}>".format)
    | st.sampled_from(["<br><br>", "<p hidden>", "&nbsp;", "\n", "  ", LONG, f"{OTHER}. {LONG}"])
    | st.sampled_from(["one ", "two. ", "三。", "四!五", "ﬁ", "Ａ", "é", "e\u0301"]),
    max_size=30,
).map("".join)


@given(st.lists(MARKUP, max_size=6))
@settings(max_examples=300)
def test_many_pages_at_once_are_as_one_at_a_time(pages: list[str]) -> None:
    assert arrange([extract(page) for page in pages], RULES) == [page_blocks(page, RULES) for page in pages]


@given(MARKUP, MARKUP)
@settings(max_examples=300)
def test_equal_content_means_equal_texts(one: str, other: str) -> None:
    a, b = page_blocks(one, RULES), page_blocks(other, RULES)
    assert a.content != b.content or set(a.texts) == set(b.texts)
    assert bool(a.texts) <= bool(a.content)


@given(MARKUP)
@settings(max_examples=200)
def test_what_no_reader_sees_changes_nothing(page: str) -> None:
    page = page.replace("<title>", "")  # what stands in an open title is text, tags and all
    dressed = (
        page.replace("<p>", "<p class='x' id=y>")
        .replace("<b>", "<!-- note --><b>")
        .replace("</div>", "</div ><script>x()</script>")
    )
    assert page_blocks(dressed, RULES) == page_blocks(page, RULES)


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
        "Ends. " * 300_000,
        "完。" * 500_000,
        "<span><span style=x>" * 50_000,
    ],
    ids=lambda html: html[:12],
)
def test_hostile_structure_takes_time_by_its_size(html: str) -> None:
    start = time.perf_counter()
    page_blocks(html, RULES)
    assert time.perf_counter() - start < 15

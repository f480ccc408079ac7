"""HTML to text blocks: the tag tree's visible text, a blank line between block-level elements.

The parser's own traversal writes the text; this module first gives the tree the shape that it needs. Elements that
nobody sees are taken out. Elements that the traversal would lay out (table cells in columns, list items without
a blank line, quotations indented) or run together (``form``, ``option``) become plain ``div``. Then everything
costs time in proportion to the page, whatever its nesting: the parser caps depth at 511 as browsers do.
"""

from __future__ import annotations

from typing import NamedTuple

from turbohtml import Namespace, PlainText, parse

UNSEEN_TAGS = ("noscript", "iframe", "video", "audio", "canvas")
UNSEEN = '[hidden],[style*="display:none" i],[style*="display: none" i]'
UNSEEN_IN_SVG = "svg>title,svg>desc"

# Looked for one by one: a search for one tag is several times faster than one for a list of tags.
PLAIN_BLOCKS = (
    *("blockquote", "caption", "center", "dd", "dialog", "dir", "dl", "dt", "fieldset", "form", "hgroup", "legend"),
    *("li", "listing", "menu", "ol", "optgroup", "option", "search", "table", "tbody", "td", "tfoot", "th", "thead"),
    *("tr", "ul", "xmp"),
)
# Inline elements around blocks, innermost first: the text after such a block would run into it.
AROUND_BLOCKS = ("span > div", "span > p", "a > div", "a > p", "a > h2", "a > h3")

LINKED = "dt"
"""Stands for a link around blocks, once all of that name are ``div``: laid out as one, and marked as a link."""

LINK, ASIDE, MAIN, HEADING = "l", "a", "m", "h"  # one byte each: all marks of a batch become one array
MARKED = {
    "a": [LINK],
    LINKED: [LINK],
    "nav": [ASIDE],
    "header": [ASIDE],
    "footer": [ASIDE],
    "aside": [ASIDE],
    "main": [MAIN],
    "article": [MAIN],
    "h1": [HEADING],
}
LAYOUT = PlainText(layout="strict", bullet="", table_cell_separator="")
BREAK = "\n\n"


class Extract(NamedTuple):
    """The visible text of a page.

    Attributes:
        title: text of ``<title>``, not normalised.
        text: blocks in document order, BREAK between them.
        marks: (start, end, mark) in characters of ``text``; LINK, ASIDE, MAIN or HEADING.
    """

    title: str
    text: str
    marks: list[tuple[int, int, str]]


def extract(html: str) -> Extract:
    """Parse a page and write out its visible text."""
    tree = parse(html, positions=False)
    for tag in UNSEEN_TAGS:
        if tree.find(tag) is not None:
            tree.remove(tag)
    tree.remove(UNSEEN)
    if tree.find("svg") is not None:
        tree.remove(UNSEEN_IN_SVG)
    for tag in PLAIN_BLOCKS:
        for element in tree.find_all(tag):
            element.tag = "div"
    for around in AROUND_BLOCKS:
        for element in tree.select(around):
            parent = element.parent
            if parent is not None:
                parent.tag = LINKED if parent.tag in ("a", LINKED) else "div"  # type: ignore[union-attr]
    title = tree.find("title")
    text, marks = tree.to_annotated_text(MARKED, LAYOUT)
    if title is None or title.namespace is not Namespace.HTML:
        return Extract("", text, marks)
    return Extract(title.text, text, marks)

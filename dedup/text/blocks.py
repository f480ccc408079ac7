"""Blocks of pages, most telling first (S3; priority order and lengths as algorithms.md §3 has them).

Pages are arranged many at a time: what concerns single blocks is done by array operations over all of them, since
a step of Python for each block would cost as much as parsing does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dedup.text.html import ASIDE, BREAK, HEADING, LINK, MAIN, Extract, extract
from dedup.text.normalise import collapse, collapse_all, compatible

BODY_BYTES = 80
"""Shorter blocks are menus, captions and dates more often than they are the page's own text."""

BODY_LINKS = 0.33
"""Share of a block's characters in links above which it is navigation."""

# After NFKC, full-width ！？； are !?; and only what follows tells a sentence's end from other uses.
WIDE_END = re.compile(r"[!?;](?=[^\x00-\x7f])")
CLOSING = "”’」』）】"

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class BlockRules:
    """How text becomes blocks.

    Attributes:
        max_block_chars: longer blocks are split at sentence ends (characters).
        min_block_chars: shorter ones are dropped, except the title (characters).
        lower: fold case.
    """

    max_block_chars: int = 80
    min_block_chars: int = 2
    lower: bool = False


class PageBlocks(NamedTuple):
    """What a page says.

    Attributes:
        texts: distinct blocks, most telling first.
        content: the whole normalised text; equal content means equal texts, in some order. Empty if there is none.
    """

    texts: list[str]
    content: str


def page_blocks(html: str, rules: BlockRules) -> PageBlocks:
    """The blocks of one HTML page."""
    return arrange([extract(html)], rules)[0]


def text_blocks(text: str, rules: BlockRules) -> PageBlocks:
    """The blocks of plain text, where each line is one."""
    return arrange([text_extract(text)], rules)[0]


def text_extract(text: str) -> Extract:
    """Plain text in the form of a parsed page: each line a block."""
    return Extract("", BREAK.join(text.splitlines()), [])


def arrange(pages: Sequence[Extract], rules: BlockRules) -> list[PageBlocks]:
    """The blocks of many pages: the title, then main body, then the rest; longer before shorter, then as they stand.

    The title is ``<title>``, else the first ``h1``.
    """
    blocks: list[str] = []
    raw: list[int] = []
    ends: list[int] = []
    for page in pages:
        text = compatible(page.text)
        parts = text.split(BREAK)
        split = collapse_all(text, parts)
        raw += map(len, parts if text is page.text else page.text.split(BREAK))
        blocks += [block.lower() for block in split] if rules.lower else split
        ends.append(len(blocks))
    of_page = np.repeat(np.arange(len(pages)), np.diff([0, *ends]))
    rank, headings = _ranks(pages, np.array(raw, np.int64), blocks, of_page)
    pieces, length, source = _pieces(blocks, rules)
    rank, of_page = rank[source], of_page[source]
    # lexsort is stable: pieces that agree in all of these stay as they stand in the document.
    order = np.lexsort((-length, rank, of_page))
    ordered = [pieces[i] for i in order.tolist()]
    bounds = np.searchsorted(of_page, np.arange(len(pages) + 1)).tolist()

    result = []
    start = 0
    for number, (page, end) in enumerate(zip(pages, ends, strict=True)):
        title = collapse(compatible(page.title))
        first = (title.lower() if rules.lower else title) or headings.get(number, "")
        said = "\n".join(filter(None, blocks[start:end]))
        texts = dict.fromkeys([first] if first else ())
        texts.update(dict.fromkeys(ordered[bounds[number] : bounds[number + 1]]))
        # The first line says what is title, so a page without one never has the content of a page with it.
        result.append(PageBlocks(list(texts), f"{first}\n{said}" if first or said else ""))
        start = end
    return result


def sentences(block: str) -> list[str]:
    """A block split behind its sentence ends, closing quotes and brackets included."""
    # Plain replacements: even a dozen of them are faster than one pattern.
    wide = not block.isascii()
    if wide:
        block = block.replace("。", "。\n")
        if "!" in block or "?" in block or ";" in block:
            block = WIDE_END.sub("\\g<0>\n", block)
        for close in CLOSING:
            block = block.replace("\n" + close, close + "\n")
    closes = [close for close in "\"')" if close in block]
    for mark in ".!?":
        if mark in block:
            block = block.replace(mark + " ", mark + "\n")
            for close in closes:
                block = block.replace(mark + close + " ", mark + close + "\n")
    pieces = block.split("\n")
    return [piece for part in pieces if (piece := part.strip())] if wide else pieces


def _pieces(blocks: list[str], rules: BlockRules) -> tuple[list[str], Ints, Ints]:
    """What is hashed: blocks, or the sentences of long ones; their lengths; and the block of each."""
    length = _lengths(blocks)
    pieces: list[str] = []
    counts = np.ones(len(blocks), np.int64)
    past = 0
    for place in np.flatnonzero(length > rules.max_block_chars).tolist():
        split = sentences(blocks[place])
        pieces += blocks[past:place]
        pieces += split
        counts[place] = len(split)
        past = place + 1
    pieces += blocks[past:]
    source = np.repeat(np.arange(len(blocks)), counts)
    length = _lengths(pieces)
    held = np.flatnonzero(length >= max(1, rules.min_block_chars))
    if len(held) < len(pieces):
        pieces = [pieces[i] for i in held.tolist()]
    return pieces, length[held], source[held]


def _ranks(pages: Sequence[Extract], raw: Ints, blocks: list[str], of_page: Ints) -> tuple[Ints, dict[int, str]]:
    """For each block 0 (main body), 1 (may be), 2 (other text) or 3 (navigation); and pages' first headings.

    Marks are places in the text before normalisation, which moves characters but never breaks: they are read
    against the lengths of the ``raw`` blocks and go on by block number.
    """
    begin = np.concatenate(([0], np.cumsum(raw + len(BREAK))))
    marks = [mark for page in pages for mark in page.marks]
    starts, past_ends, kinds = zip(*marks, strict=True) if marks else ((), (), ())
    kind = np.frombuffer("".join(kinds).encode(), "S1").astype("U1")
    page_of_mark = np.repeat(np.arange(len(pages)), np.array([len(page.marks) for page in pages], np.int64))
    page_begin = begin[np.searchsorted(of_page, page_of_mark)]
    start = np.array(starts, np.int64) + page_begin
    end = np.array(past_ends, np.int64) + page_begin
    first = np.searchsorted(begin, start, side="right") - 1
    past = np.searchsorted(begin, np.maximum(start, end - 1), side="right")

    def covered(which: Flags) -> Flags:
        """Blocks inside marked regions, by adding up where regions begin and end: any nesting costs the same."""
        edges = np.bincount(first[which], minlength=len(raw) + 1) - np.bincount(past[which], minlength=len(raw) + 1)
        return np.asarray(np.cumsum(edges)[: len(raw)] > 0)

    link, within = kind == LINK, past == first + 1
    linked = np.bincount(first[link & within], (end - start)[link & within], minlength=len(raw))
    linked[covered(link & ~within)] = raw[covered(link & ~within)]
    navigation = covered(kind == ASIDE) | (linked >= BODY_LINKS * np.maximum(raw, 1))
    main = covered(kind == MAIN)

    candidate = _long(pages, blocks, of_page) & ~navigation
    has_main = (np.bincount(of_page, main, minlength=len(pages)) > 0)[of_page] if len(raw) else main
    # Where nothing says what is main, a long block has a long neighbour: alone it is as often a notice.
    same = of_page[1:] == of_page[:-1]
    beside = np.zeros(len(raw), bool)
    beside[1:] |= candidate[:-1] & same
    beside[:-1] |= candidate[1:] & same
    body = candidate & np.where(has_main, main, beside)
    rank = np.select([body, candidate, ~navigation], [0, 1, 2], 3)

    headings: dict[int, str] = {}
    for place in np.flatnonzero(kind == HEADING).tolist():
        text = " ".join(filter(None, blocks[first[place] : past[place]]))
        if text:
            headings.setdefault(int(page_of_mark[place]), text)
    return rank, headings


def _long(pages: Sequence[Extract], blocks: list[str], of_page: Ints) -> Flags:
    length = _lengths(blocks)
    long = length >= BODY_BYTES
    wide = np.array([not page.text.isascii() for page in pages], bool)[of_page]
    for place in np.flatnonzero(wide & ~long & (3 * length >= BODY_BYTES)).tolist():
        long[place] = len(blocks[place].encode("utf-8", "surrogatepass")) >= BODY_BYTES
    return long


def _lengths(texts: list[str]) -> Ints:
    return np.fromiter(map(len, texts), np.int64, len(texts))

"""How much a block says of its page (algorithms.md §3, *Rank*): main body, other text, or navigation.

Pages are ranked many at a time: what concerns single blocks is done by array operations over all of them, since a
step of Python for each block would cost as much as parsing does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from dedup.text.html import ASIDE, BREAK, HEADING, LINK, MAIN, Extract

BODY_BYTES = 80
"""Shorter blocks are menus, captions and dates more often than they are the page's own text."""

BODY_LINKS = 0.33
"""Share of a block's characters in links above which it is navigation."""

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Rank(IntEnum):
    """What a block is to its page, most telling first."""

    MAIN = 0  # the title included
    TEXT = 1
    NAVIGATION = 2


def ranks(pages: Sequence[Extract], raw: Ints, blocks: list[str], of_page: Ints) -> tuple[Ints, dict[int, str]]:
    """The Rank of each block; and pages' first headings.

    Marks are places in the text before normalisation, which moves characters but never breaks: they are read against
    the lengths of the raw blocks and go on by block number.

    Args:
        pages: as parsed.
        raw: characters of each block of all pages, before normalisation.
        blocks: the same blocks, normalised.
        of_page: the number of each block's page.
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
    rank = np.select([body, ~navigation], [Rank.MAIN, Rank.TEXT], Rank.NAVIGATION)

    headings: dict[int, str] = {}
    for place in np.flatnonzero(kind == HEADING).tolist():
        text = " ".join(filter(None, blocks[first[place] : past[place]]))
        if text:
            headings.setdefault(int(page_of_mark[place]), text)
    return rank, headings


def _long(pages: Sequence[Extract], blocks: list[str], of_page: Ints) -> Flags:
    length = np.fromiter(map(len, blocks), np.int64, len(blocks))
    long = length >= BODY_BYTES
    wide = np.array([not page.text.isascii() for page in pages], bool)[of_page]
    for place in np.flatnonzero(wide & ~long & (3 * length >= BODY_BYTES)).tolist():
        long[place] = len(blocks[place].encode("utf-8", "surrogatepass")) >= BODY_BYTES
    return long

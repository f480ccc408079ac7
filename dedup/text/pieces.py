"""Pieces: what of a page's blocks is hashed (algorithms.md §3, *Pieces*).

All pages of a batch are cut together, by array operations over their characters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dedup.text.canonical import Canonical, canonical
from dedup.text.hashing import fingerprints, md5
from dedup.text.sentences import sentences

WHOLE = 40
"""A block of up to so many canonical characters is one piece."""

LEAST, MOST = 3, 24
"""Tokens of a piece: no cut before the one, a cut at the other."""

CUT_BITS = np.uint64(3)
"""A piece may end with one token in eight."""

LONG = 80
"""Blocks longer than this are split into sentences (characters)."""

Ints = npt.NDArray[np.int64]


class Blocks(NamedTuple):
    """The blocks of a batch, titles included.

    Attributes:
        text: every block, in the order of pages, each ended by a line end; the title first,
            empty where a page has none.
        page: of each block.
        rank: of each block; -1 for titles.
    """

    text: str
    page: Ints
    rank: Ints


class Pieces(NamedTuple):
    """What is hashed, in document order.

    Attributes:
        fingerprint: of each piece.
        length: in characters, canonical ones where pieces are cut by content.
        block: which block each is of.
        shown: the text of some piece, to be read by people.
    """

    fingerprint: Ints
    length: Ints
    block: Ints
    shown: Callable[[int], str]


TITLE = -1


def blocks_of(documents: pa.RecordBatch) -> Blocks:
    """The blocks of a DOCUMENT batch: title and text."""
    lists = documents["blocks"]
    m = lists.value_lengths().to_numpy(zero_copy_only=False)
    begin = np.r_[0, np.cumsum(m)][:-1]
    # A title stands before its page's blocks.
    texts = lists.flatten().to_pylist()
    titles = documents["title"].to_pylist()
    made: list[str] = []
    for title, start, count in zip(titles, begin.tolist(), m.tolist(), strict=True):
        made.append(title)
        made += texts[start : start + count]
    page = np.repeat(np.arange(len(m)), m + 1)
    rank = np.full(len(page), TITLE)
    is_block = np.ones(len(page), bool)
    is_block[begin + np.arange(len(m))] = False
    rank[is_block] = documents["ranks"].flatten().to_numpy()
    return Blocks("\n".join(made) + "\n" if made else "", page, rank)


def by_content(blocks: Blocks) -> Pieces:
    """Blocks in canonical form; long ones cut where their tokens say, so that one changed word costs one piece."""
    text = canonical(blocks.text)
    begin, end = _cut(text)
    block = np.searchsorted(text.ends, begin, side="right")
    data = text.codes.tobytes().decode("utf-32-le").encode()
    byte = np.r_[0, np.cumsum(_width(text.codes))] if len(data) > len(text.codes) else np.arange(len(data) + 1)
    view = memoryview(data)
    bounds = zip(byte[begin].tolist(), byte[end].tolist(), strict=True)
    hashed = fingerprints([md5(view[start:stop]).digest() for start, stop in bounds])

    @cache
    def origin() -> Ints:
        """Of each lower-cased character the one that it comes of; some letters become two."""
        return np.repeat(np.arange(len(blocks.text)), [len(letter.lower()) for letter in blocks.text])

    def shown(piece: int) -> str:
        first, last = origin()[text.places[[begin[piece], end[piece] - 1]]]
        return blocks.text[first : last + 1]

    return Pieces(hashed, end - begin, block, shown)


def by_sentence(blocks: Blocks, split: bool = True) -> Pieces:
    """Blocks as they stand; with ``split`` the sentences of long ones (S3)."""
    texts: list[str] = []
    of_block: list[int] = []
    for number, (text, rank) in enumerate(zip(blocks.text.split("\n")[:-1], blocks.rank.tolist(), strict=True)):
        parts = sentences(text) if split and len(text) > LONG and rank != TITLE else [text]
        texts += parts
        of_block += [number] * len(parts)
    held = [place for place, text in enumerate(texts) if text]
    texts = [texts[place] for place in held]
    digests = [md5(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
    length = np.fromiter(map(len, texts), np.int64, len(texts))
    return Pieces(fingerprints(digests), length, np.array(of_block, np.int64)[held], texts.__getitem__)


def _cut(text: Canonical) -> tuple[Ints, Ints]:
    """Where the pieces begin and end, in canonical characters; blocks without any have none."""
    begin: Ints = np.r_[0, text.ends[:-1]]
    length = text.ends - begin
    short = (length > 0) & (length <= WHOLE)
    long = length > WHOLE

    # In tokens: where a piece that begins with each of them ends. Blocks end tokens, so each has its own.
    tokens = len(text.starts)
    first = np.searchsorted(text.starts, begin)
    past = np.searchsorted(text.starts, text.ends)
    token = np.arange(tokens)
    cut = text.hashes >> (np.uint64(64) - CUT_BITS) == 0
    # For each token the first cut behind the least of a piece: how many cuts stand before there says which it is.
    passed = np.cumsum(cut)[np.minimum(token + LEAST - 2, tokens - 1)]
    after: Ints = np.append(np.flatnonzero(cut), tokens)[passed] + 1
    following: Ints = np.minimum(np.minimum(after, token + MOST), np.repeat(past, past - first))

    # One cut in every long block at a time.
    at: Ints = first[long]
    stop: Ints = past[long]
    starts: list[Ints] = []
    while len(at):
        starts.append(at)
        at = following[at]
        going = at < stop
        at, stop = at[going], stop[going]
    start: Ints = np.sort(np.concatenate([first[short], *starts]))
    edges: Ints = np.append(text.starts, len(text.codes))
    # Pieces follow one another without a gap: only what no block holds lies between, which is nothing.
    bounds = edges[np.append(start, tokens)]
    return bounds[:-1], bounds[1:]


def _width(codes: npt.NDArray[np.uint32]) -> Ints:
    """Bytes of each character in UTF-8."""
    return 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)


PIECES: dict[str, Callable[[Blocks], Pieces]] = {
    "content": by_content,
    "sentence": by_sentence,
    "block": lambda blocks: by_sentence(blocks, split=False),
}


def telling(pieces: Pieces, blocks: Blocks, min_chars: int) -> Ints:
    """The pieces to remember: each page's distinct ones, most telling first.

    The title, main body, other text, navigation; longer before shorter, then as they stand. Of equal pieces the one
    of greatest rank counts. Those under ``min_chars`` characters tell nothing, but in the title.
    """
    rank, page = blocks.rank[pieces.block], blocks.page[pieces.block]
    held = np.flatnonzero((pieces.length >= min_chars) | (rank == TITLE))
    # lexsort is stable: pieces that agree in all of these stay as they stand in the document.
    held = held[np.lexsort((-pieces.length[held], rank[held], page[held]))]
    same = np.lexsort((pieces.fingerprint[held], page[held]))
    again = held[same]
    first = np.ones(len(held), bool)
    first[1:] = (np.diff(page[again]) != 0) | (pieces.fingerprint[again][1:] != pieces.fingerprint[again][:-1])
    distinct = np.zeros(len(held), bool)
    distinct[same[first]] = True
    return held[distinct]

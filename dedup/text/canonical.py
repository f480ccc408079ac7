"""The canonical form of text (algorithms.md §3): its letters and digits in lower case, and the tokens that they make.

Spacing, punctuation, quotes, soft hyphens and zero-width marks do not move it.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

Ints = npt.NDArray[np.int64]

APART, WORD, SINGLE, IGNORED = range(4)
"""What a character is: between words, of a word, a token by itself, or nothing at all."""

# Later ones win. LineBreak=SA are the scripts of South East Asia, which like Chinese and Japanese set no spaces.
CLASSES = (
    (WORD, r"[\p{L}\p{M}\p{N}]+"),
    (SINGLE, r"[[\p{Ideographic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{LineBreak=SA}]&&[\p{L}\p{M}\p{N}]]+"),
    (IGNORED, r"\p{Default_Ignorable_Code_Point}+"),
)
MIX = np.uint64(0x9E3779B97F4A7C15)


class Canonical(NamedTuple):
    """The canonical forms of many texts, one behind the other.

    Attributes:
        codes: code point of each character (uint32).
        places: where each character stands in the lower-cased texts, which are one line each.
        ends: how many characters end with each text.
        starts: the character at which each token begins.
        hashes: a number for each token, the same wherever it stands (uint64).
    """

    codes: npt.NDArray[np.uint32]
    places: Ints
    ends: Ints
    starts: Ints
    hashes: npt.NDArray[np.uint64]


def canonical(texts: str) -> Canonical:
    """The canonical forms of texts (normalised, each ended by a line end)."""
    codes = np.frombuffer(texts.lower().encode("utf-32-le", "surrogatepass"), np.uint32)
    kind = _kinds().take(codes)
    held = (kind == WORD) | (kind == SINGLE)
    places = np.flatnonzero(held)
    ends = np.searchsorted(places, np.flatnonzero(codes == ord("\n")))
    if (kind == IGNORED).any():  # "soft<hyphen>ware" is one word
        seen = kind != IGNORED
        kind, held = kind[seen], held[seen]
    # A token begins at a character that is one by itself, and at a word's that follows no other of a word.
    begins = held.copy()
    begins[1:] &= ~((kind[1:] == WORD) & (kind[:-1] == WORD))
    starts = np.flatnonzero(begins[held])
    codes = codes[places]
    return Canonical(codes, places, ends, starts, _hashes(codes, starts))


def _hashes(codes: npt.NDArray[np.uint32], starts: Ints) -> npt.NDArray[np.uint64]:
    if not len(starts):
        return np.empty(0, np.uint64)
    number = codes.astype(np.uint64)
    # A sum does not tell an anagram from its word. It need not: it says where to cut, not what is equal.
    total = np.add.reduceat((number * number + np.uint64(7919)) * MIX, starts)
    total ^= total >> np.uint64(32)
    return np.asarray(total * MIX, np.uint64)


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """What each code point is."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    kinds = np.zeros(len(every), np.uint8)
    for kind, pattern in CLASSES:
        for found in regex.finditer(pattern, every, regex.V1):
            kinds[found.start() : found.end()] = kind
    return kinds

"""tag_tree, one page at a time and step by step, in plain Python (algorithms.md §3)."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import regex

from dedup.text.sentences import sentences

IGNORED = r"\p{Default_Ignorable_Code_Point}"
SINGLE = r"[\p{Ideographic}\p{Han}\p{Hiragana}\p{Katakana}ー\p{LineBreak=SA}]"
WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}]--{IGNORED}--{SINGLE}]"
TOKEN = regex.compile(rf"[{SINGLE}&&[\p{{L}}\p{{M}}\p{{N}}]]|{WORD}(?:{IGNORED}*{WORD})*", regex.V1)
GONE = regex.compile(IGNORED)

TITLE, MAIN, TEXT, NAVIGATION = -1, 0, 1, 2
BY_RANK = {TITLE: 100, MAIN: 100, TEXT: 80, NAVIGATION: 10}


class Piece(NamedTuple):
    """What is hashed, and what of the page it is."""

    text: str
    rank: int
    shown: str


class Told(NamedTuple):
    """One fingerprint of a signature."""

    fingerprint: int
    weight: int
    shown: str


def half(digest: bytes) -> int:
    """A fingerprint."""
    return int.from_bytes(digest[:8], "big", signed=True)


def number(text: str) -> int:
    """The fingerprint of a text."""
    return half(hashlib.md5(text.encode("utf-8", "surrogatepass")).digest())


def ends(token: str) -> bool:
    """Whether a piece may end behind a token."""
    mix, mask = 0x9E3779B97F4A7C15, 2**64 - 1
    total = sum((ord(char) ** 2 + 7919) * mix for char in token) & mask
    return ((total ^ total >> 32) * mix & mask) >> 61 == 0


def cut(block: str) -> list[tuple[str, str]]:
    """The pieces of a block: what is hashed, and where in the block it stands."""
    lower = block.lower()
    held = [(GONE.sub("", found[0]), *found.span()) for found in TOKEN.finditer(lower)]
    parts: list[list[tuple[str, int, int]]] = [[]]
    short = sum(len(token) for token, _, _ in held) <= 40
    for token in held:
        part = parts[-1]
        if not short and (len(part) == 24 or (len(part) >= 3 and ends(part[-1][0]))):
            parts.append(part := [])
        part.append(token)
    origin = [place for place, char in enumerate(block) for _ in char.lower()]  # some letters become two
    return [
        ("".join(token for token, _, _ in part), block[origin[part[0][1]] : origin[part[-1][2] - 1] + 1])
        for part in parts
        if part
    ]


def cut_up(document: dict[str, Any], how: str) -> list[Piece]:
    """The pieces of a DOCUMENT row, in document order, title first."""
    found: list[Piece] = []
    for rank, block in [(TITLE, document["title"]), *zip(document["ranks"], document["blocks"], strict=True)]:
        if how == "content":
            found += [Piece(text, rank, shown) for text, shown in cut(block)]
        elif how == "sentence" and len(block) > 80 and rank != TITLE:
            found += [Piece(text, rank, text) for text in sentences(block)]
        elif block:
            found.append(Piece(block, rank, block))
    return found


def sign(
    document: dict[str, Any],
    pieces: str = "content",
    weights: str = "rank",
    min_block_chars: int = 2,
    min_own_chars: int = 40,
) -> list[Told]:
    """The signature of a DOCUMENT row."""
    telling = sorted(cut_up(document, pieces), key=lambda piece: (piece.rank, -len(piece.text)))
    distinct: dict[str, Piece] = {}
    for piece in telling:
        if len(piece.text) >= min_block_chars or piece.rank == TITLE:
            distinct.setdefault(piece.text, piece)
    said = {text: len(text) * (BY_RANK[piece.rank] if weights == "rank" else 1) for text, piece in distinct.items()}
    if weights == "rank":
        menu = [text for text, piece in distinct.items() if piece.rank == NAVIGATION]
        whole_menu = sum(said[text] for text in menu)
        rest = sum(said.values()) - whole_menu
        for text in menu:
            said[text] = max(1, int(said[text] * min(1.0, 0.5 * rest / whole_menu)))
    told = [Told(number(text), said[text], piece.shown) for text, piece in distinct.items()]
    own = sum(len(text) for text, piece in distinct.items() if piece.rank in (MAIN, TEXT))
    if own < min_own_chars and document["content_digest"]:
        whole = " · ".join(filter(None, [document["title"], *document["blocks"]]))
        return [Told(half(document["content_digest"]), 1, whole)]
    return told

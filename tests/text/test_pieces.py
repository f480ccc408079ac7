"""Canonical form, and what of a block is hashed."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from dedup.detectors.tag_tree import TagTree
from dedup.text.canonical import canonical
from dedup.text.documents import Reader
from dedup.text.pieces import Blocks, by_content
from dedup.text.sentences import sentences
from tests.text.markup import HAN, LONG, OTHER, THAI


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("One, two—THREE's 4.5", ["one", "two", "three", "s", "4", "5"]),
        ("soft\u00adware zero\u200bwidth va\ufe0friant", ["software", "zerowidth", "variant"]),
        ("\u00ad \u200b", []),
        ("café cafe\u0301", ["café", "cafe\u0301"]),
        ("网页 去重，ok网", ["网", "页", "去", "重", "ok", "网"]),
        ("データかな", ["デ", "ー", "タ", "か", "な"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("ไทย ລາວ", ["ไ", "ท", "ย", "ລ", "າ", "ວ"]),
        ("हिन्दी।", ["हिन्दी"]),
        ("\u0627\u064f\u0644\u06d4", ["\u0627\u064f\u0644"]),
        ("𝒳𐐀 x²", ["𝒳𐐨", "x²"]),
        ("«»…!?¿· — ☃ 🎉", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    made = canonical(text + "\n")
    letters = "".join(map(chr, made.codes.tolist()))
    bounds = [*made.starts.tolist(), len(letters)]
    assert [letters[start:end] for start, end in pairwise(bounds)] == tokens
    assert made.ends.tolist() == [len(letters)]


def pieces(*blocks: str) -> list[list[int]]:
    """The fingerprints of each block's pieces."""
    told = Blocks("".join(f"{block}\n" for block in blocks), np.zeros(len(blocks), int), np.zeros(len(blocks), int))
    made = by_content(told)
    return [made.fingerprint[made.block == place].tolist() for place in range(len(blocks))]


def test_spacing_punctuation_and_case_do_not_matter() -> None:
    assert pieces(LONG) == pieces(f"«{LONG.upper()}»!".replace(" ", "  —  ")) == pieces(LONG.replace("h", "h\u00ad"))
    assert pieces("[docs] name") == pieces("[docs]name")  # link_spacing


@pytest.mark.parametrize(("length", "number"), [(0, 0), (1, 1), (40, 1), (41, 2)])
def test_short_blocks_are_one_piece(length: int, number: int) -> None:
    words = "harbour office counted " + "x" * (length - 20)  # a piece may end behind "counted"
    assert len(pieces(words if length > 1 else "a" * length)[0]) == number


@pytest.mark.parametrize("text", [f"{LONG} {OTHER}", HAN, THAI], ids=["words", "han", "thai"])
def test_one_changed_token_costs_a_piece_or_two(text: str) -> None:
    before = set(pieces(text)[0])
    letters = [place for place, char in enumerate(text) if char.isalpha()]
    cost = [len(before - set(pieces(f"{text[:place]}x{text[place + 1 :]}")[0])) for place in letters]
    assert sum(cost) / len(cost) < 1.6
    assert max(cost) <= 4


@pytest.mark.parametrize(
    ("block", "parts"),
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
def test_sentences(block: str, parts: list[str]) -> None:
    assert sentences(block) == parts


def signed(page: bytes) -> str:
    return str(TagTree().sign(Reader().read_one(page)).to_pylist())


def test_same_bytes_same_signature_in_another_process() -> None:
    page = f"<title>t</title><p>{LONG}<p>{HAN}".encode()
    code = f"from tests.text.test_pieces import signed; print(signed({page!r}))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hashing}
        ).stdout
        for hashing in ("1", "2")
    }
    assert said == {f"{signed(page)}\n"}

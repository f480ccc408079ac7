"""tag_tree against the plain reading of algorithms.md §3, one page at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.detectors import TagTree
from dedup.text.documents import Reader
from tests import signing
from tests.text.markup import HAN, LONG, MARKUP, OTHER

GOLDEN = Path(__file__).parent / "golden"

WORDS = st.fixed_dictionaries(
    {
        "pieces": st.sampled_from(["content", "sentence", "block"]),
        "weights": st.sampled_from(["rank", "length"]),
        "min_block_chars": st.sampled_from([1, 2, 10]),
        "min_own_chars": st.sampled_from([0, 40, 200]),
    }
)


def signed(html: str, **words: Any) -> dict[int, int]:
    row = TagTree(**words).sign(Reader().read_one(html.encode())).to_pylist()[0]
    return dict(zip(row["fingerprints"], row["weights"], strict=True))


@given(st.lists(MARKUP, max_size=6), WORDS)
@settings(max_examples=400, deadline=None)
def test_signatures_are_what_the_plain_reading_says(pages: list[str], words: dict[str, Any]) -> None:
    read = Reader().read(pa.array([page.encode() for page in pages], pa.binary()))
    detector = TagTree(**words)
    wanted = [signing.sign(document, **words) for document in read.to_pylist()]
    assert detector.sign(read).to_pylist() == [
        {"fingerprints": [one.fingerprint for one in told], "weights": [one.weight for one in told]} for told in wanted
    ]
    for place, told in enumerate(wanted):
        shown = detector.readable(read.slice(place, 1))
        assert [shown[one.fingerprint] for one in told] == [one.shown for one in told]


MENU = "<nav>" + "".join(f"<li><a href=x>{word} menu item</a>" for word in f"{LONG} {OTHER}".split()) + "</nav>"


def test_a_menu_weighs_no_more_than_half_of_the_rest() -> None:
    text = f"<p>{LONG}</p><p>{OTHER}</p>"
    without = sum(signed(text).values())
    for times in (1, 3, 200):
        menus = "".join(MENU.replace("menu", f"menu{number}") for number in range(times))
        assert sum(signed(menus + text).values()) <= 1.51 * without
    assert sum(signed(MENU + text * 9).values()) > without


@pytest.mark.parametrize(
    ("own", "thin"),
    [
        ("", True),
        ("<p>Only thirty-eight letters stand in this one page", False),
        ("<p>Only thirty-seven letters stand here", True),
        ("<p>短的引文只有几个字", True),
        (f"<nav>{LONG}</nav>", True),
        (f"<p>{HAN}", False),
    ],
)
def test_a_page_that_says_little_is_its_whole_text(own: str, thin: bool) -> None:
    """Its one fingerprint moves with any change of what it shows, be it in the menu."""
    page, other = (f"<title>A title of any length</title>{MENU}{own}{end}" for end in ("", "<footer>x2</footer>"))
    assert (len(signed(page)) == 1) == thin
    assert bool(signed(page).keys() & signed(other).keys()) != thin
    assert signed(page) == signed(page.replace("<title>", "<title lang=en>"))
    assert len(signed(page, min_own_chars=0)) > 1


def test_of_equal_pieces_the_one_of_greatest_rank_counts() -> None:
    page = f"<nav><a href=x>{LONG}</a></nav><p>{LONG}</p><p>{OTHER}</p>"
    assert signed(page) == signed(f"<p>{LONG}</p><p>{OTHER}</p>")


def test_sentences_and_plain_lengths_are_as_ever() -> None:
    """S3 as the first versions signed it: stored signatures stay what they are."""
    for case in json.loads((GOLDEN / "tag_tree_sentences.json").read_text("utf-8")):
        made = signed(case["html"], pieces="sentence", weights="length", min_own_chars=0)
        assert [f"{value & (2**64 - 1):016x}" for value in made] == case["fingerprints"], case["name"]
        assert list(made.values()) == case["weights"], case["name"]


@pytest.mark.parametrize("words", [{"pieces": "words"}, {"weights": "equal"}])
def test_unknown_words_are_refused(words: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is none of"):
        TagTree(**words)

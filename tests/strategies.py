"""Hypothesis strategies for signatures, rules and modes; small vocabularies, so that matches are frequent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from hypothesis import strategies as st

from tests.serial import EXACT, Mode, Page

VOCABULARY = (-(2**63), -(2**62) - 1, -1000, -3, -2, -1, 0, 1, 2, 3, 5, 8, 13, 1000, 2**62 + 1, 2**63 - 1)
"""Fingerprints are signed 64-bit numbers: the ends, the neighbourhood of 0, and some between."""

RATIOS = ("jaccard", "weighted_jaccard", "dice", "cosine", "weighted_cosine", "max")
FAMILIAR = ("0.07", "0.3", "0.333", "0.5", "0.667", "0.7", "0.8", "1")


def thresholds() -> st.SearchStrategy[str]:
    """Decimals in (0, 1] of at most three places, as they are written: "0.07", "1", "0.333"."""
    any_of_three = st.integers(1, 1000).map(lambda n: f"{n / 1000:.3f}".rstrip("0").rstrip("."))
    return st.one_of(st.sampled_from(FAMILIAR), any_of_three)


def rules() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """A rule by name with its parameters, the same words for the oracle and for the job."""
    threshold = st.fixed_dictionaries({"threshold": thresholds()})
    floor = st.integers(1, 5)
    return st.one_of(
        st.tuples(st.just("overlap"), st.fixed_dictionaries({"min_common": floor})),
        st.tuples(st.sampled_from(RATIOS), threshold),
        st.tuples(st.just("min"), st.fixed_dictionaries({"threshold": thresholds(), "min_common": floor})),
    )


def modes() -> st.SearchStrategy[Mode]:
    """Exact, or the first K in one of the variants."""
    first = st.builds(Mode, st.integers(0, 4), st.sampled_from(("any", "all", "same_position")))
    return st.one_of(st.just(EXACT), first)


@st.composite
def pages(
    draw: st.DrawFn, max_pages: int = 40, vocabulary: Sequence[int] = VOCABULARY, min_pages: int = 0
) -> list[Page]:
    """Pages in no particular order.

    Fresh ones, mutated relatives of any earlier one, chains (each a mutation of the one before), exact
    copies, pages with the fingerprints of another but their own digest, and pages without fingerprints.
    Equal digests imply equal signatures. What a fingerprint weighs depends on the page: its length in the vocabulary,
    times the rank that it has there. ``order`` is one small number, so that ``page_id`` has many ties to decide.
    """
    length = dict(
        zip(
            vocabulary,
            draw(st.lists(st.integers(1, 40), min_size=len(vocabulary), max_size=len(vocabulary))),
            strict=True,
        )
    )
    ranks = st.sampled_from(((10,), (10, 8), (8, 10, 1), (1, 10, 10, 8)))
    listed = st.lists(st.sampled_from(vocabulary), unique=True, max_size=len(vocabulary))
    kinds = st.sampled_from(("fresh", "relative", "relative", "chain", "chain", "copy", "same", "empty"))
    number = draw(st.integers(min_pages, max_pages))
    made: list[tuple[tuple[int, ...], bytes | None]] = []
    for place in range(number):
        kind = draw(kinds) if made else "fresh"
        digest = bytes([place] * 16) if draw(st.integers(0, 7)) else None
        if kind == "fresh":
            fingerprints = tuple(draw(listed))
        elif kind == "empty":
            fingerprints = ()
        else:
            fingerprints, theirs = made[-1] if kind == "chain" else draw(st.sampled_from(made))
            if kind == "copy":
                digest = theirs
            elif kind != "same":
                fingerprints = _mutated(draw, fingerprints, vocabulary)
        made.append((fingerprints, digest))

    def weights(fingerprints: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(length[f] * rank for f, rank in zip(fingerprints, cycle(draw(ranks)), strict=False))

    numbers = draw(st.permutations(range(number)))
    weighed: dict[bytes, tuple[int, ...]] = {}
    return [
        Page(
            page_id=f"p{numbers[place]:02d}",
            order=(draw(st.integers(0, 3)),),
            fingerprints=fingerprints,
            weights=weighed.setdefault(digest, weights(fingerprints)) if digest else weights(fingerprints),
            digest=digest,
        )
        for place, (fingerprints, digest) in enumerate(made)
    ]


def _mutated(draw: st.DrawFn, fingerprints: tuple[int, ...], vocabulary: Sequence[int]) -> tuple[int, ...]:
    """One or two small edits: a fingerprint less, one more, or one moved to another place."""
    left = list(fingerprints)
    for _ in range(draw(st.integers(1, 2))):
        edit = draw(st.sampled_from(("drop", "add", "move")))
        if edit == "add":
            added = draw(st.sampled_from(vocabulary))
            if added not in left:
                left.insert(draw(st.integers(0, len(left))), added)
        elif left:
            taken = left.pop(draw(st.integers(0, len(left) - 1)))
            if edit == "move":
                left.insert(draw(st.integers(0, len(left))), taken)
    return tuple(left)

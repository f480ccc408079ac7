"""How many families of which kind the sample has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dedup.sample import copies, rivals
from dedup.sample.book import Book, Family


@dataclass(frozen=True)
class Recipe:
    """Attributes:
    make: fills a family.
    count: language → families in a sample of the usual size.
    """

    name: str
    make: Callable[[Family], None]
    count: dict[str, int]


def _recipe(make: Callable[[Family], None], *, en: int, zh: int, tw: int, ja: int = 0, ko: int = 0) -> Recipe:
    counts = {"en": en, "zh": zh, "zh-TW": tw, "ja": ja, "ko": ko}
    return Recipe(make.__name__, make, {lang: count for lang, count in counts.items() if count})


RECIPES = (
    _recipe(copies.exact, en=3, zh=2, tw=1, ja=1, ko=1),
    _recipe(copies.markup, en=3, zh=2, tw=1, ja=1),
    _recipe(copies.reprint, en=5, zh=4, tw=2, ja=1, ko=1),
    _recipe(copies.edited, en=3, zh=3, tw=1, ja=1, ko=1),
    _recipe(copies.added, en=4, zh=3, tw=1, ko=1),
    _recipe(copies.dropped, en=4, zh=3, tw=1, ja=1),
    _recipe(copies.reordered, en=3, zh=3, tw=1),
    _recipe(copies.charset, en=2, zh=3, tw=2, ja=1, ko=1),
    _recipe(copies.wrong_charset, en=1, zh=2, tw=1, ja=1, ko=1),
    _recipe(copies.cut, en=2, zh=2, tw=1),
    _recipe(copies.broken, en=2, zh=1, tw=1),
    _recipe(copies.repost, en=3, zh=2, tw=1),
    _recipe(copies.scattered, en=1, zh=1, tw=1),
    _recipe(rivals.translation, en=3, zh=3, tw=0),
    _recipe(rivals.index_pages, en=2, zh=1, tw=1),
    _recipe(rivals.notice, en=2, zh=1, tw=1),
    _recipe(rivals.same_ending, en=2, zh=2, tw=1),
    _recipe(rivals.same_topic, en=3, zh=3, tw=1),
    _recipe(rivals.excerpt, en=2, zh=2, tw=1),
    _recipe(rivals.chain, en=2, zh=2, tw=1),
    _recipe(rivals.long_chain, en=1, zh=1, tw=0),
    _recipe(rivals.single, en=9, zh=8, tw=4, ja=2, ko=2),
    _recipe(rivals.empty, en=2, zh=0, tw=0),
    _recipe(rivals.blank, en=2, zh=0, tw=0),
    _recipe(rivals.no_text, en=2, zh=1, tw=0),
    _recipe(rivals.undecodable, en=2, zh=0, tw=0),
)

USUAL_PAGES = 400
"""About what the counts above come to."""


def make_book(seed: int, pages: int | None = None) -> Book:
    """All families of the sample. Each draws from a generator of its own, seeded by its name.

    Args:
        seed: the same seed makes the same book.
        pages: about this many instead of the usual number; no kind goes missing, however few.
    """
    scale = 1.0 if pages is None else pages / USUAL_PAGES
    book = Book()
    for recipe in RECIPES:
        for lang, count in recipe.count.items():
            for number in range(1, max(1, round(count * scale)) + 1):
                name = f"{recipe.name}-{lang.lower()}-{number}"
                recipe.make(Family(book, name, lang, Random(f"{seed}/{name}")))
    return book

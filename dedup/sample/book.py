"""The pages and the truth while they are being made: a book of families."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from random import Random

from dedup.sample.article import Article, compose
from dedup.sample.damage import encoded
from dedup.sample.layouts import LAYOUTS, Layout
from dedup.sample.render import Document, document, render

YEAR_START = int(datetime(2025, 1, 1, tzinfo=UTC).timestamp())
YEAR_SECONDS = 365 * 24 * 3600
"""Every page was modified at a second of its own in 2025."""

MOMENTS = 16
"""Pages a family can have."""


@dataclass(frozen=True)
class Page:
    """One page of the sample.

    Attributes:
        path: relative to the folder of pages.
        charset: Python codec that reads ``data``; empty where none does.
        fate: ``page``, or ``quarantine:`` and the reason.
        modified: seconds since 1970.
        text: what it says, None where it says nothing.
        markup: the page before it was encoded.
    """

    path: str
    layout: Layout
    lang: str
    charset: str
    family: str
    kind: str
    fate: str
    data: bytes
    modified: int
    text: Document | None
    markup: str


@dataclass(frozen=True)
class Pair:
    """A judged pair; ``a`` sorts before ``b``."""

    a: str
    b: str
    relation: str
    duplicate: bool


class Book:
    """All pages and pairs so far, and the names and times that are taken."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.pairs: list[Pair] = []
        self._taken: set[int] = set()

    def fresh(self, draw: Callable[[], int]) -> int:
        """A number that no other page has."""
        value = draw()
        while value in self._taken:
            value = draw()
        self._taken.add(value)
        return value

    def judge(self, a: Page, b: Page, relation: str, duplicate: bool) -> None:
        """Add a row of truth."""
        first, second = sorted((a.path, b.path))
        self.pairs.append(Pair(first, second, relation, duplicate))


class Family:
    """Pages that were made from one article, or to be told apart from each other.

    Attributes:
        rng: this family's own, so that another number of other families changes nothing here.
        sites: the sites in this family's order.
    """

    def __init__(self, book: Book, name: str, lang: str, rng: Random) -> None:
        self.book, self.name, self.lang, self.rng = book, name, lang, rng
        self.sites = rng.sample(LAYOUTS, len(LAYOUTS))
        self.pages: list[Page] = []
        draw = partial(rng.randrange, YEAR_START, YEAR_START + YEAR_SECONDS)
        self._moments = [book.fresh(draw) for _ in range(MOMENTS)]
        # The page that was first made is the oldest in half of the families, the newest in a quarter.
        turn = rng.randrange(4)
        if turn < 3:
            self._moments.sort(reverse=turn < 2)

    def sibling(self) -> Family:
        """Another family, to be told apart from this one."""
        return Family(self.book, f"{self.name}-b", self.lang, self.rng)

    def article(self, shortest: int = 26, longest: int = 36) -> Article:
        """A new article in the family's language."""
        return compose(self.rng, self.lang, shortest, longest)

    def page(self, kind: str, text: Article | Document, layout: Layout) -> Page:
        """A site serves a text."""
        said = document(text) if isinstance(text, Article) else text
        moment = self._moments.pop()
        markup = render(said, layout, self.rng, f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}")
        return self._add(kind, layout, said, moment, encoded(markup, "utf-8"), "utf-8", markup)

    def again(
        self,
        kind: str,
        page: Page,
        markup: str | None = None,
        charset: str = "utf-8",
        declared: str | None = None,
        site: Layout | None = None,
    ) -> Page:
        """A page comes once more under another address, byte for byte unless something is changed.

        Args:
            kind: of the new page.
            page: the page that was there.
            markup: other markup.
            charset: of the new page.
            declared: charset that it wrongly declares.
            site: where it is, if not on the same site.
        """
        markup = page.markup if markup is None else markup
        data = encoded(markup, charset, declared)
        moment = self._moments.pop()
        return self._add(kind, site or page.layout, page.text, moment, data, charset, markup)

    def odd(self, kind: str, data: bytes, fate: str, charset: str = "utf-8") -> Page:
        """A page without text."""
        return self._add(kind, self.sites[0], None, self._moments.pop(), data, charset, fate=fate)

    def alike(self) -> None:
        """All pages of the family are duplicates; the relation says what happened to the two."""
        for a, b in combinations(self.pages, 2):
            changes = sorted({a.kind, b.kind} - {"original"})
            self.book.judge(a, b, "+".join(changes), True)

    def apart(self, relation: str) -> None:
        """No two pages of the family are duplicates."""
        for a, b in combinations(self.pages, 2):
            self.book.judge(a, b, relation, False)

    def _add(
        self,
        kind: str,
        layout: Layout,
        text: Document | None,
        modified: int,
        data: bytes,
        charset: str,
        markup: str = "",
        fate: str = "page",
    ) -> Page:
        date = datetime.fromtimestamp(modified, UTC)
        number = self.book.fresh(partial(self.rng.randrange, 10_000, 1_000_000))
        lang = text.lang if text else self.lang
        path = layout.path.format(lang=lang.lower(), year=date.year, month=date.month, number=number)
        page = Page(
            f"{layout.site}/{path}",
            layout,
            lang,
            charset,
            self.name,
            kind,
            fate,
            data,
            modified,
            text,
            markup,
        )
        self.book.pages.append(page)
        self.pages.append(page)
        return page

"""Families whose pages are duplicates of each other, whatever was done to them on the way."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dedup.sample import damage, variants
from dedup.sample.article import Article
from dedup.sample.book import Family, Page
from dedup.sample.chrome import CHROME
from dedup.sample.layouts import LAYOUTS
from dedup.sample.render import document

HOME_CHARSETS = {
    "en": ("cp1252", "utf-16-le", "utf-8-sig"),
    "zh": ("gb18030", "utf-16-be", "utf-8-sig"),
    "zh-TW": ("big5", "utf-16-le", "utf-8-sig"),
    "ja": ("shift_jis", "euc_jp", "utf-16-be"),
    "ko": ("euc_kr", "utf-8-sig"),
}
WRONG_CHARSETS = {
    "en": ("utf-16", "iso-8859-1"),
    "zh": ("gb2312", "iso-8859-1"),
    "zh-TW": ("big5", "iso-8859-1"),
    "ja": ("shift_jis",),
    "ko": ("euc-kr",),
}
"""What pages in UTF-8 declare when their server was moved and nobody looked."""


def exact(family: Family) -> None:
    """Byte for byte the same page under another address, and on a mirror."""
    page = _original(family)
    family.again("exact", page)
    if family.rng.random() < 0.5:
        family.again("exact", page, site=family.sites[1])
    family.alike()


def markup(family: Family) -> None:
    """The same visible text in other attributes, scripts and comments."""
    page = _original(family)
    for _ in range(2):
        family.again("markup", page, damage.dressed(page.markup, family.rng))
    family.alike()


def reprint(family: Family) -> None:
    """One article on three or four sites, each with its own layout, menu and footer."""
    article = family.article(32, 42)
    family.page("original", article, family.sites[0])
    for site in family.sites[1 : family.rng.randint(3, 4)]:
        family.page("reprint", article, site)
    family.alike()


def edited(family: Family) -> None:
    """One sentence is corrected; then another site takes over the corrected article."""
    article = family.article()
    later = variants.edited(article, family.rng)
    family.page("original", article, family.sites[0])
    family.page("edited", later, family.sites[0])
    family.page("edited", variants.edited(later, family.rng), family.sites[1])
    family.alike()


def added(family: Family) -> None:
    """One paragraph is new."""
    _revised(family, "added", variants.added)


def dropped(family: Family) -> None:
    """One paragraph is gone."""
    _revised(family, "dropped", variants.dropped)


def reordered(family: Family) -> None:
    """The paragraphs stand in another order."""
    _revised(family, "reordered", variants.reordered)


def scattered(family: Family) -> None:
    """A reader sees one text in which every third sentence has another word or number."""
    article = family.article()
    family.page("original", article, family.sites[0])
    family.page("scattered", variants.scattered(article, family.rng), family.sites[0])
    family.alike()


def charset(family: Family) -> None:
    """The same page in the charsets of its language."""
    page = _original(family)
    for codec in HOME_CHARSETS[family.lang]:
        family.again("charset", page, charset=codec)
    family.alike()


def wrong_charset(family: Family) -> None:
    """The same page in UTF-8, declaring something else."""
    page = _original(family)
    for label in WRONG_CHARSETS[family.lang]:
        family.again("wrong_charset", page, declared=label)
    family.alike()


def cut(family: Family) -> None:
    """The last tenth of the article and all that follows it did not arrive."""
    page = _original(family)
    family.again("cut", page, damage.cut(page.markup))
    family.alike()


def broken(family: Family) -> None:
    """The same text in HTML that browsers have to repair, once for each kind of damage."""
    # Every kind of damage needs a layout that has what it breaks.
    sections, lists = LAYOUTS[0], LAYOUTS[4]
    page = family.page("original", family.article(), family.rng.choice((sections, lists)))
    family.again("unclosed", page, damage.unclosed(page.markup))
    family.again("misnested", page, damage.misnested(page.markup))
    family.again("headless", page, damage.headless(page.markup))
    family.again("stray", page, damage.stray(page.markup))
    family.again("nul", page, damage.nuls(page.markup, family.rng))
    family.alike()


def repost(family: Family) -> None:
    """A classified advertisement comes again with another telephone number and date."""
    square, forum = LAYOUTS[6], LAYOUTS[7]
    text = document(family.article(16, 24))
    for kind, site in (("original", square), ("repost", square), ("repost", forum)):
        contact = CHROME[family.lang].contact.format(
            phone=f"555-{family.rng.randint(100, 9999):04}",
            day=family.rng.randint(1, 28),
            month=family.rng.randint(1, 12),
        )
        family.page(kind, text.plus(contact), site)
    family.alike()


def _original(family: Family) -> Page:
    return family.page("original", family.article(), family.sites[0])


def _revised(family: Family, kind: str, change: Callable[[Article, Random], Article]) -> None:
    """The article, its revision on the same site, and the revision on another site."""
    article = family.article()
    later = change(article, family.rng)
    family.page("original", article, family.sites[0])
    family.page(kind, later, family.sites[0])
    if family.rng.random() < 0.5:
        family.page(kind, later, family.sites[1])
    family.alike()

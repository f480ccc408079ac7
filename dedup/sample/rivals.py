"""Families whose pages look alike to a machine and differ to a reader, and pages without text."""

from __future__ import annotations

from itertools import combinations

from dedup.sample.article import Article, compose, paragraph
from dedup.sample.book import Family
from dedup.sample.chrome import CHROME
from dedup.sample.render import document, index
from dedup.sample.variants import drifted, translated, truncated, with_boilerplate

OTHER_LANGUAGE = {"en": "zh", "zh": "en"}

CHAIN_SENTENCES = 39
CHAIN_STEP = 5
"""New sentences a step: neighbours have seven eighths in common, pages two steps apart three quarters."""


def single(family: Family) -> None:
    """A page that no other page resembles."""
    family.page("single", family.article(6, 36), family.sites[0])


def translation(family: Family) -> None:
    """An article, its translation, and a reprint of either: only the reprint is a duplicate."""
    article = family.article()
    other = translated(article, OTHER_LANGUAGE[family.lang])
    first = family.page("original", article, family.sites[0])
    second = family.page("translation", other, family.sites[family.rng.randrange(2)])
    third = family.page("reprint", article, family.sites[2])
    family.book.judge(first, second, "translation", False)
    family.book.judge(second, third, "translation", False)
    family.book.judge(first, third, "reprint", True)


def index_pages(family: Family) -> None:
    """Sheets of one archive: the same frame around other titles."""
    first = family.rng.randrange(1, 400)
    for number in range(first, first + 4):
        size = family.rng.randint(18, 24)
        family.page("index", index(family.rng, family.lang, number, size), family.sites[0])
    family.apart("index")


def notice(family: Family) -> None:
    """Short articles on one site: menu and footer are a good part of what they say."""
    for _ in range(4):
        family.page("notice", family.article(2, 4), family.sites[0])
    family.apart("same_layout")


def same_ending(family: Family) -> None:
    """Different articles that end with the same paragraph about the publisher."""
    ending = paragraph(family.rng, family.lang, {}, 8)
    for _ in range(3):
        family.page("same_ending", with_boilerplate(family.article(6, 9), ending), family.sites[0])
    family.apart("same_ending")


def same_topic(family: Family) -> None:
    """Two articles of two families about one matter, in the words that belong to it."""
    article = family.article(20, 30)
    rival = family.sibling()
    other = compose(family.rng, family.lang, 20, 30, dict(article.about))
    first = family.page("same_topic", article, family.sites[0])
    second = rival.page("same_topic", other, family.sites[0])
    family.book.judge(first, second, "same_topic", False)


def excerpt(family: Family) -> None:
    """The first third of an article, and a word to those who want the rest."""
    article = family.article()
    family.page("original", article, family.sites[0])
    opening = document(truncated(article, 0.33)).plus(CHROME[family.lang].more)
    family.page("excerpt", opening, family.rng.choice(family.sites[:2]))
    family.apart("excerpt")


def chain(family: Family) -> None:
    """A report that is rewritten step by step: each page resembles the last one, the ends do not."""
    _chain(family, family.article(CHAIN_SENTENCES, CHAIN_SENTENCES), 3)


def long_chain(family: Family) -> None:
    """Five steps of the same, after which hardly a sentence is left."""
    _chain(family, family.article(CHAIN_SENTENCES, CHAIN_SENTENCES), 5)


def empty(family: Family) -> None:
    """A file without a byte."""
    family.odd("empty", b"", "quarantine:no_content")


def blank(family: Family) -> None:
    """Nothing but white space."""
    space = "".join(family.rng.choice(" \t\r\n") for _ in range(family.rng.randint(1, 400)))
    family.odd("blank", space.encode(), "quarantine:no_content")


def no_text(family: Family) -> None:
    """Markup around nothing: an image, a script, and no word to compare."""
    number = family.rng.randrange(10**6)
    family.odd(
        "no_text",
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title></title></head><body><div>'
        f'<img src="/{number}.jpg" alt=""></div><script>show({number});</script></body></html>\n'.encode(),
        "page",
    )


def undecodable(family: Family) -> None:
    """Bytes that are no text in any charset, as when an image was saved under the wrong name."""
    # The first bytes must not be a byte order mark, nor every other byte NUL as in UTF-16.
    noise = bytes(family.rng.choice(b"\x00\x01\x02\x81\x8d\x8f\xfe\xff\x1b\x7f") for _ in range(3000))
    family.odd("undecodable", b"\x00\x81" + noise, "quarantine:undecodable", charset="")


def _chain(family: Family, article: Article, steps: int) -> None:
    order = family.rng.sample(range(article.size), article.size)
    for step in range(steps):
        if step:
            changed = set(order[(step - 1) * CHAIN_STEP : step * CHAIN_STEP])
            article = drifted(article, family.rng, changed)
        family.page("chain", article, family.sites[0])
    for (i, a), (j, b) in combinations(enumerate(family.pages), 2):
        near = j - i == 1
        family.book.judge(a, b, "chain_step" if near else "chain_ends", near)

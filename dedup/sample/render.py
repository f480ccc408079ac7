"""From an article to the markup of a page on one of the sites."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from random import Random

from dedup.sample.article import Article, compose
from dedup.sample.chrome import CHROME, Chrome
from dedup.sample.layouts import LAYOUTS, Layout


@dataclass(frozen=True)
class Document:
    """What a page says, before any layout.

    Attributes:
        lang: language of the menus too.
        title: heading and, with the site's name, page title.
        paragraphs: plain text.
        linked: the paragraphs are links, as on an index page.
    """

    lang: str
    title: str
    paragraphs: tuple[str, ...]
    linked: bool = False

    @property
    def chrome(self) -> Chrome:
        return CHROME[self.lang]

    def plus(self, *paragraphs: str) -> Document:
        """The same with more paragraphs at the end."""
        return replace(self, paragraphs=self.paragraphs + paragraphs)


def document(article: Article) -> Document:
    """An article as text."""
    joint = article.grammar.joint
    return Document(article.lang, article.title, tuple(map(joint.join, article.sentences)))


def index(rng: Random, lang: str, number: int, size: int) -> Document:
    """A list of titles of articles that nobody else mentions."""
    titles = tuple(compose(rng, lang, 1, 1).title for _ in range(size))
    return Document(lang, CHROME[lang].archive.format(number=number), titles, linked=True)


def render(text: Document, layout: Layout, rng: Random, date: str) -> str:
    """The page as the site serves it, still declaring UTF-8.

    Args:
        text: what the page says.
        layout: the site.
        rng: for what differs between two visits to one page: advertisement, latest links, tracker.
        date: as printed on the page.
    """
    number = LAYOUTS.index(layout)
    chrome = text.chrome
    menu = (
        layout.item.format(href=f"/{text.lang}/{place}", label=label)
        for place, label in enumerate(chrome.labels(number, layout.items))
    )
    latest = (
        layout.latest.format(href=f"/{text.lang}/{rng.randrange(10**6)}", label=escape(title))
        for title in (compose(rng, text.lang, 1, 1).title for _ in range(2))
    )
    return layout.page.substitute(
        lang=text.lang,
        charset="utf-8",
        site=layout.name,
        title=escape(text.title),
        menu=layout.between.join(menu),
        published=chrome.published,
        date=date,
        body="".join(
            layout.paragraph.format(text=_linked(paragraph, rng) if text.linked else escape(paragraph))
            for paragraph in text.paragraphs
        ),
        latest_head=chrome.latest,
        latest="".join(latest) if layout.latest else "",
        ad=rng.choice(chrome.ads),
        footer=chrome.footers[number % len(chrome.footers)].format(site=layout.name),
        tracker=f"{rng.getrandbits(40):010x}",
    )


def _linked(text: str, rng: Random) -> str:
    return f'<a href="/{rng.randrange(10**6)}">{escape(text)}</a>'

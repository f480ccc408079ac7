"""Kinds of sites on which a page cleaner goes wrong easily: what stays, and what goes.

Pages are made of words drawn at random, signed as by default, and walked by the serial reference, so what is tested is
what signatures remember; that the job's result is the serial one is tested elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from dedup.detectors import TagTree
from dedup.text.documents import Reader
from tests.serial import Page, WeightedJaccard, deduplicate

SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "ai", "or", "en")]
RULE = WeightedJaccard(str(float(TagTree().rule.threshold)))  # type: ignore[attr-defined]

Site = dict[str, str]
"""Pages by name; one called ``x again`` is a copy of ``x`` and must go, all others must stay."""


class Writer:
    """Words, paragraphs and menus."""

    def __init__(self) -> None:
        self.chance = random.Random(7)

    def words(self, number: int) -> str:
        return " ".join("".join(self.chance.choices(SYLLABLES, k=self.chance.choice((2, 3, 4)))) for _ in range(number))

    def letters(self, first: str, last: str, number: int) -> str:
        return "".join(chr(self.chance.randint(ord(first), ord(last))) for _ in range(number))

    def text(self, paragraphs: int, words: int = 50) -> str:
        return "".join(f"<p>{self.words(words)}.</p>" for _ in range(paragraphs))

    def menu(self, links: int, around: str) -> str:
        return around.format("\n".join(f"<li><a href=/x>{self.words(2)}</a></li>" for _ in range(links)))

    def edited(self, text: str, *places: int) -> str:
        words = text.split(" ")
        return " ".join(self.words(1) if place in places else word for place, word in enumerate(words))


def page(title: str, body: str) -> str:
    return f"<!DOCTYPE html><title>{title}</title><body><h1>{title}</h1>{body}"


def menus(around: str) -> Callable[[Writer], Site]:
    """Different pages under a long menu; a page again under its next section's."""

    def site(w: Writer) -> Site:
        menu, section = w.menu(200, around), w.menu(25, around)
        pages = {f"{n}": page(w.words(4), menu + w.text(2, 30)) for n in range(6)}
        title, text = w.words(4), w.text(2, 60)
        moved = {"moved": page(title, section + text), "moved again": page(title, w.menu(30, around) + text)}
        return pages | moved

    return site


def other_site(w: Writer) -> Site:
    """The same articles under another name and other furniture."""
    left, right, footer = w.menu(40, "<nav>{}</nav>"), w.menu(45, "<ul>{}</ul>"), f"<footer>{w.words(70)}</footer>"
    made = {}
    for n in range(6):
        title, text = w.words(4), w.text(4)
        made[f"{n}"] = page(f"{title} - Alpha", left + text + footer)
        made[f"{n} again"] = page(f"{title} | Beta", right + text + f"<p>{w.words(12)}</p>")
    return made


def edits(w: Writer) -> Site:
    """A few words in one long run, in Chinese clauses, and numbers of sections."""
    run, title = w.words(400), w.words(4)
    clauses = [w.letters("一", "十", w.chance.randint(8, 16)) for _ in range(60)]
    other = [w.letters("一", "十", 1) + c[1:] if n % 20 == 10 else c for n, c in enumerate(clauses)]
    sections = [f"{w.words(12)}, see Section {{}}.{n}." for n in range(14)]
    return {
        "run": page(title, f"<p>{run}"),
        "run again": page(title, f"<p>{w.edited(run, 50, 200, 350)}"),
        "han": page("一二三", f"<p>{'，'.join(clauses)}。"),
        "han again": page("一二三", f"<p>{'，'.join(other)}。"),
        "sections": page(title, "<p>" + " ".join(told.format(7) for told in sections)),
        "sections again": page(
            title, "<p>" + " ".join(told.format(7 + (n % 6 == 1)) for n, told in enumerate(sections))
        ),
    }


def scripts(w: Writer) -> Site:
    """Sentences that end otherwise than in English; two words less."""
    made = {}
    for name, first, last, stop in (("hindi", "क", "ह", "।"), ("urdu", "ا", "ي", "۔"), ("thai", "ก", "ฮ", " ")):
        words = [w.letters(first, last, w.chance.randint(2, 6)) for _ in range(300)]
        less = [*words[:80], *words[81:160], *words[161:]]
        for end, held in (("", words), (" again", less)):
            text = " ".join(word + stop if n % 9 == 0 else word for n, word in enumerate(held))
            made[name + end] = page(words[0], f"<p>{text}")
    return made


def marks(w: Writer) -> Site:
    """Soft hyphens, zero-width spaces, quotes, and links that touch what follows."""
    title, text = w.words(4), w.text(4)
    entries = [(w.words(2), w.words(12)) for _ in range(25)]

    def listing(gap: str) -> str:
        return "".join(f"<dl><dt><a href=#>[docs]</a>{gap}{name}</dt><dd>{said}</dd></dl>" for name, said in entries)

    return {
        "plain": page(title, text),
        "soft hyphens again": page(title, text.replace("ai", "a\u00adi").replace("or", "o\u00adr")),
        "zero width again": page(title, text.replace("en", "e\u200bn")),
        "shouted again": page(title.upper(), text.upper().replace(" ", "  –  ")),
        "links": page("Links", listing("")),
        "links again": page("Links", listing(" ")),
    }


def little(w: Writer) -> Site:
    """Hardly any text of their own, quotations of a line, products of one template: nobody's copies."""
    menu, footer = w.menu(25, "<nav>{}</nav>"), f"<footer>{w.words(70)}</footer>"
    made = {f"item {n}": page(f"Item {n}", f"{menu}<p>{w.words(1)} {n}</p>{footer}") for n in range(5)}
    made |= {f"quote {n}": page(w.letters("一", "十", 6), f"<p>{w.letters('一', '十', 34)}。") for n in range(5)}
    for n in range(5):
        features = "".join(f"<li>{w.words(10)}</li>" for _ in range(4))
        table = f"<table><tr><th>Price</th><td>{w.chance.randint(100, 9999)}</table>"
        made[f"product {n}"] = page(w.words(2), f"{menu}{table}<ul>{features}</ul>{footer}")
    return made


def listings(w: Writer) -> Site:
    """Pages of a catalogue: the same few words around many other links."""
    frame = f"<p>{w.words(30)}</p>{{}}<p>{w.words(10)}</p>"
    return {f"{n}": page("Catalogue", frame.format(w.menu(200, "<ul>{}</ul>"))) for n in range(5)}


def again_and_again(w: Writer) -> Site:
    """A sign-in page answered at many urls, and articles beside a teaser that rotates."""
    menu, wall = w.menu(25, "<nav>{}</nav>"), w.text(3)
    made = {f"real {n}": page(w.words(4), menu + w.text(3)) for n in range(5)}
    made["wall"] = page("Sign in", menu + wall)
    for n in range(5):
        made[f"wall {n} again"] = page("Sign in", f"{menu}{wall}<p>Return to /account/{n}</p>")
    title, text = w.words(4), w.text(3, 80)
    for end in ("", " 1 again", " 2 again"):
        made[f"article{end}"] = page(title, f"<div>{w.words(30)}.</div>{text}{menu}")
    return made


KINDS: dict[str, Callable[[Writer], Site]] = {
    "menu in nav": menus("<nav><ul>{}</ul></nav>"),
    "menu in a list": menus("<ul>{}</ul>"),
    "menu in a table": menus("<table><tr><td>{}</table>"),
    "other site": other_site,
    "edits": edits,
    "scripts": scripts,
    "marks": marks,
    "little": little,
    "listings": listings,
    "again and again": again_and_again,
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_stays_and_what_goes(kind: str) -> None:
    site = KINDS[kind](Writer())
    pages = []
    for place, (name, html) in enumerate(site.items()):
        document = Reader().read_one(html.encode())
        row = TagTree().sign(document).to_pylist()[0]
        digest = document["content_digest"][0].as_py()
        pages.append(Page(name, (place,), tuple(row["fingerprints"]), tuple(row["weights"]), digest, "site"))
    removed = {name: keeper for name, (keeper, _) in deduplicate(pages, RULE).keepers.items()}
    assert removed.keys() == {name for name in site if name.endswith(" again")}

"""Sentences from slots: a small generator that keeps choices, so that sentences can be edited or translated.

A sentence is kept as *which* opener, core, tail and words were drawn, not as text. To edit it is to draw
one slot again; to translate it is to render the same choices with a grammar of the same shape in another
language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

SLOT = re.compile(r"\{([a-z]+)(\d?)\}")
NUMBERS = {"num": (11, 9899), "pct": (3, 97), "year": (1951, 2005), "month": (1, 12), "day": (1, 28)}
"""Slots that are filled by a number in a range and not by a word."""

ABOUT = ("place", "kind", "thing")
"""Slots that an article draws once and then prefers, so that its sentences speak of one matter."""


@dataclass(frozen=True)
class Sentence:
    """One sentence as choices; ``fill`` holds (slot, number or word index) in order of first appearance."""

    opener: int
    core: int
    tail: int
    fill: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Grammar:
    """The words and frames of one language.

    Attributes:
        words: slot name → words that may stand there.
        joint: what stands between two sentences of a paragraph.
        titles: frames of headlines; they use the same slots.
    """

    lang: str
    joint: str
    openers: tuple[str, ...]
    cores: tuple[str, ...]
    tails: tuple[str, ...]
    titles: tuple[str, ...]
    stop: str
    words: Mapping[str, tuple[str, ...]]

    @cached_property
    def shape(self) -> tuple[object, ...]:
        """Equal shapes mean that the choices of one grammar can be rendered by the other."""
        frames = (self.openers, self.cores, self.tails, self.titles)
        slots = tuple(tuple(frozenset(found(text)) for text in group) for group in frames)
        return slots, tuple(sorted((name, len(words)) for name, words in self.words.items()))

    def draw(self, rng: Random, about: Mapping[str, int]) -> Sentence:
        opener, core, tail = (rng.randrange(len(group)) for group in (self.openers, self.cores, self.tails))
        slots = found(self.openers[opener] + self.cores[core] + self.tails[tail])
        fill: dict[str, int] = {}
        for slot in slots:
            fill[slot] = self.pick(rng, slot, about)
            # "the cook and the cook disagreed": one word stands once in a sentence.
            while fill[slot] in (value for other, value in fill.items() if other != slot and same(other, slot)):
                fill[slot] = self.pick(rng, slot, {})
        return Sentence(opener, core, tail, tuple(fill.items()))

    def pick(self, rng: Random, slot: str, about: Mapping[str, int]) -> int:
        name = slot.rstrip("0123456789")
        if name in NUMBERS:
            return rng.randint(*NUMBERS[name])
        if slot in about and rng.random() < 0.5:
            return about[slot]
        return rng.randrange(len(self.words[name]))

    def edit(self, rng: Random, sentence: Sentence) -> Sentence:
        """Draw one slot again, never to the same word; this is what an editor's correction looks like."""
        at = rng.randrange(len(sentence.fill))
        slot, old = sentence.fill[at]
        new = old
        while new == old:
            new = self.pick(rng, slot, {})
        return replace(sentence, fill=(*sentence.fill[:at], (slot, new), *sentence.fill[at + 1 :]))

    def say(self, sentence: Sentence) -> str:
        frame = self.openers[sentence.opener] + self.cores[sentence.core] + self.tails[sentence.tail]
        return _capital(self.fill(frame, dict(sentence.fill)) + self.stop)

    def title(self, frame: int, fill: Mapping[str, int]) -> str:
        return _capital(self.fill(self.titles[frame], fill))

    def fill(self, frame: str, values: Mapping[str, int]) -> str:
        def word(match: re.Match[str]) -> str:
            name, value = match[1], values[match[1] + match[2]]
            return str(value) if name in NUMBERS else self.words[name][value]

        return SLOT.sub(word, frame)


def found(frame: str) -> tuple[str, ...]:
    """The slots of a frame, each once, sorted: drawing must not depend on a language's word order."""
    return tuple(sorted({name + digit for name, digit in SLOT.findall(frame)}))


def same(slot: str, other: str) -> bool:
    """Whether two slots are filled from one list."""
    return slot.rstrip("0123456789") == other.rstrip("0123456789")


def entries(text: str) -> tuple[str, ...]:
    """A word list from its source form, where a slash stands between entries and line ends mean nothing."""
    return tuple(" ".join(entry.split()) for entry in text.split("/"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

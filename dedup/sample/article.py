"""An article: a title and paragraphs of sentences, still as choices; and its text in a language."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dedup.sample.grammar import ABOUT, Grammar, Sentence, found
from dedup.sample.grammar_en import ENGLISH
from dedup.sample.grammar_ja import JAPANESE
from dedup.sample.grammar_ko import KOREAN
from dedup.sample.grammar_zh import CHINESE
from dedup.sample.grammar_zhtw import TAIWANESE

GRAMMARS = {grammar.lang: grammar for grammar in (ENGLISH, CHINESE, TAIWANESE, JAPANESE, KOREAN)}

Paragraph = tuple[Sentence, ...]


@dataclass(frozen=True)
class Article:
    """Attributes:
    heading: frame of the title and what fills it.
    about: the words that the article keeps coming back to.
    """

    lang: str
    heading: tuple[int, tuple[tuple[str, int], ...]]
    about: tuple[tuple[str, int], ...]
    paragraphs: tuple[Paragraph, ...]

    @property
    def grammar(self) -> Grammar:
        return GRAMMARS[self.lang]

    @property
    def size(self) -> int:
        return sum(map(len, self.paragraphs))

    @property
    def title(self) -> str:
        return self.grammar.title(self.heading[0], dict(self.heading[1]))

    @property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The text: sentences in paragraphs."""
        return tuple(tuple(map(self.grammar.say, paragraph)) for paragraph in self.paragraphs)


def compose(
    rng: Random, lang: str, shortest: int = 9, longest: int = 25, about: dict[str, int] | None = None
) -> Article:
    """A new article of that many sentences, in paragraphs of three or four (two are enough in English).

    Args:
        rng: draws everything.
        lang: key of GRAMMARS.
        shortest: fewest sentences.
        longest: most sentences.
        about: what it speaks of, as of :attr:`Article.about`; drawn if not given.
    """
    grammar = GRAMMARS[lang]
    about = about or {slot: rng.randrange(len(grammar.words[slot])) for slot in ABOUT}
    frame = rng.randrange(len(grammar.titles))
    fill = {slot: grammar.pick(rng, slot, {}) for slot in found(grammar.titles[frame])} | about
    # East Asian sentences are short in characters; paragraphs should be longer than one block all the same.
    fewest = 2 if lang == "en" else 3
    left = rng.randint(shortest, longest)
    paragraphs: list[Paragraph] = []
    while left > 0:
        paragraphs.append(paragraph(rng, lang, about, min(left, rng.randint(fewest, 4))))
        left -= len(paragraphs[-1])
    heading = (frame, tuple(sorted(fill.items())))
    return Article(lang, heading, tuple(sorted(about.items())), tuple(paragraphs))


def paragraph(rng: Random, lang: str, about: dict[str, int], sentences: int) -> Paragraph:
    return tuple(GRAMMARS[lang].draw(rng, about) for _ in range(sentences))

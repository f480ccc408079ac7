"""What happens to an article on its way through the web: corrections, additions, cuts, moved paragraphs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from dedup.sample.article import Article, Paragraph, paragraph


def edited(article: Article, rng: Random, sentences: int = 1) -> Article:
    """That many sentences get one word or number changed."""
    places = [(p, s) for p, group in enumerate(article.paragraphs) for s in range(len(group))]
    chosen = set(rng.sample(places, min(sentences, len(places))))
    return _with(
        article,
        tuple(
            tuple(
                article.grammar.edit(rng, sentence) if (p, s) in chosen else sentence
                for s, sentence in enumerate(group)
            )
            for p, group in enumerate(article.paragraphs)
        ),
    )


def scattered(article: Article, rng: Random) -> Article:
    """Every third sentence has one word changed: the same text to a reader, a third of it new to hashes."""
    return edited(article, rng, round(article.size / 3))


def added(article: Article, rng: Random) -> Article:
    """One new paragraph of two sentences, anywhere after the first."""
    at = rng.randint(1, len(article.paragraphs))
    new = paragraph(rng, article.lang, dict(article.about), 2)
    return _with(article, (*article.paragraphs[:at], new, *article.paragraphs[at:]))


def dropped(article: Article, rng: Random) -> Article:
    """The shortest of the paragraphs after the first is gone."""
    sizes = [len(group) for group in article.paragraphs]
    at = min(range(1, len(sizes)), key=lambda i: (sizes[i], i))
    return _with(article, article.paragraphs[:at] + article.paragraphs[at + 1 :])


def reordered(article: Article, rng: Random) -> Article:
    """The same paragraphs in another order."""
    order = list(article.paragraphs)
    while tuple(order) == article.paragraphs:
        rng.shuffle(order)
    return _with(article, tuple(order))


def drifted(article: Article, rng: Random, changed: set[int]) -> Article:
    """The sentences at the given places are written anew: a step of a chain whose ends no longer resemble."""
    numbers = iter(range(article.size))
    return _with(
        article,
        tuple(
            tuple(article.grammar.draw(rng, {}) if next(numbers) in changed else sentence for sentence in group)
            for group in article.paragraphs
        ),
    )


def truncated(article: Article, share: float) -> Article:
    """The leading paragraphs that make up about that share of the sentences."""
    kept: list[Paragraph] = []
    for group in article.paragraphs:
        if kept and sum(map(len, kept)) + len(group) > share * article.size:
            break
        kept.append(group)
    return _with(article, tuple(kept))


def with_boilerplate(article: Article, boilerplate: Paragraph) -> Article:
    """The paragraph that every article of the kind ends with."""
    return _with(article, (*article.paragraphs, boilerplate))


def translated(article: Article, lang: str) -> Article:
    """The same choices in a language whose grammar has the same shape."""
    return replace(article, lang=lang)


def _with(article: Article, paragraphs: tuple[Paragraph, ...]) -> Article:
    return replace(article, paragraphs=paragraphs)

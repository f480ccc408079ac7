"""The oracle: what the job computes, in plain Python, as a literal reading of its specification.

One page at a time, one pair at a time, sets and fractions, nothing shared with the package under test. It is
quadratic and meant to be: where it and the job disagree, this is the text to read beside the specification.

A page is remembered as a list of fingerprints; pages meet where their leading fingerprints meet; a page stays
unless a better page that stays matches it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

# ------------------------------------------------------------------------------------------- pages


@dataclass(frozen=True)
class Page:
    """A signature. ``order`` sorts the better page first; ``digest`` None means nothing to compare."""

    page_id: str
    order: tuple[Any, ...] = ()
    fingerprints: tuple[int, ...] = ()
    weights: tuple[int, ...] = ()
    digest: bytes | None = None
    site: str = ""

    @property
    def place(self) -> tuple[Any, ...]:
        """The place in keep order; total, because ``page_id`` ends it."""
        return (self.order, self.page_id)


def in_keep_order(pages: Iterable[Page]) -> list[Page]:
    """Best page first."""
    return sorted(pages, key=lambda page: page.place)


# ------------------------------------------------------------------------------------------- rules


def common(a: Page, b: Page) -> set[int]:
    """The fingerprints that both pages hold: A ∩ B."""
    return set(a.fingerprints) & set(b.fingerprints)


def sizes(a: Page, b: Page) -> tuple[int, int, int]:
    """o = |A ∩ B|, |A|, |B|."""
    return len(common(a, b)), len(a.fingerprints), len(b.fingerprints)


class Rule(ABC):
    """When two pages match. A page without fingerprints never matches anything."""

    def accepts(self, a: Page, b: Page) -> bool:
        return bool(a.fingerprints) and bool(b.fingerprints) and self.alike(a, b)

    @abstractmethod
    def alike(self, a: Page, b: Page) -> bool:
        """The rule's own condition, for two pages that have fingerprints."""

    @abstractmethod
    def score(self, a: Page, b: Page) -> float:
        """The likeness in [0, 1], for two pages that have fingerprints."""


@dataclass(frozen=True)
class Overlap(Rule):
    """o ≥ min_common."""

    min_common: int

    def alike(self, a: Page, b: Page) -> bool:
        return len(common(a, b)) >= self.min_common

    def score(self, a: Page, b: Page) -> float:
        o, m_a, m_b = sizes(a, b)
        return float(Fraction(o, max(m_a, m_b)))


@dataclass(frozen=True)
class Ratio(Rule):
    """share(a, b) ≥ threshold, both exact; the threshold is written as a decimal such as "0.7"."""

    threshold: str

    @abstractmethod
    def share(self, a: Page, b: Page) -> Fraction:
        """What the threshold is held against."""

    def alike(self, a: Page, b: Page) -> bool:
        return self.share(a, b) >= Fraction(self.threshold)

    def score(self, a: Page, b: Page) -> float:
        return float(self.share(a, b))


class Jaccard(Ratio):
    """|A ∩ B| / |A ∪ B|."""

    def share(self, a: Page, b: Page) -> Fraction:
        return Fraction(len(common(a, b)), len(set(a.fingerprints) | set(b.fingerprints)))


def weights(a: Page, b: Page) -> list[tuple[int, int]]:
    """Of each fingerprint of either page its weight in both; 0 where a page lacks it."""
    in_a, in_b = (dict(zip(page.fingerprints, page.weights, strict=True)) for page in (a, b))
    return [(in_a.get(fingerprint, 0), in_b.get(fingerprint, 0)) for fingerprint in in_a | in_b]


class WeightedJaccard(Ratio):
    """Σ min(v, w) / Σ max(v, w)."""

    def share(self, a: Page, b: Page) -> Fraction:
        both = weights(a, b)
        return Fraction(sum(map(min, both)), sum(map(max, both)))


class Dice(Ratio):
    """2o / (|A| + |B|)."""

    def share(self, a: Page, b: Page) -> Fraction:
        o, m_a, m_b = sizes(a, b)
        return Fraction(2 * o, m_a + m_b)


class Cosine(Ratio):
    """o / √(|A||B|), compared in squares: roots have no exact value."""

    def share(self, a: Page, b: Page) -> Fraction:
        o, m_a, m_b = sizes(a, b)
        return Fraction(o * o, m_a * m_b)

    def alike(self, a: Page, b: Page) -> bool:
        return self.share(a, b) >= Fraction(self.threshold) ** 2

    def score(self, a: Page, b: Page) -> float:
        return sqrt(self.share(a, b))


class WeightedCosine(Cosine):
    """Σ vw / √(Σ v² Σ w²), compared in squares."""

    def share(self, a: Page, b: Page) -> Fraction:
        both = weights(a, b)
        return Fraction(sum(v * w for v, w in both) ** 2, sum(v * v for v, _ in both) * sum(w * w for _, w in both))


class MaxRatio(Ratio):
    """o / max(|A|, |B|)."""

    def share(self, a: Page, b: Page) -> Fraction:
        o, m_a, m_b = sizes(a, b)
        return Fraction(o, max(m_a, m_b))


@dataclass(frozen=True)
class MinRatio(Ratio):
    """o / min(|A|, |B|) ≥ threshold, and o ≥ min_common."""

    min_common: int

    def share(self, a: Page, b: Page) -> Fraction:
        o, m_a, m_b = sizes(a, b)
        return Fraction(o, min(m_a, m_b))

    def alike(self, a: Page, b: Page) -> bool:
        return super().alike(a, b) and len(common(a, b)) >= self.min_common


RULES: dict[str, Callable[..., Rule]] = {
    "overlap": Overlap,
    "jaccard": Jaccard,
    "weighted_jaccard": WeightedJaccard,
    "dice": Dice,
    "cosine": Cosine,
    "weighted_cosine": WeightedCosine,
    "max": MaxRatio,
    "min": MinRatio,
}


# -------------------------------------------------------------------------------- where pages meet


@dataclass(frozen=True)
class Mode:
    """Where pages meet: "exact" and 0 everywhere; K by the first K fingerprints of their own order.

    ``variant`` says how: ``any`` of them shared, ``all`` of them equal in their order, or one that both pages
    have in the ``same_position``.
    """

    pre: int | str = "exact"
    variant: str = "any"


EXACT = Mode()


def meet(a: Page, b: Page, mode: Mode = EXACT) -> bool:
    """Whether two pages are a candidate pair."""
    if mode.pre in ("exact", 0):
        return True
    assert isinstance(mode.pre, int)
    first_a, first_b = a.fingerprints[: mode.pre], b.fingerprints[: mode.pre]
    if mode.variant == "any":
        return bool(set(first_a) & set(first_b))
    if mode.variant == "all":
        return first_a == first_b
    if mode.variant == "same_position":
        return any(x == y for x, y in zip(first_a, first_b, strict=False))
    raise ValueError(f"variant {mode.variant!r} is none of any, all, same_position")


def copies(a: Page, b: Page) -> bool:
    """Whether two pages are exact duplicates: their content digests are equal, and there are such."""
    return a.digest is not None and a.digest == b.digest


def match(a: Page, b: Page, rule: Rule, mode: Mode = EXACT) -> bool:
    """Whether two pages are exact duplicates, or a candidate pair that the rule accepts."""
    return copies(a, b) or (meet(a, b, mode) and rule.accepts(a, b))


# ------------------------------------------------------------------------------------ template blocks


@dataclass(frozen=True)
class Templates:
    """On a site of at least ``min_pages`` pages a block is template if it stands beside as many different largest
    other blocks as ``share`` of the pages are, and no fewer than ``at_least``."""

    share: str = "0.2"
    at_least: int = 5
    min_pages: int = 20

    def of(self, pages: Iterable[Page]) -> set[tuple[str, int]]:
        """The template blocks of each site; of pages that are copies of each other one is looked at."""
        sites: dict[str, list[Page]] = {}
        for page in pages:
            held = sites.setdefault(page.site, [])
            if page.site and page.fingerprints and not any(copies(page, other) for other in held):
                held.append(page)
        found: set[tuple[str, int]] = set()
        for site, held in sites.items():
            if len(held) < self.min_pages:
                continue
            others: dict[int, set[int]] = {}
            for page in held:
                heaviest = sorted(zip(page.weights, page.fingerprints, strict=True), reverse=True)
                for block in page.fingerprints:
                    beside = [fingerprint for _, fingerprint in heaviest[:2] if fingerprint != block]
                    others.setdefault(block, set()).update(beside[:1])
            needed = max(Fraction(self.at_least), Fraction(self.share) * len(held))
            found |= {(site, block) for block, seen in others.items() if len(seen) >= needed}
        return found


def bare(pages: Iterable[Page], templates: Templates) -> list[Page]:
    """Pages with the blocks that they are compared by: without those of their site's template.

    A copy is compared by its twin, so it has the blocks of that.
    """
    pages = list(pages)
    kept, twins = collapse(pages)
    found = templates.of(pages)
    stripped: dict[str, Page] = {}
    for page in kept:
        left = [(f, w) for f, w in zip(page.fingerprints, page.weights, strict=True) if (page.site, f) not in found]
        fingerprints, weights = tuple(f for f, _ in left), tuple(w for _, w in left)
        stripped[page.page_id] = replace(page, fingerprints=fingerprints, weights=weights)
    made = []
    for page in pages:
        as_compared = stripped[twins.get(page.page_id, page.page_id)]
        made.append(replace(page, fingerprints=as_compared.fingerprints, weights=as_compared.weights))
    return made


# --------------------------------------------------------------------------------------- who stays


def collapse(pages: Iterable[Page]) -> tuple[list[Page], dict[str, str]]:
    """The best page of each content, and every other page with the best one that it is a copy of."""
    kept: list[Page] = []
    removed: dict[str, str] = {}
    best: dict[bytes, Page] = {}
    for page in in_keep_order(pages):
        twin = page if page.digest is None else best.setdefault(page.digest, page)
        if twin is page:
            kept.append(page)
        else:
            removed[page.page_id] = twin.page_id
    return kept, removed


def walk(pages: Iterable[Page], rule: Rule, mode: Mode = EXACT) -> dict[str, str]:
    """Every removed page with its keeper: the best page that stays and matches it."""
    staying: list[Page] = []
    removed: dict[str, str] = {}
    for page in in_keep_order(pages):
        keeper = next((better for better in staying if match(better, page, rule, mode)), None)
        if keeper is None:
            staying.append(page)
        else:
            removed[page.page_id] = keeper.page_id
    return removed


def components(pages: Iterable[Page], rule: Rule, mode: Mode = EXACT) -> dict[str, str]:
    """Every removed page with its keeper: the best page that a chain of matches leads to."""
    removed: dict[str, str] = {}
    open_pages = in_keep_order(pages)
    while open_pages:
        best = open_pages.pop(0)
        reached = [best]
        for page in reached:  # grows while it is walked
            near = [other for other in open_pages if match(page, other, rule, mode)]
            reached += near
            open_pages = [other for other in open_pages if other not in near]
        removed.update({page.page_id: best.page_id for page in reached[1:]})
    return removed


@dataclass(frozen=True)
class Outcome:
    """Who stays, and for every removed page its keeper and the stage: ``exact`` or ``near``."""

    survivors: set[str]
    keepers: dict[str, tuple[str, str]]


def deduplicate(pages: Iterable[Page], rule: Rule, mode: Mode = EXACT, resolve: str = "walk") -> Outcome:
    """Collapse exact duplicates, then resolve what is left by ``walk`` or ``components``.

    A copy names the page that it is a copy of; where that one is removed in turn, its keeper, which matches
    the copy just as well.
    """
    pages = list(pages)
    kept, twins = collapse(pages)
    near = {"walk": walk, "components": components}[resolve](kept, rule, mode)
    keepers = {removed: (keeper, "near") for removed, keeper in near.items()}
    for copy, twin in twins.items():
        keepers[copy] = (near[twin], "near") if twin in near else (twin, "exact")
    return Outcome({page.page_id for page in pages} - set(keepers), keepers)


# -------------------------------------------------------------------------------------- guarantees


def check_guarantees(pages: Iterable[Page], outcome: Outcome, rule: Rule, mode: Mode = EXACT) -> None:
    """What every outcome of ``resolve: walk`` owes, whoever computed it.

    Raises:
        AssertionError: a guarantee is broken; the message names it and the pages.
    """
    pages = list(pages)
    by_id = {page.page_id: page for page in pages}
    assert len(by_id) == len(pages), "page ids repeat"

    accounted = sorted([*outcome.survivors, *outcome.keepers])
    assert accounted == sorted(by_id), f"pages in {sorted(by_id)}, pages accounted for {accounted}"

    for page_id, (keeper_id, stage) in outcome.keepers.items():
        page, told = by_id[page_id], f"{page_id} removed for {keeper_id} ({stage})"
        assert keeper_id in outcome.survivors, f"{told}: the keeper does not stay"
        keeper = by_id[keeper_id]
        assert keeper.place < page.place, f"{told}: the keeper is not better"
        assert copies(keeper, page) or rule.accepts(keeper, page), f"{told}: no match: {keeper}, {page}"
        assert stage == ("exact" if copies(keeper, page) else "near"), f"{told}: wrong stage"

    staying = in_keep_order(by_id[page_id] for page_id in outcome.survivors)
    for place, page in enumerate(staying):
        for better in staying[:place]:
            assert not match(better, page, rule, mode), f"both stay and match: {better}, {page}"

    again = deduplicate(staying, rule, mode)
    assert not again.keepers, f"a second run on the survivors removes {again.keepers}"

"""The similarity rules: when two signatures match, in whole numbers.

A rule judges three sizes: what two pages have in common, and what each of them has. Its ``measure`` says what a size
is made of: fingerprints counted, their weights, or products of weights. A fingerprint may weigh differently in
different pages. Each rule is said once, in operators that plain integers, numpy arrays and Spark columns all
understand, so the join condition, the comparison and the tests share one formula.

Everything that algorithms.md §4 tabulates is in four questions:

* ``accepts(common, a, b)`` is the rule.
* ``reachable(rest, a)``: could a page of size ``a`` match any page at all by its last fingerprints alone, of size
  ``rest``? Those for which it holds, counted from the front in an order common to all pages, are the page's *leading*
  ones: two pages that the rule accepts share one of them.
* ``possible(rest_a, rest_b, a, b)``: could two pages match by what is left of both from where they meet? It is the size
  filter and the positional filter: a pair that fails then can never match.
* ``indexes(rest, a)``: could a page of size ``a`` match one at least as large by its ``rest``? Only then need others
  find it, since they are found by it where they are the smaller ones.

Thresholds are fractions: 0.07 of 100 is 7, which floating point denies. Products that may pass 64 bits are compared by
:func:`at_least`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any, ClassVar

import numpy as np

MAX_DENOMINATOR = 1000  # three decimals


class Measure(Enum):
    """What the size of a page is made of, and what two pages have in common, of weights v and w for one fingerprint."""

    COUNT = "fingerprints: 1, and 1 in common"
    LEAST = "weights: w, and min(v, w) in common"
    PRODUCT = "squared weights: w * w, and v * w in common"

    def size(self, weights: Any) -> Any:
        """What fingerprints of these weights (int64 array, or long Column) add to the size of their page."""
        if self is Measure.COUNT:
            return weights * 0 + 1
        return weights if self is Measure.LEAST else weights * weights

    def common(self, one: Any, other: Any) -> Any:
        """What fingerprints held by two pages, with these weights in each (int64 arrays), add to what they share."""
        if self is Measure.COUNT:
            return np.ones_like(one)
        return np.minimum(one, other) if self is Measure.LEAST else one * other


def ratio(value: str | float | Fraction) -> Fraction:
    """A threshold in (0, 1] as an exact fraction of at most three decimals.

    Raises:
        ValueError: outside (0, 1], or with more than three decimals.
    """
    try:
        exact = value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"threshold {value!r} is not a number; write a share such as 0.7") from None
    if not 0 < exact <= 1:
        raise ValueError(f"threshold {value} is outside (0, 1]; write a share such as 0.7")
    if MAX_DENOMINATOR % exact.denominator:
        raise ValueError(f"threshold {value} has more than three decimals; write it as {max(float(exact), 0.001):.3f}")
    return exact


@dataclass(frozen=True)
class Rule(ABC):
    """When two pages are alike. ``common``, ``a``, ``b`` are sizes: int, int64 array, or long Column."""

    measure: ClassVar[Measure] = Measure.COUNT

    @abstractmethod
    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        """Whether pages of sizes ``a`` and ``b`` with ``common`` in common match."""

    @abstractmethod
    def reachable(self, rest: Any, a: Any) -> Any:
        """Whether fingerprints of size ``rest`` could be enough for a page of size ``a`` to match some page."""

    def possible(self, rest_a: Any, rest_b: Any, a: Any, b: Any) -> Any:
        """Whether pages of sizes ``a`` and ``b`` could match by their last fingerprints, of ``rest_a`` and ``rest_b``.

        Here: what two rests share is no more than either of them, whatever a fingerprint weighs in each page.
        """
        return self.accepts(rest_a, a, b) & self.accepts(rest_b, a, b)

    def indexes(self, rest: Any, a: Any) -> Any:
        """Whether a page of size ``a`` could match one at least as large by fingerprints of size ``rest``."""
        return self.accepts(rest, a, a)

    @abstractmethod
    def score(self, common: Any, a: Any, b: Any) -> Any:
        """The likeness in [0, 1]; 1 for a page with itself. Numbers or float arrays; sizes above 0."""


def at_least(left: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
    """Whether the product of ``left`` is no less than that of ``right``, where either may pass 64 bits.

    Exact for ints and int64 arrays. Of Spark columns doubles are compared with some room: a join condition may let a
    pair pass that is compared in vain, and must never lose one.
    """
    if any(hasattr(factor, "cast") for factor in (*left, *right)):
        a, b = (reduce(mul, (f.cast("double") if hasattr(f, "cast") else f for f in side)) for side in (left, right))
        return a * (1 + 1e-9) >= b
    if any(isinstance(factor, np.ndarray) for factor in (*left, *right)):
        a, b = (reduce(mul, (np.asarray(f, object) for f in side)) for side in (left, right))
        return np.asarray(a >= b, bool)
    return reduce(mul, left) >= reduce(mul, right)


def told(rule: Rule) -> str:
    """A rule in the words of the settings, such as ``weighted_jaccard, threshold 0.7``."""
    name = next((name for name, kind in RULES.items() if type(rule) is kind), type(rule).__name__)
    values = ((f.name, getattr(rule, f.name)) for f in fields(rule))
    return ", ".join([name, *(f"{n} {float(v):g}" if isinstance(v, Fraction) else f"{n} {v}" for n, v in values)])


@dataclass(frozen=True)
class Overlap(Rule):
    """At least ``min_common`` fingerprints in common (S0's s > t with min_common = t + 1)."""

    min_common: int = 4

    def __post_init__(self) -> None:
        if self.min_common < 1:
            raise ValueError(f"min_common {self.min_common} is below 1: every pair would match")

    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        return common >= self.min_common

    def reachable(self, rest: Any, a: Any) -> Any:
        return rest >= self.min_common

    def score(self, common: Any, a: Any, b: Any) -> Any:
        return common / _larger(a, b)


@dataclass(frozen=True)
class Ratio(Rule):
    """A rule with a threshold in (0, 1], given as 0.7, "0.7" or a Fraction."""

    threshold: Fraction = Fraction(7, 10)

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", ratio(self.threshold))

    @property
    def _p(self) -> int:
        return self.threshold.numerator

    @property
    def _q(self) -> int:
        return self.threshold.denominator


@dataclass(frozen=True)
class Jaccard(Ratio):
    """o / (a + b - o) >= t."""

    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        return common * (self._p + self._q) >= (a + b) * self._p

    def reachable(self, rest: Any, a: Any) -> Any:
        return rest * self._q >= a * self._p

    def score(self, common: Any, a: Any, b: Any) -> Any:
        return common / (a + b - common)


@dataclass(frozen=True)
class WeightedJaccard(Jaccard):
    """Jaccard over weighted sets: sum of min(v, w) over sum of max(v, w) >= t; what a page lacks weighs 0 there."""

    measure: ClassVar[Measure] = Measure.LEAST
    threshold: Fraction = Fraction(6, 10)


@dataclass(frozen=True)
class Dice(Ratio):
    """2o / (a + b) >= t."""

    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        return common * (2 * self._q) >= (a + b) * self._p

    def reachable(self, rest: Any, a: Any) -> Any:
        return rest * (2 * self._q - self._p) >= a * self._p

    def score(self, common: Any, a: Any, b: Any) -> Any:
        return 2 * common / (a + b)


@dataclass(frozen=True)
class Cosine(Ratio):
    """o / sqrt(ab) >= t, compared in squares."""

    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        return at_least((common, common, self._q**2), (a, b, self._p**2))

    def reachable(self, rest: Any, a: Any) -> Any:
        return at_least((rest, self._q**2), (a, self._p**2))

    def score(self, common: Any, a: Any, b: Any) -> Any:
        share = common / (a * 1.0 * b) ** 0.5  # in floating point, which does not wrap; rounding may bring it above 1
        return share - (share - 1) * (share > 1)


@dataclass(frozen=True)
class WeightedCosine(Cosine):
    """The angle of two pages' weights: the sum of v * w over the root of that of v * v times that of w * w >= t."""

    measure: ClassVar[Measure] = Measure.PRODUCT

    def possible(self, rest_a: Any, rest_b: Any, a: Any, b: Any) -> Any:
        # Cauchy and Schwarz: the product of two rests is no more than the root of their sizes' product.
        return at_least((rest_a, rest_b, self._q**2), (a, b, self._p**2))

    def indexes(self, rest: Any, a: Any) -> Any:
        return self.reachable(rest, a)  # the other page's rest may be larger than this one's


@dataclass(frozen=True)
class MaxRatio(Ratio):
    """o / max(a, b) >= t."""

    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        return (common * self._q >= a * self._p) & (common * self._q >= b * self._p)

    def reachable(self, rest: Any, a: Any) -> Any:
        return rest * self._q >= a * self._p

    def score(self, common: Any, a: Any, b: Any) -> Any:
        return common / _larger(a, b)


@dataclass(frozen=True)
class MinRatio(Ratio):
    """o / min(a, b) >= t and o >= min_common: containment, with a floor so that tiny pages match nothing."""

    min_common: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_common < 1:
            raise ValueError(f"min_common {self.min_common} is below 1; containment needs a floor")

    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        enough = (common * self._q >= a * self._p) | (common * self._q >= b * self._p)
        return enough & (common >= self.min_common)

    def reachable(self, rest: Any, a: Any) -> Any:
        # As the larger page of a pair it needs no more than the floor, so the floor decides.
        return rest >= self.min_common

    def score(self, common: Any, a: Any, b: Any) -> Any:
        return common / _smaller(a, b)


def _larger(a: Any, b: Any) -> Any:
    return (a + b + abs(a - b)) / 2


def _smaller(a: Any, b: Any) -> Any:
    return (a + b - abs(a - b)) / 2


RULES: dict[str, type[Rule]] = {
    "overlap": Overlap,
    "jaccard": Jaccard,
    "weighted_jaccard": WeightedJaccard,
    "dice": Dice,
    "cosine": Cosine,
    "weighted_cosine": WeightedCosine,
    "max": MaxRatio,
    "min": MinRatio,
}

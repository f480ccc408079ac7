"""The similarity rules: when two signatures match, in whole numbers.

A rule judges three sizes: what two pages have in common, and what each of them has (fingerprints, or their
summed weights where the rule is ``weighted``). Each rule is said once, in operators that plain integers, numpy
arrays and Spark columns all understand, so the join condition, the comparison and the tests share one formula.

Two predicates carry everything that algorithms.md §4 tabulates:

* ``accepts(common, a, b)`` is the rule. Fed with the most that two pages can still have in common, it is also
  the size filter and the positional filter: a pair that fails then can never match.
* ``reachable(rest, a)`` says whether a page of size ``a`` could match any page at all by its last ``rest``
  alone. Fingerprints for which it holds, counted from the front in an order common to all pages, are the
  page's *leading* ones: two pages that the rule accepts share one of them.

Thresholds are fractions: 0.07 of 100 is 7, which floating point denies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar

MAX_DENOMINATOR = 1000  # three decimals; keeps the squares of `cosine` inside 64 bits


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

    weighted: ClassVar[bool] = False

    @abstractmethod
    def accepts(self, common: Any, a: Any, b: Any) -> Any:
        """Whether pages of sizes ``a`` and ``b`` with ``common`` in common match."""

    @abstractmethod
    def reachable(self, rest: Any, a: Any) -> Any:
        """Whether ``rest`` in common could be enough for a page of size ``a`` to match some page."""

    @abstractmethod
    def score(self, common: Any, a: Any, b: Any) -> Any:
        """The likeness in [0, 1]; 1 for a page with itself. Numbers or float arrays; sizes above 0."""


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
    """Jaccard over the blocks' lengths: W(A and B) / W(A or B) >= t."""

    weighted: ClassVar[bool] = True


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
        return common * common * self._q**2 >= a * b * self._p**2

    def reachable(self, rest: Any, a: Any) -> Any:
        return rest * self._q**2 >= a * self._p**2

    def score(self, common: Any, a: Any, b: Any) -> Any:
        return common / (a * b) ** 0.5


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
    "max": MaxRatio,
    "min": MinRatio,
}

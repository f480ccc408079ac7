"""The one interface: what to remember of a page, where to look for its likeness, when two pages are alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pyspark.sql import DataFrame

from dedup.candidates import Candidates, keys
from dedup.rules import Rule


@dataclass(frozen=True)
class Detector(ABC):
    """One algorithm. Pairing, comparing, walking and publishing never know its name.

    A detector is a frozen dataclass: its ``repr`` goes into the manifest, and its fields are the words that
    configuration may use.

    Attributes:
        rule: when two signatures match.
    """

    name: ClassVar[str]
    rule: Rule

    @abstractmethod
    def sign(self, pages: DataFrame) -> DataFrame:
        """Page → signature.

        Args:
            pages: the PAGE table with a ``keep`` column; ``text`` may stand in the place of ``html``.

        Returns:
            the SIGNATURE table with ``keep``, ``source``, ``reason`` and ``detail``; a row with a reason is
            quarantined, a row without fingerprints survives and matches nothing.
        """

    def keys(self, signatures: DataFrame, candidates: Candidates) -> DataFrame:
        """Signature → key: the leading fingerprints, one shared key makes a candidate pair.

        Returns:
            KEY: key long, keep struct, size long, rest long, previous long (see ``dedup.candidates``).
        """
        return keys(signatures, self.rule, candidates)

    def readable(self, content: bytes | str, charset: str | None = None) -> dict[int, str]:
        """What each fingerprint of one page stands for, to be read by people; empty where nothing can be shown.

        Raises:
            ValueError: the content cannot be decoded.
        """
        return {}

"""The one interface: what to remember of a page, and when two pages are alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa

from dedup.rules import Rule


@dataclass(frozen=True)
class Detector(ABC):
    """One algorithm. Reading, pairing, comparing, walking and publishing never know its name.

    A detector is a frozen dataclass: its ``repr`` goes into the manifest, and its fields are the words that
    configuration may use. It knows nothing of Spark: documents in, signatures out.

    Attributes:
        rule: when two signatures match.
    """

    name: ClassVar[str]
    rule: Rule

    @abstractmethod
    def sign(self, documents: pa.RecordBatch) -> pa.RecordBatch:
        """Document → signature.

        Args:
            documents: a DOCUMENT batch (see ``dedup.text.documents``).

        Returns:
            of each row ``fingerprints`` list<int64>, most telling first and distinct, and ``weights`` list<int32>, all
            above 0; a row without fingerprints survives and matches nothing.
        """

    def readable(self, documents: pa.RecordBatch) -> dict[int, str]:
        """What each fingerprint of some pages stands for, to be read by people; empty where nothing can be shown."""
        return {}


def signatures(fingerprints: pa.Array, weights: pa.Array, ends: pa.Array) -> pa.RecordBatch:
    """What :meth:`Detector.sign` returns, of flat arrays and the ends (int32, from 0) of each row's part of them."""
    lists = [pa.ListArray.from_arrays(ends, flat) for flat in (fingerprints, weights)]
    return pa.RecordBatch.from_arrays(lists, names=["fingerprints", "weights"])

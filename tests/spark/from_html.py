"""What a run over HTML must come to, in plain Python: signatures from bytes, and a serial walk with an index.

The oracle compares every pair, which thousands of pages do not bear. Pages that match have a fingerprint in common,
so an index of all fingerprints leads to every page that could match; the oracle's own rule decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import isclose
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from dedup.text.documents import Reader
from tests import serial
from tests.serial import Outcome, Page, WeightedJaccard, in_keep_order
from tests.signing import Told, sign

RULE = WeightedJaccard("0.6")
NEAR = float(Fraction(RULE.threshold)) - 1e-9
"""Below it, floating point is sure; from it on, the rule is asked, which counts in fractions."""


def blocks_of(html: bytes) -> list[Told]:
    """The fingerprints of a page that can be read, with their weights and texts."""
    return sign(Reader().read_one(html).to_pylist()[0])


def read_page(page_id: str, html: bytes | None, seconds: float | None, site: str) -> Page | str:
    """A page, newest first in keep order, or the reason why it cannot be one.

    Args:
        page_id: its id.
        html: its bytes.
        seconds: when it was fetched, since 1970; whole microseconds.
        site: where it belongs.
    """
    document = Reader().read_one(html).to_pylist()[0]  # type: ignore[arg-type]
    if document["reason"]:
        return str(document["reason"])
    told = sign(document)
    return Page(
        page_id,
        (seconds is None, -(seconds or 0.0)),
        tuple(one.fingerprint for one in told),
        tuple(one.weight for one in told),
        document["content_digest"],
        site,
    )


def read_pages(rows: Iterable[tuple[str, bytes | None, datetime | None, str]]) -> tuple[list[Page], dict[str, str]]:
    """Pages, and the reasons of those that are none."""
    pages: list[Page] = []
    reasons: dict[str, str] = {}
    for page_id, html, fetched_at, site in rows:
        made = read_page(page_id, html, fetched_at.timestamp() if fetched_at else None, site)
        if isinstance(made, Page):
            pages.append(made)
        else:
            reasons[page_id] = made
    return pages, reasons


class Index:
    """Pages by their fingerprints."""

    def __init__(self, pages: Iterable[Page] = ()) -> None:
        self._pages: list[Page] = []
        self._weight: list[int] = []
        self._held: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for page in pages:
            self.add(page)

    def add(self, page: Page) -> None:
        for fingerprint, weight in zip(page.fingerprints, page.weights, strict=True):
            self._held[fingerprint].append((len(self._pages), weight))
        self._pages.append(page)
        self._weight.append(sum(page.weights))

    def matches(self, page: Page) -> list[Page]:
        """All other pages here that the rule accepts with this one, in the order in which they were added."""
        common: dict[int, int] = defaultdict(int)
        for fingerprint, weight in zip(page.fingerprints, page.weights, strict=True):
            for place, other in self._held.get(fingerprint, ()):
                common[place] += min(weight, other)
        whole = sum(page.weights)
        near = [place for place, weight in common.items() if weight >= NEAR * (whole + self._weight[place] - weight)]
        found = (self._pages[place] for place in sorted(near))
        return [other for other in found if other.page_id != page.page_id and RULE.accepts(other, page)]


def deduplicate(pages: Iterable[Page]) -> Outcome:
    """:func:`tests.serial.deduplicate` for many pages, as they are compared: exact mode, walk, weighted Jaccard."""
    keepers: dict[str, tuple[str, str]] = {}
    survivors: set[str] = set()
    twins: dict[bytes, Page] = {}
    staying = Index()
    for page in in_keep_order(pages):
        twin = twins.setdefault(page.digest, page) if page.digest else page
        if twin is not page:
            keepers[page.page_id] = keepers.get(twin.page_id, (twin.page_id, "exact"))
            continue
        better = staying.matches(page)
        if better:
            keepers[page.page_id] = (better[0].page_id, "near")
        else:
            survivors.add(page.page_id)
            staying.add(page)
    return Outcome(survivors, keepers)


@dataclass(frozen=True)
class Published:
    """The tables of a finished run."""

    survivors: list[str]
    duplicates: dict[str, dict[str, Any]]
    quarantine: dict[str, dict[str, Any]]
    signatures: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, output: Path) -> Published:
        def table(name: str) -> list[dict[str, Any]]:
            rows: list[dict[str, Any]] = pq.read_table(output / name).to_pylist()
            return rows

        def by_id(name: str) -> dict[str, dict[str, Any]]:
            rows = table(name)
            found = {row["page_id"]: row for row in rows}
            assert len(found) == len(rows), f"{name} names a page twice"
            return found

        survivors = [row["page_id"] for row in table("survivors")]
        return cls(survivors, by_id("duplicates"), by_id("quarantine"), by_id("signatures"))

    @property
    def outcome(self) -> Outcome:
        keepers = {page_id: (row["keeper_id"], row["stage"]) for page_id, row in self.duplicates.items()}
        return Outcome(set(self.survivors), keepers)


def check_accounts(found: Published, counts: dict[str, int], pages: Iterable[str]) -> None:
    """Every page is in one table, once; the manifest counts the same."""
    ids = [*found.survivors, *found.duplicates, *found.quarantine]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(pages)
    assert set(found.signatures) == {*found.survivors, *found.duplicates}
    assert counts == {
        "pages": len(ids),
        "survivors": len(found.survivors),
        "duplicates": len(found.duplicates),
        "exact": sum(row["stage"] == "exact" for row in found.duplicates.values()),
        "near": sum(row["stage"] == "near" for row in found.duplicates.values()),
        "quarantined": len(found.quarantine),
    }


def check_signatures(found: Published, pages: Iterable[Page]) -> None:
    """What the run remembers of pages is what their HTML says."""
    for page in pages:
        row = found.signatures[page.page_id]
        assert tuple(row["fingerprints"]) == page.fingerprints, page.page_id
        assert tuple(row["weights"]) == page.weights, page.page_id
        assert row["content_digest"] == page.digest, page.page_id


def check_removals(found: Published, pages: Iterable[Page], cap: int = 32) -> None:
    """Every removal, from its page's HTML and its keeper's: better, staying, alike, and by the told figures.

    Args:
        found: the run's tables.
        pages: as they are compared, without template blocks.
        cap: of the shared fingerprints.
    """
    by_id = {page.page_id: page for page in pages}
    staying = set(found.survivors)
    for page_id, row in found.duplicates.items():
        page, keeper = by_id[page_id], by_id[row["keeper_id"]]
        assert keeper.page_id in staying, f"{row}: the keeper does not stay"
        assert keeper.place < page.place, f"{row}: the keeper is not better"
        copies = serial.copies(keeper, page)
        assert row["stage"] == ("exact" if copies else "near"), row
        assert copies or RULE.accepts(keeper, page), f"{row}: no match"
        common = serial.common(keeper, page)
        sizes = (len(common), len(page.fingerprints), len(keeper.fingerprints))
        assert (row["common"], row["m"], row["m_keeper"]) == sizes, row
        assert isclose(row["score"], 1.0 if copies else RULE.score(keeper, page), rel_tol=1e-12), row
        shared = [fingerprint for fingerprint in page.fingerprints if fingerprint in common]
        # A copy whose twin left is told by its twin's match: the same blocks, perhaps in another order.
        assert set(row["shared"]) <= common, row
        assert len(row["shared"]) == min(cap, len(shared)), row

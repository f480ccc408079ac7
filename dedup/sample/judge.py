"""A finished run on the sample site against its truth."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq


@dataclass(frozen=True)
class Judged:
    """Counts of pairs and pages.

    Attributes:
        removed: pages removed; each is a claim that it copies its keeper.
        right: those whose claim the truth confirms.
        true_pairs: pairs of copies.
        found: those of them of which not both stayed.
        missed: relations of the pairs that still stand side by side, with their number.
        misplaced: pages whose fate (page or quarantine, and its reason) is not the expected one.
    """

    removed: int
    right: int
    true_pairs: int
    found: int
    missed: dict[str, int]
    misplaced: list[str]

    @property
    def precision(self) -> float:
        """Share of removals that are right; 1 where nothing was removed."""
        return self.right / self.removed if self.removed else 1.0

    @property
    def recall(self) -> float:
        """Share of the true pairs that were found."""
        return self.found / self.true_pairs if self.true_pairs else 1.0

    def told(self) -> str:
        """The figures in words."""
        lost = ", ".join(f"{number} {relation}" for relation, number in sorted(self.missed.items()))
        lines = [
            f"removals that are right:  {self.right} of {self.removed} (precision {self.precision:.3f})",
            f"pairs of copies parted:   {self.found} of {self.true_pairs} (recall {self.recall:.3f})"
            + (f"; missed: {lost}" if lost else ""),
        ]
        if self.misplaced:
            lines.append(f"unexpected fate: {', '.join(self.misplaced[:10])}")
        return "\n".join(lines)


def judge(site: Path, output: str | Path) -> Judged:
    """Compare the run in ``output`` with the truth that was written beside the pages of ``site``.

    Raises:
        FileNotFoundError: the site or the run is not there.
    """
    truth = {frozenset((row["a"], row["b"])): row for row in _rows(site / "truth.csv")}
    keeper = {row["page_id"]: row["keeper_id"] for row in _table(output, "duplicates")}
    reasons = {row["page_id"]: row["reason"] for row in _table(output, "quarantine")}
    copies = {pair: row["relation"] for pair, row in truth.items() if row["duplicate"] == "1"}
    missed: dict[str, int] = {}
    for pair, relation in copies.items():
        a, b = pair
        if a not in keeper and b not in keeper:
            missed[relation] = missed.get(relation, 0) + 1
    fates = {page: f"quarantine:{reason}" for page, reason in reasons.items()}
    return Judged(
        removed=len(keeper),
        right=sum(frozenset(claim) in copies for claim in keeper.items()),
        true_pairs=len(copies),
        found=len(copies) - sum(missed.values()),
        missed=missed,
        misplaced=[
            row["path"] for row in _rows(site / "pages.csv") if fates.get(row["path"], "page") != row["fate_expected"]
        ],
    )


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _table(output: str | Path, name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = pq.read_table(Path(output) / name).to_pylist()
    return found

"""The book as files: pages, truth, and the list of pages."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dedup.sample.plan import make_book

SEED = 20061


@dataclass(frozen=True)
class SampleSummary:
    """What was written.

    Attributes:
        pages: files.
        sites: folders of ``pages``.
        pairs: rows of truth.
        duplicate_pairs: those of them that are duplicates.
    """

    pages: int
    sites: int
    pairs: int
    duplicate_pairs: int


def write_sample(root: Path, seed: int = SEED, pages: int | None = None) -> SampleSummary:
    """Write the sample site: ``root/pages``, ``root/truth.csv`` and ``root/pages.csv``.

    The same bytes and modification times for the same arguments, whatever the machine and the day. Files of
    an earlier sample are overwritten; to write another seed or size, start from an empty folder.

    Args:
        root: made if it does not exist.
        seed: another seed writes other articles.
        pages: about this many pages instead of about 400.
    """
    book = make_book(seed, pages)
    for page in book.pages:
        path = root / "pages" / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.data)
        os.utime(path, (page.modified, page.modified))
    _table(
        root / "truth.csv",
        ("a", "b", "relation", "duplicate"),
        ((pair.a, pair.b, pair.relation, int(pair.duplicate)) for pair in book.pairs),
    )
    _table(
        root / "pages.csv",
        ("path", "site", "lang", "charset", "family", "kind", "fate_expected"),
        (
            (page.path, page.layout.site, page.lang, page.charset, page.family, page.kind, page.fate)
            for page in book.pages
        ),
    )
    return SampleSummary(
        pages=len(book.pages),
        sites=len({page.layout.site for page in book.pages}),
        pairs=len(book.pairs),
        duplicate_pairs=sum(pair.duplicate for pair in book.pairs),
    )


def _table(path: Path, header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Rows sorted, so that files differ by what they say and not by the order of making."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(sorted(rows))

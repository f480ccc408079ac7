"""What leaving out template blocks does to the pairs that the rule accepts, setting by setting.

    python -m benchmarks.templates [PAGES.parquet] [--share 0.5 0.2 0.1] [--sample N] [--out FILE]

A pair counts as *same page* where the titles are equal or the last two parts of the paths are (versions, mirrors and
reprints of a page keep one of the two), else as *different pages*. The measure is crude and the same for all settings;
``--sample N`` prints N accepted pairs with their labels, to be looked at.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from benchmarks.pages import default_pages
from benchmarks.scale import SITE
from dedup.detectors import TagTree
from dedup.rules import WeightedJaccard
from dedup.templates import Templates, site_templates, strip_batch
from dedup.text.documents import Reader

TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.I | re.S)
AT_ONCE = 500

Pairs = set[tuple[int, int]]


def signed(pages: pa.Table) -> pa.Table:
    """url, title, site, content_digest, fingerprints, weights of the pages; exact copies once."""
    reader, detector = Reader(), TagTree()
    site = re.compile(SITE.partition("=")[2])
    parts = []
    for batch in pages.combine_chunks().to_batches(max_chunksize=AT_ONCE):
        documents = reader.read(batch["html"])
        made = detector.sign(documents)
        titles = [TITLE.search(html or b"") for html in batch["html"].to_pylist()]
        sites = [site.search(url) for url in batch["url"].to_pylist()]
        parts.append(
            pa.table(
                {
                    "url": batch["url"],
                    "title": [found[1].decode("utf-8", "replace").strip() if found else "" for found in titles],
                    "site": [found[1] if found else "" for found in sites],
                    "content_digest": documents["content_digest"],
                    "fingerprints": made["fingerprints"],
                    "weights": made["weights"],
                }
            )
        )
    whole = pa.concat_tables(parts)
    rows = pa.table({"digest": whole["content_digest"], "row": pa.array(np.arange(len(whole)))})
    first = rows.filter(pc.is_valid(rows["digest"])).group_by("digest").aggregate([("row", "min")])["row_min"]
    return whole.take(first.take(pc.sort_indices(first)))


def without(pages: pa.Table, rule: Templates) -> tuple[pa.Table, int]:
    """The pages without their sites' template blocks, and how many such blocks there are."""
    found = {
        site: site_templates(pages.filter(pc.equal(pages["site"], site)), rule)["fingerprint"].to_pylist()
        for site in pc.unique(pages["site"]).to_pylist()
        if site
    }
    furniture = pa.array([found.get(site) or None for site in pages["site"].to_pylist()], pa.list_(pa.int64()))
    batches = pages.append_column("furniture", furniture).combine_chunks().to_batches()
    return pa.Table.from_batches(map(strip_batch, batches)), sum(map(len, found.values()))


def accepted(pages: pa.Table, rule: WeightedJaccard) -> Pairs:
    """All pairs of rows that the rule accepts, each with the smaller row first."""
    lists, weights = pages["fingerprints"].combine_chunks(), pages["weights"].combine_chunks()
    m, held = lists.value_lengths().to_numpy(), weights.flatten().to_numpy().astype(np.int64)
    value, column = np.unique(lists.flatten().to_numpy(), return_inverse=True)
    row, shape = np.repeat(np.arange(len(m)), m), (len(m), len(value))
    weighing = sparse.csr_array((held, (row, column)), shape=shape)
    holding = sparse.csr_array((np.ones(len(row), np.int64), (row, column)), shape=shape)
    shared = np.flatnonzero(holding.sum(axis=0) > 1)
    size, weighing, holding = weighing.sum(axis=1), weighing[:, shared].tocsr(), holding[:, shared].T.tocsr()
    found: Pairs = set()
    for start in range(0, len(m), AT_ONCE):
        most = (weighing[start : start + AT_ONCE] @ holding).tocoo()  # in common, were it by one page's weights
        one, other = most.row + start, most.col
        maybe = (one < other) & rule.accepts(most.data, size[one], size[other])
        one, other = one[maybe], other[maybe]
        alike = rule.accepts(weighing[one].minimum(weighing[other]).sum(axis=1), size[one], size[other])
        found.update(zip(one[alike].tolist(), other[alike].tolist(), strict=True))
    return found


class Labels:
    """Whether two rows are the same page, by title and path."""

    def __init__(self, pages: pa.Table) -> None:
        self._title = pages["title"].to_pylist()
        self._end = ["/".join(url.split("/")[-2:]) for url in pages["url"].to_pylist()]

    def same(self, pair: tuple[int, int]) -> bool:
        one, other = pair
        return (bool(self._title[one]) and self._title[one] == self._title[other]) or self._end[one] == self._end[other]


def measure(pages: pa.Table, shares: list[str], rule: WeightedJaccard) -> tuple[list[dict[str, Any]], Pairs, Labels]:
    """A row for each setting, the first without templates; and the pairs of that one."""
    held = signed(pages)
    labels = Labels(held)
    whole = accepted(held, rule)
    same = {pair for pair in whole if labels.same(pair)}
    rows = []
    for share in ["off", *shares]:
        stripped, blocks = (held, 0) if share == "off" else without(held, Templates(Fraction(share)))
        found = accepted(stripped, rule)
        alike = {pair for pair in found if labels.same(pair)}
        rows.append(
            {
                "share": share,
                "pages": len(held),
                "template_blocks": blocks,
                "same_page_pairs": len(alike),
                "same_page_kept": len(alike & same),
                "different_page_pairs": len(found) - len(alike),
                "different_page_left": len(found & (whole - same)),
            }
        )
    return rows, whole, labels


def main() -> None:
    """Measure, print, and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", help="Parquet; by default the real pages, else the sample site")
    parser.add_argument("--limit", type=int, default=20_000, help="pages")
    parser.add_argument("--share", nargs="*", default=["0.5", "0.3", "0.2", "0.1"])
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="accepted pairs to print")
    parser.add_argument("--out", type=Path, help="JSON")
    given = parser.parse_args()
    pages = default_pages(given.pages, given.limit)
    rows, pairs, labels = measure(pages, given.share, WeightedJaccard())
    names = list(rows[0])
    print(*(f"{name:>20}" for name in names))
    for row in rows:
        print(*(f"{row[name]:>20}" for name in names))
    held = signed(pages) if given.sample else pages
    for one, other in random.Random(1).sample(sorted(pairs), min(given.sample, len(pairs))):
        print("\nsame" if labels.same((one, other)) else "\ndifferent")
        for row in (one, other):
            print(f"  {held['title'][row].as_py()[:80]!r}  {held['url'][row]}")
    if given.out:
        given.out.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

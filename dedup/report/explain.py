"""Why a page stayed, left, or never took part: read from a finished run's output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from dedup.errors import UsageError
from dedup.io.files import Folder
from dedup.io.publish import MANIFEST, read_manifest


@dataclass(frozen=True)
class Story:
    """What became of one page.

    Attributes:
        fate: survivor, duplicate, quarantined, or unknown to the run.
        verdict: the row of duplicates or quarantine; empty for survivors.
        keeps: for a survivor, the first pages that name it as their keeper; ``keeps_all`` counts them.
        signature: fingerprints and weights that the page was compared by.
        keeper: the same for the keeper.
        template: the page's other fingerprints, which are template blocks of its site.
    """

    page_id: str
    fate: str
    verdict: dict[str, Any] = field(default_factory=dict)
    keeps: list[dict[str, Any]] = field(default_factory=list)
    keeps_all: int = 0
    signature: dict[str, Any] = field(default_factory=dict)
    keeper: dict[str, Any] = field(default_factory=dict)
    template: list[int] = field(default_factory=list)

    @property
    def keeper_id(self) -> str:
        """The page that stayed instead; empty for all but duplicates."""
        return str(self.verdict.get("keeper_id", ""))

    def as_json(self, texts: Mapping[str, Mapping[int, str]]) -> dict[str, Any]:
        """The story with its blocks, each by its text where ``texts`` (page_id → fingerprint → text) has it."""
        said: dict[str, Any] = {"page_id": self.page_id, "fate": self.fate, **self.verdict}
        if self.fate == "survivor":
            return {**said, "keeps": self.keeps, "keeps_all": self.keeps_all}
        if self.fate == "duplicate":
            known = {**texts.get(self.keeper_id, {}), **texts.get(self.page_id, {})}
            parts = zip(("shared_blocks", "only_here", "only_in_keeper"), split(self), strict=True)
            said |= {name: [known.get(f, f) for f in found] for name, found in parts}
            said["template_blocks"] = [known.get(f, f) for f in self.template]
        return said


SHOWN = 10


def stories(output: str, page_ids: list[str]) -> tuple[dict[str, Any], list[Story]]:
    """The run's manifest, and the story of each page.

    Raises:
        UsageError: there is no finished run in ``output``.
    """
    try:
        folder = Folder(output)
        manifest = read_manifest(folder)
    except OSError as error:
        raise UsageError(f"{output} cannot be read: {error}") from None
    if not manifest:
        raise UsageError(f"{output} holds no finished run: it has no {MANIFEST}")
    removed = {row["page_id"]: row for row in _rows(folder, "duplicates", "page_id", page_ids)}
    faults = {row["page_id"]: row for row in _rows(folder, "quarantine", "page_id", page_ids)}
    stayed = {row["page_id"] for row in _rows(folder, "survivors", "page_id", page_ids)}
    keepers = [row["keeper_id"] for row in removed.values()]
    known = {row["page_id"]: row for row in _rows(folder, "signatures", "page_id", [*page_ids, *keepers])}

    sites = list({row["site"] for row in known.values() if row["site"]})
    templates = {(row["site"], row["fingerprint"]) for row in _rows(folder, "templates", "site", sites)}

    def story(page_id: str) -> Story:
        if page_id in removed:
            verdict = removed[page_id]
            keeper = known[verdict["keeper_id"]]
            # A copy was compared by the page that it is a copy of, so by the template of that one's site.
            site = keeper["site"] if verdict["stage"] == "exact" else known[page_id]["site"]
            compared, template = _without(known[page_id], site, templates)
            kept_by, _ = _without(keeper, keeper["site"], templates)
            return Story(page_id, "duplicate", verdict, signature=compared, keeper=kept_by, template=template)
        if page_id in stayed:
            kept = _rows(folder, "duplicates", "keeper_id", [page_id])
            # In a chain, pages may be removed that do not match their keeper: they have no score.
            kept.sort(key=lambda row: (-(row["score"] or 0), row["page_id"]))
            also = faults.get(page_id, {})
            return Story(page_id, "survivor", also, kept[:SHOWN], len(kept))
        if page_id in faults:
            return Story(page_id, "quarantined", faults[page_id])
        return Story(page_id, "unknown")

    return manifest, [story(page_id) for page_id in page_ids]


def split(story: Story) -> tuple[list[int], list[int], list[int]]:
    """Fingerprints that both share, that only the page has, and that only its keeper has."""
    own, other = story.signature["fingerprints"], story.keeper["fingerprints"]
    in_own, in_other = set(own), set(other)
    return (
        [f for f in own if f in in_other],
        [f for f in own if f not in in_other],
        [f for f in other if f not in in_own],
    )


def _without(signature: dict[str, Any], site: str, templates: set[tuple[str, int]]) -> tuple[dict[str, Any], list[int]]:
    """The signature without the template blocks of a site, and these."""
    blocks = list(zip(signature["fingerprints"], signature["weights"], strict=True))
    own = [block for block in blocks if (site, block[0]) not in templates]
    left = {"fingerprints": [f for f, _ in own], "weights": [w for _, w in own]}
    return signature | left, [f for f, _ in blocks if (site, f) in templates]


def _rows(folder: Folder, table: str, column: str, values: list[str]) -> list[dict[str, Any]]:
    data = ds.dataset(folder.path(table), filesystem=folder.filesystem, format="parquet")
    chosen = pc.field(column).isin(pa.array(values, pa.string()))
    found: list[dict[str, Any]] = data.to_table(filter=chosen).to_pylist()
    return found

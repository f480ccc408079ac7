"""tag_tree (S3; S0 calls it 多重MD5): the page's text in pieces, one MD5 each, most telling first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dedup.detectors.base import Detector, signatures
from dedup.rules import Rule, WeightedJaccard
from dedup.text.hashing import fingerprints
from dedup.text.pieces import PIECES, TITLE, Blocks, Pieces, blocks_of, telling
from dedup.text.ranks import Rank

WEIGHT = {TITLE: 100, Rank.MAIN: 100, Rank.TEXT: 80, Rank.NAVIGATION: 10}
"""Of a character, by the rank of its block: a menu that outweighs the text makes a site's pages alike."""

MENU = 0.5
"""Of what a page says beside its navigation, the navigation weighs as much at most: no menu is so long that it makes
two pages of a site alike, and none so different that it parts an article from its copy elsewhere."""

Ints = npt.NDArray[np.int64]
MOST = 2**24
"""No piece weighs more, so that a page's weights, also squared, add up in 64 bits (64 MB of text)."""

WEIGHTS = ("rank", "length")


@dataclass(frozen=True)
class TagTree(Detector):
    """Blocks of the tag tree, in pieces that weigh as much as they say of their page.

    Does not move it: attributes, scripts, comments, hidden elements, inline tags, white space, charset, order of
    blocks (in exact mode), and with pieces by content case and punctuation. Moves it: the words of a piece, by that
    piece only.

    Attributes:
        pieces: ``content`` cuts long blocks where their own words say; ``sentence`` behind sentence ends; ``block`` not
            at all.
        weights: ``rank``: a piece weighs 100 a character in title and main body, 80 in other text, 10 in
            navigation, and all navigation at most half of the rest; ``length``: one, wherever it stands.
        min_block_chars: shorter pieces are dropped, except the title (characters).
        min_own_chars: a page with less text of its own, title and navigation not counted, is compared by its whole text
            only: it matches what is equal to the letter (characters; 0: no page is).
    """

    name: ClassVar[str] = "tag_tree"
    rule: Rule = field(default_factory=WeightedJaccard)
    pieces: str = "content"
    weights: str = "rank"
    min_block_chars: int = 2
    min_own_chars: int = field(default=40, metadata={"least": 0})

    def __post_init__(self) -> None:
        for word, known in (("pieces", tuple(PIECES)), ("weights", WEIGHTS)):
            if getattr(self, word) not in known:
                raise ValueError(f"{word} = {getattr(self, word)!r} is none of {', '.join(known)}")

    def sign(self, documents: pa.RecordBatch) -> pa.RecordBatch:
        blocks = blocks_of(documents)
        pieces = PIECES[self.pieces](blocks)
        told = telling(pieces, blocks, self.min_block_chars)
        page, length = blocks.page[pieces.block[told]], pieces.length[told]
        m = np.bincount(page, minlength=len(documents))
        weight = self._weights(page, length, blocks.rank[pieces.block[told]], len(documents))
        fingerprint = pieces.fingerprint[told]

        thin = self._thin(documents, blocks, pieces, told)
        if thin.any():
            digests = fingerprints(documents["content_digest"].filter(pa.array(thin)).to_pylist())
            rest = ~thin[page]
            # A thin page's one fingerprint comes where its pieces were.
            place = np.searchsorted(page[rest], np.flatnonzero(thin))
            fingerprint = np.insert(fingerprint[rest], place, digests)
            weight = np.insert(weight[rest], place, 1)
            m[thin] = 1
        ends = np.r_[0, np.cumsum(m)].astype(np.int32)
        return signatures(pa.array(fingerprint), pa.array(np.minimum(weight, MOST).astype(np.int32)), pa.array(ends))

    def readable(self, documents: pa.RecordBatch) -> dict[int, str]:
        blocks = blocks_of(documents)
        pieces = PIECES[self.pieces](blocks)
        digests = documents["content_digest"].to_pylist()
        shown = {
            int(fingerprints([digest])[0]): " · ".join(filter(None, [title, *texts]))
            for digest, title, texts in zip(
                digests, documents["title"].to_pylist(), documents["blocks"].to_pylist(), strict=True
            )
            if digest
        }
        told = telling(pieces, blocks, self.min_block_chars).tolist()
        return shown | {int(pieces.fingerprint[piece]): pieces.shown(piece) for piece in told}

    def _weights(self, page: Ints, length: Ints, rank: Ints, pages: int) -> Ints:
        if self.weights == "length":
            return length
        weight: Ints = length * np.array([WEIGHT[place] for place in range(TITLE, len(Rank))])[rank - TITLE]
        menu = rank == Rank.NAVIGATION
        rest = np.bincount(page[~menu], weight[~menu], minlength=pages)
        share = MENU * rest / np.maximum(1, np.bincount(page[menu], weight[menu], minlength=pages))
        weight[menu] = np.maximum(1, weight[menu] * np.minimum(1, share)[page[menu]])
        return weight

    def _thin(
        self, documents: pa.RecordBatch, blocks: Blocks, pieces: Pieces, told: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Pages that say something, and too little of their own: what is neither title nor navigation."""
        rank = blocks.rank[pieces.block[told]]
        own = np.where((rank == Rank.MAIN) | (rank == Rank.TEXT), pieces.length[told], 0)
        said: npt.NDArray[np.bool_] = documents["content_digest"].is_valid().to_numpy(zero_copy_only=False)
        return said & (np.bincount(blocks.page[pieces.block[told]], own, minlength=len(documents)) < self.min_own_chars)

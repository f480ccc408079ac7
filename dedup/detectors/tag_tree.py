"""tag_tree (S3; S0 calls it 多重MD5): the page's text blocks, one MD5 each, most telling first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import types as T

from dedup.detectors.base import Detector
from dedup.rules import Rule, WeightedJaccard
from dedup.schema import SIGNATURE, keep_type
from dedup.text.blocks import BlockRules, page_blocks, text_blocks
from dedup.text.charset import decode
from dedup.text.hashing import fingerprint
from dedup.text.kernel import Signer

PASSED = ("page_id", "url", "site", "source", "keep")
"""Columns that travel with a page unchanged; its html goes no further than the worker that parsed it."""


@dataclass(frozen=True)
class TagTree(Detector):
    """Blocks of the tag tree, split at sentence ends, weighted by their length.

    Does not move it: attributes, scripts, comments, hidden elements, inline tags, white space, charset, order of
    blocks (in exact mode). Moves it: the words of a block, by that block only.

    Attributes:
        max_block_chars: blocks longer than this are split at sentence ends (characters).
        min_block_chars: shorter blocks are dropped, except the title (characters).
        lower: fold case before hashing.
        max_page_bytes: larger pages are quarantined as too_large (bytes).
    """

    name: ClassVar[str] = "tag_tree"
    rule: Rule = field(default_factory=WeightedJaccard)
    max_block_chars: int = 80
    min_block_chars: int = 2
    lower: bool = False
    max_page_bytes: int = 64 * 1024 * 1024

    def sign(self, pages: DataFrame) -> DataFrame:
        signer = Signer(rules=self._rules, max_page_bytes=self.max_page_bytes)
        content = "html" if "html" in pages.columns else "text"

        def sign_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                signed = signer.sign(batch[content], batch["charset"], is_text=content == "text")
                refused = batch["reason"].is_valid()
                yield pa.RecordBatch.from_arrays(
                    [
                        *(batch[name] for name in PASSED),
                        signed.content_digest,
                        signed.fingerprints,
                        signed.weights,
                        # What the reader refused stays refused for the reader's reason.
                        pc.if_else(refused, batch["reason"], signed.reason),
                        pc.if_else(refused, batch["detail"], signed.detail),
                    ],
                    names=[
                        *PASSED,
                        "content_digest",
                        "fingerprints",
                        "weights",
                        "reason",
                        "detail",
                    ],
                )

        result = T.StructType(
            [
                *(SIGNATURE[name] for name in ("page_id", "url", "site")),
                T.StructField("source", T.StringType()),
                T.StructField("keep", keep_type(pages)),
                *(SIGNATURE[name] for name in ("content_digest", "fingerprints", "weights")),
                T.StructField("reason", T.StringType()),
                T.StructField("detail", T.StringType()),
            ]
        )
        return pages.select(*PASSED, content, "charset", "reason", "detail").mapInArrow(sign_batches, schema=result)

    def readable(self, content: bytes | str, charset: str | None = None) -> dict[int, str]:
        if isinstance(content, str):
            texts = text_blocks(content, self._rules).texts
        else:
            texts = page_blocks(decode(content, charset), self._rules).texts
        return {fingerprint(text): text for text in texts}

    @property
    def _rules(self) -> BlockRules:
        return BlockRules(self.max_block_chars, self.min_block_chars, self.lower)

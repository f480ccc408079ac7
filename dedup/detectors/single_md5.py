"""single_md5 (S0 step 1): one MD5 of the page's whole normalised content; equal means exact duplicate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dedup.detectors.base import Detector
from dedup.detectors.tag_tree import TagTree
from dedup.rules import Overlap, Rule


@dataclass(frozen=True)
class SingleMD5(Detector):
    """Equal visible text after normalisation, nothing less.

    Does not move it: other attributes, scripts, comments, white space, charset. Moves it: one other character.
    The fingerprint is the first half of the content digest, so the frame needs no second path for it.
    """

    name: ClassVar[str] = "single_md5"
    rule: Rule = field(default_factory=lambda: Overlap(min_common=1))
    lower: bool = False
    max_page_bytes: int = 64 * 1024 * 1024

    def sign(self, pages: DataFrame) -> DataFrame:
        signed = TagTree(lower=self.lower, max_page_bytes=self.max_page_bytes).sign(pages)
        digest = F.col("content_digest")
        first_half = F.conv(F.substring(F.hex(digest), 1, 16), 16, -10).cast("long")
        return signed.withColumns(
            {
                "fingerprints": F.when(digest.isNull(), F.array().cast("array<long>")).otherwise(F.array(first_half)),
                "weights": F.when(digest.isNull(), F.array().cast("array<int>")).otherwise(F.array(F.lit(1))),
            }
        )

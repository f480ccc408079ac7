"""single_md5 (S0 step 1): one MD5 of the page's whole normalised content; equal means exact duplicate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pyarrow as pa

from dedup.detectors.base import Detector, signatures
from dedup.rules import Overlap, Rule
from dedup.text.hashing import fingerprints


@dataclass(frozen=True)
class SingleMD5(Detector):
    """Equal visible text after normalisation, nothing less.

    Does not move it: other attributes, scripts, comments, white space, charset. Moves it: one other character.
    The fingerprint is the first half of the content digest, so the frame needs no second path for it.
    """

    name: ClassVar[str] = "single_md5"
    rule: Rule = field(default_factory=lambda: Overlap(min_common=1))

    def sign(self, documents: pa.RecordBatch) -> pa.RecordBatch:
        digests = documents["content_digest"]
        held = fingerprints(digests.drop_null().to_pylist())
        ends = np.r_[0, np.cumsum(digests.is_valid().to_numpy(zero_copy_only=False))].astype(np.int32)
        return signatures(pa.array(held), pa.array(np.ones(len(held), np.int32)), pa.array(ends))

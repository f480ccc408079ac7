"""The signing kernel: a batch of pages in, their signatures out as Arrow arrays.

Whatever can be done once for a batch is: digests are collected in one buffer and become numbers together, lists
are made from offsets. What is done page by page is the parser's work and Python's string methods.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dedup.text.blocks import BlockRules, arrange, text_extract
from dedup.text.charset import Undecodable, decode
from dedup.text.hashing import digest, fingerprints, md5
from dedup.text.html import Extract, extract

NO_CONTENT = "no_content"
UNDECODABLE = "undecodable"
TOO_LARGE = "too_large"
PARSER_FAILED = "parser_failed"

NOTHING = Extract("", "", [])
Fault = tuple[str, str]


class Signed(NamedTuple):
    """Signatures of a batch, one row a page.

    Attributes:
        content_digest: binary, 16 bytes; null where there is no text.
        fingerprints: list of int64, most telling first, distinct; empty where there is no text.
        weights: list of int32, characters of each block.
        reason: string; why the page cannot be signed, else null.
        detail: string.
    """

    content_digest: pa.Array
    fingerprints: pa.Array
    weights: pa.Array
    reason: pa.Array
    detail: pa.Array


@dataclass(frozen=True)
class Signer:
    """Signs pages by their blocks.

    Attributes:
        rules: how text becomes blocks.
        max_page_bytes: larger pages are refused as too_large (bytes).
    """

    rules: BlockRules = field(default_factory=BlockRules)
    max_page_bytes: int = 64 * 1024 * 1024

    def sign(self, pages: pa.Array, declared: pa.Array | None = None, is_text: bool = False) -> Signed:
        """Sign a batch.

        Args:
            pages: binary (HTML as it came), or string where ``is_text``.
            declared: charsets of the HTTP headers, null where unknown.
            is_text: the pages are plain text, a block a line.
        """
        collecting = gc.isenabled()
        gc.disable()  # millions of small objects, not one cycle
        try:
            return self._sign(pages, declared, is_text)
        finally:
            if collecting:
                gc.enable()

    def _sign(self, pages: pa.Array, declared: pa.Array | None, is_text: bool) -> Signed:
        charsets = [None] * len(pages) if declared is None else declared.to_pylist()
        extracts: list[Extract] = []
        faults: list[Fault | None] = []
        for page, charset in zip(pages, charsets, strict=True):
            found, fault = self._extract(page, charset, is_text)
            extracts.append(found)
            faults.append(fault)
        arranged = arrange(extracts, self.rules)
        texts = [text for page in arranged for text in page.texts]
        offsets = pa.array(np.cumsum([0, *(len(page.texts) for page in arranged)], dtype=np.int32))
        weights = np.fromiter(map(len, texts), np.int32, len(texts))
        digests = [md5(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        return Signed(
            pa.array([digest(page.content) if page.content else None for page in arranged], pa.binary()),
            pa.ListArray.from_arrays(offsets, pa.array(fingerprints(digests))),
            pa.ListArray.from_arrays(offsets, pa.array(weights)),
            pa.array([fault and fault[0] for fault in faults], pa.string()),
            pa.array([fault and fault[1] for fault in faults], pa.string()),
        )

    def _extract(self, page: pa.Scalar, charset: str | None, is_text: bool) -> tuple[Extract, Fault | None]:
        buffer = page.as_buffer()
        if buffer is None or not buffer.size:
            return NOTHING, (NO_CONTENT, "null" if buffer is None else "0 bytes")
        if buffer.size > self.max_page_bytes:
            return NOTHING, (
                TOO_LARGE,
                f"{buffer.size} bytes; detector.max_page_bytes is {self.max_page_bytes}",
            )
        try:
            text = _text(buffer, charset)
        except Undecodable as error:
            return NOTHING, (UNDECODABLE, str(error))
        if not text or text.isspace():
            return NOTHING, (NO_CONTENT, f"{buffer.size} bytes, all blank")
        try:
            return (text_extract(text) if is_text else extract(text)), None
        except Exception as error:  # a page that breaks the parser must not break the run
            return NOTHING, (PARSER_FAILED, f"{type(error).__name__}: {error}"[:200])


def _text(buffer: pa.Buffer, charset: str | None) -> str:
    try:
        text = str(memoryview(buffer), "utf-8")  # nearly all pages, without a copy of their bytes
    except UnicodeDecodeError:
        return decode(buffer.to_pybytes(), charset)
    if "\x00" in text or "\x1b" in text or text[:1] == "\ufeff":
        return decode(buffer.to_pybytes(), charset)
    return text

"""Pages as documents: decoded, parsed and normalised once, for however many detectors.

DOCUMENT batch, one row a page::

    title           string        <title>, else the first h1; normalised, may be empty
    blocks          list<string>  normalised, in document order, none empty
    ranks           list<int8>    a Rank for each block
    content_digest  binary        16 bytes: MD5 of the whole normalised text; null where there is none
    reason          string        why the page cannot be read, else null; it then has no text
    detail          string
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from dedup.text.charset import Undecodable, decode
from dedup.text.hashing import digest
from dedup.text.html import BREAK, Extract, extract
from dedup.text.normalise import collapse, collapse_all, compatible
from dedup.text.ranks import ranks

NO_CONTENT = "no_content"
UNDECODABLE = "undecodable"
TOO_LARGE = "too_large"
PARSER_FAILED = "parser_failed"

NOTHING = Extract("", "", [])
Fault = tuple[str, str]


@dataclass(frozen=True)
class Reader:
    """Reads pages.

    Attributes:
        lower: fold case.
        max_page_bytes: larger pages are refused as too_large (bytes).
    """

    lower: bool = False
    max_page_bytes: int = 64 * 1024 * 1024

    def read(self, pages: pa.Array, declared: pa.Array | None = None) -> pa.RecordBatch:
        """The DOCUMENT batch of some pages.

        Args:
            pages: binary (HTML as it came), or string (plain text, a block a line).
            declared: charsets of the HTTP headers, null where unknown.
        """
        collecting = gc.isenabled()
        gc.disable()  # millions of small objects, not one cycle
        try:
            return self._read(pages, declared)
        finally:
            if collecting:
                gc.enable()

    def read_one(self, content: bytes | str, charset: str | None = None) -> pa.RecordBatch:
        """The DOCUMENT batch of one page."""
        return self.read(pa.array([content]), pa.array([charset], pa.string()))

    def _read(self, pages: pa.Array, declared: pa.Array | None) -> pa.RecordBatch:
        charsets = [None] * len(pages) if declared is None else declared.to_pylist()
        is_text = pa.types.is_string(pages.type) or pa.types.is_large_string(pages.type)
        extracts: list[Extract] = []
        faults: list[Fault | None] = []
        for page, charset in zip(pages, charsets, strict=True):
            found, fault = self._extract(page, charset, is_text)
            extracts.append(found)
            faults.append(fault)
        made = documents(extracts, self.lower)
        for place, name in enumerate(("reason", "detail")):
            made = made.append_column(name, pa.array([fault and fault[place] for fault in faults], pa.string()))
        return made

    def _extract(self, page: pa.Scalar, charset: str | None, is_text: bool) -> tuple[Extract, Fault | None]:
        buffer = page.as_buffer()
        if buffer is None or not buffer.size:
            return NOTHING, (NO_CONTENT, "null" if buffer is None else "0 bytes")
        if buffer.size > self.max_page_bytes:
            return NOTHING, (TOO_LARGE, f"{buffer.size} bytes; text.max_page_bytes is {self.max_page_bytes}")
        try:
            text = _text(buffer, charset)
        except Undecodable as error:
            return NOTHING, (UNDECODABLE, str(error))
        if not text or text.isspace():
            return NOTHING, (NO_CONTENT, f"{buffer.size} bytes, all blank")
        try:
            return (plain(text) if is_text else extract(text)), None
        except Exception as error:  # a page that breaks the parser must not break the run
            return NOTHING, (PARSER_FAILED, f"{type(error).__name__}: {error}"[:200])


def plain(text: str) -> Extract:
    """Plain text in the form of a parsed page: each line a block."""
    return Extract("", BREAK.join(text.splitlines()), [])


def documents(pages: Sequence[Extract], lower: bool = False) -> pa.RecordBatch:
    """The DOCUMENT batch of parsed pages, without the columns that speak of faults."""
    blocks: list[str] = []
    raw: list[int] = []
    ends: list[int] = [0]
    for page in pages:
        text = compatible(page.text)
        parts = text.split(BREAK)
        split = collapse_all(text, parts)
        raw += map(len, parts if text is page.text else page.text.split(BREAK))
        blocks += [block.lower() for block in split] if lower else split
        ends.append(len(blocks))
    of_page = np.repeat(np.arange(len(pages)), np.diff(ends))
    rank, headings = ranks(pages, np.array(raw, np.int64), blocks, of_page)

    titles = [collapse(compatible(page.title)) for page in pages]
    titles = [(title.lower() if lower else title) or headings.get(number, "") for number, title in enumerate(titles)]
    digests = []
    for number, title in enumerate(titles):
        # The first line says what is title, so a page without one never has the content of a page with it.
        said = "\n".join(filter(None, blocks[ends[number] : ends[number + 1]]))
        digests.append(digest(f"{title}\n{said}") if title or said else None)

    held = np.fromiter(map(bool, blocks), bool, len(blocks))
    offsets = pa.array(np.r_[0, np.cumsum(held)][ends].astype(np.int32))
    return pa.RecordBatch.from_arrays(
        [
            pa.array(titles, pa.string()),
            pa.ListArray.from_arrays(offsets, pa.array(list(filter(None, blocks)), pa.string())),
            pa.ListArray.from_arrays(offsets, pa.array(rank[held].astype(np.int8))),
            pa.array(digests, pa.binary()),
        ],
        names=["title", "blocks", "ranks", "content_digest"],
    )


def _text(buffer: pa.Buffer, charset: str | None) -> str:
    try:
        text = str(memoryview(buffer), "utf-8")  # nearly all pages, without a copy of their bytes
    except UnicodeDecodeError:
        return decode(buffer.to_pybytes(), charset)
    if "\x00" in text or "\x1b" in text or text[:1] == "\ufeff":
        return decode(buffer.to_pybytes(), charset)
    return text

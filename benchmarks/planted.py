"""Page sets of any size: real pages, and copies of them with planted edits whose truth is known.

A set of N pages has ``PLANTED_SHARE`` of N planted pages, more where there are not enough real ones. Real pages are
taken evenly over all there are, originals evenly over those of ``MODERATE`` size; a large set holds several copies of
one original, each with its own edit. The same N from the same files gives the same set, byte for byte of HTML.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

SEED = 20_240_607
PLANTED_SHARE = 0.1
"""Share of a set that is planted, at least."""

MODERATE = (2_000, 60_000)
"""Bytes of HTML that an original has: at least, at most."""

FILE_PAGES, FILE_BYTES = 5_000, 64 << 20
"""Pages and bytes of HTML of one file of a set, at most (but for the last page)."""

GROUP_ROWS, GROUP_BYTES = 500, 16 << 20
"""Rows and bytes of HTML of one row group, at most (but for the last page)."""

RATES = {
    "sentence": 0.25,  # one sentence in other words
    "added": 0.15,  # a paragraph added
    "dropped": 0.15,  # a paragraph, list item or the like dropped
    "frame": 0.15,  # menu and footer exchanged for those of another site; also where a page has no place for its edit
    "reordered": 0.1,  # a quarter of the paragraphs (or list items, …) change places
    "charset": 0.1,  # UTF-8 becomes UTF-16, windows-1252 or GB18030
    "truncated": 0.1,  # 1 to 25 % of the bytes cut off at the end
}
"""How often each edit is drawn."""

PAGE = pa.schema(
    [("page_id", pa.string()), ("url", pa.string()), ("html", pa.binary()), ("fetched_at", pa.timestamp("us", "UTC"))]
)
TRUTH = pa.schema([("planted_id", pa.string()), ("original_id", pa.string()), ("edit", pa.string())])

WORDS = (
    b"river stone paper garden signal market winter letter bridge copper silver harbor engine window forest meadow "
    b"carpet ladder button pocket basket candle mirror needle saddle tunnel valley wagon yellow quiet narrow gentle "
    b"bitter hollow rapid steady turns holds moves keeps finds opens closes carries between under after before beyond"
).split()
SITES = 16

BODY = re.compile(rb"<body\b[^>]*>", re.I)
RUN = re.compile(rb"<(?:p|li|dd|td|dt|div|h[1-6]|pre|blockquote)\b[^<>]*>([^<]{30,})", re.I)
BLOCK = re.compile(  # that holds no other block
    rb"<(p|li|dd|pre|blockquote)\b[^<>]*>(?:[^<]++|<(?!/?(?:p|li|dd|dt|dl|ul|ol|pre|div|table|blockquote|body)\b))*+</\1>",
    re.I,
)
BLOCK_END = re.compile(rb"</(?:p|pre|ul|ol|dl|table|blockquote|h[1-6])\s*>", re.I)
SENTENCE = re.compile(rb"[^.!?\s][^.!?]{14,}")
FRAME = re.compile(rb"<(nav|header|footer)\b.*?</\1\s*>", re.I | re.S)
TAG = re.compile(rb"<[^>]*>")
CHARSET = re.compile(
    r"""(<meta[^>]{0,500}?charset\s*=\s*["']?\s*|<\?xml[^>]{0,100}?encoding\s*=\s*["'])[\w.:-]+""", re.I
)
HEAD = re.compile(r"<head\b[^>]*>", re.I)


def plant(html: bytes, name: str) -> tuple[str, bytes]:
    """The edit that ``name`` draws, and the page with it.

    Args:
        html: a page in a charset that has ASCII as its part.
        name: of the planted page; the same name always draws the same.
    """
    chance = random.Random(f"{SEED}:{name}")
    edit = chance.choices(list(RATES), list(RATES.values()))[0]
    found = EDITS[edit](html, chance)
    return ("frame", _frame(html, chance)) if found is None else (edit, found)


def _sentence(html: bytes, chance: random.Random) -> bytes | None:
    run = next(_from_anywhere(RUN, html, chance), None)
    sentences = list(SENTENCE.finditer(html, *run.span(1))) if run else []
    if not sentences:
        return None
    start, end = chance.choice(sentences).span()
    return html[:start] + _words(chance, max(3, html.count(b" ", start, end) + 1)).capitalize() + html[end:]


def _added(html: bytes, chance: random.Random) -> bytes | None:
    place = next(_from_anywhere(BLOCK_END, html, chance), None)
    if place is None:
        return None
    sentences = b" ".join(_words(chance, chance.randint(8, 15)).capitalize() + b"." for _ in range(3))
    return html[: place.end()] + b"<p>" + sentences + b"</p>" + html[place.end() :]


def _dropped(html: bytes, chance: random.Random) -> bytes | None:
    for block in _from_anywhere(BLOCK, html, chance):
        if len(TAG.sub(b"", block[0])) >= 30:
            return html[: block.start()] + html[block.end() :]
    return None


def _frame(html: bytes, chance: random.Random) -> bytes:
    site = random.Random(f"{SEED}:site {chance.randrange(SITES)}")
    links = b"".join(b'<li><a href="/%d">%s</a></li>' % (n, _words(site, 2)) for n in range(12))
    footer = b"<footer>" + b"".join(b"<p>%s.</p>" % _words(site, 8).capitalize() for _ in range(2)) + b"</footer>"
    bare = FRAME.sub(b"", html)
    top = _body(bare)
    end = bare.lower().rfind(b"</body")
    end = len(bare) if end < top else end
    return bare[:top] + b"<nav><ul>" + links + b"</ul></nav>" + bare[top:end] + footer + bare[end:]


def _reordered(html: bytes, chance: random.Random) -> bytes | None:
    kinds: dict[bytes, list[tuple[int, int]]] = {}
    for block in BLOCK.finditer(html, _body(html)):
        kinds.setdefault(block[1].lower(), []).append(block.span())
    blocks = max(kinds.values(), key=len, default=[])
    if len(blocks) < 2:
        return None
    chosen = sorted(chance.sample(range(len(blocks)), max(2, len(blocks) // 4)))
    parts, last = [], 0
    for place, other in zip(chosen, chosen[1:] + chosen[:1], strict=True):
        parts += [html[last : blocks[place][0]], html[slice(*blocks[other])]]
        last = blocks[place][1]
    moved = b"".join((*parts, html[last:]))
    return None if moved == html else moved


def _charset(html: bytes, chance: random.Random) -> bytes | None:
    try:
        text = html.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if text.isascii():
        return text.encode("utf-16")
    try:
        return _declare(text, "windows-1252").encode("cp1252")
    except UnicodeEncodeError:
        return _declare(text, "gb18030").encode("gb18030")


def _declare(text: str, charset: str) -> str:
    said = CHARSET.search(text)
    text = CHARSET.sub(rf"\g<1>{charset}", text.removeprefix("\ufeff"))
    if said and said.end() < 1_000:
        return text
    head = HEAD.search(text, 0, 1_000)
    place = head.end() if head else 0
    return f'{text[:place]}<meta charset="{charset}">{text[place:]}'


def _truncated(html: bytes, chance: random.Random) -> bytes | None:
    return html[: int(len(html) * chance.uniform(0.75, 0.99))]


EDITS: dict[str, Callable[[bytes, random.Random], bytes | None]] = {
    "sentence": _sentence,
    "added": _added,
    "dropped": _dropped,
    "frame": _frame,
    "reordered": _reordered,
    "charset": _charset,
    "truncated": _truncated,
}


def _from_anywhere(what: re.Pattern[bytes], html: bytes, chance: random.Random) -> Iterator[re.Match[bytes]]:
    """Matches from a random place of the body on, then those from its start."""
    start = _body(html)
    place = chance.randint(start, len(html))
    return chain(what.finditer(html, place), what.finditer(html, start))


def _body(html: bytes) -> int:
    found = BODY.search(html)
    return found.end() if found else 0


def _words(chance: random.Random, count: int) -> bytes:
    return b" ".join(chance.choices(WORDS, k=count))


def build(folder: Path, pages: int, sources: Sequence[Path]) -> dict[str, Any]:
    """Write a set: ``pages/*.parquet`` (PAGE), ``truth.parquet`` (TRUTH), ``set.json``; or find it written already.

    Args:
        folder: for the set; what an earlier try left there is replaced.
        pages: how many.
        sources: Parquet files of real pages. Of pages with the same page_id the first is taken.

    Returns:
        what ``set.json`` says: ``pages``, ``real``, ``planted``, ``html_bytes``, ``edits``, and what it was made from.
    """
    known = hashlib.sha256(Path(__file__).read_bytes())
    for file in sources:
        known.update(f"{file.name} {file.stat().st_size}\n".encode())
    made_from = {"pages": pages, "seed": SEED, "made_from": known.hexdigest()}
    summary = folder / "set.json"
    if summary.exists():
        told: dict[str, Any] = json.loads(summary.read_text("utf-8"))
        if made_from.items() <= told.items():
            return told
        summary.unlink()
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    for old in (folder / "pages").glob("*.parquet"):
        old.unlink()

    copies = _copies(pages, sources)
    real, planted, truth = _Writer(folder / "pages", "real"), _Writer(folder / "pages", "planted"), []
    for start, table in _read(sources, PAGE.names):
        wanted = copies[start : start + table.num_rows]
        rows = table.filter(pa.array(wanted >= 0)).to_pylist()
        for row, count in zip(rows, wanted[wanted >= 0].tolist(), strict=True):
            real.add(row)
            for number in range(count):
                copy, edit = _copy(row, number)
                planted.add(copy)
                truth.append((copy["page_id"], row["page_id"], edit))
    real.close()
    planted.close()
    columns = [pa.array(column, pa.string()) for column in (zip(*truth, strict=True) if truth else ([], [], []))]
    pq.write_table(pa.table(columns, schema=TRUTH), folder / "truth.parquet", compression="zstd")
    edits = [edit for _, _, edit in truth]
    told = {
        **made_from,
        "real": real.pages,
        "planted": planted.pages,
        "html_bytes": real.bytes + planted.bytes,
        "edits": {edit: edits.count(edit) for edit in RATES},
    }
    summary.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    return told


def _copy(row: dict[str, Any], number: int) -> tuple[dict[str, Any], str]:
    name = f"{row['page_id']}+{number}"
    edit, html = plant(row["html"], name)
    chance = random.Random(f"{SEED}:when:{name}")
    fetched = (row["fetched_at"] or datetime(2024, 1, 1, tzinfo=UTC)) + timedelta(days=chance.randint(-365, 365))
    scheme, _, path = (row["url"] or row["page_id"]).rpartition("://")
    # A page in another site's frame stands on another site; the others are versions of a page on its own.
    url = f"copies://{number}/{edit}/{path}" if edit == "frame" else f"{scheme or 'copies'}://{path}?{number}"
    return {"page_id": name, "url": url, "html": html, "fetched_at": fetched}, edit


def _copies(pages: int, sources: Sequence[Path]) -> npt.NDArray[np.int64]:
    """For each row of the sources: -1, not in the set; else the number of planted copies."""
    seen: set[str] = set()
    fit: list[int] = []  # -1: a page seen already; 0: no original; 1: may be an original
    for _, table in _read(sources, ["page_id", "html"]):
        sizes = pc.fill_null(pc.binary_length(table["html"]), 0).to_pylist()
        for page_id, size in zip(table["page_id"].to_pylist(), sizes, strict=True):
            fit.append(-1 if page_id in seen else int(MODERATE[0] <= size <= MODERATE[1]))
            seen.add(page_id)
    fits = np.array(fit, np.int64)
    there = np.flatnonzero(fits >= 0)
    real = min(len(there), pages - round(pages * PLANTED_SHARE))
    taken = there[_even(real, len(there))]
    originals = taken[fits[taken] == 1]
    if pages > real and not len(originals):
        raise ValueError(f"none of {len(there)} real pages has {MODERATE[0]} to {MODERATE[1]} bytes: no originals")
    copies = np.full(len(fits), -1)
    copies[taken] = 0
    np.add.at(copies, originals[_even(pages - real, len(originals))], 1)
    return copies


def _even(count: int, places: int) -> npt.NDArray[np.int64]:
    """``count`` places out of ``places``, evenly spread; each of them several times where there are too few."""
    return np.arange(count, dtype=np.int64) * places // max(1, count)


def _read(sources: Sequence[Path], columns: list[str]) -> Iterator[tuple[int, pa.Table]]:
    """Each row group with the number of rows before it."""
    start = 0
    for source in sources:
        with pq.ParquetFile(source) as file:
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, columns)
                yield start, table.select(columns)
                start += table.num_rows


class _Writer:
    """Rows to Parquet files of bounded size, one row group in memory."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._rows: list[dict[str, Any]] = []
        self._file: pq.ParquetWriter | None = None
        self._files = self._held = self._in_file = self._file_bytes = 0
        self.pages = self.bytes = 0

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self._held += len(row["html"] or b"")
        if len(self._rows) >= GROUP_ROWS or self._held >= GROUP_BYTES:
            self._flush()
            if self._in_file >= FILE_PAGES or self._file_bytes >= FILE_BYTES:
                self.close()

    def close(self) -> None:
        self._flush()
        if self._file:
            self._file.close()
        self._file, self._in_file, self._file_bytes = None, 0, 0

    def _flush(self) -> None:
        if not self._rows:
            return
        if self._file is None:
            name = self._folder / f"{self._name}-{self._files:05d}.parquet"
            self._file, self._files = pq.ParquetWriter(name, PAGE, compression="zstd"), self._files + 1
        self._file.write_table(pa.Table.from_pylist(self._rows, PAGE))
        self._in_file, self._file_bytes = self._in_file + len(self._rows), self._file_bytes + self._held
        self.pages, self.bytes = self.pages + len(self._rows), self.bytes + self._held
        self._rows, self._held = [], 0

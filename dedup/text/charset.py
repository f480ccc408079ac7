"""Bytes to text: valid UTF-8 is UTF-8 whatever is declared; then BOM, HTTP header, ``<meta>``, detection.

Labels are read as browsers read them (gb2312 is GB18030, iso-8859-1 is windows-1252). What cannot be read with
at most one wrong character in two hundred is refused, not guessed into noise.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from turbohtml.detect import detect

MAX_WRONG = 0.005
"""Share of U+FFFD above which a reading is refused."""

MAX_CONTROLS = 0.01
"""Share of control characters above which a reading is data and no text."""

DETECTED_BYTES = 1 << 20
"""Detection looks at this much from the first byte that is not ASCII."""

# Superset encodings, as the WHATWG encoding standard maps them, by Python's canonical codec names.
SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "euc_kr": "cp949",
}
ALIASES = {
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-x-big5": "big5hkscs",
    "x-euc-jp": "euc_jp",
    "ks_c_5601-1987": "cp949",
    "windows-949": "cp949",
    "unicode": "utf-8",
    # A declaration that could be read as ASCII was not written in UTF-16.
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
}
# Python codecs that are no charsets of pages.
REFUSED = re.compile(r"^(utf-7|utf_7|idna|punycode|.*unicode.escape|undefined|mbcs|oem|palmos)$")

DECLARED = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']+)""",
    re.IGNORECASE,
)
DECLARED_WITHIN = 4096
BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class Undecodable(ValueError):
    """No charset reads these bytes as text."""


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of a page's bytes, without BOM, NUL characters or lone surrogates.

    Args:
        data: the page as it came.
        declared: charset of the HTTP header, or the whole Content-Type, if known.

    Raises:
        Undecodable: every reading has more than MAX_WRONG wrong characters, or too many control characters.
    """
    for mark, codec in BOMS:
        if data.startswith(mark):
            marked = _accepted(data[len(mark) :], codec)
            if marked is None:
                raise Undecodable(f"not the {codec} that its byte order mark says")
            return marked
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        if "\x00" not in text and "\x1b$" not in text:
            return text
    for codec in _readings(data, declared):
        accepted = _accepted(data, codec)
        if accepted is not None:
            return accepted
    raise Undecodable("no charset reads it as text")


def _readings(data: bytes, declared: str | None) -> Iterator[str]:
    """Codecs worth trying, most trustworthy first."""
    wide = _wide(data)
    if wide:
        yield wide
    if b"\x1b$" in data:
        yield "iso2022_jp"
    yield from _broken_utf8(data)
    for label in (_header_charset(declared), _meta_charset(data)):
        codec = label and _codec(label)
        if codec:
            yield codec
    found = detect(_telling(data)).encoding
    codec = found and _codec(found)
    if codec:
        yield codec


def _broken_utf8(data: bytes) -> Iterator[str]:
    """UTF-8 with a few broken bytes: other charsets hardly ever make ten good sequences for a bad one."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    # In UTF-8 each further byte of a character beyond its first is what ASCII does not have.
    good = sum(text.count(c) for c in set(text) if c > "\x7f" and c != "\ufffd") if wrong else 1
    if good >= 10 * wrong:
        yield "utf-8"


def _wide(data: bytes) -> str | None:
    """UTF-16 without BOM: markup makes every other byte NUL."""
    head = data[:2048]
    if len(head) < 4:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.3 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.3 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _telling(data: bytes) -> bytes:
    """The part that detection should see: markup ahead of the first other byte says nothing."""
    if len(data) <= DETECTED_BYTES:
        return data
    first = re.search(rb"[\x80-\xff]", data)
    start = max(0, first.start() - 100) if first else 0
    return data[start : start + DETECTED_BYTES]


def _header_charset(declared: str | None) -> str | None:
    return declared.rpartition("charset=")[2].strip(" \"';") if declared else None


def _meta_charset(data: bytes) -> str | None:
    found = DECLARED.search(data, 0, DECLARED_WITHIN)
    return (found[1] or found[2]).decode("ascii", "replace") if found else None


def _codec(label: str) -> str | None:
    """Python's name for a charset label; None where there is none that fits a page."""
    label = label.strip().lower()
    if label in ALIASES:
        return ALIASES[label]
    try:
        name = codecs.lookup(label).name
        "".encode(name)  # refuses codecs that are not between bytes and text
    except (LookupError, ValueError):
        return None
    return None if REFUSED.match(name) else SUPERSETS.get(name, name)


def _accepted(data: bytes, codec: str) -> str | None:
    try:
        text = data.decode(codec, "replace")
    except (UnicodeError, LookupError):
        return None
    if codec.startswith("utf-16"):
        text = text.encode("utf-16-le", "replace").decode("utf-16-le", "replace")
    text = text.removeprefix("\ufeff")
    wrong = text.count("\ufffd")
    # One broken byte leaves up to three wrong characters, and refuses no page, however short.
    if wrong > max(3, MAX_WRONG * len(text)):
        return None
    controls = sum(1 for _ in CONTROLS.finditer(text))
    # Stray NULs are common in real pages and harmless; what is mostly controls is no page.
    if controls > max(4, MAX_CONTROLS * len(text)):
        return None
    return text.replace("\x00", "")

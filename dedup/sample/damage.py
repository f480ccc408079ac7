"""What happens to a page's markup, not to its text: other attributes, other charset, broken or cut HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from dedup.sample.templates import CONTENT, CONTENT_END

LABELS = {
    "utf-8": "utf-8",
    "utf-8-sig": "utf-8",
    "utf-16-le": "utf-16",
    "utf-16-be": "utf-16",
    "gb18030": "gb18030",
    "big5": "Big5",
    "shift_jis": "Shift_JIS",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "cp1252": "iso-8859-1",
}
"""Python codec → what pages in it declare. Browsers read what says ISO-8859-1 as windows-1252."""

BOMS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
"""Marks that Python's codecs of these names do not write."""


def encoded(markup: str, charset: str, declared: str | None = None) -> bytes:
    """The bytes of a page that declares ``declared``, by default what it is.

    Raises:
        UnicodeEncodeError: the charset cannot write the page; the grammars see to it that none does.
    """
    label = declared or LABELS[charset]
    markup = re.sub(r'((?:charset|encoding)="?)utf-8', rf"\g<1>{label}", markup, flags=re.IGNORECASE)
    return BOMS.get(charset, b"") + markup.encode(charset)


def dressed(markup: str, rng: Random) -> str:
    """Other attributes, scripts, styles and comments around the same visible text."""
    kept = rng.getrandbits(32)
    markup = re.sub(
        r"<(p|div|td|li|h1|h2|a|table|body)\b",
        lambda tag: f'<{tag[1]} data-v{kept % 97}="{rng.randrange(1000)}"',
        markup,
        flags=re.IGNORECASE,
    )
    extra = f"<style>.c{kept} {{ margin: 0 }}</style><script>track({kept});</script>"
    markup = re.sub(r"(?=</head>)", extra, markup, flags=re.IGNORECASE)
    return _inside(markup, lambda body: re.sub(r"\n", lambda _: f"\n<!-- {rng.randrange(10**6)} -->\n", body))


def cut(markup: str, share: float = 0.9) -> str:
    """The page ends after that share of its article, as after a lost connection."""
    start, end = markup.index(CONTENT), markup.index(CONTENT_END)
    return markup[: start + int(share * (end - start))]


def unclosed(markup: str) -> str:
    """Optional end tags are gone, and the required ones at the end."""
    return re.sub(r"</(p|li|td|tr|dd|body|html)>", "", markup, flags=re.IGNORECASE)


def misnested(markup: str) -> str:
    """Inline elements end outside of the block that they began in."""
    body = {"<p>": "<p><b><i>", "</p>": "</b></p></i>", "<li>": "<li><b><i>", "</li>": "</b></li></i>"}
    return _inside(markup, lambda text: re.sub(r"</?(p|li)>", lambda tag: body[tag[0]], text))


def headless(markup: str) -> str:
    """Neither doctype nor html, head and body tags."""
    return re.sub(r"<(!doctype|\?xml|/?html|/?head|/?body)\b[^>]*>\n?", "", markup, flags=re.IGNORECASE)


def stray(markup: str) -> str:
    """End tags of elements that never began."""
    return _inside(markup, lambda body: body.replace("\n", "</div></span>\n"))


def nuls(markup: str, rng: Random) -> str:
    """A few NUL bytes at sentence ends of the article."""

    def strewn(body: str) -> str:
        stops = [match.start() for match in re.finditer("[.。]", body)]
        for at in sorted(rng.sample(stops, min(5, len(stops))), reverse=True):
            body = body[:at] + "\0" + body[at:]
        return body

    return _inside(markup, strewn)


def _inside(markup: str, change: Callable[[str], str]) -> str:
    start, end = markup.index(CONTENT), markup.index(CONTENT_END)
    return markup[:start] + change(markup[start:end]) + markup[end:]

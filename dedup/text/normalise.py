"""Normalisation, the same for every algorithm: Unicode NFKC, white space collapsed and stripped, case on request."""

from __future__ import annotations

import unicodedata

# No-break space, ellipsis, and the full-width punctuation of Chinese and Japanese, each as NFKC has it.
USUAL = tuple((sign, unicodedata.normalize("NFKC", sign)) for sign in "\xa0…，：；！？（）")


def compatible(text: str) -> str:
    """NFKC; line ends stay where they are, since nothing decomposes into or composes across them."""
    if text.isascii():
        return text
    # What most pages have to normalise, and nothing else; replacing it is cheaper than normalising.
    for wide, plain in USUAL:
        text = text.replace(wide, plain)
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


def collapse(text: str) -> str:
    """Every run of white space becomes one space; none at the ends."""
    return " ".join(text.split())


def collapse_all(text: str, parts: list[str]) -> list[str]:
    """:func:`collapse` of the parts of a text, which were two line ends apart; the list itself if nothing changes."""
    # Of white space only the space is printable. Four looks at the whole spare most texts a step for each part.
    if not text.replace("\n", "").isprintable() or "  " in text:
        return [part.strip() if part.isprintable() and "  " not in part else collapse(part) for part in parts]
    if " \n" in text or "\n " in text or text[:1] == " " or text[-1:] == " ":
        return [collapse(part) if "\n" in part else part.strip() for part in parts]
    if text.count("\n") == 2 * (len(parts) - 1):
        return parts
    return [collapse(part) if "\n" in part else part for part in parts]


def normalise(text: str, lower: bool = False) -> str:
    """NFKC, collapsed, stripped; in lower case where asked."""
    text = collapse(compatible(text))
    return text.lower() if lower else text

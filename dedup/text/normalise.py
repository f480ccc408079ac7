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


def collapse_all(texts: list[str], lower: bool = False) -> list[str]:
    """:func:`collapse` of many texts, in lower case where asked."""
    # Of white space only the space is printable: one look at all of them spares most a split and a join.
    whole = "".join(texts)
    if whole.isprintable() and "  " not in whole:
        texts = [text.strip() for text in texts]
    else:
        texts = [text.strip() if text.isprintable() and "  " not in text else " ".join(text.split()) for text in texts]
    return [text.lower() for text in texts] if lower else texts


def normalise(text: str, lower: bool = False) -> str:
    """NFKC, collapsed, stripped; in lower case where asked."""
    text = collapse(compatible(text))
    return text.lower() if lower else text

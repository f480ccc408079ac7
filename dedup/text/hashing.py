"""MD5 as fingerprints and content digests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt


def _plain_or_declared() -> Callable[[bytes | memoryview], Any]:
    """hashlib's md5; where FIPS forbids it, the same declared as not for security (slower, so only there)."""
    try:
        hashlib.md5(b"")
    except ValueError:
        return partial(hashlib.md5, usedforsecurity=False)
    return hashlib.md5


md5 = _plain_or_declared()


def digest(text: str) -> bytes:
    """16 bytes: MD5 of the text in UTF-8."""
    value: bytes = md5(text.encode("utf-8", "surrogatepass")).digest()
    return value


def fingerprint(text: str) -> int:
    """The first 64 bits of the text's MD5, as a signed big-endian number: what Spark calls a long."""
    return int.from_bytes(digest(text)[:8], "big", signed=True)


def fingerprints(digests: Iterable[bytes]) -> npt.NDArray[np.int64]:
    """:func:`fingerprint` of many digests at once."""
    halves = np.frombuffer(b"".join(digests), ">i8")
    return halves[::2].astype(np.int64)

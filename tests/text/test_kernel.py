"""The batch kernel against the plain reading of one page, and what it refuses."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dedup.text.blocks import BlockRules, page_blocks, text_blocks
from dedup.text.hashing import fingerprint, fingerprints
from dedup.text.kernel import Signer

from .test_blocks import MARKUP

SIGNER = Signer()


def sign(*pages: bytes | None, **words: object) -> list[dict[str, object]]:
    signed = SIGNER.sign(pa.array(pages, pa.binary()), **words)  # type: ignore[arg-type]
    return pa.table(list(signed), names=list(signed._fields)).to_pylist()


def test_a_fingerprint_is_the_first_half_of_an_md5() -> None:
    whole = hashlib.md5("网页".encode()).hexdigest()
    assert fingerprint("网页") == int.from_bytes(bytes.fromhex(whole)[:8], "big", signed=True)
    digests = [hashlib.md5(bytes([n])).digest() for n in range(50)]
    assert fingerprints(digests).tolist() == [int.from_bytes(d[:8], "big", signed=True) for d in digests]
    assert fingerprints([]).tolist() == []


@given(st.lists(MARKUP, max_size=8))
@settings(max_examples=200)
def test_a_batch_is_its_pages(pages: list[str]) -> None:
    for page, row in zip(pages, sign(*(page.encode() for page in pages)), strict=True):
        blocks = page_blocks(page, BlockRules())
        assert row["fingerprints"] == [fingerprint(text) for text in blocks.texts]
        assert row["weights"] == [len(text) for text in blocks.texts]
        assert row["content_digest"] == (hashlib.md5(blocks.content.encode()).digest() if blocks.content else None)


def test_a_slice_of_an_array_is_that_slice() -> None:
    pages = pa.array([b"<p>one", b"<p>two", None, b"<p>three"], pa.binary())
    whole, part = SIGNER.sign(pages), SIGNER.sign(pages.slice(1, 3))
    assert part.fingerprints.to_pylist() == whole.fingerprints.to_pylist()[1:]


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (None, "no_content"),
        (b"", "no_content"),
        (b" \r\n\t ", "no_content"),
        ("\u3000\u2028 ".encode(), "no_content"),
        (b"\xef\xbb\xbf", "no_content"),
        (bytes(range(256)) * 20, "undecodable"),
        (b"<p>" + b"x" * 2_000, "too_large"),
        (b"<html><body><img src=x></body></html>", None),
        (b"<p>text</p>", None),
    ],
)
def test_reasons(page: bytes | None, reason: str | None) -> None:
    signed = Signer(max_page_bytes=1_000 if reason == "too_large" else 1 << 20).sign(pa.array([page], pa.binary()))
    assert signed.reason.to_pylist() == [reason]
    assert (signed.detail[0].as_py() is None) == (reason is None)
    if reason or page == b"<html><body><img src=x></body></html>":
        assert signed.fingerprints.to_pylist() == [[]]
        assert signed.content_digest.to_pylist() == [None]


def test_a_page_that_breaks_the_parser_is_refused_and_the_next_one_signed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dedup.text import kernel

    def breaks(html: str) -> object:
        if "boom" in html:
            raise RecursionError("too deep")
        return kernel_extract(html)

    kernel_extract = kernel.extract
    monkeypatch.setattr(kernel, "extract", breaks)
    boom, fine = sign(b"<p>boom", b"<p>fine")
    assert (boom["reason"], boom["detail"]) == ("parser_failed", "RecursionError: too deep")
    assert fine["fingerprints"] == [fingerprint("fine")]


def test_plain_text() -> None:
    pages = pa.array(["first line\nsecond", "", None, "a <b> is text"], pa.string())
    signed = SIGNER.sign(pages, is_text=True)
    assert signed.reason.to_pylist() == [None, "no_content", "no_content", None]
    expected = [fingerprint(text) for text in text_blocks("first line\nsecond", BlockRules()).texts]
    assert signed.fingerprints.to_pylist()[0] == expected
    assert signed.fingerprints.to_pylist()[3] == [fingerprint("a <b> is text")]


def test_the_charset_of_the_header_is_used() -> None:
    page = "<p>Größe über Maß, ça va déjà</p>".encode("cp1252")
    text = pa.array(["windows-1252"])
    assert SIGNER.sign(pa.array([page]), text).fingerprints.to_pylist() == [[fingerprint("Größe über Maß, ça va déjà")]]


def test_same_bytes_same_signature_in_another_process() -> None:
    code = "import sys; from tests.text.test_kernel import sign; print(sign(b'<title>t</title><p>one<p>two')[0])"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert said == {f"{sign(b'<title>t</title><p>one<p>two')[0]}\n"}

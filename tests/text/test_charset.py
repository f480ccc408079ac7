"""Bytes to text, for every charset and every way of declaring one, rightly or wrongly."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.text.charset import Undecodable, decode

ENGLISH = "The ferry timetable was repaired in March, and the café “Zur Post” opened — at last. "
CHINESE = "渡轮时刻表在三月修好，旧港的茶馆终于重新开张。市政厅对面的书店也换了主人。"
TAIWANESE = "渡輪時刻表在三月修好，舊港的茶館終於重新開張。市政廳對面的書店也換了主人。"
JAPANESE = "渡し船の時刻表は三月に直され、古い港の茶店がようやく開いた。駅前の本屋も主人が替わった。"
KOREAN = "나룻배 시간표는 삼월에 고쳐졌고 옛 항구의 찻집도 마침내 문을 열었다. 역 앞 서점도 주인이 바뀌었다."

CHARSETS = [
    ("utf-8", ENGLISH),
    ("cp1252", ENGLISH),
    ("gb2312", CHINESE.replace("“", "")),
    ("gbk", CHINESE),
    ("gb18030", CHINESE + "𠮷"),
    ("big5", TAIWANESE),
    ("shift_jis", JAPANESE),
    ("euc_jp", JAPANESE),
    ("euc_kr", KOREAN),
    ("utf-8", CHINESE + KOREAN + JAPANESE),
]


def page(text: str, declared: str = "") -> str:
    meta = f'<meta charset="{declared}">' if declared else ""
    return f"<html><head>{meta}<title>{text[:10]}</title></head><body><p>{text * 6}</p></body></html>"


@pytest.mark.parametrize(("charset", "text"), CHARSETS)
@pytest.mark.parametrize("how", ["meta", "header", "content-type", "nothing"])
def test_each_charset_however_declared(charset: str, text: str, how: str) -> None:
    whole = page(text, charset if how == "meta" else "")
    declared = {"header": charset, "content-type": f"text/html; charset={charset}"}.get(how)
    assert decode(whole.encode(charset), declared) == whole


@pytest.mark.parametrize("wrong", ["gb2312", "iso-8859-1", "shift_jis", "utf-16", "no-such-charset", "base64", "idna"])
def test_valid_utf8_is_utf8_whatever_is_declared(wrong: str) -> None:
    whole = page(CHINESE, wrong)
    assert decode(whole.encode(), wrong) == whole


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-8"])
def test_a_byte_order_mark_decides(codec: str) -> None:
    whole = page(CHINESE, "iso-8859-1")
    assert decode(("\ufeff" + whole).encode(codec)) == whole


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_mark_though_its_bytes_are_valid_utf8(codec: str) -> None:
    whole = page(ENGLISH.replace("é", "e").encode("ascii", "ignore").decode())
    assert decode(whole.encode(codec)) == whole


def test_iso_2022_jp_though_its_bytes_are_ascii() -> None:
    whole = page(JAPANESE, "iso-2022-jp")
    assert decode(whole.encode("iso2022_jp")) == whole


def test_what_says_latin_1_is_windows_1252() -> None:
    assert "“Zur Post”" in decode(page(ENGLISH, "iso-8859-1").encode("cp1252"))


def test_a_few_broken_bytes_do_not_cost_the_page() -> None:
    data = bytearray(page(CHINESE, "gb2312").encode())
    data[-20] = 0xFF
    assert CHINESE in decode(bytes(data))


@pytest.mark.parametrize(("charset", "text"), CHARSETS)
def test_cut_in_the_middle_of_a_character(charset: str, text: str) -> None:
    data = page(text, charset).encode(charset)
    for cut in range(1, 5):
        assert text in decode(data[: -cut - 20])


def test_nul_bytes_are_dropped() -> None:
    assert decode(b"<p>one\x00 two</p>" + b"<p>text</p>" * 50) == "<p>one two</p>" + "<p>text</p>" * 50


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [200, 1_000, 60_000])
def test_random_bytes_are_refused(seed: int, size: int) -> None:
    data = random.Random(seed).randbytes(size)
    with pytest.raises(Undecodable):
        decode(data)


@pytest.mark.parametrize(
    "head", [b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"\x1f\x8b\x08\x00", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
)
def test_other_files_are_refused(head: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(head + random.Random(1).randbytes(5_000))


@given(st.binary(max_size=400), st.none() | st.sampled_from(["utf-8", "gbk", "utf-7", "rot13", "", "charset="]))
def test_text_or_refusal_and_nothing_else(data: bytes, declared: str | None) -> None:
    try:
        text = decode(data, declared)
    except Undecodable:
        return
    text.encode("utf-8")  # no lone surrogates
    assert "\x00" not in text

"""What of a page is main body, other text, or navigation."""

from __future__ import annotations

import pytest

from dedup.text.documents import Reader
from dedup.text.ranks import Rank
from tests.text.markup import LONG, OTHER

M, T, N = Rank


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<main><p>{LONG}</p><p>{OTHER}</p><p>short</p></main><p>{LONG}</p><p>{OTHER}</p>", [M, M, T, T, T]),
        (f"<article><p>{LONG}</p><nav>{OTHER}</nav></article>", [M, N]),
        (f"<p>{LONG}</p><p>{OTHER}</p><p>short</p><p>{LONG}</p>", [M, M, T, T]),  # alone it is as often a notice
        (f"<header>{LONG}</header><p>{LONG}</p><aside><p>{OTHER}</p></aside><footer>{OTHER}</footer>", [N, T, N, N]),
        (f"<p>{LONG}</p><p><a href=x>{OTHER}</a></p><p>{LONG}</p>", [T, N, T]),
        (f"<a href=x><div>{LONG}</div><div>{OTHER}</div></a>", [N, N]),
        (f"<p>{LONG} <a href=x>see</a></p><p>{OTHER}</p>", [M, M]),
        ("<p>one <a href=x>two three</a></p><p><a href=x>x</a> and other words</p>", [N, T]),
        ("<p>港口新闻渡轮时刻表在三月修好旧港的茶馆终于重新开张天气</p>" * 2, [M, M]),  # long in bytes
        ("<p>港口新闻渡轮时刻表在三月修好旧港的茶馆终于重新开</p>" * 2, [T, T]),
        ("", []),
    ],
)
def test_ranks(html: str, expected: list[Rank]) -> None:
    page = Reader().read_one(html.encode() or b"<p>")
    assert page["ranks"].to_pylist() == [expected]
    assert len(page["blocks"].to_pylist()[0]) == len(expected)

"""Planted pages: the truth is right, the rates are as stated, each edit does what it says."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from benchmarks import planted, scale
from benchmarks.planted import EDITS, MODERATE, PAGE, PLANTED_SHARE, RATES, TRUTH, build, plant
from benchmarks.scale import misses, planted_pairs
from dedup.rules import Jaccard, Measure, Rule, WeightedJaccard
from dedup.text.charset import decode

START = datetime(2024, 1, 1, tzinfo=UTC)


def made(number: int, paragraphs: int = 24, word: str = "word") -> bytes:
    """A page with a menu, a footer and distinct paragraphs of two sentences, of some 3 kB."""
    text = "".join(
        f"<p>The {word} {number} of paragraph {n} says one thing. The {word} {n} of page {number} says another.</p>\n"
        for n in range(paragraphs)
    )
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{number}</title></head><body class="x">\n'
        f'<nav><a href="/">Start</a></nav><h1>Page {number}</h1>\n{text}<footer>Old footer</footer></body></html>'
    ).encode()


def edited(edit: str, html: bytes, seed: int = 1) -> bytes | None:
    return EDITS[edit](html, random.Random(seed))


def paragraphs(html: bytes) -> list[bytes]:
    return [block[0] for block in planted.BLOCK.finditer(html)]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("real")
    small, large = b"<p>small</p>", b"<p>large</p>" + b" " * MODERATE[1]
    rows = [
        {
            "page_id": f"p{n:04d}",
            "url": f"https://site{n % 7}.example/{n}",
            "html": small if n % 10 == 3 else large if n % 10 == 6 else made(n, word="wörd" if n % 2 else "word"),
            "fetched_at": START + timedelta(hours=n),
        }
        for n in range(1_000)
    ]
    for part in range(4):
        again = rows[: 50 if part else 0]  # pages that an earlier file has
        table = pa.Table.from_pylist(rows[part * 250 : part * 250 + 250] + again, PAGE)
        pq.write_table(table, folder / f"part-{part}.parquet", row_group_size=100)
    return sorted(folder.glob("*.parquet"))


def read(folder: Path) -> tuple[dict[str, dict[str, Any]], list[dict[str, str]]]:
    rows = ds.dataset(folder / "pages", format="parquet").to_table().to_pylist()
    pages = {row["page_id"]: row for row in rows}
    assert len(pages) == len(rows), "page ids repeat"
    return pages, pq.read_table(folder / "truth.parquet").to_pylist()


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*.parquet")):
        found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()


@pytest.mark.parametrize("pages", [10, 500, 3_000])
def test_sets_have_their_size_and_share(sources: list[Path], tmp_path: Path, pages: int) -> None:
    told = build(tmp_path, pages, sources)
    rows, truth = read(tmp_path)
    assert len(rows) == pages == told["pages"]
    assert told["planted"] == len(truth) == max(round(pages * PLANTED_SHARE), pages - 1_000)
    assert told["real"] == pages - told["planted"]
    assert told["html_bytes"] == sum(len(row["html"]) for row in rows.values())
    assert told["edits"] == {edit: sum(row["edit"] == edit for row in truth) for edit in RATES}


def test_the_truth_is_right(sources: list[Path], tmp_path: Path) -> None:
    build(tmp_path, 3_000, sources)
    rows, truth = read(tmp_path)
    assert {row["planted_id"] for row in truth} == {page_id for page_id in rows if "+" in page_id}
    for line in truth:
        copy, original = rows[line["planted_id"]], rows[line["original_id"]]
        assert MODERATE[0] <= len(original["html"]) <= MODERATE[1]
        assert (line["edit"], copy["html"]) == plant(original["html"], line["planted_id"])
        assert copy["html"] != original["html"]
        assert copy["url"] != original["url"]
        assert copy["fetched_at"] is not None
    copies = Counter(line["original_id"] for line in truth)
    assert len(copies) == 800  # all of moderate size, as evenly as can be
    assert max(copies.values()) - min(copies.values()) <= 1


def test_the_same_set_every_time(sources: list[Path], tmp_path: Path) -> None:
    build(tmp_path / "a", 2_000, sources)
    build(tmp_path / "b", 2_000, sources)
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_a_set_that_is_whole_is_reused_and_others_are_replaced(sources: list[Path], tmp_path: Path) -> None:
    build(tmp_path, 1_000, sources)
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.*")}
    build(tmp_path, 1_000, sources)
    assert before == {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.*")}
    build(tmp_path, 20, sources)
    assert len(read(tmp_path)[0]) == 20
    (tmp_path / "set.json").unlink()  # an earlier try that did not end
    build(tmp_path, 20, sources)
    assert len(read(tmp_path)[0]) == 20


def test_files_and_row_groups_are_bounded(sources: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planted, "GROUP_ROWS", 50)
    monkeypatch.setattr(planted, "FILE_PAGES", 200)
    monkeypatch.setattr(planted, "FILE_BYTES", 400_000)
    build(tmp_path, 2_000, sources)
    files = [pq.ParquetFile(file).metadata for file in (tmp_path / "pages").glob("*.parquet")]
    assert max(file.num_rows for file in files) <= 200
    assert max(file.row_group(n).num_rows for file in files for n in range(file.num_row_groups)) <= 50


def test_no_originals_is_told(tmp_path: Path) -> None:
    row = {"page_id": "a", "url": "u", "html": b"small", "fetched_at": START}
    pq.write_table(pa.Table.from_pylist([row], PAGE), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="no originals"):
        build(tmp_path / "set", 10, [tmp_path / "a.parquet"])


def test_the_rates_are_as_stated() -> None:
    assert sum(RATES.values()) == pytest.approx(1)
    page, drawn = made(0), 4_000
    found = Counter(plant(page, f"a+{n}")[0] for n in range(drawn))
    for edit, rate in RATES.items():
        assert found[edit] / drawn == pytest.approx(rate, abs=0.03), edit


def test_where_an_edit_has_no_place_the_frame_is_exchanged_and_said() -> None:
    found = {plant(b"<title>nothing to edit</title>" * 100, f"a+{n}")[0] for n in range(200)}
    assert found == {"frame", "charset", "truncated"}


@pytest.mark.parametrize("seed", range(20))
class TestEdits:
    def test_sentence(self, seed: int) -> None:
        before, after = paragraphs(made(1)), paragraphs(edited("sentence", made(1), seed) or b"")
        assert len(before) == len(after)
        changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        assert len(changed) == 1
        (old, new), *_ = changed
        assert (
            sum(a == b for a, b in zip(old.split(b"."), new.split(b"."), strict=True)) == 2
        )  # of sentence, sentence, tag

    def test_added(self, seed: int) -> None:
        before, after = paragraphs(made(1)), paragraphs(edited("added", made(1), seed) or b"")
        assert len(after) == len(before) + 1
        assert set(before) < set(after)

    def test_dropped(self, seed: int) -> None:
        before, after = paragraphs(made(1)), paragraphs(edited("dropped", made(1), seed) or b"")
        assert len(after) == len(before) - 1
        assert set(after) < set(before)

    def test_frame(self, seed: int) -> None:
        after = edited("frame", made(1), seed) or b""
        assert b"Start" not in after
        assert b"Old footer" not in after
        assert after.count(b"<nav>") == after.count(b"<footer>") == 1
        assert [block for block in paragraphs(after) if block in paragraphs(made(1))] == paragraphs(made(1))

    def test_reordered(self, seed: int) -> None:
        before, after = paragraphs(made(1)), paragraphs(edited("reordered", made(1), seed) or b"")
        assert before != after
        assert sorted(before) == sorted(after)
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 6  # a quarter of 24

    @pytest.mark.parametrize(
        ("word", "mark"), [("word", b"\xff\xfe"), ("wörd", b"windows-1252"), ("単語 wörd", b"gb18030")]
    )
    def test_charset(self, seed: int, word: str, mark: bytes) -> None:
        before = made(1, word=word)
        after = edited("charset", before, seed) or b""
        assert mark in after[:200]
        assert paragraphs(decode(after).encode()) == paragraphs(before)

    def test_truncated(self, seed: int) -> None:
        after = edited("truncated", made(1), seed) or b""
        assert made(1).startswith(after)
        assert 0.74 < len(after) / len(made(1)) < 1


@pytest.mark.parametrize("head", ["", "<head>", f"<head>{' ' * 2_000}<meta charset=utf-8>", '<?xml encoding="utf-8"?>'])
def test_the_charset_is_declared_where_it_is_looked_for(head: str) -> None:
    text = f"{head}<body><p>Grüße aus Köln, schöne Straße und Bäume</p>"
    after = edited("charset", text.encode()) or b""
    assert "schöne Straße" in decode(after)
    assert b"windows-1252" in after[:1_000]


def test_what_is_not_utf8_keeps_its_charset() -> None:
    assert edited("charset", "<p>Grüße</p>".encode("latin-1")) is None


def test_blocks_hold_no_blocks() -> None:
    html = b"<ul><li>a<ul><li>b</li><LI class=x>c <b>d</b></LI></ul></li></ul><p>e<p>f</p><pre>g</pre>"
    assert paragraphs(html) == [b"<li>b</li>", b"<LI class=x>c <b>d</b></LI>", b"<p>f</p>", b"<pre>g</pre>"]


def signatures(count: int) -> dict[str, dict[int, int]]:
    """Pages of fingerprints and their weights, many of them alike; one without any."""
    chance = random.Random(7)
    pages: dict[str, dict[int, int]] = {"p0": {}}
    for n in range(1, count):
        like = pages[f"p{chance.randrange(n)}"] if n % 3 else {}
        chosen = [held for held in like if chance.random() < 0.9] + chance.choices(range(400), k=chance.randint(0, 6))
        pages[f"p{n}"] = {held: (held % 17 + 1) * chance.choice((1, 8, 10)) for held in chosen}
    return pages


def as_table(pages: dict[str, dict[int, int]]) -> pa.Table:
    columns = {
        "page_id": pa.array(pages, pa.string()),
        "fingerprints": pa.array([list(page) for page in pages.values()], pa.list_(pa.int64())),
        "weights": pa.array([list(page.values()) for page in pages.values()], pa.list_(pa.int32())),
    }
    return pa.concat_tables(pa.table(columns).slice(start, 50) for start in range(0, len(pages), 50))


def alike(a: dict[int, int], b: dict[int, int], rule: Rule) -> bool:
    by_weight = rule.measure is Measure.LEAST
    size_a, size_b = (sum(page.values()) if by_weight else len(page) for page in (a, b))
    common = sum(min(a[held], b[held]) if by_weight else 1 for held in a.keys() & b.keys())
    return bool(common and rule.accepts(common, size_a, size_b))


@pytest.mark.parametrize("rule", [WeightedJaccard("0.5"), Jaccard("0.5")], ids=repr)
def test_the_check_counts_the_pairs_that_the_rule_accepts(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "PAGES_AT_ONCE", 17)
    pages = signatures(150)
    stay = [page for page in pages if page != "p9"]
    pairs = {frozenset((a, b)) for a in stay for b in stay if a < b and alike(pages[a], pages[b], rule)}
    assert len(pairs) > 20
    assert misses(pa.array(stay), as_table(pages), rule, 1_000) == (149, len(pairs))
    sampled, found = misses(pa.array(stay), as_table(pages), rule, 30)
    assert sampled == 30
    assert 0 < found < len(pairs)
    assert misses(pa.array([], pa.string()), as_table(pages), rule, 30) == (0, 0)


def test_planted_pairs_are_counted_by_the_rule_and_by_who_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "PAIRS_AT_ONCE", 2)
    pages = {"a": {1: 5, 2: 5}, "a+0": {1: 5, 2: 5, 3: 1}, "a+1": {1: 5, 4: 9}, "a+2": {2: 5, 1: 5}, "b": {7: 7}}
    lines = [
        ("a+0", "a", "added"),
        ("a+1", "a", "frame"),
        ("a+2", "a", "frame"),
        ("b+0", "b", "frame"),
        ("c", "a", "charset"),
    ]
    truth = pa.table([pa.array(column) for column in zip(*lines, strict=True)], schema=TRUTH)
    survivors = pa.array(["a", "a+1", "a+2", "b"])  # b+0 is in quarantine; a+2 ought not to stay
    heads = pa.table({"copy": ["c"], "head": ["a"]})
    assert planted_pairs(truth, survivors, as_table(pages), heads, WeightedJaccard("0.7")) == {
        "added": {"planted": 1, "meet": 1, "found": 1, "parted": 1},
        "charset": {"planted": 1, "meet": 1, "found": 1, "parted": 1},
        "frame": {"planted": 3, "meet": 1, "found": 0, "parted": 1},
    }

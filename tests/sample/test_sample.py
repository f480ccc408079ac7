"""The sample site says the same on every machine, and its truth fits its pages."""

from __future__ import annotations

import csv
import hashlib
import os
import subprocess
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest

from dedup.sample import SampleSummary, write_sample
from dedup.sample.article import GRAMMARS
from dedup.sample.book import YEAR_SECONDS, YEAR_START
from dedup.sample.chrome import CHROME
from dedup.sample.plan import make_book
from dedup.sample.write import SEED

KINDS = {
    *("original", "exact", "markup", "reprint", "edited", "added", "dropped", "reordered", "charset"),
    *("wrong_charset", "cut", "unclosed", "misnested", "headless", "stray", "nul", "translation", "index"),
    *("notice", "same_ending", "same_topic", "excerpt", "scattered", "chain", "repost", "single"),
    *("empty", "blank", "no_text", "undecodable"),
}
SILENT = {"empty", "blank", "no_text", "undecodable"}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SampleSummary]:
    root = tmp_path_factory.mktemp("sample")
    return root, write_sample(root)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _state(root: Path) -> dict[str, tuple[str, float]]:
    """What a sample is: names, bytes, and times of pages."""
    return {
        str(path.relative_to(root)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime if path.suffix == ".html" else 0,
        )
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_same_seed_same_bytes_whatever_the_hash_seed(tmp_path, sample):
    for hash_seed in ("1", "4711"):
        done = subprocess.run(
            [sys.executable, "-m", "dedup.sample", str(tmp_path / hash_seed)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert len(done.stdout.splitlines()) == 1
        assert _state(tmp_path / hash_seed) == _state(sample[0])


def test_another_seed_writes_other_pages(tmp_path, sample):
    write_sample(tmp_path, seed=SEED + 1)
    pages = {digest for name, (digest, _) in _state(tmp_path).items() if name.endswith(".html")}
    usual = {digest for name, (digest, _) in _state(sample[0]).items() if name.endswith(".html")}
    # Empty files are the same under every seed.
    assert len(pages & usual) == 1


def test_summary_counts_what_was_written(sample):
    root, summary = sample
    truth = _rows(root / "truth.csv")
    assert summary.pages == len(_rows(root / "pages.csv"))
    assert summary.sites == len(list((root / "pages").iterdir())) == 8
    assert summary.pairs == len(truth)
    assert summary.duplicate_pairs == sum(row["duplicate"] == "1" for row in truth)
    assert 350 <= summary.pages <= 500


def test_lists_and_files_name_the_same_pages(sample):
    root, _ = sample
    files = {path.relative_to(root / "pages").as_posix() for path in root.rglob("*.html")}
    listed = [row["path"] for row in _rows(root / "pages.csv")]
    assert len(listed) == len(set(listed))
    assert set(listed) == files
    assert all(row["path"].startswith(row["site"] + "/") for row in _rows(root / "pages.csv"))
    assert {row[end] for row in _rows(root / "truth.csv") for end in "ab"} <= files


def test_each_pair_is_judged_once(sample):
    pairs = [(row["a"], row["b"]) for row in _rows(sample[0] / "truth.csv")]
    assert all(a < b for a, b in pairs)
    assert len(pairs) == len(set(pairs))


def test_all_pairs_within_a_family_are_judged(sample):
    root, _ = sample
    families = defaultdict(list)
    for row in _rows(root / "pages.csv"):
        families[row["family"]].append(row["path"])
    judged = {(row["a"], row["b"]) for row in _rows(root / "truth.csv")}
    for paths in families.values():
        assert set(combinations(sorted(paths), 2)) <= judged


def test_every_kind_and_language_is_there(sample):
    rows = _rows(sample[0] / "pages.csv")
    assert {row["kind"] for row in rows} == KINDS
    assert {row["lang"] for row in rows} == set(GRAMMARS)
    usual = {"utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "gb18030", "big5", "shift_jis", "euc_jp"}
    assert {row["charset"] for row in rows} == usual | {"euc_kr", "cp1252", ""}


def test_fates(sample):
    fates = defaultdict(set)
    for row in _rows(sample[0] / "pages.csv"):
        fates[row["fate_expected"]].add(row["kind"])
    assert fates.pop("quarantine:no_content") == {"empty", "blank"}
    assert fates.pop("quarantine:undecodable") == {"undecodable"}
    assert fates == {"page": KINDS - {"empty", "blank", "undecodable"}}


def test_pages_are_in_the_charset_that_the_list_names(sample):
    root, _ = sample
    for row in _rows(root / "pages.csv"):
        data = (root / "pages" / row["path"]).read_bytes()
        if not row["charset"]:
            assert row["kind"] == "undecodable"
            continue
        text = data.decode(row["charset"])
        assert ("\0" in text) == (row["kind"] == "nul")
        if row["kind"] not in SILENT:
            assert "<!-- content -->" in text


def test_wrong_charsets_are_declared(sample):
    root, _ = sample
    for row in _rows(root / "pages.csv"):
        if row["kind"] == "wrong_charset":
            data = (root / "pages" / row["path"]).read_bytes().lower()
            assert b"charset" in data
            assert b"utf-8" not in data


def test_exact_copies_and_no_others_have_the_same_bytes(sample):
    root, _ = sample
    for row in _rows(root / "truth.csv"):
        a, b = ((root / "pages" / row[end]).read_bytes() for end in "ab")
        assert (a == b) == (row["relation"] == "exact"), row


def test_families_do_not_share_their_articles():
    said = defaultdict(set)
    for page in make_book(SEED).pages:
        for paragraph in page.text.paragraphs if page.text else ():
            said[paragraph].add(page.family)
    shared = {paragraph for paragraph, families in said.items() if len(families) > 1}
    assert shared <= {chrome.more for chrome in CHROME.values()}


def test_times_are_spread_over_one_year_and_all_differ(sample):
    root, _ = sample
    times = {}
    for path in root.rglob("*.html"):
        times[path.relative_to(root / "pages").as_posix()] = path.stat().st_mtime
    assert len(set(times.values())) == len(times)
    assert all(YEAR_START <= time < YEAR_START + YEAR_SECONDS for time in times.values())
    assert len({int(time - YEAR_START) // (31 * 24 * 3600) for time in times.values()}) == 12
    families = defaultdict(dict)
    for row in _rows(root / "pages.csv"):
        families[row["family"]].setdefault(row["kind"] == "original", []).append(times[row["path"]])
    older = [max(f[True]) < min(f[False]) for f in families.values() if len(f) == 2]
    newer = [min(f[True]) > max(f[False]) for f in families.values() if len(f) == 2]
    assert sum(older) > len(older) / 3
    assert sum(newer) > len(newer) / 6


def test_pages_scales_families(tmp_path, sample):
    small = write_sample(tmp_path / "small", pages=60)
    large = write_sample(tmp_path / "large", pages=900)
    assert small.pages < sample[1].pages < large.pages
    assert {row["kind"] for row in _rows(tmp_path / "small" / "pages.csv")} == KINDS
    assert 700 <= large.pages <= 1100


def test_translations_have_grammars_of_one_shape():
    assert GRAMMARS["en"].shape == GRAMMARS["zh"].shape


def test_only_the_standard_library_is_imported():
    code = (
        "import sys, dedup.sample; "
        "print(*(m for m in sys.modules if m.partition('.')[0] not in sys.stdlib_module_names "
        "and not m.startswith('dedup.sample')))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["__main__", "dedup"] or done.stdout.split() == ["dedup"]

"""The commands: what each prints, where, and what it leaves alone."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from .conftest import Command, Done, files_of, read_output
from .pages import article, near, write_html, write_parquet

FILES: dict[str, str | bytes] = {
    "news.example/a.html": article("apples"),
    "news.example/b.html": article("apples"),
    "news.example/c.html": near("apples"),
    "other.example/d [1].html": article("pears"),
    "other.example/bad.html": b"",
    "[bold]x[/bold].html": article("plums"),
    "\x1b[31mred.html": article("red \x1b[31m figs"),
}
OLD = 1_000_000_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_html(tmp_path_factory.mktemp("site") / "pages", FILES)
    for number, name in enumerate(FILES):
        os.utime(folder / name, (OLD - number, OLD - number))
    return folder


@pytest.fixture(scope="module")
def html_run(dedup: Command, site: Path) -> tuple[Done, Path]:
    out = site.parent / "out"
    done = dedup("run", "--input", site, "--output", out)
    assert done.code == 0, done
    return done, out


@pytest.fixture(scope="module")
def parquet_run(dedup: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parquet")
    schema = pa.schema([("id", pa.int64()), ("body", pa.struct([("html", pa.string())])), ("text", pa.string())])
    rows: list[dict[str, Any]] = [
        {"id": 1, "text": "One line of text that both have.\nAnother line that both have as well."},
        {"id": 2, "text": "One line of text that both have.\nAnother line that both have as well.\nMore"},
        {"id": 3, "text": None},
    ]
    write_parquet(folder / "in" / "pages.parquet", rows, schema)
    done = dedup(
        *("run", "--input", folder / "in", "--format", "parquet", "--output", folder / "out", "--json", "--quiet"),
        *("--set", "input.columns.page_id=id", "--set", "input.columns.html=", "--set", "input.columns.text=text"),
        *("--set", "output.max_quarantine=0.5", "--set", 'survivors.keep_order=["length desc"]'),
    )
    assert done.code == 0, done
    assert done.told == read_output(folder / "out").manifest
    assert not done.err
    return folder


def test_progress_is_told_on_stderr_and_the_summary_on_stdout(html_run: tuple[Done, Path]) -> None:
    done, out = html_run
    stages = [line.split()[1] for line in done.err.splitlines()]
    assert all(re.match(r" +\d+:\d\d  [a-z]+ +\S", line) for line in done.err.splitlines())
    assert list(dict.fromkeys(stages)) == ["sign", "collapse", "template", "lead", "compare", "publish"]
    assert "7 pages signed" in done.err
    assert re.search(r"pages +7", done.out)
    assert re.search(r"survivors +4", done.out)
    assert re.search(r"duplicates +2 +1 exact, 1 near", done.out)
    assert re.search(r"quarantined +1", done.out)
    assert str(out) in done.out.replace("\n", "")


def test_quiet_says_nothing(dedup: Command, html_run: tuple[Done, Path], site: Path) -> None:
    _, out = html_run
    done = dedup("run", "--input", site, "--output", out, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert read_output(out).manifest["counts"]["pages"] == 7


def test_a_plan_writes_nothing(dedup: Command, site: Path, tmp_path: Path) -> None:
    words = ("plan", "--input", site, "--output", tmp_path / "out", "--set", "rule.threshold=0.8")
    before = files_of(site)
    done = dedup(*words, "--json")
    assert done.code == 0, done
    plan = done.told
    assert plan["input"]["pages"] == plan["sample"]["pages"] == 7
    assert plan["input"]["columns"]["page_id"] == "string"
    assert plan["sample"]["quarantined"] == {"no_content": 1}
    assert plan["settings"]["input"]["path"] == str(site)
    assert plan["settings"]["rule"] == {"threshold": 0.8}
    assert plan["exact"] is True
    assert "Fraction(4, 5)" in plan["detector"]
    assert set(plan["expected"]) == {"seconds_to_sign", "leading_keys", "pairs"}
    told = dedup(*words)
    assert told.code == 0, told
    assert "nothing was written" in told.out
    assert "rule.threshold" in told.out
    assert "7 pages; 7 of them signed" in told.out
    assert re.search(r"1 of the sample: no_content", told.out)
    assert (dedup(*words, "--quiet").out, told.err) == ("", "")
    assert not (tmp_path / "out").exists()
    assert files_of(site) == before


def test_explain_a_page_that_was_removed(early: Command, html_run: tuple[Done, Path]) -> None:
    """Html files are read where they lie, without Spark."""
    _, out = html_run
    near_page = early("explain", "--output", out, "news.example/c.html", "--json")
    assert near_page.code == 0, near_page
    (story,) = near_page.told
    assert (story["fate"], story["keeper_id"], story["stage"]) == ("duplicate", "news.example/a.html", "near")
    assert 0.7 <= story["score"] < 1
    assert story["only_here"] == ["Printed from the site of apples"]
    assert story["only_in_keeper"] == []
    assert "All about apples" in story["shared_blocks"]
    assert story["common"] == len(story["shared_blocks"]) == story["m_keeper"] == story["m"] - 1
    told = early("explain", "--output", out, "news.example/c.html")
    assert told.code == 0
    for words in ("removed for   news.example/a.html", "near, score 0.9", "weighted_jaccard", "in both", "only here"):
        assert words in told.out
    assert "Printed from the site of apples\n" in told.out
    exact = early("explain", "--output", out, "news.example/b.html")
    assert "exact, score 1.000" in exact.out


def test_explain_pages_that_stay(early: Command, html_run: tuple[Done, Path]) -> None:
    _, out = html_run
    done = early("explain", "--output", out, "news.example/a.html", "other.example/d [1].html", "--json")
    kept, alone = done.told
    assert (kept["fate"], kept["keeps_all"]) == ("survivor", 2)
    assert [row["page_id"] for row in kept["keeps"]] == ["news.example/b.html", "news.example/c.html"]
    assert (alone["fate"], alone["keeps_all"], alone["keeps"]) == ("survivor", 0, [])
    told = early("explain", "--output", out, "news.example/a.html", "[bold]x[/bold].html", "other.example/d [1].html")
    assert "2 pages were removed for it" in told.out
    assert "[bold]x[/bold].html" in told.out
    assert "other.example/d [1].html" in told.out


def test_explain_a_chain(dedup: Command, tmp_path: Path) -> None:
    """What ``components`` removes need not match its keeper; then there is no score to tell."""
    texts = {
        name: "".join(f"<p>Paragraph {word} of the chain.</p>" for word in "abcdefghijklmn"[start : start + 10])
        for start, name in ((0, "1.html"), (2, "2.html"), (4, "3.html"))
    }
    pages, out = write_html(tmp_path / "pages", dict(texts)), tmp_path / "out"
    for name in texts:
        os.utime(pages / name, (OLD - int(name[0]), OLD - int(name[0])))
    words = ("--set", "survivors.resolve=components", "--set", "rule.threshold=0.6")
    assert dedup("run", "--input", pages, "--output", out, *words).code == 0
    (kept,) = dedup("explain", "--output", out, "1.html", "--json").told
    assert [(row["page_id"], row["score"] is None) for row in kept["keeps"]] == [("2.html", False), ("3.html", True)]
    told = dedup("explain", "--output", out, "1.html", "3.html")
    assert (told.code, told.out.count("in a chain, no match")) == (0, 2), told


def test_explain_quarantined_and_unknown_pages(early: Command, html_run: tuple[Done, Path]) -> None:
    _, out = html_run
    done = early("explain", "--output", out, "other.example/bad.html", "--json")
    assert done.code == 0
    assert (done.told[0]["fate"], done.told[0]["reason"], done.told[0]["detail"]) == (
        "quarantined",
        "no_content",
        "0 bytes",
    )
    assert "in quarantine: no_content (0 bytes)" in early("explain", "--output", out, "other.example/bad.html").out
    unknown = early("explain", "--output", out, "nowhere.html", "news.example/b.html", "--json")
    assert unknown.code == 2
    assert [story["fate"] for story in unknown.told] == ["unknown", "duplicate"]
    assert "knows no page nowhere.html" in unknown.err
    assert f"{out}/signatures" in unknown.err
    told = early("explain", "--output", out, "nowhere.html")
    assert "is not a page of this run" in told.out


def test_explain_sends_no_control_characters_of_pages_to_the_terminal(
    early: Command, html_run: tuple[Done, Path]
) -> None:
    _, out = html_run
    assert "\x1b" not in early("explain", "--output", out, "\x1b[31mred.html").out


def test_explain_when_html_files_are_gone_or_changed(early: Command, html_run: tuple[Done, Path], site: Path) -> None:
    _, out = html_run
    file = site / "news.example/c.html"
    data = file.read_bytes()
    try:
        for change in (file.unlink, lambda: file.write_text("<p>other")):
            change()
            done = early("explain", "--output", out, "news.example/c.html", "--json")
            assert done.code == 0, done
            (only,) = done.told[0]["only_here"]
            assert isinstance(only, int)
            assert early("explain", "--output", out, "news.example/c.html").code == 0
    finally:
        file.write_bytes(data)


def test_explain_when_a_file_has_become_undecodable(early: Command, html_run: tuple[Done, Path], site: Path) -> None:
    _, out = html_run
    file = site / "news.example/c.html"
    data = file.read_bytes()
    file.write_bytes(bytes(range(256)) * 9)
    try:
        assert early("explain", "--output", out, "news.example/c.html").code == 0
    finally:
        file.write_bytes(data)


def test_explain_for_other_inputs(dedup: Command, parquet_run: Path) -> None:
    words = ("explain", "--output", parquet_run / "out", "1", "--json")
    done = dedup(*words)
    assert done.code == 0, done
    (story,) = done.told
    assert (story["fate"], story["keeper_id"]) == ("duplicate", "2")
    assert story["shared_blocks"] == ["Another line that both have as well", "One line of text that both have"]
    assert (story["only_here"], story["only_in_keeper"]) == ([], ["More"])
    (parquet_run / "in").rename(parquet_run / "elsewhere")
    try:
        gone = dedup(*words)
        assert gone.code == 0, gone
        assert [type(block) for block in gone.told[0]["shared_blocks"]] == [int, int]
        told = dedup(*words[:-1])
        assert told.code == 0
        assert re.search(r"[0-9a-f]{16} \(weighing 320\)", told.out)
        (parquet_run / "in").mkdir()
        (parquet_run / "in" / "pages.parquet").write_bytes(b"broken")
        assert dedup(*words).told == gone.told
    finally:
        shutil.rmtree(parquet_run / "in", ignore_errors=True)
        (parquet_run / "elsewhere").rename(parquet_run / "in")


def test_explain_leaves_nothing_behind(
    dedup: Command, parquet_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert dedup("explain", "--output", parquet_run / "out", "1").code == 0
    assert dedup("plan", "--input", parquet_run / "in").code == 3
    assert not list(tmp_path.iterdir())


def test_sample_and_its_judge(command: Command, tmp_path: Path) -> None:
    done = command("sample", tmp_path / "site")
    assert done.code == 0, done
    pages = list((tmp_path / "site" / "pages").rglob("*.html"))
    assert done.out.startswith(f"{len(pages)} pages of ")
    assert (tmp_path / "site" / "truth.csv").exists()
    again = command("sample", tmp_path / "second", "--quiet")
    assert (again.code, again.out) == (0, "")
    assert files_of(tmp_path / "second") == files_of(tmp_path / "site")


def test_the_judge_without_a_run(command: Command, tmp_path: Path) -> None:
    command("sample", tmp_path, "--check", tmp_path / "none").refused(2, "none")


@pytest.mark.slow
def test_the_sample_site_is_cleaned_as_the_truth_says(dedup: Command, tmp_path: Path) -> None:
    assert dedup("sample", tmp_path / "site", "--quiet").code == 0
    done = dedup("run", "--input", tmp_path / "site" / "pages", "--output", tmp_path / "out", "--quiet")
    assert done.code == 0, done
    read_output(tmp_path / "out")
    judged = dedup("sample", tmp_path / "site", "--check", tmp_path / "out")
    assert judged.code == 0
    assert re.search(r"precision 1\.000", judged.out)
    assert re.search(r"recall (1\.000|0\.9\d\d)", judged.out)
    assert "unexpected fate" not in judged.out

"""Results appear whole or not at all; what a finished run left stays until another run is finished."""

from __future__ import annotations

import json
import platform
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dedup.errors import DataError
from dedup.io.files import Folder
from dedup.io.publish import Output

from .conftest import TABLES, Command, Done, files_of, read_output
from .pages import article, near, write_parquet

SCHEMA = pa.schema([("page_id", pa.string()), ("url", pa.string()), ("html", pa.binary()), ("quality", pa.int64())])
PAGES: list[dict[str, Any]] = [
    {"page_id": "a1", "html": article("apples").encode(), "quality": 9},
    {"page_id": "a2", "html": article("apples").encode(), "quality": 5},
    {"page_id": "a3", "html": near("apples").encode(), "quality": 7},
    {"page_id": "b1", "html": article("pears").encode(), "quality": None},
    {"page_id": "b2", "html": near("pears").encode(), "quality": 1},
    {"page_id": "c1", "html": article("plums").encode(), "quality": 3},
    {"page_id": "bad", "html": None, "quality": 3},
]
ORDER = 'survivors.keep_order=["quality desc"]'


def rows(output: Path) -> dict[str, list[str]]:
    """The tables as sets of rows, whatever files they lie in."""
    return {
        name: sorted(json.dumps(row, default=repr, sort_keys=True) for row in pq.read_table(output / name).to_pylist())
        for name in TABLES
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("publish")
    write_parquet(folder / "in" / "pages.parquet", PAGES, SCHEMA)
    return folder


@pytest.fixture(scope="module")
def words(source: Path) -> tuple[Any, ...]:
    return ("run", "--input", source / "in", "--format", "parquet", "--output", source / "out", "--set", ORDER)


@pytest.fixture(scope="module")
def first(dedup: Command, words: tuple[Any, ...]) -> Done:
    done = dedup(*words, "--json")
    assert done.code == 0, done
    return done


def test_a_run_and_its_manifest(first: Done, source: Path) -> None:
    found = read_output(source / "out")
    assert found.survivors == {"a1", "b2", "c1"}
    assert {page: (row["keeper_id"], row["stage"]) for page, row in found.duplicates.items()} == {
        "a2": ("a1", "exact"),
        "a3": ("a1", "near"),
        "b1": ("b2", "near"),
    }
    assert found.reasons() == {"bad": "no_content"}
    manifest = found.manifest
    assert manifest == first.told
    assert manifest["counts"] == {
        "pages": 7,
        "survivors": 3,
        "duplicates": 3,
        "exact": 1,
        "near": 2,
        "quarantined": 1,
    }
    assert manifest["exact"] is True
    assert manifest["run_id"].startswith("run-")
    assert manifest["tool"].startswith("pagededup ")
    start, end = (datetime.fromisoformat(manifest[name]) for name in ("started_at", "finished_at"))
    assert start <= end
    assert set(manifest["seconds"]) == {
        *("sign", "account", "collapse", "template", "lead", "pair", "compare", "walk", "publish"),
    }
    assert 0 < sum(manifest["seconds"].values()) <= (end - start).total_seconds() + 2
    assert manifest["versions"]["python"] == platform.python_version()
    assert set(manifest["versions"]) >= {"spark", "pyspark", "pyarrow", "numpy", "turbohtml"}
    settings = manifest["settings"]
    assert settings["survivors"]["keep_order"] == ["quality desc"]
    assert settings["input"]["path"] == str(source / "in")
    assert settings["run_id"] == manifest["run_id"]
    assert "TagTree(" in manifest["detector"]
    assert manifest["rule"] == "weighted_jaccard, threshold 0.6"
    met = manifest["comparisons"]
    assert met["exact"] is True
    assert met["matched"] == 2 <= met["compared"] <= met["planned_at_most"]
    assert met["shared_keys"] <= met["leading_keys"]
    assert met["largest_group"] == 2


def test_nothing_but_the_results_is_left(first: Done, source: Path) -> None:
    assert {path.name for path in (source / "out").iterdir()} == {*TABLES, "manifest.json"}


def test_the_same_run_replaces_itself_with_the_same_rows(
    first: Done, dedup: Command, words: tuple[Any, ...], source: Path
) -> None:
    before, then = rows(source / "out"), read_output(source / "out").manifest
    done = dedup(*words, "--json", "--set", "output.keep_work=true")
    assert done.code == 0, done
    assert rows(source / "out") == before
    now = read_output(source / "out").manifest
    for name in ("run_id", "counts", "comparisons", "detector", "rule", "versions"):
        assert now[name] == then[name]
    work = {path.name for path in (source / "out" / "_work").iterdir()}
    assert {"signed", "copies", "keys"} <= work
    assert not work & set(TABLES)


def test_another_run_is_refused_before_spark(first: Done, early: Command, words: tuple[Any, ...], source: Path) -> None:
    before = files_of(source / "out")
    done = early(*words, "--set", "rule.threshold=0.9")
    done.refused(2, f"holds run {first.told['run_id']}", "--overwrite")
    assert files_of(source / "out") == before


FAULTS = {
    "signing": ("dedup.pipeline.sign", OSError("the disk is gone"), 1),
    "comparing": ("dedup.pipeline.compare", RuntimeError("a worker was lost"), 1),
    "the last table": ("dedup.pipeline._counts", RuntimeError("pages were lost"), 1),
    "the input": ("dedup.pipeline.collapse", DataError("the input changed meanwhile"), 3),
    "the user": ("dedup.pipeline.pair", KeyboardInterrupt(), 1),
}


@pytest.mark.parametrize("where", FAULTS)
def test_a_run_that_fails_midway_leaves_the_earlier_one(
    where: str,
    first: Done,
    dedup: Command,
    words: tuple[Any, ...],
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, error, code = FAULTS[where]

    def fails(*args: object, **words: object) -> None:
        raise error

    monkeypatch.setattr(name, fails)
    before = files_of(source / "out")
    done = dedup(*words, "--overwrite")
    done.refused(code)
    assert str(error) in done.err
    assert {name: data for name, data in files_of(source / "out").items() if not name.startswith("_work")} == {
        name: data for name, data in before.items() if not name.startswith("_work")
    }
    if where == "comparing":  # and where there was none, nothing that looks like one
        dedup(*words[:5], "--output", tmp_path / "new", "--set", ORDER).refused(code)
        assert files_of(tmp_path / "new") == {}
        dedup("explain", "--output", tmp_path / "new", "a1").refused(2, "no finished run")


def test_too_much_quarantine_leaves_the_earlier_run(
    first: Done, dedup: Command, words: tuple[Any, ...], source: Path
) -> None:
    before = files_of(source / "out")
    done = dedup(*words, "--overwrite", "--set", "output.max_quarantine=0.1")
    done.refused(3, "1 of 7 pages cannot be used", "output.max_quarantine = 0.1", "1 no_content (such as: null)")
    after = files_of(source / "out")
    assert {name for name in after if not name.startswith("_work")} == {
        name for name in before if not name.startswith("_work")
    }
    assert after["manifest.json"] == before["manifest.json"]


def test_overwrite_replaces_another_run(first: Done, dedup: Command, words: tuple[Any, ...], source: Path) -> None:
    done = dedup(*words, "--overwrite", "--run-id", "other", "--set", "candidates.pre=3", "--json")
    assert done.code == 0, done
    found = read_output(source / "out")
    assert found.manifest["run_id"] == "other"
    assert found.manifest["exact"] is False
    assert found.manifest["comparisons"]["exact"] is False
    assert found.survivors == {"a1", "b2", "c1"}
    assert {path.name for path in (source / "out").iterdir()} == {*TABLES, "manifest.json"}


def test_a_folder_with_signs_an_address_has_too(dedup: Command, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out [v2] {a,b} 50% #1 网页*"
    done = dedup("run", "--input", source / "in", "--format", "parquet", "--output", out)
    assert done.code == 0, done
    assert read_output(out).manifest["counts"]["pages"] == 7
    told = dedup("explain", "--output", out, "a2", "--json")
    assert told.code == 0, told
    assert "".join(str(out).split()) in "".join(done.out.split())


# The moment of publishing itself, without a run around it.


def settled(folder: Path, run_id: str = "one") -> Output:
    output = Output(str(folder), run_id, overwrite=True)
    output.start()
    for name in TABLES:
        write_parquet(folder / "_work" / name / "part.parquet", [{"page_id": run_id}])
    return output


def test_the_manifest_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = settled(tmp_path)

    def fails(*args: object) -> None:
        assert all((tmp_path / name / "part.parquet").exists() for name in TABLES)
        raise OSError("the disk is full")

    monkeypatch.setattr(Folder, "write_json", fails)
    with pytest.raises(OSError, match="full"):
        output.publish({"run_id": "one"})
    assert Output(str(tmp_path), "other").manifest() == {}


def held(folder: Path) -> set[str]:
    """The runs whose rows stand in the tables."""
    return {str(row["page_id"]) for name in TABLES for row in pq.read_table(folder / name).to_pylist()}


@pytest.mark.parametrize("times", [1, 2, 100])
@pytest.mark.parametrize("place", ["manifest.json", *TABLES])
def test_a_publishing_that_fails_leaves_the_earlier_run(
    place: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put back at once, or by the next start where the disk lets nothing move meanwhile."""
    settled(tmp_path).publish({"run_id": "one"})
    output = settled(tmp_path, "two")
    move, failed = Folder.move, [0]

    def fails(folder: Folder, name: str, to: str) -> None:
        if place in (name, to) and failed[0] < times:
            failed[0] += 1
            raise OSError("the disk is full")
        move(folder, name, to)

    monkeypatch.setattr(Folder, "move", fails)
    with pytest.raises(OSError, match="full"):
        output.publish({"run_id": "two"})
    # Never a mixture that has a manifest.
    assert Output(str(tmp_path), "one").manifest() in ({}, {"run_id": "one"})
    output.clear()
    monkeypatch.undo()
    Output(str(tmp_path), "one").start()
    assert Output(str(tmp_path), "one").manifest() == {"run_id": "one"}
    assert held(tmp_path) == {"one"}
    settled(tmp_path, "three").publish({"run_id": "three"})
    assert held(tmp_path) == {"three"}
    assert not (tmp_path / "_manifest.json.part").exists()


def test_a_run_killed_after_its_manifest_is_the_finished_one(tmp_path: Path) -> None:
    settled(tmp_path).publish({"run_id": "one"})
    settled(tmp_path, "two").publish({"run_id": "two"})  # and killed before it cleared its work folder
    Output(str(tmp_path), "two").start()
    assert Output(str(tmp_path), "two").manifest() == {"run_id": "two"}
    assert held(tmp_path) == {"two"}


@pytest.mark.parametrize("there", [True, False])
def test_a_failed_run_leaves_no_folder_that_it_made(there: bool, tmp_path: Path) -> None:
    if there:
        (tmp_path / "out").mkdir()
    output = Output(str(tmp_path / "out"), "one")
    output.start()
    output.clear()
    assert (tmp_path / "out").exists() == there


def test_what_an_earlier_try_left_is_no_part_of_the_next(tmp_path: Path) -> None:
    write_parquet(tmp_path / "_work" / "survivors" / "old.parquet", [{"page_id": "old"}])
    (tmp_path / "_manifest.json.part").write_text("{")
    settled(tmp_path).publish({"run_id": "one"})
    assert [path.name for path in (tmp_path / "survivors").iterdir()] == ["part.parquet"]
    assert json.loads((tmp_path / "manifest.json").read_text("utf-8")) == {"run_id": "one"}

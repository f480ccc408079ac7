"""The command in this process, on the session of all tests; what a finished run left behind."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from dedup.cli import main

TABLES = ("survivors", "duplicates", "quarantine", "signatures", "templates")
TRACES = ("Traceback", '  File "', "\tat ", "at org.apache", "java.lang.")

Row = dict[str, Any]


@dataclass(frozen=True)
class Done:
    """A command that ended: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> Any:
        """Standard output as the one JSON document that it is."""
        return json.loads(self.out)

    def refused(self, code: int, *words: str) -> None:
        """The command ended with that code, in words for people: these among them, no stack trace."""
        assert self.code == code, self
        assert not self.out, self
        for word in words:
            assert word in self.err, self
        for trace in TRACES:
            assert trace not in self.err, self


Command = Callable[..., Done]


@dataclass(frozen=True)
class Found:
    """The output of a finished run."""

    manifest: dict[str, Any]
    survivors: set[str]
    duplicates: dict[str, Row]
    quarantine: list[Row]
    signatures: dict[str, Row]

    def reasons(self) -> dict[str | None, str]:
        return {row["page_id"]: row["reason"] for row in self.quarantine}


def read_output(output: Path) -> Found:
    """The tables of a finished run, checked against each other: every page that went in came out once."""
    manifest = json.loads((output / "manifest.json").read_text("utf-8"))
    rows: dict[str, list[Row]] = {name: pq.read_table(output / name).to_pylist() for name in TABLES}
    survivors = [row["page_id"] for row in rows["survivors"]]
    removed = [row["page_id"] for row in rows["duplicates"]]
    counts = manifest["counts"]
    assert counts["pages"] == counts["survivors"] + counts["duplicates"] + counts["quarantined"]
    assert counts["survivors"] == len(survivors) == len(set(survivors))
    assert counts["duplicates"] == len(removed) == len(set(removed)) == counts["exact"] + counts["near"]
    assert counts["quarantined"] == len(rows["quarantine"])
    assert not set(survivors) & set(removed)
    assert {row["keeper_id"] for row in rows["duplicates"]} <= set(survivors)
    assert all(row["reason"] and row["detail"] and row["source"] for row in rows["quarantine"])
    return Found(
        manifest,
        set(survivors),
        {row["page_id"]: row for row in rows["duplicates"]},
        rows["quarantine"],
        {row["page_id"]: row for row in rows["signatures"]},
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def call(*words: str | Path) -> Done:
    """``dedup`` with its words, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return Done(int(ended.value.code or 0), out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def dedup(spark: SparkSession) -> Iterator[Command]:
    """``dedup`` on the session of all tests, which outlives it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dedup.session.open_session", lambda *args, **words: spark)
        patch.setattr(spark, "stop", lambda: None)
        yield call


@pytest.fixture
def command() -> Command:
    """``dedup`` for what needs no Spark."""
    return call


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> Command:
    """``dedup`` where Spark must not start."""

    def started(*args: object, **words: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr("dedup.session.open_session", started)
    return call

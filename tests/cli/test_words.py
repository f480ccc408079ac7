"""Words of the command line and settings that cannot be used: told before Spark starts."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dedup.errors import UsageError, in_words
from dedup.io.publish import Output

from .conftest import TRACES, Command, files_of
from .pages import article, write_html


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_html(tmp_path / "site", {"a.html": article("a"), "b.html": article("b")})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--set", "ruel.threshold=1"), ("ruel is unknown; did you mean 'rule'?",)),
        (("--set", "survivors.keep_ordr=[]"), ("did you mean 'keep_order'?",)),
        (("--set", "rule.threshold=1.5"), ("threshold 1.5", "write a share such as 0.7")),
        (("--set", "rule.threshold"), ("--set 'rule.threshold'", "write key=value")),
        (("--set", "candidates.variant=all"), ("candidates.pre = 3",)),
        (("--set", "output.max_quarantine=20"), ("output.max_quarantine = 20",)),
        (("--format", "warc"), ("warc", "html", "parquet", "jsonl", "table")),
        (("--run-id", "a b"), ("run_id = 'a b'",)),
        (("--conf", "nowhere.toml"), ("cannot read nowhere.toml", "No such file")),
        (("--colour", "red"), ("--colour",)),
        (("extra",), ("extra",)),
    ],
)
def test_a_word_that_cannot_be_used(words: tuple[str, ...], told: tuple[str, ...], early: Command, site: Path) -> None:
    for verb in ("run", "plan"):
        early(verb, "--input", site, "--output", site.parent / "out", *words).refused(2, *told)
    assert not (site.parent / "out").exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[rule]\nthreshold = = 0.8\n", ("is not TOML", "line 2")),
        (b"\xff\xfe", ("is not TOML",)),
        (b"[rule]\ntreshold = 0.8\n", ("rule.treshold", "did you mean 'threshold'?")),
        (b"[survivors]\nkeep_order = 'length desc'\n", ('["length desc"]',)),
    ],
)
def test_a_settings_file_that_cannot_be_used(
    content: bytes, told: tuple[str, ...], early: Command, site: Path, tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(content)
    early("run", "--input", site, "--output", tmp_path / "out", "--conf", file).refused(2, *told)


def test_input_and_output_that_are_not_there(early: Command, site: Path, tmp_path: Path) -> None:
    out = ("--output", tmp_path / "out")
    early("run", *out).refused(2, "no input", "--input PATH")
    early("plan").refused(2, "no input", "--input PATH")
    early("run", "--input", site).refused(2, "no output", "--output DIR")
    gone = tmp_path / "gone"
    early("run", "--input", gone, *out).refused(2, f"input {gone} does not exist")
    early("run", "--input", f"{gone}/*.html", *out).refused(2, "does not exist")
    early("run", "--input", f"{site}/{{x,y}}.html", *out).refused(2, "does not exist")
    early("plan", "--input", gone, "--format", "parquet").refused(2, f"input {gone} does not exist")
    early("explain", "--output", tmp_path / "out", "a").refused(2, "no finished run", "manifest.json")
    early("explain", "--output", tmp_path / "out").refused(2, "PAGE_ID")
    assert not (tmp_path / "out").exists()


def test_an_output_folder_with_files_of_others(early: Command, site: Path, tmp_path: Path) -> None:
    out = write_html(tmp_path / "out", {"thesis.txt": "mine", "deep/photo.jpg": "mine"})
    before = files_of(out)
    for more in ((), ("--overwrite",)):
        done = early("run", "--input", site, "--output", out, *more)
        done.refused(2, "not of this tool", "deep", "thesis.txt")
    assert files_of(out) == before


@pytest.mark.parametrize("manifest", ["{", "[1, 2]", "7", "null", '{"name": "an extension of a browser"}'])
def test_a_manifest_of_something_else(manifest: str, early: Command, site: Path, tmp_path: Path) -> None:
    out = write_html(tmp_path / "out", {"manifest.json": manifest})
    done = early("run", "--input", site, "--output", out)
    done.refused(2, "manifest.json", "not of this tool")
    early("explain", "--output", out, "a").refused(2, "manifest.json")
    assert files_of(out) == {"manifest.json": manifest.encode()}


def test_an_output_that_cannot_be_a_folder(early: Command, site: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    early("run", "--input", site, "--output", file).refused(2, str(file), "--output")
    early("run", "--input", site, "--output", file / "below").refused(2, str(file), "--output")
    early("run", "--input", site, "--output", "nothing://host/path").refused(2, "nothing://host/path")
    early("explain", "--output", file, "a").refused(2, str(file))
    assert file.read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_output_without_permission(early: Command, site: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    early("run", "--input", site, "--output", closed / "out").refused(2, "cannot be written")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc here")
def test_an_output_where_nobody_may_write() -> None:
    """Where even root may not; seen only by trying."""
    with pytest.raises(UsageError, match=r"output /proc/self/out cannot be written: .*Choose another --output"):
        Output("/proc/self/out", "x").start()


def test_an_output_in_the_input_that_a_rerun_would_read(early: Command, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "pages.jsonl").write_text('{"page_id": "a", "html": "b"}\n')
    words = ("run", "--input", tmp_path / "in", "--format", "jsonl", "--output", tmp_path / "in" / "out")
    early(*words).refused(2, "lies in the input")


# The whole process, without a Java that works: whatever is told here was told before Spark.


def process(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dedup.cli", *map(str, words)]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=120
    )


def fake_java(folder: Path, says: str, mode: int = 0o755) -> str:
    java = folder / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    java.chmod(mode)
    return str(folder / "jdk")


@pytest.mark.parametrize(
    ("says", "mode", "told"),
    [
        ('openjdk version "11.0.2" 2019-01-15', 0o755, "is version 11"),
        ('java version "1.8.0_402"', 0o755, "is version 1"),
        ("Segmentation fault", 0o755, "no Java found under"),
        ('openjdk version "17.0.1"', 0o644, "no Java found under"),
        (None, 0, "no Java found under"),
    ],
)
def test_a_java_that_does_not_do(says: str | None, mode: int, told: str, site: Path, tmp_path: Path) -> None:
    home = str(tmp_path) if says is None else fake_java(tmp_path, says, mode)
    done = process("run", "--input", site, "--output", tmp_path / "out", JAVA_HOME=home)
    assert done.returncode == 2
    assert done.stderr.startswith("dedup: Spark needs Java 17 or newer: ")
    assert told in done.stderr
    assert "apt-get install openjdk-17-jre-headless" in done.stderr
    assert not done.stdout


def test_settings_are_told_before_java_is_looked_for(site: Path, tmp_path: Path) -> None:
    words: tuple[Any, ...] = ("run", "--input", site, "--output", tmp_path / "out")
    done = process(*words, "--set", "rule.treshold=0.5", JAVA_HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dedup: rule.treshold is unknown here; did you mean 'threshold'?\n"
    properties = tmp_path / "spark.properties"
    properties.write_text("# fine\nspark.ui.enabled false\n\nspark.sql.shuffle.partitions\n")
    done = process(*words, "--spark-properties", properties, JAVA_HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"dedup: {properties}, line 4: 'spark.sql.shuffle.partitions' has no value; write key value\n"
    )
    done = process(*words, "--spark-properties", tmp_path / "none", JAVA_HOME=str(tmp_path))
    assert done.returncode == 2
    assert f"cannot read {tmp_path / 'none'}" in done.stderr


def test_a_spark_that_does_not_start_says_where_to_look(site: Path, tmp_path: Path) -> None:
    properties = tmp_path / "spark.properties"
    properties.write_text("spark.driver.memory plenty\n")
    done = process("run", "--input", site, "--output", tmp_path / "out", "--spark-properties", properties)
    assert done.returncode == 2
    assert done.stderr.startswith("dedup: Spark did not start on this machine: ")
    assert not any(trace in done.stderr for trace in TRACES)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [(), ("run",), ("plan",), ("explain",), ("sample",)])
def test_help(words: tuple[str, ...], early: Command) -> None:
    done = early(*words, "--help")
    assert done.code == 0
    assert not done.err
    assert done.out.startswith(" ".join(("Usage: dedup", *words)))
    if not words:
        assert all(f"\n  {verb} " in done.out for verb in ("run", "plan", "explain", "sample"))
        assert "3 the input breaks its contract" in " ".join(done.out.split())
    assert early(*words, "-h").out == done.out
    for line in done.out.splitlines():
        assert len(line) <= 100


def test_version_and_no_words(early: Command) -> None:
    assert early("--version").out.startswith("dedup, version ")
    done = early()
    assert done.code == 2
    assert "Usage: dedup" in done.err
    early("clean").refused(2, "No such command 'clean'")


def test_an_output_folder_is_left_alone_until_the_run_starts(tmp_path: Path) -> None:
    Output(str(tmp_path / "new"), "x")
    assert not (tmp_path / "new").exists()
    assert stat.S_ISDIR(tmp_path.stat().st_mode)


PYTHON_TRACE = """
  An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "/x/matches.py", line 3, in judge
    return 1 / 0
ZeroDivisionError: division by zero
"""
JAVA_TRACE = """An error occurred while calling o88.parquet.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 3.0 failed 1 times.
\tat org.apache.spark.api.python.BasePythonRunner.compute(PythonRunner.scala:188)
Driver stacktrace:
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: java.io.IOException: Failed to run command: at (once)
\tat org.apache.spark.scheduler.Task.run(Task.scala:142)
\t... 3 more
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "RuntimeError"),
        ("one line", "RuntimeError: one line"),
        ("what\nmore", "RuntimeError: what"),
        (PYTHON_TRACE.lstrip(), "RuntimeError: ZeroDivisionError: division by zero"),
        (JAVA_TRACE, "RuntimeError: java.io.IOException: Failed to run command: at (once)"),
        (JAVA_TRACE.partition("Driver")[0], "RuntimeError: org.apache.spark.SparkException: Job aborted due to stage"),
        ("\tat a.b(C.java:1)\n", "RuntimeError"),
    ],
)
def test_a_fault_in_words(text: str, told: str) -> None:
    said = in_words(RuntimeError(text))
    assert said.startswith(told)
    assert "\n" not in said

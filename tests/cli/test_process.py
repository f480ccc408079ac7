"""The whole process: the console script, the job file, spark-submit. The same words, the same results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from .conftest import TRACES, files_of, read_output
from .pages import article, near, write_html

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"
DOORS = {
    "console": [str(BIN / "dedup")],
    "module": [sys.executable, "-m", "dedup.cli"],
    "job": [sys.executable, "jobs/dedup_pages.py"],
    "spark-submit": [str(SUBMIT), "--master", "local[2]", "jobs/dedup_pages.py"],
}
door = pytest.mark.parametrize(
    "door", [pytest.param(name, marks=[] if name == "console" else [pytest.mark.slow]) for name in DOORS]
)


def process(door: str, *words: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_"))}
    environment |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), **environ}
    command = [*DOORS[door], *map(str, words)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    files = {"a.html": article("apples"), "b.html": near("apples"), "c.html": article("pears"), "empty.html": ""}
    folder = write_html(tmp_path / "site", files)
    for number, name in enumerate(files):
        os.utime(folder / name, (1_000_000_000 - number, 1_000_000_000 - number))
    return folder


@door
def test_a_run(door: str, site: Path, tmp_path: Path) -> None:
    words = ("run", "--input", site, "--output", tmp_path / "out", "--json", "--set", "output.max_quarantine=0.3")
    # spark-submit sends standard error the way of standard output, so only quiet leaves JSON alone there.
    submitted = door == "spark-submit"
    done = process(door, *words, *(("--quiet",) if submitted else ()))
    assert done.returncode == 0, done
    found = read_output(tmp_path / "out")
    assert json.loads(done.stdout) == found.manifest
    assert found.survivors == {"a.html", "c.html"}
    assert {page: row["keeper_id"] for page, row in found.duplicates.items()} == {"b.html": "a.html"}
    assert found.reasons() == {"empty.html": "no_content"}
    if not submitted:
        assert "4 pages signed" in done.stderr
        assert done.stderr.split()[1] == "sign"
        assert len(done.stderr.splitlines()) < 10
        for sign in ("WARN", "INFO", "Setting default log level", "org.apache"):
            assert sign not in done.stderr


@pytest.mark.slow
@door
def test_exit_codes(door: str, site: Path, tmp_path: Path) -> None:
    words = ("run", "--input", site, "--output", tmp_path / "out")
    usage = process(door, *words, "--set", "rule.treshold=0.5")
    assert usage.returncode == 2, usage
    assert "dedup: rule.treshold is unknown here; did you mean 'threshold'?" in usage.stdout + usage.stderr
    data = process(door, *words, "--set", "output.max_quarantine=0")
    assert data.returncode == 3, data
    assert "dedup: 1 of 4 pages cannot be used" in data.stdout + data.stderr
    for done in (usage, data):
        assert not done.stdout or door == "spark-submit"
        assert not any(trace in done.stdout + done.stderr for trace in TRACES[:2])
    assert files_of(tmp_path / "out") == {}


@pytest.mark.slow
def test_a_fault_of_the_program_is_exit_1_with_the_place_of_the_log(site: Path, tmp_path: Path) -> None:
    """Workers that cannot start."""
    words = ("run", "--input", site, "--output", tmp_path / "out")
    done = process("console", *words, PYSPARK_PYTHON="/bin/false")
    assert done.returncode == 1, done
    assert "\ndedup: " in f"\n{done.stderr}"
    assert "\nSpark's own log: " in done.stderr
    assert "pyspark.daemon" in done.stderr.splitlines()[0]
    assert "\nNothing was published.\n" in done.stderr
    assert done.stderr.endswith("\n--verbose shows the whole trace.\n")
    assert not any(trace in done.stderr for trace in TRACES)
    loud = process("console", *words, "--verbose", PYSPARK_PYTHON="/bin/false")
    assert loud.returncode == 1
    assert "Traceback" in loud.stderr
    assert files_of(tmp_path / "out") == {}


@pytest.mark.slow
def test_a_plan_a_quiet_run_and_an_explanation(site: Path, tmp_path: Path) -> None:
    plan = process("console", "plan", "--input", site, "--json")
    assert plan.returncode == 0, plan
    assert json.loads(plan.stdout)["input"]["pages"] == 4
    words = ("--input", site, "--output", tmp_path / "out", "--set", "output.max_quarantine=0.3", "--quiet")
    done = process("console", "run", *words)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    told = process("console", "explain", "--output", tmp_path / "out", "b.html", "--json")
    assert (told.returncode, told.stderr) == (0, "")
    assert json.loads(told.stdout)[0]["keeper_id"] == "a.html"

"""Every command in the docs is run; every name they give exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dedup.config import Settings, load
from dedup.sample import write_sample

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md"]
COMMAND = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(file: Path) -> list[str]:
    lines = [line for block in COMMAND.findall(file.read_text("utf-8")) for line in block.splitlines()]
    return [line.split(" #")[0].strip() for line in lines if line.strip()]


ALL = [(file.relative_to(ROOT).as_posix(), line) for file in DOCS for line in commands(file)]
MAKE = [line for _, line in ALL if line.startswith("make ")]
OTHER = [line for _, line in ALL if not line.startswith(("make ", "pip "))]


def test_the_docs_have_commands() -> None:
    assert len(MAKE) >= 2
    assert len(OTHER) >= 5


@pytest.mark.parametrize("line", MAKE)
def test_make_knows_its_targets(line: str) -> None:
    done = subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_commands_run_in_their_order(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    write_sample(tmp_path / "site")
    shutil.move(tmp_path / "site" / "pages", tmp_path / "pages")
    files = sorted((tmp_path / "pages").rglob("*.html"))
    (tmp_path / "pages" / "greenleaf-post.example" / "about.html").write_text("<h1>About</h1><p>Us and the post.</p>")
    (tmp_path / "crawl").mkdir()
    urls = [f"https://{file.relative_to(tmp_path / 'pages')}" for file in files]
    crawl = pa.table({"id": urls, "url": urls, "body": [file.read_bytes() for file in files]})
    pq.write_table(crawl, tmp_path / "crawl" / "part.parquet")
    for name in ("conf", "jobs"):
        (tmp_path / name).symlink_to(ROOT / name)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    for line in OTHER:
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    assert (tmp_path / "clean" / "manifest.json").exists()


def test_the_settings_file_is_what_is_built_in() -> None:
    told = load(ROOT / "conf" / "default.toml")
    built_in = Settings()
    assert told.model_dump(exclude={"detector", "rule"}) == built_in.model_dump(exclude={"detector", "rule"})
    assert told.build_detector() == built_in.build_detector()


def test_the_settings_file_names_every_setting() -> None:
    told = tomllib.loads((ROOT / "conf" / "default.toml").read_text("utf-8"))

    def compare(model: dict[str, object], file: dict[str, object], where: str) -> None:
        assert set(model) == set(file), where
        for name, value in model.items():
            if isinstance(value, dict):
                inner = file[name]
                assert isinstance(inner, dict)
                compare(value, inner, f"{where}{name}.")

    built_in = Settings().model_dump()
    for section in ("detector", "rule"):
        del built_in[section], told[section]
    compare(built_in, told, "")


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)", file.read_text("utf-8")):
        assert link.startswith("http") or (file.parent / link).exists(), link


def test_every_module_that_the_docs_name_exists() -> None:
    for file in DOCS:
        for name in re.findall(r"`((?:dedup|tests|conf|jobs|benchmarks)/[\w./-]+)`", file.read_text("utf-8")):
            assert (ROOT / name).exists(), f"{file.name}: {name}"

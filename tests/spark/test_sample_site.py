"""The sample site through the whole job: against the oracle, against its truth, and what explain tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dedup.config import Settings, load
from dedup.io.again import read_again
from dedup.io.publish import Output
from dedup.plan import plan
from dedup.report.explain import stories
from dedup.run import run
from dedup.sample import write_sample
from dedup.sample.judge import judge
from dedup.watch import Watch
from tests import serial
from tests.serial import Page
from tests.spark import from_html
from tests.spark.from_html import Published
from tests.spark.packed import check_same


@dataclass(frozen=True)
class Site:
    """The sample site, a finished run on it, and what plain Python makes of its files."""

    folder: Path
    output: Path
    settings: Settings
    manifest: dict[str, Any]
    found: Published
    pages: list[Page]
    compared: list[Page]
    reasons: dict[str, str]

    def html(self, page_id: str) -> bytes:
        return (self.folder / "pages" / page_id).read_bytes()


@pytest.fixture(scope="module")
def site(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("sample")
    output = folder / "out"
    write_sample(folder)
    settings = load(input__path=str(folder / "pages"), input__format="html", output__path=str(output)).as_run()
    manifest = run(spark, settings, Output(str(output), settings.run_id), Watch(quiet=True))
    files = sorted((folder / "pages").rglob("*.htm*"))
    pages, reasons = from_html.read_pages(
        (
            file.relative_to(folder / "pages").as_posix(),
            file.read_bytes(),
            datetime.fromtimestamp(file.stat().st_mtime, UTC),
            file.relative_to(folder / "pages").parts[0],
        )
        for file in files
    )
    return Site(
        folder,
        output,
        settings,
        manifest,
        Published.read(output),
        pages,
        serial.bare(pages, serial.Templates()),
        reasons,
    )


def test_equals_the_oracle(site: Site) -> None:
    assert len(site.pages) > 300
    from_html.check_signatures(site.found, site.pages)
    assert site.compared != site.pages, "a site without template blocks"
    check_same(site.found.outcome, from_html.deduplicate(site.compared))
    from_html.check_removals(site.found, site.compared)


def test_every_file_is_accounted_for(site: Site) -> None:
    files = [*site.reasons, *(page.page_id for page in site.pages)]
    from_html.check_accounts(site.found, site.manifest["counts"], files)
    assert {page_id: row["reason"] for page_id, row in site.found.quarantine.items()} == site.reasons
    assert site.reasons, "nothing to quarantine"


def test_a_plan_on_all_pages_foretells_the_run(spark: SparkSession, site: Site) -> None:
    told, met = plan(spark, site.settings), site.manifest["comparisons"]
    assert told["sample"]["pages"] == site.manifest["counts"]["pages"]
    assert told["expected"]["pairs"] == met["compared"] > 0
    assert told["expected"]["leading_keys"] == met["leading_keys"]
    assert told["sample"]["largest_group"] == met["largest_group"]


def test_against_the_truth(site: Site) -> None:
    judged = judge(site.folder, site.output)
    assert judged.removed == len(site.found.duplicates) > 100
    assert judged.precision == 1.0, judged.told()
    assert judged.recall >= 0.98, judged.told()
    assert not judged.misplaced, judged.told()


def test_duplicates_are_explained(site: Site) -> None:
    """Each names its keeper, the blocks that both have, and those that only one has."""
    ids = sorted(site.found.duplicates)
    manifest, told = stories(str(site.output), ids)
    assert manifest == site.manifest
    rows = [row for story in told for row in (story.signature, story.keeper)]

    def no_spark() -> SparkSession:
        raise AssertionError("files are read where they lie")

    detector, reader = site.settings.build_detector(), site.settings.text.build()
    contents = read_again(site.settings.input, rows, no_spark)
    texts = {page_id: detector.readable(reader.read_one(*content)) for page_id, content in contents.items()}
    oracle = from_html.deduplicate(site.compared).keepers
    compared = {page.page_id: set(page.fingerprints) for page in site.compared}

    def blocks(page_id: str, template: bool = False) -> dict[int, str]:
        held = from_html.blocks_of(site.html(page_id))
        return {one.fingerprint: one.shown for one in held if (one.fingerprint in compared[page_id]) != template}

    for story in told:
        page, keeper = oracle[story.page_id][0], oracle[story.page_id]
        said = story.as_json(texts)
        assert (said["fate"], said["keeper_id"], said["stage"]) == ("duplicate", *keeper)
        own, other = blocks(story.page_id), blocks(page)
        assert said["shared_blocks"] == [text for number, text in own.items() if number in other], story.page_id
        assert said["only_here"] == [text for number, text in own.items() if number not in other], story.page_id
        assert said["only_in_keeper"] == [text for number, text in other.items() if number not in own], story.page_id
        assert said["template_blocks"] == [*blocks(story.page_id, template=True).values()], story.page_id


def test_other_fates_are_explained(site: Site) -> None:
    keeper = next(iter(site.found.duplicates.values()))["keeper_id"]
    alone = min(set(site.found.survivors) - {row["keeper_id"] for row in site.found.duplicates.values()})
    refused = min(site.found.quarantine)
    told = {story.page_id: story for story in stories(str(site.output), [keeper, alone, refused, "no/such.html"])[1]}
    held = sorted(page_id for page_id, row in site.found.duplicates.items() if row["keeper_id"] == keeper)
    assert (told[keeper].fate, told[keeper].keeps_all) == ("survivor", len(held))
    assert sorted(row["page_id"] for row in told[keeper].keeps) == held[: len(told[keeper].keeps)]
    assert (told[alone].fate, told[alone].keeps) == ("survivor", [])
    assert told[refused].fate == "quarantined"
    assert told[refused].verdict["reason"] == site.reasons[refused]
    assert told["no/such.html"].fate == "unknown"


def test_nothing_is_left_of_the_work(site: Site) -> None:
    assert sorted(path.name for path in site.output.iterdir() if not path.name.startswith(".")) == [
        *("duplicates", "manifest.json", "quarantine", "signatures", "survivors", "templates")
    ]

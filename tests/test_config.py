"""Settings: what is refused, in which words; what the same words come to. No Spark in here."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dedup.config import ConfigError, Settings, load
from dedup.detectors import SingleMD5, TagTree
from dedup.rules import Jaccard, Overlap, WeightedJaccard

DEFAULTS = Path(__file__).parent.parent / "conf" / "default.toml"


def refusal(*sets: str, **words: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        load(sets=sets, **words)
    return str(caught.value)


def test_the_file_of_defaults_says_the_defaults_and_names_every_setting() -> None:
    told = tomllib.loads(DEFAULTS.read_text("utf-8"))
    from_file, built_in = load(DEFAULTS), load()
    assert from_file.build_detector() == built_in.build_detector()
    apart = {"detector", "rule"}
    assert from_file.model_dump(exclude=apart) == built_in.model_dump(exclude=apart)
    assert _names(told) == _names(built_in.model_dump(mode="json", exclude=apart)) | {
        "detector.name",
        "detector.pieces",
        "detector.weights",
        "detector.min_block_chars",
        "detector.min_own_chars",
        "rule.name",
        "rule.threshold",
    }


def _names(values: dict[str, Any], above: str = "") -> set[str]:
    found: set[str] = set()
    for name, value in values.items():
        found |= _names(value, f"{above}{name}.") if isinstance(value, dict) else {above + name}
    return found


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("ruel.threshold=1", "ruel is unknown; did you mean 'rule'?"),
        ("rule.treshold=0.5", "rule.treshold is unknown here; did you mean 'threshold'?"),
        ("survivors.keep_ordr=[]", "survivors.keep_ordr is unknown; did you mean 'keep_order'?"),
        ("input.columns.pageid=x", "input.columns.pageid is unknown; did you mean 'page_id'?"),
        ("detector.min_blok_chars=4", "detector.min_blok_chars is unknown here; did you mean 'min_block_chars'?"),
        ("rule.name=jacard", "rule.name 'jacard' is unknown; did you mean 'jaccard'?"),
        ("detector.name=tagtree", "detector.name 'tagtree' is unknown; did you mean 'tag_tree'?"),
        ("detector.name=[]", "detector.name [] is unknown; known: "),
        ("rule.name.x=3", "rule.name {'x': 3} is unknown; known: "),
        ("detector.rule=overlap", "detector.rule is unknown here"),
        ("colour=red", "colour is unknown; known: candidates, detector, input,"),
    ],
)
def test_unknown_words_and_what_was_meant(told: str, message: str) -> None:
    assert message in refusal(told)


@pytest.mark.parametrize(
    ("told", "setting", "instead"),
    [
        ("rule.threshold=1.5", "threshold 1.5", "write a share such as 0.7"),
        ("rule.threshold=0", "threshold 0", "outside (0, 1]"),
        ("rule.threshold=-0.1", "threshold -0.1", "outside (0, 1]"),
        ("rule.threshold=0.12345", "threshold 0.12345", "write it as 0.123"),
        ("rule.threshold=nan", "rule", "nan"),
        ("rule.threshold=high", "rule", "high"),
        ("candidates.pre=-1", "candidates.pre = -1", "below 0"),
        ("candidates.pre=exct", "candidates.pre = 'exct'", 'write "exact"'),
        ("candidates.pre=true", "candidates.pre = True", 'write "exact"'),
        ("candidates.sample_pages=0", "candidates.sample_pages = 0", "must be 1 or more"),
        ("templates.share=0", "templates.share = 0", "a share such as"),
        ("templates.sample_pages=10", "templates.sample_pages = 10", "templates.enabled = false"),
        ("survivors.pairs_per_page=0", "survivors.pairs_per_page = 0", "must be 1 or more"),
        ("survivors.resolve=transitive", "survivors.resolve = 'transitive'", "'walk' or 'components'"),
        ("survivors.keep_order=length desc", "survivors.keep_order", '["length desc"]'),
        ('survivors.keep_order=["length downwards"]', "survivors.keep_order", '"column desc"'),
        ('survivors.keep_order=["a", "a desc"]', "survivors.keep_order", "twice"),
        ("output.max_quarantine=2", "output.max_quarantine = 2", "must be 1 or less"),
        ("output.max_quarantine=some", "output.max_quarantine = 'some'", "not a number"),
        ("output.shared_cap=-1", "output.shared_cap = -1", "must be 0 or more"),
        ("input.format=warc", "input.format = 'warc'", "'html', 'parquet', 'jsonl' or 'table'"),
        ("input.site_pattern=(", "input.site_pattern = '('", "not a regular expression"),
        ("input.site_pattern=abc", "input.site_pattern = 'abc'", "exactly one group"),
        ("input.site_pattern=(?P<site>[^/]+)", "input.site_pattern", "plain group"),
        ("input.columns.url=3", "input.columns.url = 3", "not a text"),
        ("detector.min_block_chars=-5", "detector.min_block_chars = -5", "below 1"),
        ("detector.min_own_chars=-1", "detector.min_own_chars = -1", "below 0"),
        ("detector.min_own_chars=1.5", "detector.min_own_chars = 1.5", "no int"),
        ("detector.pieces=words", "detector", "'words' is none of content, sentence, block"),
        ("detector.weights=1", "detector", "1 is none of rank, length"),
        ("text.max_page_bytes=0", "text.max_page_bytes = 0", "must be 1 or more"),
        ("text.max_page_bytes=1.5", "text.max_page_bytes = 1.5", "whole number"),
        ("text.lower=some", "text.lower = 'some'", "true or false"),
        ("run_id=two words", "run_id = 'two words'", "letters, digits"),
        ("detector=single_md5", "detector = 'single_md5'", "a section"),
    ],
)
def test_values_out_of_range(told: str, setting: str, instead: str) -> None:
    message = refusal(told)
    assert setting in message
    assert instead in message


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (("candidates.variant=all",), ("candidates.variant", "candidates.pre = 3")),
        (("input.columns.text=body",), ("input.columns.html", "input.columns.text", 'set the other to ""')),
        (("input.columns.html=",), ("input.columns.html", "input.columns.text")),
        (("rule.name=overlap", "rule.threshold=0.5"), ("rule.threshold", "min_common")),
        (("rule.name=overlap", "rule.min_common=0"), ("rule.min_common = 0", "below 1")),
        (("run_id=x", "run_id.part=1"), ("run_id.part", "run_id is a value, not a section")),
    ],
)
def test_settings_that_contradict_each_other(told: tuple[str, ...], words: tuple[str, ...]) -> None:
    message = refusal(*told)
    assert all(word in message for word in words), message


@pytest.mark.parametrize("told", ["rule.threshold", "=5", "rule.=5", ".x=1", ""])
def test_a_set_without_key_or_value(told: str) -> None:
    assert refusal(told) == f"--set {told!r}: write key=value, such as --set rule.threshold=0.8"


def test_all_faults_are_told_at_once() -> None:
    told = refusal("output.shared_cap=-1", "survivors.keep_ordr=[]").splitlines()
    assert sorted(line.split(" ")[0] for line in told) == ["output.shared_cap", "survivors.keep_ordr"]


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    broken, binary = tmp_path / "broken.toml", tmp_path / "binary.toml"
    broken.write_text("[rule]\nthreshold = = 0.8\n")
    binary.write_bytes(b"\xff\xfe\x00")
    assert re.match(rf"{re.escape(str(broken))} is not TOML: .*line 2", refusal(file=broken))
    assert f"{binary} is not TOML" in refusal(file=binary)
    assert f"cannot read {tmp_path / 'gone.toml'}: No such file" in refusal(file=tmp_path / "gone.toml")
    assert f"cannot read {tmp_path}: Is a directory" in refusal(file=tmp_path)


def test_sets_win_over_the_file_and_options_over_both(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    # An editor's byte order mark is no part of the settings.
    file.write_text('[rule]\nname = "jaccard"\nthreshold = 0.5\n[output]\npath = "a"\nshared_cap = 5\n', "utf-8-sig")
    found = load(file, ["rule.threshold=0.9", "output.path=b"], output__path="c", input__path=None)
    assert found.build_detector().rule == Jaccard(Fraction(9, 10))
    assert (found.output.path, found.output.shared_cap, found.input.path) == ("c", 5, "")


def test_values_are_toml_and_bare_words_are_text() -> None:
    found = load(
        sets=[
            "output.keep_work=true",
            "candidates.pre=3",
            'survivors.keep_order=["quality desc", "length"]',
            "input.path=s3://bucket/a b",
            "input.columns.fetched_at=",
            'input.columns.site = "host"',
        ]
    )
    assert found.output.keep_work is True
    assert found.pre == 3
    assert [(key.column, key.descending) for key in found.keep_order] == [("quality", True), ("length", False)]
    assert found.input.path == "s3://bucket/a b"
    assert (found.input.columns.fetched_at, found.input.columns.site) == ("", "host")


def test_a_rule_without_a_name_is_the_detectors_own() -> None:
    assert load(sets=["rule.threshold=0.8"]).build_detector() == TagTree(rule=WeightedJaccard(Fraction(4, 5)))
    single = load(sets=["detector.name=single_md5", "rule.min_common=1"]).build_detector()
    assert single == SingleMD5(rule=Overlap(1))
    assert load(sets=["rule.name=overlap"]).build_detector().rule == Overlap()


def test_thresholds_are_exact() -> None:
    assert load(sets=["rule.threshold=0.07"]).build_detector().rule == WeightedJaccard(Fraction(7, 100))
    assert load(sets=['rule.threshold="2/5"']).build_detector().rule == WeightedJaccard(Fraction(2, 5))


def test_settings_survive_the_manifest() -> None:
    told = load(sets=["rule.threshold=0.8", "candidates.pre=3", 'survivors.keep_order=["length desc"]']).as_run()
    again = Settings.model_validate(told.model_dump(mode="json"))
    assert again == told
    assert again.build_detector() == told.build_detector()


def test_the_same_words_are_the_same_run() -> None:
    def run_id(*sets: str) -> str:
        return load(sets=["input.path=in", "output.path=out", *sets]).as_run().run_id

    assert re.fullmatch(r"run-[0-9a-f]{12}", run_id())
    assert run_id() == run_id("output.overwrite=true") == run_id("output.keep_work=true")
    assert run_id() == run_id("output.path=out/") == run_id("input.path=in/")
    others = {run_id(), run_id("rule.threshold=0.8"), run_id("input.path=else"), run_id("output.path=else")}
    assert len(others) == 4
    assert run_id("run_id=mine") == "mine"


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load().output.path = "elsewhere"  # type: ignore[misc]


LIBRARIES = (
    "Input should",
    "valid dictionary",
    "instance of",
    "Fraction",
    "unable to parse",
    "pattern '",
    "unhashable",
)
SETTINGS = sorted({*_names(tomllib.loads(DEFAULTS.read_text("utf-8"))), "rule", "output", "detector"})


@pytest.mark.parametrize("value", ["x", "7", "-1", "1.5", "[1]", "true", "9e9", "{a = 1}"])
@pytest.mark.parametrize("key", SETTINGS)
def test_whatever_is_written_is_taken_or_refused_in_plain_words(key: str, value: str) -> None:
    said = key
    try:
        load(sets=[f"{key}={value}"])
    except ConfigError as error:
        said = str(error)
    assert key.split(".")[0] in said
    assert not [words for words in LIBRARIES if words in said]

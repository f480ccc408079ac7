"""Settings: a TOML file and ``key=value`` overrides become one frozen, checked object before Spark starts."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from dedup.detectors import DETECTORS, Detector
from dedup.errors import UsageError
from dedup.keep import KeepKey
from dedup.refusals import meant, refusal
from dedup.rules import RULES, Rule, ratio
from dedup.templates import Templates
from dedup.text.documents import Reader

T = TypeVar("T")


class ConfigError(UsageError, ValueError):
    """Settings that cannot be used; the message says which, why, and what to write instead."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Columns(_Section):
    """Names of the input's columns. An empty name means that the input has none."""

    page_id: str = "page_id"
    url: str = "url"
    html: str = "html"
    text: str = ""
    fetched_at: str = "fetched_at"
    site: str = ""
    charset: str = ""

    @model_validator(mode="after")
    def _one_content(self) -> Columns:
        if bool(self.html) == bool(self.text):
            raise ValueError(
                'exactly one of input.columns.html and input.columns.text names the content; set the other to ""'
            )
        return self


class Input(_Section):
    path: str = ""
    format: Literal["html", "parquet", "jsonl", "table"] = "html"
    columns: Columns = Columns()
    site_pattern: str = ""
    extra_columns: tuple[str, ...] = ()

    @field_validator("site_pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        try:
            groups = re.compile(value).groups
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
        if "(?P" in value:
            raise ValueError(
                "Spark's regular expressions have no (?P…); write a plain group, such as ^https?://([^/]+)"
            )
        if value and groups != 1:
            raise ValueError("needs exactly one group, which is the site, such as ^https?://([^/]+/[^/]+)")
        return value


class Text(_Section):
    """How pages are read, whatever the detector."""

    lower: bool = False
    max_page_bytes: int = Field(64 * 1024 * 1024, ge=1)

    def build(self) -> Reader:
        return Reader(**self.model_dump())


class TemplateSettings(_Section):
    enabled: bool = True
    share: float = 0.2
    at_least: int = Field(5, ge=1)
    min_pages: int = Field(20, ge=1)
    sample_pages: int = Field(2_000, ge=1)

    @field_validator("share")
    @classmethod
    def _is_share(cls, value: float) -> float:
        ratio(value)
        return value

    @model_validator(mode="after")
    def _enough(self) -> TemplateSettings:
        if self.sample_pages < self.min_pages:
            raise ValueError(
                f"templates.sample_pages = {self.sample_pages} is below templates.min_pages = {self.min_pages}: "
                "no site would have templates; raise it, or write templates.enabled = false"
            )
        return self

    def build(self) -> Templates:
        return Templates(ratio(self.share), self.at_least, self.min_pages, self.sample_pages)


class CandidateSettings(_Section):
    pre: Literal["exact"] | int = "exact"
    variant: Literal["any", "all", "same_position"] = "any"
    sample_pages: int = Field(50_000, ge=1)
    hottest: int = Field(100_000, ge=0)
    all_pairs_limit: int = Field(5_000, ge=1)

    @field_validator("pre", mode="before")
    @classmethod
    def _a_number(cls, value: Any) -> Any:
        if value != "exact" and type(value) is not int:
            raise ValueError('write "exact", a number of leading fingerprints, or 0 for all pairs')
        return value

    @field_validator("pre")
    @classmethod
    def _not_negative(cls, value: str | int) -> str | int:
        if isinstance(value, int) and value < 0:
            raise ValueError('below 0; write "exact", a number of leading fingerprints, or 0 for all pairs')
        return value

    @model_validator(mode="after")
    def _variant_has_pre(self) -> CandidateSettings:
        if self.pre == "exact" and self.variant != "any":
            raise ValueError(
                f'candidates.variant = "{self.variant}" speaks of the first K fingerprints; '
                "set candidates.pre = 3 (or another number) with it"
            )
        return self


class SurvivorSettings(_Section):
    keep_order: tuple[str, ...] = ("fetched_at desc",)
    resolve: Literal["walk", "components"] = "walk"
    pairs_per_page: int = Field(50, ge=1)

    @field_validator("keep_order", mode="before")
    @classmethod
    def _is_list(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError(f'write a list: survivors.keep_order = ["{value}"]')
        return value

    @field_validator("keep_order")
    @classmethod
    def _parses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        names = [KeepKey.parse(text).column for text in value]
        if len(set(names)) < len(names):
            raise ValueError(f"names a column twice: {list(value)}")
        return value


class Output(_Section):
    path: str = ""
    shared_cap: int = Field(32, ge=0)
    max_quarantine: float = Field(0.2, ge=0, le=1)
    keep_work: bool = False
    overwrite: bool = False


class Settings(_Section):
    """Everything a run is told. Field by field: ``conf/default.toml``."""

    input: Input = Input()
    text: Text = Text()
    detector: dict[str, Any] = {"name": "tag_tree"}
    rule: dict[str, Any] = {}
    templates: TemplateSettings = TemplateSettings()
    candidates: CandidateSettings = CandidateSettings()
    survivors: SurvivorSettings = SurvivorSettings()
    output: Output = Output()
    run_id: str = Field("", pattern=r"^[A-Za-z0-9._-]{0,100}$")

    @model_validator(mode="after")
    def _buildable(self) -> Settings:
        self.build_detector()
        return self

    @model_validator(mode="after")
    def _apart(self) -> Settings:
        source, target = self.input.path, self.output.path
        read = self.input.format in ("parquet", "jsonl") and source and target and "://" not in source + target
        if read and _absolute(target).is_relative_to(_absolute(source)):
            raise ValueError(
                f"output {target} lies in the input {source}, where the next run would read it as pages; "
                "choose a folder beside it"
            )
        return self

    @property
    def keep_order(self) -> tuple[KeepKey, ...]:
        return tuple(KeepKey.parse(text) for text in self.survivors.keep_order)

    @property
    def pre(self) -> int | None:
        """None in exact mode."""
        return None if self.candidates.pre == "exact" else int(self.candidates.pre)

    def build_detector(self) -> Detector:
        """The detector with its rule, as configured."""
        words = dict(self.detector)
        name = words.pop("name", "tag_tree")
        kind = DETECTORS.get(str(name))
        if kind is None:
            raise ValueError(f"detector.name {name!r} is unknown{meant(name, DETECTORS)}")
        detector = _built(kind, words, "detector")
        return dataclasses.replace(detector, rule=_rule(self.rule, detector.rule)) if self.rule else detector

    def as_run(self) -> Settings:
        """The settings with a run id: the one given, else one that the settings themselves determine.

        The same words therefore make the same run, and a rerun replaces itself.
        """
        if self.run_id:
            return self
        told = self.model_dump(mode="json")
        told["output"] = {k: v for k, v in told["output"].items() if k in ("path", "shared_cap")}
        for section in ("input", "output"):  # a slash at a folder's end makes no other run
            told[section]["path"] = told[section]["path"].rstrip("/")
        digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        return self.model_copy(update={"run_id": f"run-{digest[:12]}"})


def load(file: str | Path | None = None, sets: Iterable[str] = (), **given: Any) -> Settings:
    """Read settings.

    Args:
        file: a TOML file, or None for the defaults.
        sets: overrides such as ``"rule.threshold=0.8"``; values are TOML, bare words are strings.
        given: overrides by dotted name with ``__`` for the dot; None is "not said".

    Raises:
        ConfigError: unreadable file, unknown key, value out of range, settings that contradict each other.
    """
    told: dict[str, Any] = {}
    if file is not None:
        try:
            told = tomllib.loads(Path(file).read_text("utf-8-sig"))
        except OSError as error:
            raise ConfigError(f"cannot read {file}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file} is not TOML: {error}") from None
    for pair in sets:
        key, equals, value = pair.partition("=")
        if not equals or not all(part.strip() for part in key.split(".")):
            raise ConfigError(f"--set {pair!r}: write key=value, such as --set rule.threshold=0.8")
        _put(told, key.strip(), _value(value.strip()))
    for key, value in given.items():
        if value is not None:
            _put(told, key.replace("__", "."), value)
    return _validated(told)


def changed(settings: Settings, key: str, value: Any) -> Settings:
    """The settings with one of them changed.

    Raises:
        ConfigError: as :func:`load`.
    """
    told = settings.model_dump(mode="json")
    _put(told, key, value)
    return _validated(told)


def _validated(told: dict[str, Any]) -> Settings:
    try:
        return Settings.model_validate(told)
    except ValidationError as error:
        raise ConfigError("\n".join(refusal(problem, Settings) for problem in error.errors())) from None


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))


def _rule(words: Mapping[str, Any], default: Rule) -> Rule:
    """The rule as told; without a name, the detector's own kind of rule."""
    words = dict(words)
    name = words.pop("name", None)
    kind = type(default) if name is None else RULES.get(str(name))
    if kind is None:
        raise ValueError(f"rule.name {name!r} is unknown{meant(name, RULES)}")
    return _built(kind, words, "rule")


def _built(kind: type[T], words: Mapping[str, Any], section: str) -> T:
    # A detector's rule is told in a section of its own.
    fields = {f.name: f for f in dataclasses.fields(kind) if f.name != "rule"}  # type: ignore[arg-type]
    for key, value in words.items():
        if key not in fields:
            known = sorted(fields) or ["nothing"]
            raise ValueError(f"{section}.{key} is unknown here{meant(key, known)}")
        default = fields[key].default
        if isinstance(default, (bool, int)) and type(value) is not type(default):
            raise ValueError(f"{section}.{key} = {value!r} is no {type(default).__name__}")
        least = fields[key].metadata.get("least", 1)
        if type(default) is int and value < least:
            raise ValueError(f"{section}.{key} = {value} is below {least}")
    try:
        return kind(**words)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise ValueError(f"{section}: {error}") from None


def _put(told: dict[str, Any], dotted: str, value: Any) -> None:
    *path, last = dotted.split(".")
    at = told
    for name in path:
        below = at.setdefault(name, {})
        if not isinstance(below, dict):
            raise ConfigError(f"{dotted}: {name} is a value, not a section")
        at = below
    at[last] = value


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        return text

"""Refusals: what is wrong with a setting, in words for the person who wrote it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel


def meant(word: str, known: Iterable[str]) -> str:
    """The end of a refusal: what the word may have been meant for, else what there is."""
    known = sorted(known)
    near = difflib.get_close_matches(str(word), known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"


def refusal(problem: Any, settings: type[BaseModel]) -> str:
    """One of pydantic's errors, in a line that names the setting by its dotted name."""
    where = ".".join(str(part) for part in problem["loc"] if not str(part).startswith(("literal", "int")))
    if problem["type"] == "extra_forbidden":
        *path, last = where.split(".")
        return f"{where} is unknown{meant(last, _known(path, settings))}"
    plain = _PLAIN.get(problem["type"])
    message = plain.format(**problem.get("ctx", {})) if plain else problem["msg"].removeprefix("Value error, ")
    if problem["type"] in ("dict_type", "model_type"):
        message = f"a section, not a value; write one of its keys, such as {_SUCH.get(where, where + '.KEY')}"
    shown = problem.get("input")
    value = f" = {shown!r}" if isinstance(shown, (str, int, float, bool)) else ""
    return f"{where}{value}: {message}" if where else message


_PLAIN = {
    "int_parsing": "not a whole number",
    "int_type": "not a whole number",
    "int_from_float": "not a whole number",
    "float_parsing": "not a number",
    "float_type": "not a number",
    "bool_parsing": "write true or false",
    "bool_type": "write true or false",
    "tuple_type": 'write a list, such as ["NAME"]',
    "string_type": "not a text; put it in quotes",
    "literal_error": "write one of {expected}",
    "greater_than_equal": "must be {ge:g} or more",
    "less_than_equal": "must be {le:g} or less",
    "string_pattern_mismatch": "letters, digits, dot, dash and underscore only, 100 at most",
}
_SUCH = {"rule": "rule.threshold", "detector": "detector.name", "input.columns": "input.columns.html"}


def _known(path: list[str], settings: type[BaseModel]) -> list[str]:
    model = settings
    for name in path:
        kind = model.model_fields[name].annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            model = kind
    return list(model.model_fields)

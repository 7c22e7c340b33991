"""The sample has exactly the keys that the schema documents, and every value has its type."""

from __future__ import annotations

import types
import typing
from typing import Any

from portal.reports import schema

from .conftest import SAMPLE


def problems(value: Any, kind: Any, place: str) -> list[str]:
    """Where a JSON value is not of a documented type."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind)
        if not isinstance(value, dict):
            return [f"{place}: {value!r}"]
        if set(value) != set(hints):
            return [f"{place}: {sorted(set(value) ^ set(hints))}"]
        return [each for key, hint in hints.items() for each in problems(value[key], hint, f"{place}.{key}")]
    if origin in (list, dict) and not isinstance(value, origin):
        return [f"{place}: {value!r}"]
    if origin is list:
        return [each for n, item in enumerate(value) for each in problems(item, inside[0], f"{place}[{n}]")]
    if origin is dict:
        return [each for key, item in value.items() for each in problems(item, inside[1], f"{place}.{key}")]
    if origin is typing.Literal:
        return [] if value in inside else [f"{place}: {value!r}"]
    if origin is types.UnionType:
        return [] if any(not problems(value, each, place) for each in inside) else [f"{place}: {value!r}"]
    if kind is float:
        return (
            [] if isinstance(value, int | float) and not isinstance(value, bool) else [f"{place}: {value!r}"]
        )
    return [] if type(value) is kind or (kind is type(None) and value is None) else [f"{place}: {value!r}"]


def test_the_sample_is_what_the_schema_says() -> None:
    assert problems(SAMPLE, schema.ReportData, "data") == []


def test_the_check_itself_finds_faults() -> None:
    wrong = {**SAMPLE, "matrix": {"version": 23}, "language": "fr"}
    assert len(problems(wrong, schema.ReportData, "data")) == 2

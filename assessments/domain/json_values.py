"""JSON from strangers: read within limits, then looked at value by value, each with its place.

`Reader` collects problems instead of stopping at the first. Booleans are not numbers here, `null` is
"not given", and a message never repeats more than a few characters of the input.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from assessments.domain.problems import AnswerErrors, AnswerProblem

MAX_BYTES = 20_000_000
_T = TypeVar("_T")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,60}")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?", re.ASCII)


class JsonObject(dict[str, object]):
    """An object as it was written; `repeated` names keys that it holds more than once."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, object]]) -> JsonObject:
    built = JsonObject(pairs)
    if len(built) != len(pairs):
        counts = Counter(key for key, _value in pairs)
        built.repeated = tuple(key for key, times in counts.items() if times > 1)
    return built


def read_json(content: bytes) -> object:
    """The value in a JSON file of at most 20 MB (UTF-8). Raises AnswerErrors with the place of the error.

    `NaN` and `Infinity` are not JSON; they come back as floats, which no field accepts.
    """
    if len(content) > MAX_BYTES:
        raise _unreadable("file.size", f"larger than {MAX_BYTES // 1_000_000} MB")
    try:
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise _unreadable("file.encoding", f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _unreadable("file.json", f"not JSON at {place}: {error.msg}") from None
    except RecursionError:
        raise _unreadable("file.depth", "nested too deeply") from None
    except ValueError:
        # json turns digits into an int of any size, and Python refuses after some thousand of them.
        raise _unreadable("file.number", "holds a number with too many digits") from None


def _unreadable(code: str, message: str) -> AnswerErrors:
    return AnswerErrors([AnswerProblem("file", code, message)])


def shown(value: object) -> str:
    """A value as a message may show it: short, escaped, and never a nested one."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else repr(value[:60]) + "…"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "an infinite number"
    text = str(value)
    return text if len(text) <= 60 else text[:60] + "…"


@dataclass(frozen=True, slots=True)
class Field:
    """A value with its place; `given` is False where the key is absent, `is_item` True inside a list."""

    place: str
    value: object
    given: bool = True
    is_item: bool = False

    def at(self, key: str) -> Field:
        """The value under a key of this object, or an absent one at the place where it would be."""
        place = f"{self.place}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{self.place}[{shown(key)}]"
        if isinstance(self.value, dict) and key in self.value:
            return Field(place, self.value[key])
        return Field(place, None, given=False)


@dataclass(slots=True)
class Reader:
    """Reads fields and collects what is wrong with them."""

    problems: list[AnswerProblem] = field(default_factory=list)

    def report(self, where: Field, code: str, message: str) -> None:
        """Note a problem at a field."""
        self.problems.append(AnswerProblem(where.place, code, message))

    def shown(self, value: object) -> str:
        """See `shown`."""
        return shown(value)

    def _wrong_type(self, where: Field, wanted: str) -> None:
        self.report(where, "type", f"must be {wanted}, not {shown(where.value)}")

    def required(self, value: _T | None, where: Field) -> _T | None:
        """Pass the value on; note a problem where the field was absent or null."""
        if where.value is None:
            self.report(where, "missing", "is missing")
        return value

    def mapping(self, where: Field, keys: Sequence[str]) -> dict[str, Field] | None:
        """The fields of an object with these keys; unknown and repeated keys are problems."""
        if not isinstance(where.value, dict):
            self._wrong_type(where, "an object")
            return None
        for key in where.value:
            if key not in keys:
                self.report(where.at(str(key)), "key.unknown", f"unknown key (known: {', '.join(keys)})")
        for key in getattr(where.value, "repeated", ()):
            self.report(where.at(key), "key.duplicate", "the key appears more than once")
        return {key: where.at(key) for key in keys}

    def items(self, where: Field, most: int, *, nullable: bool = True) -> Iterator[Field]:
        """The items of a list of at most `most`; nothing for null."""
        if where.value is None and nullable:
            return
        if not isinstance(where.value, list):
            self._wrong_type(where, "a list")
            return
        if len(where.value) > most:
            self.report(where, "list.size", f"has {len(where.value)} entries, more than {most}")
            return
        for index, value in enumerate(where.value):
            yield Field(f"{where.place}[{index}]", value, is_item=True)

    def string(self, where: Field, most: int | None = None) -> str | None:
        """A text; None for null and, with a problem, for anything else."""
        if where.value is None:
            return None
        if not isinstance(where.value, str):
            self._wrong_type(where, "a text")
            return None
        if most is not None and len(where.value) > most:
            self.report(where, "text.size", f"is longer than {most} characters")
            return None
        return where.value

    def choice(self, where: Field, allowed: Sequence[str]) -> str | None:
        """One of the allowed texts; None for null and, with a problem, for anything else."""
        text = self.string(where)
        if text is None or text in allowed:
            return text
        self.report(where, "value", f"{shown(text)} is not one of {', '.join(allowed)}")
        return None

    def boolean(self, where: Field) -> bool | None:
        """True or false; None for null and, with a problem, for anything else."""
        if where.value is None or isinstance(where.value, bool):
            return where.value
        self._wrong_type(where, "true or false")
        return None

    def integer(self, where: Field, low: int, high: int) -> int | None:
        """A whole number in the range; None for null and, with a problem, for anything else (3.0, true)."""
        value = where.value
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong_type(where, f"a whole number from {low} to {high}")
            return None
        if not low <= value <= high:
            self.report(where, "range", f"{shown(value)} is not from {low} to {high}")
            return None
        return value

    def moment(self, where: Field) -> datetime | None:
        """A moment in UTC; None for null and, with a problem, for anything else."""
        text = self.string(where)
        if text is None:
            return None
        try:
            return parse_moment(text)
        except ValueError as error:
            self.report(where, "moment", str(error))
            return None


def parse_moment(text: str) -> datetime:
    """A moment in UTC from ISO 8601 such as `2026-12-02T00:00:00Z`.

    Raises ValueError with a sentence, for a text without time zone one that says so.
    """
    match = _MOMENT.fullmatch(text)
    if match is None and re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) is None:
        raise ValueError(f"{shown(text)} is no moment such as 2026-12-02T00:00:00Z")
    if match is None or match.group(2) is None:
        raise ValueError(f"{shown(text)} has no time zone; write a moment such as 2026-12-02T00:00:00Z")
    try:
        return datetime.fromisoformat(match.group(1) + match.group(2)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{shown(text)} does not exist in the calendar") from None

"""Read what people hand to the `compare` command; every error with its place, never a traceback."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from portal.stats.design import LARGEST

MAX_BYTES = 20_000_000
MAX_VALUES = 100_000
MAX_LABEL = 200
SHOWN = 40


@dataclass(frozen=True, slots=True)
class Problem:
    """One error: which file, where in it (`values[3]`; empty = the whole file), what is wrong."""

    file: str
    place: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.place, self.message) if part)


class SampleErrors(Exception):
    """All problems of the input, not the first one."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Sample:
    """A list of numbers with optional unit labels; or, from a scorecard, `levels` by practice id and the
    `matrix_sha256` and `scope` it was scored under."""

    values: tuple[float, ...] = ()
    units: tuple[str, ...] | None = None
    levels: Mapping[str, float] | None = None
    header: Mapping[str, str] = field(default_factory=dict)


def read_sample(raw: bytes, file: str) -> Sample:
    """Parse a sample: `[numbers]`, `{"values": [...], "units": [...]}` or the output of `score --json`.

    `raw`: the file's bytes, at most MAX_BYTES are accepted. Raises SampleErrors.
    """
    document = _parse(raw, file)
    if isinstance(document, list):
        return Sample(_numbers(document, file, ""))
    if isinstance(document, dict) and "practices" in document:
        return _scorecard(document, file)
    if isinstance(document, dict):
        return _labelled(document, file)
    raise _error(file, "", f"a list of numbers or an object was expected, not {_kind(document)}")


def read_labels(raw: bytes, file: str) -> tuple[str, ...]:
    """Parse a JSON list of labels (strings or whole numbers). Raises SampleErrors."""
    document = _parse(raw, file)
    if not isinstance(document, list):
        raise _error(file, "", f"a list of labels was expected, not {_kind(document)}")
    return _labels(document, file, "")


def _parse(raw: bytes, file: str) -> Any:
    if len(raw) > MAX_BYTES:
        raise _error(file, "", f"larger than {MAX_BYTES // 1_000_000} MB")
    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_without_duplicates)
    except UnicodeDecodeError as error:
        raise _error(file, f"byte {error.start}", "not UTF-8 text") from None
    except RecursionError:
        raise _error(file, "", "nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _error(file, f"line {error.lineno} column {error.colno}", f"not JSON: {error.msg}") from None
    except _DuplicateKey as error:
        raise _error(file, "", f"the key {_shown(error.key)} occurs twice in one object") from None
    except ValueError:
        # The only other one: an integer of more digits than Python converts.
        raise _error(file, "", "holds a number of too many digits") from None


class _DuplicateKey(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKey(key)
        found[key] = value
    return found


def _labelled(document: dict[str, Any], file: str) -> Sample:
    problems = [
        Problem(file, _shown(key), "unknown key; known are values, units, practices")
        for key in document
        if key not in ("values", "units")
    ]
    values: tuple[float, ...] = ()
    units: tuple[str, ...] | None = None
    for key in ("values", "units"):
        given = document.get(key)
        if given is None and (key == "units"):
            continue
        if not isinstance(given, list):
            kind = _kind(given) if key in document else "missing"
            problems.append(Problem(file, key, f"a list was expected; it is {kind}"))
            continue
        try:
            if key == "values":
                values = _numbers(given, file, key)
            else:
                units = _labels(given, file, key)
        except SampleErrors as error:
            problems.extend(error.problems)
    if not problems and units is not None and len(units) != len(values):
        problems.append(Problem(file, "units", f"{len(units)} labels for {len(values)} values"))
    if problems:
        raise SampleErrors(tuple(problems))
    return Sample(values, units)


def _scorecard(document: dict[str, Any], file: str) -> Sample:
    practices = document["practices"]
    if not isinstance(practices, dict):
        raise _error(file, "practices", f"an object was expected, not {_kind(practices)}")
    if len(practices) > MAX_VALUES:
        raise _error(file, "practices", f"{len(practices)} entries; at most {MAX_VALUES} are read")
    problems: list[Problem] = []
    levels: dict[str, float] = {}
    for practice, entry in practices.items():
        place = f"practices[{_shown(practice)}]"
        if not isinstance(entry, dict) or "current" not in entry:
            problems.append(Problem(file, place, "an object with the key current was expected"))
        elif entry["current"] is not None:
            message = _number_problem(entry["current"])
            if message or not 0 <= entry["current"] <= 5:
                message = message or f"level {_shown(entry['current'])} is not between 0 and 5"
                problems.append(Problem(file, f"{place}.current", message))
            else:
                levels[practice] = float(entry["current"])
    if problems:
        raise SampleErrors(tuple(problems))
    matrix = document.get("matrix")
    named = {"scope": document.get("scope"), "matrix_sha256": None}
    if isinstance(matrix, dict):
        named["matrix_sha256"] = matrix.get("sha256")
    header = {key: value for key, value in named.items() if isinstance(value, str)}
    return Sample(levels=levels, header=header)


def _numbers(items: list[Any], file: str, where: str) -> tuple[float, ...]:
    if len(items) > MAX_VALUES:
        raise _error(file, where, f"{len(items)} values; at most {MAX_VALUES} are read")
    problems = [
        Problem(file, f"{where}[{index}]", message)
        for index, item in enumerate(items)
        if (message := _number_problem(item)) is not None
    ]
    if len(items) < 2:
        problems.append(Problem(file, where, f"a sample needs at least 2 values, there are {len(items)}"))
    if problems:
        raise SampleErrors(tuple(problems))
    return tuple(float(item) for item in items)


def _number_problem(item: Any) -> str | None:
    if isinstance(item, bool) or not isinstance(item, int | float):
        return f"a number was expected, not {_kind(item)}"
    if isinstance(item, float) and not math.isfinite(item):
        return f"{_json_name(item)} is not a finite number"
    if abs(item) > LARGEST:
        return f"larger than {LARGEST:g} in magnitude"
    return None


def _labels(items: list[Any], file: str, where: str) -> tuple[str, ...]:
    if len(items) > 2 * MAX_VALUES:
        raise _error(file, where, f"{len(items)} labels; at most {2 * MAX_VALUES} are read")
    problems = []
    for index, item in enumerate(items):
        place = f"{where}[{index}]"
        if isinstance(item, bool) or not isinstance(item, int | str):
            problems.append(
                Problem(file, place, f"a label (text or whole number) was expected, not {_kind(item)}")
            )
        elif isinstance(item, str) and not 0 < len(item) <= MAX_LABEL:
            problems.append(Problem(file, place, f"a label has 1 to {MAX_LABEL} characters"))
    if problems:
        raise SampleErrors(tuple(problems))
    return tuple(str(item) for item in items)


def _error(file: str, place: str, message: str) -> SampleErrors:
    return SampleErrors((Problem(file, place, message),))


def _kind(item: Any) -> str:
    names = {type(None): "null", bool: "true or false", str: "text", list: "a list", dict: "an object"}
    return names.get(type(item), "a number")


def _json_name(number: float) -> str:
    return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")


def _shown(item: object) -> str:
    """ASCII and short, so that no input can garble a terminal."""
    text = ascii(item)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."

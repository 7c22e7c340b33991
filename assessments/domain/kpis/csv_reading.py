"""A CSV file of facts about one cluster, read row by row; every problem is listed with row and column.

Format: docs/reference/kpi_csv.md.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from assessments.domain.kpis.facts import Fact, FactKind, Phase
from assessments.domain.kpis.numbers import NUMBERS

COLUMNS = ("kind", "name", "service", "start", "end", "value", "unit", "phase", "present", "note")
NEEDED = ("kind", "start")
MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 20_000
MAX_PROBLEMS = 200
MAX_TEXT = 500
MAX_NAME = 80
GREATEST = 1e15
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
LATEST = datetime(2100, 1, 1, tzinfo=UTC)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?\s?(Z|[+-]\d{2}:?[0-5]\d)?",
    re.ASCII | re.IGNORECASE,
)
# `REL-04/2` is the second condition beside the level-3 target of REL-04.
_KPI = re.compile(r"([A-Z]{2,4}-\d{2})(?:/([1-9]))?", re.ASCII)
FORMULA_STARTS = "=+@＝＋－＠-"
"""What a spreadsheet may take for the start of a formula (it reads full-width signs like the others); the
export writes an apostrophe before it, and the reader takes that off again."""
_HARMLESS = re.compile(f"'+[{FORMULA_STARTS}]")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong: `row` as a spreadsheet counts it (header 1; 0 the file), `column`, code, sentence.

    `details` holds what the sentence names, for other languages.
    """

    row: int
    column: str
    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file says. With problems, `facts` holds only the rows that are right."""

    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]


class _Wrong(Exception):
    """A cell that cannot be used."""

    def __init__(self, column: str, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.column, self.code, self.message, self.details = column, code, message, details

    def at(self, row: int) -> Problem:
        return Problem(row, self.column, self.code, self.message, self.details)


def read(data: bytes, *, practices: Collection[str], services: Collection[str]) -> Sheet:
    """The facts of a file; nothing is raised, whatever the bytes are.

    `practices` are the ids that KPI rows may name, `services` the names of the cluster's services. At most
    200 problems are listed.
    """
    if len(data) > MAX_BYTES:
        return _refused("too_large", f"a file has at most {MAX_BYTES} bytes", most=MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _refused("encoding", f"byte {error.start + 1} is not UTF-8", byte=error.start + 1)
    if "\x00" in text:
        return _refused("encoding", "the file holds NUL characters", byte=text.index("\x00") + 1)
    # strict: a quote in the wrong place would otherwise swallow rows in silence.
    table = csv.reader(io.StringIO(text, newline=""), strict=True)
    header, problem = _header(table)
    if problem:
        return Sheet((), (problem,))
    facts: list[Fact] = []
    problems: list[Problem] = []
    seen: dict[tuple[Any, ...], int] = {}
    scope = _Scope(practices, services)
    for number, cells in _rows(table, problems):
        if len(problems) >= MAX_PROBLEMS:
            break
        try:
            fact = _fact(_cells(header, cells), scope)
        except _Wrong as wrong:
            problems.append(wrong.at(number))
            continue
        first = seen.setdefault(fact.key, number)
        if first != number:
            message = f"row {first} says the same kind, name, service, start and phase"
            problems.append(Problem(number, "start", "repeated", message, {"other": first}))
            continue
        facts.append(fact)
    return Sheet(tuple(facts), tuple(problems[:MAX_PROBLEMS]))


def _refused(code: str, message: str, **details: Any) -> Sheet:
    return Sheet((), (Problem(0, "", code, message, details),))


def _header(table: Any) -> tuple[list[str], Problem | None]:
    try:
        header = [cell.strip().casefold() for cell in next(table)]
    except StopIteration:
        return [], Problem(0, "", "empty", "the file is empty")
    except csv.Error as error:
        return [], Problem(1, "", "csv", f"not a CSV row: {error}", {"error": str(error)})
    while header and not header[-1]:
        header.pop()
    known = ", ".join(COLUMNS)
    for name in header:
        if name not in COLUMNS:
            message = f"{name[:60]!r} is no column (known: {known})"
            return [], Problem(1, name[:60], "column_unknown", message, {"known": known})
        if header.count(name) > 1:
            return [], Problem(1, name, "column_twice", f"the column {name} stands twice")
    for name in NEEDED:
        if name not in header:
            return [], Problem(1, name, "column_missing", f"the column {name} is missing")
    return header, None


def _rows(table: Any, problems: list[Problem]) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows that hold something, by their number; stops with a problem where the text is no CSV."""
    number = 1
    while True:
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(Problem(number + 1, "", "csv", f"not a CSV row: {error}", {"error": str(error)}))
            return
        number += 1
        if number > MAX_ROWS + 1:
            message = f"a file has at most {MAX_ROWS} rows"
            problems.append(Problem(0, "", "too_many_rows", message, {"most": MAX_ROWS}))
            return
        if any(cell.strip() for cell in cells):
            yield number, cells


def _cells(header: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    if any(cell.strip() for cell in cells[len(header) :]):
        raise _Wrong("", "cells", f"the row has more cells than the header ({len(header)})", most=len(header))
    found = {}
    for name, cell in zip(header, cells, strict=False):
        text = cell.strip()
        if _HARMLESS.match(text):
            text = text[1:]
        if _CONTROL.search(text):
            raise _Wrong(name, "control", "the cell holds control characters")
        if len(text) > MAX_TEXT:
            raise _Wrong(name, "too_long", f"a cell has at most {MAX_TEXT} characters", most=MAX_TEXT)
        found[name] = text
    return found


@dataclass(frozen=True, slots=True)
class _Scope:
    practices: Collection[str]
    services: Collection[str]


def _fact(row: Mapping[str, str], scope: _Scope) -> Fact:
    kinds = ", ".join(FactKind)
    text = row.get("kind", "")
    if text not in set(FactKind):
        raise _Wrong("kind", "kind", f"{text[:60]!r} is none of {kinds}", known=kinds)
    kind = FactKind(text)
    start, end = _span(row, kind)
    service = row.get("service", "")
    if service and service not in scope.services:
        raise _Wrong("service", "service", f"the cluster has no service {service[:80]!r}")
    name = row.get("name", "")
    make = {
        FactKind.number: _number,
        FactKind.kpi: _kpi,
        FactKind.breach: _breach,
        FactKind.incident: _incident,
    }[kind]
    return make(row, name, service, start, end, scope)


def _span(row: Mapping[str, str], kind: FactKind) -> tuple[datetime, datetime | None]:
    start = _time(row, "start")
    if start is None:
        raise _Wrong("start", "needed", "start is needed")
    end = _time(row, "end")
    if end is None and kind is not FactKind.incident:
        raise _Wrong("end", "needed", "end is needed; only an incident may be open")
    if end is not None and end < start:
        raise _Wrong("end", "order", "end lies before start")
    return start, end


def _time(row: Mapping[str, str], column: str) -> datetime | None:
    text = row.get(column, "")
    if not text:
        return None
    say = "write 2026-12-02, or 2026-12-02T08:30:00Z with Z or an offset such as +08:00"
    if not (_DATE.fullmatch(text) or _TIME.fullmatch(text)):
        raise _Wrong(column, "time", f"{text[:60]!r} is no time: {say}")
    try:
        found = datetime.fromisoformat(text.upper().replace(" +", "+").replace(" Z", "Z"))
        found = found.replace(tzinfo=UTC) if _DATE.fullmatch(text) else found
        if found.tzinfo is None:
            raise _Wrong(column, "zone", f"{text[:60]!r} has no time zone: {say}")
        found = found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise _Wrong(column, "time", f"{text[:60]!r} is no time: {say}") from None
    if not EARLIEST <= found < LATEST:
        raise _Wrong(column, "time_range", "times lie between the years 2000 and 2099")
    return found


def _value(row: Mapping[str, str], column: str) -> float | None:
    text = row.get(column, "").replace("\N{MINUS SIGN}", "-")
    if not text:
        return None
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value) or abs(value) > GREATEST:
        message = f"{text[:60]!r} is no number: write digits with a point, without thousands separators"
        raise _Wrong(column, "number", message)
    return value


def _empty(row: Mapping[str, str], columns: Sequence[str], kind: FactKind) -> None:
    for column in columns:
        if row.get(column):
            raise _Wrong(column, "not_here", f"a row of kind {kind} has no {column}", kind=kind.value)


def _needed_value(row: Mapping[str, str]) -> float:
    value = _value(row, "value")
    if value is None:
        raise _Wrong("value", "needed", "value is needed")
    return value


def _number(
    row: Mapping[str, str], name: str, service: str, start: datetime, end: datetime | None, scope: _Scope
) -> Fact:
    known = NUMBERS.get(name)
    if known is None:
        raise _Wrong("name", "name", f"{name[:60]!r} is no number that is known")
    _empty(row, ("phase", "present"), FactKind.number)
    if service and not known.per_service:
        raise _Wrong("service", "whole_cluster", f"{name} is about the whole cluster: leave service empty")
    unit = row.get("unit", "")
    if unit and unit != known.unit:
        message = f"{name} is in {known.unit}, not in {unit[:60]}"
        raise _Wrong("unit", "unit", message, name=name, unit=known.unit)
    value = _needed_value(row)
    if value < 0:
        raise _Wrong("value", "negative", f"{name} must not be negative", name=name)
    if known.whole and not value.is_integer():
        raise _Wrong("value", "whole", f"{name} is counted: it must be a whole number", name=name)
    if known.most is not None and value > known.most:
        message = f"{name} must be at most {known.most:g}"
        raise _Wrong("value", "most", message, name=name, most=f"{known.most:g}")
    return Fact(FactKind.number, name, service, start, end, value, known.unit, note=row.get("note", ""))


def _kpi(
    row: Mapping[str, str], name: str, service: str, start: datetime, end: datetime | None, scope: _Scope
) -> Fact:
    found = _KPI.fullmatch(name)
    if not found or found.group(1) not in scope.practices:
        raise _Wrong("name", "practice", f"{name[:60]!r} is no practice of the matrix")
    phase = row.get("phase", "") or Phase.steady.value
    if phase not in set(Phase):
        known = ", ".join(Phase)
        raise _Wrong("phase", "phase", f"{phase[:60]!r} is none of {known}", known=known)
    present = _value(row, "present")
    if present is not None and not 0 <= present <= 100:
        raise _Wrong("present", "percent", "present is a percentage from 0 to 100")
    unit = row.get("unit", "")
    if len(unit) > MAX_NAME:
        raise _Wrong("unit", "too_long", f"a unit has at most {MAX_NAME} characters", most=MAX_NAME)
    value = _needed_value(row)
    return Fact(
        FactKind.kpi, name, service, start, end, value, unit, Phase(phase), present, row.get("note", "")
    )


def _breach(
    row: Mapping[str, str], name: str, service: str, start: datetime, end: datetime | None, scope: _Scope
) -> Fact:
    _empty(row, ("value", "unit", "phase", "present"), FactKind.breach)
    if not service:
        raise _Wrong("service", "needed", "a breach is that of a service")
    return Fact(FactKind.breach, _short(name), service, start, end, note=row.get("note", ""))


def _incident(
    row: Mapping[str, str], name: str, service: str, start: datetime, end: datetime | None, scope: _Scope
) -> Fact:
    _empty(row, ("value", "unit", "phase", "present"), FactKind.incident)
    if not name:
        raise _Wrong("name", "needed", "an incident has a name, such as its number")
    return Fact(FactKind.incident, _short(name), service, start, end, note=row.get("note", ""))


def _short(name: str) -> str:
    if len(name) > MAX_NAME:
        raise _Wrong("name", "too_long", f"a name has at most {MAX_NAME} characters", most=MAX_NAME)
    return name

"""Answers as a table that people fill in offline: what it says, and what it would change.

One row per practice. Columns that the export writes for reading only (title, state, scores …) are ignored;
a column nobody knows is a problem, because a misspelt one would be lost in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assessments.domain.answers import Confidence, NaReason
from assessments.domain.matrix import HIGHEST_LEVEL, Practice

ANSWER_COLUMNS = (
    *("practice", "version", "level", "clauses", "na_reason", "na_text"),
    *("unsure", "confidence", "note"),
)
READING_COLUMNS = (
    *("dimension", "title", "question", "state", "claimed", "demonstrated", "current", "reason"),
    *("evidence", "respondent", "answered_at"),
)
# The second sheet of a workbook: one row per clause.
TICK_COLUMNS = ("practice", "clause", "level", "evidence", "text", "tick")
NEEDED = ("practice", "version")
MAX_NOTE = 10_000
MAX_NA_TEXT = 500
YES = frozenset({"yes", "y", "x", "true", "1", "是"})
NO = frozenset({"", "no", "n", "false", "0", "否"})
# A text that begins like a formula is exported with an apostrophe before it.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A broken rule: row as the spreadsheet counts it (header 1; 0 = the table), column, code, details."""

    row: int
    column: str
    code: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SheetAnswer:
    """What a row says about a practice. All empty: nothing, so what is stored stays."""

    row: int
    practice: str
    version: int
    clauses: tuple[str, ...] | None = None
    level: int | None = None
    na_reason: str = ""
    na_text: str = ""
    unsure: bool = False
    confidence: int | None = None
    note: str = ""

    @property
    def says_nothing(self) -> bool:
        """Whether the row leaves the practice as it is."""
        return self.clauses is None and self.level is None and not self.na_reason and not self.unsure


class Change(StrEnum):
    """What importing a row would do."""

    unchanged = "unchanged"
    changed = "changed"  # another answer
    added = "added"  # nothing was answered before
    conflict = "conflict"  # somebody answered since the export
    empty = "empty"  # the row says nothing


@dataclass(frozen=True, slots=True)
class Stored:
    """The answer that holds now, in the form of a row; version 0: not answered yet."""

    version: int
    clauses: tuple[str, ...] | None = None
    level: int | None = None
    na_reason: str = ""
    na_text: str = ""
    unsure: bool = False
    confidence: int | None = None
    note: str = ""


NOT_ANSWERED = Stored(0)


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row with what it would do to what is stored."""

    answer: SheetAnswer
    change: Change


def read_sheet(
    table: Sequence[Sequence[str]], practices: Mapping[str, Practice]
) -> tuple[tuple[SheetAnswer, ...], tuple[RowProblem, ...]]:
    """The answers of a table (header first) and every problem with its row and column.

    `practices` are those that are asked, with the clauses that apply. Blank rows are skipped. Nothing is
    raised, whatever the table holds.
    """
    if not table or not any(str(each).strip() for each in table[0]):
        return (), (RowProblem(0, "", "header_missing", {}),)
    header = [str(each).strip().lower() for each in table[0]]
    problems = list(_header_problems(header))
    if problems:
        return (), tuple(problems)
    found: list[SheetAnswer] = []
    seen: dict[str, int] = {}
    for number, cells in enumerate(table[1:], 2):
        values = {name: plain(cells[i]) for i, name in enumerate(header) if name and i < len(cells)}
        if not any(values.values()):
            continue
        reader = _Row(number, values, practices)
        answer = reader.read()
        problems.extend(reader.problems)
        if answer is not None and answer.practice in seen:
            details = {"practice": answer.practice, "row": seen[answer.practice]}
            problems.append(RowProblem(number, "practice", "practice_twice", details))
        elif answer is not None:
            seen[answer.practice] = number
            if not reader.problems:
                found.append(answer)
    return tuple(found), tuple(problems)


def with_ticks(
    table: Sequence[Sequence[str]], ticks: Sequence[Sequence[str]]
) -> tuple[list[list[str]], tuple[RowProblem, ...]]:
    """The table with a column `clauses` made of a sheet of ticks (see TICK_COLUMNS).

    A practice whose `state` is answered and that has no tick left gets `none`; of others nothing is said.
    Problems of the tick sheet come with the column `tick sheet: …`.
    """
    if not table or not ticks:
        return [list(row) for row in table], ()
    header = [str(each).strip().lower() for each in table[0]]
    names = [str(each).strip().lower() for each in ticks[0]]
    missing = [each for each in ("practice", "clause", "tick") if each not in names]
    if missing or "clauses" in header or "practice" not in header:
        wrong = missing[0] if missing else "clauses"
        code = "column_missing" if missing else "column_twice"
        return [list(row) for row in table], (RowProblem(1, f"tick sheet: {wrong}", code, {}),)
    problems: list[RowProblem] = []
    ticked: dict[str, list[str]] = {}
    for number, cells in enumerate(ticks[1:], 2):
        row = {name: plain(cells[i]) if i < len(cells) else "" for i, name in enumerate(names)}
        if not any(row.values()):
            continue
        mark = row["tick"].lower()
        if mark not in YES and mark not in NO:
            problems.append(RowProblem(number, "tick sheet: tick", "yes_or_no", {"value": mark[:40]}))
        ticked.setdefault(row["practice"], []).extend([row["clause"]] if mark in YES else [])
    at, state = header.index("practice"), header.index("state") if "state" in header else -1
    merged = [[*table[0], "clauses"]]
    for line in table[1:]:
        cells = [*line, *[""] * (len(header) - len(line))][: len(header)]
        known = ticked.get(plain(cells[at]))
        answered = state >= 0 and plain(cells[state]) == "answered"
        merged.append([*cells, "" if known is None else " ".join(known) or ("none" if answered else "")])
    return merged, tuple(problems)


def _header_problems(header: Sequence[str]) -> Iterator[RowProblem]:
    for name in dict.fromkeys(header):
        if not name:
            continue
        if name not in ANSWER_COLUMNS and name not in READING_COLUMNS:
            yield RowProblem(1, name[:40], "column_unknown", {"known": ", ".join(ANSWER_COLUMNS)})
        elif header.count(name) > 1:
            yield RowProblem(1, name, "column_twice", {})
    for name in NEEDED:
        if name not in header:
            yield RowProblem(1, name, "column_missing", {})


def plain(value: object) -> str:
    """The cell as it was before the export made it harmless: no control characters, one kind of line end.

    What is stored goes through the same function before both are compared, so a trip through a spreadsheet
    changes nothing.
    """
    text = _CONTROL.sub("", str(value).replace("\r\n", "\n").replace("\r", "\n")).strip()
    if len(text) > 1 and text[0] == "'" and text[1] in _FORMULA_STARTS:
        return text[1:]
    return text


class _Row:
    """Reads one row; `problems` collects what is wrong with it."""

    def __init__(self, number: int, values: Mapping[str, str], practices: Mapping[str, Practice]) -> None:
        self.number = number
        self.values = values
        self.practices = practices
        self.problems: list[RowProblem] = []

    def report(self, column: str, code: str, **details: Any) -> None:
        self.problems.append(RowProblem(self.number, column, code, details))

    def get(self, column: str) -> str:
        return self.values.get(column, "")

    def read(self) -> SheetAnswer | None:
        name = self.get("practice")
        practice = self.practices.get(name)
        if practice is None:
            self.report("practice", "practice_unknown" if name else "practice_missing", value=name[:40])
            return None
        version = self.whole("version", 0, 2**31 - 1)
        level = self.whole("level", 0, HIGHEST_LEVEL)
        clauses = self.clauses(practice)
        na_reason, na_text = self.not_applicable()
        unsure = self.yes("unsure")
        said = [
            column
            for column, given in (("level", level is not None), ("na_reason", na_reason), ("unsure", unsure))
            if given
        ]
        if len(said) > 1:
            self.report(said[1], "answers_contradict", columns=", ".join(said))
        note = self.get("note")
        if len(note) > MAX_NOTE:
            self.report("note", "text_too_long", most=MAX_NOTE, count=len(note))
        if level is not None and practice.worded:
            # A level ticks every clause up to it, also where the exported ticks still stand beside it.
            clauses, level = tuple(each.id for each in practice.clauses if each.level <= level), None
        elif na_reason or unsure:
            clauses = None
        return SheetAnswer(
            row=self.number,
            practice=name,
            version=version or 0,
            clauses=clauses,
            level=level,
            na_reason=na_reason,
            na_text=na_text if na_reason else "",
            unsure=unsure,
            confidence=None if na_reason or unsure else self.whole("confidence", 1, max(Confidence)),
            note=note,
        )

    def whole(self, column: str, low: int, high: int) -> int | None:
        text = self.get(column)
        if not text:
            if column == "version":
                self.report(column, "version_missing")
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
            self.report(column, "number_out_of_range", value=text[:40], low=low, high=high)
            return None
        return int(text)

    def clauses(self, practice: Practice) -> tuple[str, ...] | None:
        """Ticked clauses, whole (`REL-04.L3.b`) or short (`L3.b`); `none` says that none is ticked."""
        words = self.get("clauses").replace(",", " ").replace(";", " ").replace("，", " ").split()
        if not words:
            return None
        if not practice.worded:
            self.report("clauses", "clauses_unworded", practice=practice.id)
            return None
        if words == ["none"]:
            return ()
        known = {each.id for each in practice.clauses}
        ticked = {word if "-" in word else f"{practice.id}.{word}" for word in words}
        unknown = sorted(ticked - known)
        if unknown:
            self.report("clauses", "clause_unknown", value=", ".join(unknown)[:80], practice=practice.id)
            return None
        return tuple(each.id for each in practice.clauses if each.id in ticked)

    def not_applicable(self) -> tuple[str, str]:
        reason, text = self.get("na_reason"), self.get("na_text")
        if reason and reason not in {each.value for each in NaReason}:
            self.report("na_reason", "na_reason_unknown", known=", ".join(each.value for each in NaReason))
        if len(text) > MAX_NA_TEXT:
            self.report("na_text", "text_too_long", most=MAX_NA_TEXT, count=len(text))
        if reason == NaReason.other and not text:
            self.report("na_text", "na_text_missing")
        return reason, text

    def yes(self, column: str) -> bool:
        text = self.get(column).lower()
        if text not in YES and text not in NO:
            self.report(column, "yes_or_no", value=text[:40])
        return text in YES


def plan(answers: Sequence[SheetAnswer], stored: Mapping[str, Stored]) -> tuple[PlannedRow, ...]:
    """What each row would do. A row that says what is stored already is unchanged, whatever its version."""
    return tuple(PlannedRow(each, _change(each, stored.get(each.practice, NOT_ANSWERED))) for each in answers)


def _change(answer: SheetAnswer, now: Stored) -> Change:
    if answer.says_nothing:
        return Change.empty
    fields = ("clauses", "level", "na_reason", "na_text", "unsure", "confidence", "note")
    if now.version and all(getattr(answer, name) == getattr(now, name) for name in fields):
        return Change.unchanged
    if answer.version != now.version:
        return Change.conflict
    return Change.changed if now.version else Change.added

"""Answers filled in offline: read, previewed, then written all at once; no answer is ever deleted."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments import selectors
from assessments.domain.answer_sheet import (
    Change,
    PlannedRow,
    RowProblem,
    SheetAnswer,
    Stored,
    plain,
    plan,
    read_sheet,
    with_ticks,
)
from assessments.domain.matrix import Practice
from assessments.models import AnswerHead, AnswerImport, Assessment, ResponseSource
from assessments.services import openings, responses
from frontend.workbooks import MAX_COLUMNS, MAX_ROWS, read_workbook
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, TooLarge

MAX_BYTES = 2_000_000
FILE_NAME_CHARACTERS = 200
ANSWERS_SHEET, CLAUSES_SHEET = "Answers", "Clauses"
_XLSX = b"PK\x03\x04"
# What spreadsheets write: UTF-8 with or without a mark, UTF-16 with one, GB 18030 on Chinese systems.
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}


@dataclass(frozen=True, slots=True)
class Read:
    """A file as it was understood: rows that can be used, and everything that is wrong."""

    answers: tuple[SheetAnswer, ...]
    problems: tuple[RowProblem, ...]


def read(assessment: Assessment, content: bytes) -> Read:
    """The answers in a CSV or XLSX file. Raises Invalid or TooLarge for a file that is neither, or too large;
    problems of rows come back as values."""
    practices = _asked(assessment)
    if content.startswith(_XLSX):
        sheets = read_workbook(content)
        table = sheets.get(ANSWERS_SHEET)
        if table is None:
            raise Invalid(
                "sheet_missing",
                _("The workbook has no sheet named %(name)s.") % {"name": ANSWERS_SHEET},
                place="file",
            )
        table, problems = with_ticks(table, sheets.get(CLAUSES_SHEET, []))
    else:
        table, problems = _csv(content), ()
    answers, found = read_sheet(table, practices)
    return Read(answers, (*problems, *found))


def _asked(assessment: Assessment) -> dict[str, Practice]:
    matrix = selectors.matrix_of(assessment)
    asked = matrix.in_scope(assessment.scope, selectors.profile_of(assessment))
    return {each.id: each for each in asked}


def _csv(content: bytes) -> list[list[str]]:
    if len(content) > MAX_BYTES:
        raise TooLarge(
            "file_too_large",
            _("The file is larger than %d MB.") % (MAX_BYTES // 1_000_000),
            place="file",
        )
    text = _text(content)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            rows.append(row)
            if len(rows) > MAX_ROWS or len(row) > MAX_COLUMNS:
                raise TooLarge(
                    "table_too_large",
                    _("The table has more than %(rows)d rows or %(columns)d columns.")
                    % {"rows": MAX_ROWS, "columns": MAX_COLUMNS},
                    place="file",
                )
    except csv.Error as error:
        raise Invalid(
            "csv_unreadable",
            _("Row %(row)d is no CSV: %(reason)s.") % {"row": len(rows) + 1, "reason": error},
            place="file",
        ) from None
    return rows


def _text(content: bytes) -> str:
    encodings = [encoding for mark, encoding in _MARKS.items() if content.startswith(mark)]
    for encoding in encodings or ["utf-8", "gb18030"]:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Invalid("encoding_unknown", _("The file is neither UTF-8, UTF-16 nor GB 18030."), place="file")


def prepare(*, assessment: Assessment, actor: Any, file_name: str, content: bytes) -> AnswerImport:
    """Keep a file without problems for the preview; nothing is answered yet.

    Raises Invalid `rows_invalid` with every problem (`extra["problems"]`), Conflict on a closed assessment.
    """
    openings.require_open(assessment)
    found = read(assessment, content)
    if found.problems:
        raise Invalid(
            "rows_invalid",
            _("Nothing was imported: %(count)d cells need another look.") % {"count": len(found.problems)},
            place="file",
            extra={"problems": [asdict(each) for each in found.problems]},
        )
    return AnswerImport.objects.create(
        organisation_id=assessment.organisation_id,
        assessment=assessment,
        file_name=plain(file_name)[-FILE_NAME_CHARACTERS:] or "answers",
        sha256=hashlib.sha256(content).hexdigest(),
        rows=[asdict(each) for each in found.answers],
        created_by=actor,
    )


def planned(row: AnswerImport) -> tuple[PlannedRow, ...]:
    """What applying would do now, row by row."""
    practices = _asked(row.assessment)
    heads = selectors.heads(row.assessment)
    stored = {name: _stored(practices[name], head) for name, head in heads.items() if name in practices}
    return plan(_answers(row), stored)


def _answers(row: AnswerImport) -> tuple[SheetAnswer, ...]:
    return tuple(
        SheetAnswer(**{**each, "clauses": None if each["clauses"] is None else tuple(each["clauses"])})
        for each in row.rows
    )


def _stored(practice: Practice, head: AnswerHead) -> Stored:
    """What holds now, in the words of a row: a level of a practice with clauses means its ticks."""
    now = head.response
    clauses = None if now.clauses is None else tuple(now.clauses)
    level = now.level
    if practice.worded and clauses is None and level is not None:
        clauses, level = tuple(each.id for each in practice.clauses if each.level <= level), None
    if now.na_reason or now.unsure or now.cleared:
        clauses = level = None
    return Stored(
        version=head.version,
        clauses=clauses,
        level=level,
        na_reason=now.na_reason,
        na_text=plain(now.na_text),
        unsure=now.unsure,
        confidence=now.confidence,
        note=plain(now.note),
    )


@transaction.atomic
def apply(*, row: AnswerImport, actor: Any, overwrite: Sequence[str] = ()) -> dict[str, list[str]]:
    """Write every new or changed answer, in one transaction; returns practice ids by what happened.

    A practice that somebody answered since the export is written only where `overwrite` names it; the older
    answer stays in the history. Applying again returns the first outcome. Raises Conflict on a closed
    assessment, or where somebody answers in this very moment (nothing is written then).
    """
    locked = AnswerImport.objects.select_for_update().get(pk=row.pk)
    if locked.applied_at:
        return dict(locked.outcome or {})
    openings.require_open(row.assessment)
    outcome: dict[str, list[str]] = {each.value: [] for each in Change}
    heads = selectors.heads(row.assessment)
    for each in planned(row):
        practice = each.answer.practice
        written = each.change in (Change.added, Change.changed) or (
            each.change is Change.conflict and practice in overwrite
        )
        if written:
            version = heads[practice].version if practice in heads else 0
            _write(row.assessment, actor, each.answer, version)
        change = Change.changed if written and each.change is Change.conflict else each.change
        outcome[change.value].append(practice)
    locked.applied_at, locked.applied_by, locked.outcome = timezone.now(), actor, outcome
    locked.save(update_fields=["applied_at", "applied_by", "outcome"])
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action="answers.imported",
        object_type="assessment",
        object_id=str(row.assessment_id),
        detail={
            "file": row.file_name,
            "sha256": row.sha256,
            **{name: len(found) for name, found in outcome.items()},
        },
    )
    return outcome


def _write(assessment: Assessment, actor: Any, answer: SheetAnswer, version: int) -> None:
    try:
        responses.answer(
            assessment=assessment,
            practice_id=answer.practice,
            actor=actor,
            draft=responses.Draft(
                clauses=answer.clauses,
                level=answer.level,
                na_reason=answer.na_reason,
                na_text=answer.na_text,
                unsure=answer.unsure,
                confidence=answer.confidence,
                note=answer.note,
            ),
            expected_version=version,
            source=ResponseSource.IMPORT,
        )
    except Invalid as error:
        raise Invalid(error.code, error.message, place=f"{answer.row}: {error.place}") from None
    except Conflict:
        raise Conflict(
            "answers_moved",
            _("Somebody answered %(practice)s just now. Nothing was imported; look at the preview again.")
            % {"practice": answer.practice},
            place=answer.practice,
            retryable=True,
        ) from None


def problem_words(problem: Mapping[str, Any]) -> str:
    """A problem of a row as a sentence in the active language."""
    known = {
        "header_missing": _("The table has no header row."),
        "column_unknown": _("No such column. Columns that are read: %(known)s."),
        "column_twice": _("The column appears more than once."),
        "column_missing": _("The column is missing."),
        "practice_unknown": _("This assessment asks no practice “%(value)s”."),
        "practice_missing": _("The practice is missing."),
        "practice_twice": _("%(practice)s is already in row %(row)s."),
        "version_missing": _("The version is missing; keep the number of the export (0: not answered)."),
        "number_out_of_range": _("“%(value)s” is no whole number from %(low)s to %(high)s."),
        "answers_contradict": _("%(columns)s contradict each other; keep one of them."),
        "clauses_unworded": _("%(practice)s has no clauses; give a level."),
        "clause_unknown": _("%(practice)s has no clause %(value)s."),
        "na_reason_unknown": _("Not one of: %(known)s."),
        "na_text_missing": _("The reason “other” needs a text."),
        "text_too_long": _("At most %(most)s characters; there are %(count)s."),
        "yes_or_no": _("“%(value)s” is neither yes nor no."),
    }
    return str(known[problem["code"]]) % dict(problem["details"])

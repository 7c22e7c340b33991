"""What was answered, as values, and the strict reading of a list of answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from enum import IntEnum, StrEnum
from typing import Any

from assessments.domain.evidence import EvidenceItem
from assessments.domain.json_values import Field, Reader
from assessments.domain.matrix import HIGHEST_LEVEL, EvidenceKind, Matrix, Practice, Profile, Scope
from assessments.domain.problems import AnswerErrors

__all__ = [
    "Answer",
    "Confidence",
    "EvidenceItem",
    "NaReason",
    "Profile",
    "Scope",
    "dump_answers",
    "parse_answers",
]

MAX_ENTRIES = 10_000
MAX_TEXT = 500


class NaReason(StrEnum):
    """Why a practice does not apply; `other` needs a text."""

    not_in_profile = "not_in_profile"
    out_of_scope = "out_of_scope"
    delegated_to_provider = "delegated_to_provider"
    architecture_excludes = "architecture_excludes"
    other = "other"


class Confidence(IntEnum):
    """How sure the respondent is of an answer; it never changes a score, it tells where to look again."""

    guess = 1
    hearsay = 2  # somebody said so
    known = 3  # from own work
    looked_up = 4  # looked at the system for this answer
    shown = 5  # backed by attached evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one practice: a level or ticked clauses, or not applicable, or don't know, or nothing.

    `clauses` is an empty set where the rater looked and ticked nothing (level 0) and None where clauses
    were not asked. Where several are set: not applicable wins, then don't know, then clauses, then level.
    """

    practice: str
    level: int | None = None
    clauses: frozenset[str] | None = None
    na_reason: NaReason | None = None
    na_text: str = ""
    unsure: bool = False
    confidence: Confidence | None = None
    evidence: tuple[EvidenceItem, ...] = ()


def parse_answers(raw: object, matrix: Matrix) -> tuple[Answer, ...]:
    """Answers from a JSON list of `{practice, level | clauses, na_reason, na_text, unsure, confidence,
    evidence}`.

    Keys may be absent or null. Evidence is `{kind, effective_at, verified, clause, source}` and taken as
    verified unless it says otherwise. Raises AnswerErrors with every problem and its place.
    """
    reader = Reader()
    found: list[Answer] = []
    first_seen: dict[str, str] = {}
    for field in reader.items(Field("answers", raw), MAX_ENTRIES, nullable=False):
        answer = _answer(reader, field, matrix)
        if answer is None:
            continue
        if answer.practice in first_seen:
            message = f"{answer.practice} is already answered at {first_seen[answer.practice]}"
            reader.report(field.at("practice"), "practice.duplicate", message)
        else:
            first_seen[answer.practice] = field.place
            found.append(answer)
    if reader.problems:
        raise AnswerErrors(reader.problems)
    return tuple(found)


_KEYS = ("practice", "level", "clauses", "na_reason", "na_text", "unsure", "confidence", "evidence")


def _answer(reader: Reader, field: Field, matrix: Matrix) -> Answer | None:
    entry = reader.mapping(field, _KEYS)
    if entry is None:
        return None
    practice = _practice(reader, entry["practice"], matrix)
    level = reader.integer(entry["level"], 0, HIGHEST_LEVEL)
    clauses = _clauses(reader, entry["clauses"], practice, matrix)
    na_reason = reader.choice(entry["na_reason"], tuple(NaReason))
    na_text = reader.string(entry["na_text"], MAX_TEXT) or ""
    unsure = bool(reader.boolean(entry["unsure"]))
    confidence = reader.integer(entry["confidence"], Confidence.guess, Confidence.shown)
    evidence = tuple(
        item
        for each in reader.items(entry["evidence"], MAX_ENTRIES)
        if (item := _evidence(reader, each, practice, matrix)) is not None
    )
    _check_one_answer(reader, field, entry, na_text)
    if practice is None:
        return None
    return Answer(
        practice=practice.id,
        level=level,
        clauses=clauses,
        na_reason=None if na_reason is None else NaReason(na_reason),
        na_text=na_text,
        unsure=unsure,
        confidence=None if confidence is None else Confidence(confidence),
        evidence=evidence,
    )


def _check_one_answer(reader: Reader, field: Field, entry: Mapping[str, Field], na_text: str) -> None:
    """An answer says exactly one thing; only `level` or `clauses` written as null says "not answered yet"."""
    said = [key for key in ("level", "clauses", "na_reason") if entry[key].value is not None]
    if entry["unsure"].value is True:
        said.append("unsure")
    if len(said) > 1:
        message = f"{' and '.join(said)} cannot be given together"
        reader.report(entry[said[1]], "answer.contradiction", message)
    elif not said and not (entry["level"].given or entry["clauses"].given):
        reader.report(field, "answer.empty", "says nothing: give level, clauses, na_reason or unsure")
    is_other = entry["na_reason"].value == NaReason.other
    if is_other and not na_text.strip():
        reader.report(entry["na_text"], "answer.na_text", "na_reason other needs a text in na_text")
    if entry["na_text"].value is not None and entry["na_reason"].value is None:
        reader.report(entry["na_text"], "answer.na_text", "na_text without na_reason")


def _practice(reader: Reader, field: Field, matrix: Matrix) -> Practice | None:
    name = reader.required(reader.string(field), field)
    if name is None:
        return None
    if name not in matrix:
        message = f"matrix {matrix.version} has no practice {reader.shown(name)}"
        reader.report(field, "practice.unknown", message)
        return None
    return matrix.practice(name)


def _clauses(
    reader: Reader, field: Field, practice: Practice | None, matrix: Matrix
) -> frozenset[str] | None:
    if field.value is None:
        return None
    if practice is not None and not practice.clauses:
        message = f"{practice.id} has no clauses in this version; give a level"
        reader.report(field, "clause.unworded", message)
        return None
    ticked: set[str] = set()
    for each in reader.items(field, MAX_ENTRIES):
        name = _clause(reader, each, practice, matrix)
        if name in ticked:
            reader.report(each, "clause.duplicate", f"{name} is listed more than once")
        elif name is not None:
            ticked.add(name)
    return frozenset(ticked)


def _clause(reader: Reader, field: Field, practice: Practice | None, matrix: Matrix) -> str | None:
    """A clause id of the practice; None (and a problem) for anything else that is not null."""
    name = reader.string(field)
    if field.value is None and field.is_item:
        reader.report(field, "type", "must be a text, not null")
    if name is None or practice is None:
        return None
    if any(clause.id == name for clause in practice.clauses):
        return name
    owner, _dot, _rest = name.partition(".")
    if owner != practice.id and owner in matrix and any(c.id == name for c in matrix.practice(owner).clauses):
        reader.report(field, "clause.foreign", f"{name} is a clause of {owner}, not of {practice.id}")
    else:
        reader.report(field, "clause.unknown", f"{practice.id} has no clause {reader.shown(name)}")
    return None


_EVIDENCE_KEYS = ("kind", "effective_at", "verified", "clause", "source")


def _evidence(reader: Reader, field: Field, practice: Practice | None, matrix: Matrix) -> EvidenceItem | None:
    entry = reader.mapping(field, _EVIDENCE_KEYS)
    if entry is None:
        return None
    kind = reader.required(reader.choice(entry["kind"], tuple(EvidenceKind)), entry["kind"])
    moment = reader.required(reader.moment(entry["effective_at"]), entry["effective_at"])
    verified = reader.boolean(entry["verified"])
    clause = _clause(reader, entry["clause"], practice, matrix)
    source = reader.string(entry["source"], MAX_TEXT)
    if kind is None or moment is None:
        return None
    return EvidenceItem(EvidenceKind(kind), moment, verified is not False, clause, source or "")


def dump_answers(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """The JSON form that `parse_answers` reads; what says nothing is left out."""
    return [_dumped(answer) for answer in answers]


def _dumped(answer: Answer) -> dict[str, Any]:
    entry: dict[str, Any] = {"practice": answer.practice}
    if answer.na_reason is not None:
        entry["na_reason"] = answer.na_reason.value
        if answer.na_text:
            entry["na_text"] = answer.na_text
    elif answer.unsure:
        entry["unsure"] = True
    elif answer.clauses is not None:
        entry["clauses"] = sorted(answer.clauses)
    else:
        entry["level"] = answer.level
    if answer.confidence is not None:
        entry["confidence"] = int(answer.confidence)
    if answer.evidence:
        entry["evidence"] = [
            {
                "kind": item.kind.value,
                "effective_at": item.effective_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
                "verified": item.verified,
                **({"clause": item.clause} if item.clause else {}),
                **({"source": item.source} if item.source else {}),
            }
            for item in answer.evidence
        ]
    return entry

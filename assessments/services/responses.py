"""Answering: append-only, one conditional write per answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from assessments import selectors
from assessments.domain.answers import Confidence, NaReason
from assessments.domain.matrix import HIGHEST_LEVEL, Practice
from assessments.models import AnswerHead, Assessment, Response, ResponseSource
from assessments.services import openings
from portal.audit import services as audit
from portal.errors import Conflict, Invalid

NOTE_CHARACTERS = 10000
KEY_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as it is sent: exactly one of clauses, level, na_reason, unsure and cleared is set."""

    clauses: tuple[str, ...] | None = None
    level: int | None = None
    na_reason: str = ""
    na_text: str = ""
    unsure: bool = False
    cleared: bool = False
    note: str = ""
    confidence: int | None = None


def answer(
    *,
    assessment: Assessment,
    practice_id: str,
    actor: Any,
    draft: Draft,
    expected_version: int,
    idempotency_key: str = "",
    source: str = ResponseSource.WEB,
) -> Response:
    """Append an answer if nobody else answered since `expected_version` (0 = not answered yet).

    Sending the same `idempotency_key` with the same answer again returns what was stored, also when the
    assessment has been closed or somebody has answered since. Raises Conflict with both values (also for the
    same key with another answer), Invalid with the place, NotFound for a practice that is not asked.
    """
    practice = asked_practice(assessment, practice_id)
    values = _checked(practice, draft)
    key = _checked_key(idempotency_key)
    try:
        with transaction.atomic():
            if repeated := _repeated(assessment, practice_id, actor, key, values):
                return repeated
            openings.require_open(assessment)
            return _append(
                assessment, practice_id, actor, values, expected_version, idempotency_key=key, source=source
            )
    except IntegrityError:
        # Two first answers, or the same key, at the same moment: the slower one comes here.
        if repeated := _repeated(assessment, practice_id, actor, key, values):
            return repeated
        raise _conflict(assessment, practice_id, values) from None


def asked_practice(assessment: Assessment, practice_id: str) -> Practice:
    """The practice, if this assessment asks it; NotFound otherwise."""
    matrix = selectors.matrix_of(assessment)
    for practice in matrix.in_scope(assessment.scope, selectors.profile_of(assessment)):
        if practice.id == practice_id:
            return practice
    raise selectors.not_found()


def _checked_key(key: str) -> str:
    """A key that is cut off could stand for two answers, so a long one is refused."""
    if len(key) > KEY_CHARACTERS or not key.isprintable():
        raise Invalid(
            "idempotency_key_invalid",
            _("The key may have at most %(most)d printable characters.") % {"most": KEY_CHARACTERS},
            place="Idempotency-Key",
        )
    return key


def _repeated(
    assessment: Assessment, practice_id: str, actor: Any, key: str, values: dict[str, Any]
) -> Response | None:
    """What this key stored; None for a new key. Conflict where it stored another answer."""
    if not key:
        return None
    found = Response.objects.filter(
        assessment=assessment, practice=practice_id, respondent=actor, idempotency_key=key
    ).first()
    if found and any(getattr(found, name) != value for name, value in values.items()):
        raise Conflict(
            "idempotency_key_reused",
            _("This key has stored another answer already; send a new key with a new answer."),
            place="Idempotency-Key",
            extra={"stored": {**summary(found), "note": found.note, "version": found.version}},
        )
    return found


def _append(
    assessment: Assessment,
    practice_id: str,
    actor: Any,
    values: dict[str, Any],
    expected: int,
    *,
    idempotency_key: str,
    source: str,
) -> Response:
    head = (
        AnswerHead.objects.filter(assessment=assessment, practice=practice_id)
        .select_related("response")
        .first()
    )
    current = head.version if head else 0
    if current != expected:
        raise _conflict(assessment, practice_id, values)
    response = Response.objects.create(
        assessment=assessment,
        practice=practice_id,
        version=expected + 1,
        respondent=actor,
        idempotency_key=idempotency_key,
        source=source,
        supersedes=head.response if head else None,
        **values,
    )
    if head is None:
        AnswerHead.objects.create(assessment=assessment, practice=practice_id, version=1, response=response)
    elif not AnswerHead.objects.filter(pk=head.pk, version=expected).update(
        version=expected + 1, response=response
    ):
        raise _conflict(assessment, practice_id, values)
    audit.record(
        organisation_id=assessment.organisation_id,
        actor=actor,
        action="answer.given",
        object_type="assessment",
        object_id=str(assessment.pk),
        detail={"practice": practice_id, "version": response.version, "answer": summary(response)},
    )
    return response


def summary(response: Response) -> dict[str, Any]:
    """The answer without its note, as the audit entry and a conflict show it."""
    if response.cleared:
        return {"cleared": True}
    if response.na_reason:
        return {"na_reason": response.na_reason, "na_text": response.na_text}
    if response.unsure:
        return {"unsure": True}
    if response.clauses is not None:
        return {"clauses": sorted(response.clauses)}
    return {"level": response.level}


def _conflict(assessment: Assessment, practice_id: str, mine: dict[str, Any]) -> Conflict:
    """Both values, so that a person can choose."""
    head = (
        AnswerHead.objects.filter(assessment=assessment, practice=practice_id)
        .select_related("response__respondent")
        .first()
    )
    theirs: dict[str, Any] | None = None
    if head:
        theirs = {
            **summary(head.response),
            "note": head.response.note,
            "confidence": head.response.confidence,
            "version": head.version,
            "by": str(head.response.respondent),
            "at": head.response.created_at.isoformat(),
        }
    return Conflict(
        "answer_changed",
        _("Somebody else answered this practice in the meantime."),
        place=practice_id,
        extra={
            "theirs": theirs,
            "mine": {key: value for key, value in mine.items() if value not in (None, "")},
        },
    )


def _checked(practice: Practice, draft: Draft) -> dict[str, Any]:
    """The columns of a response; Invalid says what is wrong and where."""
    if len(draft.note) > NOTE_CHARACTERS:
        raise Invalid(
            "note_too_long",
            _("The note may have at most %(most)d characters; it has %(count)d.")
            % {"most": NOTE_CHARACTERS, "count": len(draft.note)},
            place="note",
        )
    chosen = [
        draft.clauses is not None,
        draft.level is not None,
        bool(draft.na_reason),
        draft.unsure,
        draft.cleared,
    ]
    if sum(chosen) != 1:
        raise Invalid(
            "one_answer_expected",
            _("Give exactly one of: clauses, level, not applicable, don't know, cleared."),
            place="answer",
        )
    values: dict[str, Any] = {
        "level": None,
        "clauses": None,
        "na_reason": "",
        "na_text": "",
        "unsure": draft.unsure,
        "cleared": draft.cleared,
        "note": draft.note.replace("\x00", ""),
        "confidence": _checked_confidence(draft),
    }
    if draft.clauses is not None:
        values["clauses"] = _checked_clauses(practice, draft.clauses)
    if draft.level is not None:
        if isinstance(draft.level, bool) or not 0 <= draft.level <= HIGHEST_LEVEL:
            raise Invalid(
                "level_out_of_range", _("The level must be a whole number from 0 to 5."), place="level"
            )
        if practice.worded:
            # A number key ticks every clause up to that level: clauses are what is stored.
            values["clauses"] = [each.id for each in practice.clauses if each.level <= draft.level]
        else:
            values["level"] = draft.level
    if draft.na_reason:
        values.update(_checked_na(draft))
    return values


def _checked_confidence(draft: Draft) -> int | None:
    """How sure the respondent is; it means nothing for what is not applicable, unknown or taken back."""
    if draft.confidence is None or draft.na_reason or draft.unsure or draft.cleared:
        return None
    if isinstance(draft.confidence, bool) or draft.confidence not in set(Confidence):
        raise Invalid(
            "confidence_out_of_range",
            _("The confidence must be a whole number from 1 to 5."),
            place="confidence",
        )
    return int(draft.confidence)


def _checked_clauses(practice: Practice, clauses: tuple[str, ...]) -> list[str]:
    known = [each.id for each in practice.clauses]
    unknown = sorted(set(clauses) - set(known))
    if unknown or not practice.worded:
        raise Invalid(
            "clause_unknown",
            _("%(practice)s has no clause %(clauses)s.")
            % {"practice": practice.id, "clauses": ", ".join(unknown) or "…"},
            place="clauses",
        )
    return [each for each in known if each in set(clauses)]


def _checked_na(draft: Draft) -> dict[str, str]:
    if draft.na_reason not in {each.value for each in NaReason}:
        raise Invalid("na_reason_unknown", _("Choose a reason from the list."), place="na_reason")
    text = " ".join(draft.na_text.replace("\x00", "").split())
    if draft.na_reason == NaReason.other and not text:
        raise Invalid("na_text_missing", _("Say in a few words why it does not apply."), place="na_text")
    if len(text) > 500:
        raise Invalid("na_text_too_long", _("At most 500 characters."), place="na_text")
    return {"na_reason": draft.na_reason, "na_text": text}

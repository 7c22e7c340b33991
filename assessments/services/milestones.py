"""Milestones: the whole state of an assessment, frozen and chained by hash."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments import selectors
from assessments.models import AnswerHead, Assessment, Evidence, Milestone, Response
from assessments.services import openings
from portal.audit import services as audit
from portal.errors import Conflict


def canonical(value: Any) -> bytes:
    """The one byte form that is hashed: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(frozen: dict[str, Any], previous: str) -> str:
    """SHA-256 over the hash before and the frozen state."""
    return hashlib.sha256(previous.encode() + b"\n" + canonical(frozen)).hexdigest()


def lock(*, assessment: Assessment, actor: Any, name: str) -> Milestone:
    """Freeze the assessment as it is now. Raises Invalid (name) or Conflict (name taken)."""
    name = openings.checked_name(name, missing=_("Give the milestone a name of at most 120 characters."))
    try:
        with transaction.atomic():
            # Serialises milestones of one assessment, so that the chain has no forks.
            Assessment.objects.select_for_update().get(pk=assessment.pk)
            source = selectors.report_source(assessment.organisation, assessment.pk, as_of=timezone.now())
            frozen = _frozen(source)
            last = selectors.milestones(assessment).order_by("-created_at").first()
            previous = last.sha256 if last else ""
            row = Milestone.objects.create(
                assessment=assessment,
                name=name,
                as_of=source.card.as_of,
                frozen=frozen,
                sha256=digest(frozen, previous),
                previous_sha256=previous,
                created_by=actor,
            )
            audit.record(
                organisation_id=assessment.organisation_id,
                actor=actor,
                action="milestone.locked",
                object_type="milestone",
                object_id=str(row.pk),
                detail={"assessment": str(assessment.pk), "name": name, "sha256": row.sha256},
            )
            return row
    except IntegrityError:
        raise Conflict(
            "name_taken", _("There is a milestone with this name already."), place="name"
        ) from None


def intact(row: Milestone) -> bool:
    """Whether the frozen state still has its hash."""
    return digest(row.frozen, row.previous_sha256) == row.sha256


def _frozen(source: selectors.ReportSource) -> dict[str, Any]:
    one = source.assessment
    return {
        "assessment": {"id": str(one.pk), "name": one.name, "cluster": one.cluster.name},
        "card": source.card.as_dict(),
        "answers": [_answer(head.response) for _key, head in sorted(source.heads.items())],
        "evidence": [_evidence(row, source.heads.get(row.practice)) for row in source.evidence],
    }


def _answer(row: Response) -> dict[str, Any]:
    return {
        "practice": row.practice,
        "version": row.version,
        "level": row.level,
        "clauses": row.clauses,
        "na_reason": row.na_reason,
        "na_text": row.na_text,
        "unsure": row.unsure,
        "confidence": row.confidence,
        "cleared": row.cleared,
        "note": row.note,
        "respondent": str(row.respondent),
        "at": row.created_at.isoformat(),
    }


def _evidence(row: Evidence, head: AnswerHead | None) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "practice": row.practice,
        "clause": row.clause,
        "kind": row.kind,
        "title": row.title,
        "url": row.url,
        "sha256": row.sha256,
        "effective_at": row.effective_at.isoformat(),
        "verified": selectors.vouched(row, head.response.respondent_id if head else None),
    }

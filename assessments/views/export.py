"""Answers as CSV."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from assessments import selectors
from assessments.models import Evidence
from assessments.views.worksheet import Row, worksheet
from frontend.spreadsheet import csv_response
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action

# What can be filled in and sent back (assessments.domain.answer_sheet), then what is there to read.
SHEET_COLUMNS = (
    *("practice", "version", "title", "level", "clauses", "na_reason", "na_text"),
    *("unsure", "confidence", "note", "question", "dimension", "state"),
    *("claimed", "demonstrated", "current", "reason", "evidence", "respondent", "answered_at"),
)


def evidence(item: Evidence) -> str:
    """Kind, date, whether somebody vouched for it, and what it shows."""
    return f"{item.kind} {item.effective_at:%Y-%m-%d}{'' if item.vouched else ' (declared)'} {item.title}"


def sheet_line(row: Row) -> list[Any]:
    """One practice as cells, in the order of SHEET_COLUMNS."""
    response = row.head.response if row.head else None
    score = row.score
    clauses = "" if response is None or response.clauses is None else " ".join(response.clauses) or "none"
    return [
        row.practice.id,
        row.head.version if row.head else 0,
        row.title,
        response.level if response and response.clauses is None else None,
        clauses,
        response.na_reason if response else "",
        response.na_text if response else "",
        "yes" if response and response.unsure else "",
        response.confidence if response else None,
        response.note if response else "",
        row.question,
        row.practice.dimension.value,
        row.state,
        score.claimed,
        score.demonstrated,
        score.current,
        score.reason,
        "; ".join(evidence(item) for item in row.evidence),
        response.respondent if response else "",
        response.created_at.isoformat(timespec="seconds") if response else "",
    ]


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def answers_csv(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """All asked practices with answer, score and evidence; UTF-8 with a byte-order mark for spreadsheets."""
    one = selectors.assessment(request.organisation, assessment_id)
    name = f"ballast-{one.cluster.name}-{one.name}.csv"
    return csv_response(SHEET_COLUMNS, [sheet_line(row) for row in worksheet(one).rows], name=name)

"""Answering: one practice per page (focus) or all in a table (list)."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from assessments import selectors
from assessments.domain.answers import Confidence, NaReason
from assessments.domain.matrix import Practice
from assessments.forms import EvidenceForm
from assessments.services import evidence as evidence_services
from assessments.services import responses
from assessments.views.kpi_rows import PracticeRow, practice_row
from assessments.views.listing import url
from assessments.views.worksheet import Worksheet, language, level_cards, next_practice, worksheet
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Refused


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def question(request: OrganisationRequest, assessment_id: Any, practice: str) -> HttpResponse:
    """One practice: clauses to tick, N/A, don't know, note, evidence, help, history."""
    one = selectors.assessment(request.organisation, assessment_id)
    return render(request, "assessments/question.html", question_context(request, one, practice))


def question_context(
    request: OrganisationRequest, one: Any, practice_id: str, *, form: EvidenceForm | None = None
) -> dict[str, Any]:
    """Everything the focus page shows; NotFound for a practice that is not asked."""
    practice = responses.asked_practice(one, practice_id)
    sheet = worksheet(one)
    ids = [row.practice.id for row in sheet.rows]
    place = ids.index(practice.id)
    row = sheet.rows[place]
    measured = measured_row(sheet, practice)
    return {
        "assessment": one,
        "sheet": sheet,
        "row": row,
        "practice": practice,
        "language": language(),
        "cards": level_cards(sheet.matrix, practice, row.head),
        "na_reasons": [each.value for each in NaReason],
        "confidences": [int(each) for each in Confidence],
        "measured": measured,
        "suggests": bool(
            measured and row.state != "na" and (row.answer_level or 0) < (measured.suggested or 0)
        ),
        "warnings": [each for each in sheet.card.warnings if each.practice == practice.id],
        "place": place + 1,
        "total": len(ids),
        "previous": ids[place - 1] if place else None,
        "following": ids[place + 1] if place + 1 < len(ids) else None,
        "next_open": next_practice(sheet, practice.id),
        "history": list(selectors.history(one, practice.id)[:20]),
        "evidence_form": form or evidence_form(sheet.matrix, practice),
        "evidence_rules": sheet.matrix.evidence,
        "controls": [(each, sheet.matrix.controls.get(each, "")) for each in practice.nist],
        "island": island_data(request, one, practice, row),
    }


def measured_row(sheet: Worksheet, practice: Practice) -> PracticeRow | None:
    """What was measured about a practice on the cluster of the assessment; None where nothing was."""
    found = selectors.practice_kpis_of(sheet.assessment, as_of=sheet.card.as_of).get(practice.id)
    return practice_row(practice, found, language()) if found else None


def evidence_form(matrix: Any, practice: Any, *data: Any) -> EvidenceForm:
    """The form for new evidence of a practice, dated now unless told otherwise."""
    return EvidenceForm(
        *data,
        matrix=matrix,
        practice=practice,
        language=language(),
        initial={"effective_at": timezone.now(), "kind": "E1"},
    )


def island_data(request: OrganisationRequest, one: Any, practice: Any, row: Any) -> dict[str, Any]:
    """What the script of the page needs: addresses, the version it saw, the clauses by level."""
    slug = request.organisation.slug
    return {
        "answerUrl": reverse(
            "api-answer", kwargs={"slug": slug, "assessment_id": one.pk, "practice": practice.id}
        ),
        "version": row.head.version if row.head else 0,
        "practice": practice.id,
        "assessment": str(one.pk),
        "worded": practice.worded,
        "note": row.head.response.note if row.head else "",
        "confidence": row.head.response.confidence if row.head else None,
        "clauses": [{"id": each.id, "level": each.level} for each in practice.clauses],
    }


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def questions(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """All practices in one table, with a level selector each."""
    one = selectors.assessment(request.organisation, assessment_id)
    sheet = worksheet(one)
    rows = [(row, island_data(request, one, row.practice, row)) for row in sheet.rows]
    only = request.GET.get("show", "")
    if only in {"unanswered", "unsure", "na", "answered"}:
        rows = [(row, data) for row, data in rows if row.state == only]
    dimension = request.GET.get("dimension", "")
    if dimension:
        rows = [(row, data) for row, data in rows if row.practice.dimension.value == dimension]
    context = {
        "assessment": one,
        "sheet": sheet,
        "rows": rows,
        "show": only,
        "dimension": dimension,
        "levels": range(6),
        "language": language(),
    }
    return render(request, "assessments/questions.html", context)


@organisation_view(Action.EVIDENCE_ADD)
@require_POST
def add_evidence(request: OrganisationRequest, assessment_id: Any, practice: str) -> HttpResponse:
    """Add a file or link; errors come back on the page with everything that was typed."""
    one = selectors.assessment(request.organisation, assessment_id)
    asked = responses.asked_practice(one, practice)
    form = evidence_form(selectors.matrix_of(one), asked, request.POST, request.FILES)
    if form.is_valid():
        data = form.cleaned_data
        try:
            evidence_services.add(
                assessment=one,
                practice_id=practice,
                actor=request.user,
                submission=evidence_services.Submission(
                    kind=data["kind"],
                    title=data["title"],
                    effective_at=data["effective_at"],
                    clause=data["clause"],
                    url=data["url"],
                    file=data["file"],
                ),
            )
        except Refused as refused:
            form.add_error(refused.place if refused.place in form.fields else None, str(refused.message))
        else:
            return HttpResponseRedirect(
                url("question", request, assessment_id=one.pk, practice=practice) + "#evidence"
            )
    context = question_context(request, one, practice, form=form)
    return render(request, "assessments/question.html", context, status=400)


@organisation_view(Action.EVIDENCE_VERIFY)
@require_POST
def verify_evidence(request: OrganisationRequest, assessment_id: Any, evidence_id: Any) -> HttpResponse:
    """A reviewer vouches for evidence."""
    row = selectors.evidence(request.organisation, assessment_id, evidence_id)
    evidence_services.verify(evidence=row, actor=request.user)
    return HttpResponseRedirect(
        url("question", request, assessment_id=row.assessment_id, practice=row.practice) + "#evidence"
    )


@organisation_view(Action.EVIDENCE_ADD)
@require_POST
def withdraw_evidence(request: OrganisationRequest, assessment_id: Any, evidence_id: Any) -> HttpResponse:
    """Take evidence out of the score."""
    row = selectors.evidence(request.organisation, assessment_id, evidence_id)
    evidence_services.withdraw(evidence=row, actor=request.user)
    return HttpResponseRedirect(
        url("question", request, assessment_id=row.assessment_id, practice=row.practice) + "#evidence"
    )


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def download_evidence(request: OrganisationRequest, assessment_id: Any, evidence_id: Any) -> HttpResponse:
    """The file as it was uploaded; always a download, never shown by the browser as a page."""
    row = selectors.evidence(request.organisation, assessment_id, evidence_id)
    if not row.file.name or not row.file.storage.exists(row.file.name):
        raise selectors.not_found()
    response = FileResponse(
        row.file.open("rb"),
        as_attachment=True,
        filename=row.file_name,
        content_type="application/octet-stream",
    )
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response  # type: ignore[return-value]

"""Answers offline: download as a sheet, send it back, look at what would change, apply."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from assessments import selectors
from assessments.domain.answer_sheet import TICK_COLUMNS, Change, SheetAnswer
from assessments.domain.answers import Answer
from assessments.domain.matrix import Practice
from assessments.domain.scoring import claimed_level
from assessments.services import imports
from assessments.views.export import SHEET_COLUMNS, sheet_line
from assessments.views.listing import url
from assessments.views.worksheet import language, worksheet
from frontend.workbooks import Sheet, write_workbook
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Invalid, Refused, TooLarge

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDTHS = {"title": 28, "question": 48, "note": 48, "na_text": 24, "evidence": 40, "state": 12}
TICK_WIDTHS = (12, 14, 7, 10, 90, 7)
PROBLEMS_SHOWN = 100


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def answers_xlsx(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """All asked practices and their clauses as a workbook that can be filled in and sent back."""
    one = selectors.assessment(request.organisation, assessment_id)
    rows = worksheet(one).rows
    columns = [name for name in SHEET_COLUMNS if name != "clauses"]
    answers = tuple(
        tuple(value for name, value in zip(SHEET_COLUMNS, sheet_line(row), strict=True) if name != "clauses")
        for row in rows
    )
    ticks: list[tuple[Any, ...]] = []
    for row in rows:
        ticked = set(row.head.response.clauses or ()) if row.head else set()
        ticks.extend(
            (
                row.practice.id,
                each.id,
                each.level,
                each.evidence.value,
                each.text.in_language(language()),
                "x" if each.id in ticked else "",
            )
            for each in row.practice.clauses
        )
    content = write_workbook(
        [
            Sheet(
                imports.ANSWERS_SHEET, (tuple(columns), *answers), tuple(WIDTHS.get(n, 13) for n in columns)
            ),
            Sheet(imports.CLAUSES_SHEET, (TICK_COLUMNS, *ticks), TICK_WIDTHS),
        ]
    )
    response = HttpResponse(content, content_type=XLSX)
    name = f"ballast-{one.cluster.name}-{one.name}.xlsx"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_http_methods(["GET", "POST"])
def upload(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """Download the sheet and send it back; with problems the page lists every one and nothing is kept."""
    one = selectors.assessment(request.organisation, assessment_id)
    if request.method == "GET":
        return render(request, "assessments/import.html", {"assessment": one})
    file = request.FILES.get("file")
    try:
        if file is None:
            raise Invalid("file_missing", _("Choose a file."), place="file")
        made = imports.prepare(
            assessment=one,
            actor=request.user,
            file_name=str(file.name),
            content=file.read(imports.MAX_BYTES + 1),
        )
    except (Invalid, TooLarge) as refused:
        found = refused.extra.get("problems", [])
        context = {
            "assessment": one,
            "refused": refused.message,
            "problems": [{**each, "words": imports.problem_words(each)} for each in found[:PROBLEMS_SHOWN]],
            "more": max(0, len(found) - PROBLEMS_SHOWN),
        }
        return render(request, "assessments/import.html", context, status=refused.status)
    except Refused as refused:
        messages.error(request, str(refused.message))
        return HttpResponseRedirect(url("import", request, assessment_id=one.pk))
    return HttpResponseRedirect(url("import-preview", request, assessment_id=one.pk, import_id=made.pk))


def claimed(practice: Practice, answer: SheetAnswer) -> int | None:
    """The level a row claims; None for not applicable, don't know and nothing."""
    if answer.clauses is None:
        return answer.level
    return claimed_level(practice, Answer(practice.id, clauses=frozenset(answer.clauses)))


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_GET
def preview(request: OrganisationRequest, assessment_id: Any, import_id: Any) -> HttpResponse:
    """What applying would change, row by row; after applying, what it did."""
    row = selectors.answer_import(request.organisation, assessment_id, import_id)
    context: dict[str, Any] = {"assessment": row.assessment, "row": row}
    if row.applied_at:
        return render(request, "assessments/import_done.html", context)
    heads = selectors.heads(row.assessment)
    sheet = {each.practice.id: each for each in worksheet(row.assessment).rows}
    lines = [
        {
            "answer": each.answer,
            "change": each.change.value,
            "title": sheet[each.answer.practice].title,
            "head": heads.get(each.answer.practice),
            "now": sheet[each.answer.practice].answer_level,
            "then": claimed(sheet[each.answer.practice].practice, each.answer),
        }
        for each in imports.planned(row)
    ]
    shown = (Change.conflict, Change.changed, Change.added)
    groups = [(kind.value, [each for each in lines if each["change"] == kind.value]) for kind in shown]
    context |= {
        "groups": [(kind, found) for kind, found in groups if found],
        "counts": {kind.value: sum(each["change"] == kind.value for each in lines) for kind in Change},
        "writes": sum(each["change"] in (Change.changed, Change.added) for each in lines),
    }
    return render(request, "assessments/import_preview.html", context)


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_POST
def apply(request: OrganisationRequest, assessment_id: Any, import_id: Any) -> HttpResponse:
    """Write what the preview showed; rows that somebody answered since only where they are chosen."""
    row = selectors.answer_import(request.organisation, assessment_id, import_id)
    try:
        outcome = imports.apply(row=row, actor=request.user, overwrite=request.POST.getlist("overwrite"))
    except Refused as refused:
        messages.error(request, str(refused.message))
    else:
        count = len(outcome[Change.changed]) + len(outcome[Change.added])
        words = ngettext("%(count)d answer was imported.", "%(count)d answers were imported.", count)
        messages.success(request, words % {"count": count})
    return HttpResponseRedirect(
        url("import-preview", request, assessment_id=row.assessment_id, import_id=row.pk)
    )

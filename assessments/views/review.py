"""Check answers, results, milestones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from assessments import kpi_selectors, selectors
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import HIGHEST_LEVEL
from assessments.domain.scorecard import DimensionScore
from assessments.forms import MilestoneForm
from assessments.services import milestones as milestone_services
from assessments.services import openings
from assessments.views.kpi_rows import HeadlineRow, first_known
from assessments.views.listing import url
from assessments.views.worksheet import Row, Worksheet, clause_texts, language, worksheet
from frontend.plots.dotplot import Dot, DotPlot, DotRow, for_any_width
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Invalid, Refused

GAPS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class GapRow:
    """A practice that could be higher: where it stands, and what is missing first.

    `missing` holds (clause id, text); for a practice without clauses (`L3`, general rule). It is empty where
    every clause of the next level is ticked and only evidence is missing.
    """

    row: Row
    missing: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DimensionRow:
    """A dimension with its name in the active language, its weakest practice, and its headline KPI if any."""

    score: DimensionScore
    name: str
    weakest: Row | None
    kpi: HeadlineRow | None


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def check(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """All answers by dimension with their warnings and a Change link each."""
    sheet = worksheet(selectors.assessment(request.organisation, assessment_id))
    by_practice: dict[str, list[Any]] = {}
    for warning in sheet.card.warnings:
        by_practice.setdefault(warning.practice or "", []).append(warning)
    context = {
        "assessment": sheet.assessment,
        "sheet": sheet,
        "warnings": by_practice,
        "form": MilestoneForm(),
    }
    return render(request, "assessments/check.html", context)


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def results(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """Scores with formula and denominators, gaps, heat map."""
    sheet = worksheet(selectors.assessment(request.organisation, assessment_id))
    rows = {row.practice.id: row for row in sheet.rows}
    gaps = gap_rows(sheet)
    kpis = first_known(
        kpi_selectors.headlines_of(request.organisation, sheet.assessment.cluster, sheet.card.as_of)
    )
    dimensions = [
        DimensionRow(
            score=each,
            name=dimension.full_name.in_language(language()),
            weakest=rows.get(each.weakest_practice or ""),
            kpi=kpis.get(dimension.value),
        )
        for dimension, each in sheet.card.dimensions.items()
    ]
    context = {
        "assessment": sheet.assessment,
        "sheet": sheet,
        "card": sheet.card,
        "confidence": confidence(sheet),
        "dimensions": dimensions,
        "gaps": gaps[:GAPS_SHOWN],
        "more_gaps": gaps[GAPS_SHOWN:],
        "columns": range(max((len(group.rows) for group in sheet.groups), default=0)),
        "milestones": list(selectors.milestones(sheet.assessment)),
        "plot": mark_safe(for_any_width(_plot(sheet))),  # noqa: S308 - our own SVG, escaped by its writer,
        "form": MilestoneForm(),
    }
    return render(request, "assessments/results.html", context)


def confidence(sheet: Worksheet) -> dict[str, int]:
    """How many answers are sure, weak or silent about it, from the counts of the scorecard."""
    guess, hearsay, known, looked_up, shown = sheet.card.overall.confidence
    stated = guess + hearsay + known + looked_up + shown
    answered = sheet.count("answered")
    return {
        "stated": stated,
        "answered": answered,
        "sure": looked_up + shown,
        "weak": guess + hearsay,
        "silent": answered - stated,
    }


def gap_rows(sheet: Worksheet) -> list[GapRow]:
    """Answered practices that stand below 5 now, lowest first; unanswered ones are listed elsewhere."""
    rules = {rule.level: rule.rule.in_language(language()) for rule in sheet.matrix.level_scale}
    found = []
    for row in sheet.rows:
        current = row.score.current
        if row.state != "answered" or current is None or current >= HIGHEST_LEVEL:
            continue
        if current < (row.score.claimed or 0):
            missing = []
        elif row.practice.worded:
            missing = [
                (f"L{id.split('.L')[1]}", text)
                for id, text in clause_texts(row.practice, row.score.next_missing)
            ]
        else:
            missing = [(f"L{current + 1}", rules[current + 1])]
        found.append(GapRow(row, missing))
    return sorted(found, key=lambda gap: (gap.row.score.current or 0, gap.row.practice.id))


def _plot(sheet: Worksheet) -> DotPlot:
    """Claimed, demonstrated and current per dimension."""
    labels = (_("Claimed"), _("Demonstrated"), _("Current"))
    rows = []
    for dimension, each in sheet.card.dimensions.items():
        values = (each.claimed, each.demonstrated, each.score)
        rows.append(
            DotRow(
                code=dimension.value,
                label=dimension.full_name.in_language(language()),
                dots=tuple(
                    Dot(series=index, value=value, hint=f"{labels[index]} {value:.2f}", open=index < 2)
                    for index, value in enumerate(values)
                    if value is not None
                ),
                unknown=_("not enough answers"),
            )
        )
    return DotPlot(
        id="dimensions",
        title=_("Score by dimension"),
        description=_("Claimed, demonstrated and current score of each dimension on the scale from 0 to 5."),
        series=labels,
        rows=tuple(rows),
        axis=_("Level"),
    )


@organisation_view(Action.MILESTONES_LOCK)
@require_POST
def lock(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """Freeze the assessment as a milestone."""
    one = selectors.assessment(request.organisation, assessment_id)
    try:
        made = milestone_services.lock(assessment=one, actor=request.user, name=request.POST.get("name", ""))
    except Refused as refused:
        messages.error(request, str(refused.message))
    else:
        messages.success(request, _("Milestone “%(name)s” is locked.") % {"name": made.name})
    return HttpResponseRedirect(url("results", request, assessment_id=one.pk) + "#milestones")


@organisation_view(Action.MILESTONES_LOCK)
@require_POST
def status(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """Close or reopen an assessment."""
    one = selectors.assessment(request.organisation, assessment_id)
    wanted = request.POST.get("status", "")
    if wanted not in {"open", "closed"}:
        raise Invalid("status_unknown", _("The status is open or closed."), place="status")
    try:
        openings.set_status(assessment=one, actor=request.user, status=wanted)
    except Refused as refused:
        messages.error(request, str(refused.message))
    return HttpResponseRedirect(url("results", request, assessment_id=one.pk))


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def milestone(request: OrganisationRequest, milestone_id: Any) -> HttpResponse:
    """A frozen state, shown from its own JSON, with a check of its hash."""
    row = selectors.milestone(request.organisation, milestone_id)
    card = row.frozen["card"]
    context = {
        "milestone": row,
        "intact": milestone_services.intact(row),
        "card": card,
        "dimensions": [
            (code, Dimension(code).full_name.in_language(language()), each)
            for code, each in card["dimensions"].items()
        ],
        "answers": row.frozen["answers"],
    }
    return render(request, "assessments/milestone.html", context)

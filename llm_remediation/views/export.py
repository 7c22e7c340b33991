"""A roadmap as CSV."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from frontend.spreadsheet import csv_response
from llm_remediation import selectors, words
from llm_remediation.selectors import Detail, Step
from llm_remediation.views.charts import language
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action

COLUMNS = (
    *("wave", "position", "step", "practice", "title", "from_level", "to_level", "gain"),
    *("days_low", "days_likely", "days_high", "estimate", "gpu_hours", "money", "currency"),
    *("blast_radius", "needs", "broken_needs", "may_cost", "closing_test", "reason"),
    *("owner", "due", "status", "running_cost_month", "slo_minutes_month", "dominated_by"),
    *("confirmed_by", "confirmed_at", "confirmation"),
)


def line(step: Step, found: Detail) -> list[Any]:
    """One step as cells in the order of COLUMNS; numbers unrounded, a left-out step has no wave."""
    one, item = step.candidate, step.item
    cost, minutes = step.estimates
    dominated = {each.choice.id: each.dominated_by.id for each in found.placed if each.dominated_by}
    values = [
        words.wave(item.wave) if item else "",
        item.position + 1 if item else "",
        *(one.id, one.practice, step.title.in_language(language()), one.from_level, one.to_level, one.gain),
        *(one.days_low, one.effort_days, one.days_high, one.estimate.value, one.gpu_hours, one.money),
        *(found.currency, one.blast_radius.value, " ".join(one.needs)),
        " ".join(each.needs for each in step.broken),
        " ".join(each.value for each in one.may_cost),
        words.closing_test(one.closing_test),
        f"{words.sentence(step.reasons, found.currency)} {words.price(step.reasons)}".strip(),
        (item.owner or "") if item else "",
        (item.due or "") if item else "",
        item.status if item else "left_out",
        "" if cost is None else cost,
        "" if minutes is None else minutes,
        dominated.get(one.id, ""),
        (item.confirmed_by or "") if item else "",
        item.confirmed_at.isoformat(timespec="seconds") if item and item.confirmed_at else "",
        item.confirmation if item else "",
    ]
    return values


@organisation_view(Action.ROADMAPS_VIEW)
@require_GET
def roadmap_csv(request: OrganisationRequest, roadmap_id: Any) -> HttpResponse:
    """All steps, planned and left out; UTF-8 with a byte-order mark for spreadsheets."""
    found = selectors.detail(request.organisation, roadmap_id)
    name = f"ballast-{found.roadmap.assessment.cluster.name}-{found.roadmap.name}.csv"
    rows = [line(step, found) for step in (*found.steps, *found.left_out)]
    return csv_response(COLUMNS, rows, name=name)

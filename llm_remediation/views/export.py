"""A roadmap as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from llm_remediation import selectors, words
from llm_remediation.selectors import Detail, Step
from llm_remediation.views.charts import language
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action

COLUMNS = (
    *("wave", "position", "step", "practice", "title", "from_level", "to_level", "gain"),
    *("days_low", "days_likely", "days_high", "estimate", "gpu_hours", "money", "currency"),
    *("blast_radius", "needs", "broken_needs", "may_cost", "closing_test", "reason"),
    *("owner", "due", "status", "confirmed_by", "confirmed_at", "confirmation"),
)
# A cell that begins like a formula would run in a spreadsheet.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(value: Any) -> str:
    """The value as text that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def line(step: Step, found: Detail) -> list[str]:
    """One step as cells in the order of COLUMNS; numbers unrounded, a left-out step has no wave."""
    one, item = step.candidate, step.item
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
        (item.confirmed_by or "") if item else "",
        item.confirmed_at.isoformat(timespec="seconds") if item and item.confirmed_at else "",
        item.confirmation if item else "",
    ]
    return [cell(value) for value in values]


@organisation_view(Action.ROADMAPS_VIEW)
@require_GET
def roadmap_csv(request: OrganisationRequest, roadmap_id: Any) -> HttpResponse:
    """All steps, planned and left out; UTF-8 with a byte-order mark for spreadsheets."""
    found = selectors.detail(request.organisation, roadmap_id)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for step in (*found.steps, *found.left_out):
        writer.writerow(line(step, found))
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    name = f"ballast-{found.roadmap.assessment.cluster.name}-{found.roadmap.name}.csv"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response

"""Home: what stands where, what changed, what to do next."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from assessments.domain.dimensions import Dimension
from frontend.plots.dotplot import Dot, DotPlot, DotRow, for_any_width
from frontend.plots.theme import SERIES_LIMIT
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.activity_labels import change_name
from portal.accounts.domain.permissions import Action
from portal.dashboard import selectors
from portal.dashboard.selectors import Standing


@organisation_view(Action.ORGANISATION_VIEW)
@require_GET
def home(request: OrganisationRequest) -> HttpResponse:
    """One sentence, one chart, the next step."""
    standings = selectors.standings(request.organisation)
    scored = [each for each in standings if each.card and each.card.overall.score is not None]
    plot = for_any_width(_chart(scored[:SERIES_LIMIT])) if scored else ""
    context = {
        "standings": standings,
        "gap": largest_gap(scored),
        "plot": mark_safe(plot),  # noqa: S308 - our own SVG, escaped by its writer
        "plot_names": [each.cluster.name for each in scored[:SERIES_LIMIT]],
        "plot_rows": [
            (
                dimension.value,
                dimension.full_name.in_language(get_language() or "en"),
                [each.card.dimensions[dimension].score for each in scored[:SERIES_LIMIT] if each.card],
            )
            for dimension in Dimension
        ],
        "unfinished": next((each for each in standings if each.answered < each.applicable), None),
        "changes": [
            (entry, change_name(entry.action)) for entry in selectors.recent_changes(request.organisation)
        ],
    }
    return render(request, "dashboard/home.html", context)


def largest_gap(scored: list[Standing]) -> dict[str, object] | None:
    """The dimension in which two clusters differ most: names, dimension, difference in levels."""
    best: dict[str, object] | None = None
    width = 0.0
    for dimension in Dimension:
        values = [
            (each.card.dimensions[dimension].score, each)
            for each in scored
            if each.card and each.card.dimensions[dimension].score is not None
        ]
        if len(values) < 2:
            continue
        low = min(values, key=lambda pair: pair[0] or 0)
        high = max(values, key=lambda pair: pair[0] or 0)
        difference = (high[0] or 0) - (low[0] or 0)
        if difference > width:
            width = difference
            best = {
                "weaker": low[1],
                "stronger": high[1],
                "dimension": dimension.full_name.in_language(get_language() or "en"),
                "difference": difference,
            }
    return best


def _chart(scored: list[Standing]) -> DotPlot:
    rows = []
    for dimension in Dimension:
        dots = []
        for index, each in enumerate(scored):
            value = each.card.dimensions[dimension].score if each.card else None
            if value is not None:
                dots.append(Dot(series=index, value=value, hint=f"{each.cluster.name} {value:.2f}"))
        rows.append(
            DotRow(
                code=dimension.value,
                label=dimension.full_name.in_language(get_language() or "en"),
                dots=tuple(dots),
                unknown=_("not enough answers"),
            )
        )
    return DotPlot(
        id="clusters",
        title=_("Current score by dimension"),
        description=_("One mark per cluster on the scale from 0 to 5."),
        series=tuple(each.cluster.name for each in scored),
        rows=tuple(rows),
        axis=_("Level"),
    )


@organisation_view(Action.ORGANISATION_VIEW)
@require_GET
def help_page(request: OrganisationRequest) -> HttpResponse:
    """Tour, keys, formulas, glossary."""
    return render(request, "dashboard/help.html")

"""Two clusters or milestones side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from assessments import selectors
from assessments.domain.compare import Comparison, Difference, PracticePair, compare_sides
from assessments.domain.dimensions import Dimension
from assessments.views.worksheet import language
from frontend.plots.dotplot import Dot, DotPlot, DotRow, for_any_width
from frontend.plots.slope import SlopeChart, SlopeLine, slope
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be compared, as an option of the form: `a:<uuid>` or `m:<uuid>`."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class DimensionLine:
    """A dimension in words: the difference, and whether the levels are distributed differently."""

    name: str
    row: Difference


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A practice on both sides, with its title."""

    pair: PracticePair
    title: str


def choices(organisation: Any) -> list[Choice]:
    """Every assessment as it stands now, then its milestones."""
    found = []
    for row in selectors.assessments(organisation):
        found.append(Choice(f"a:{row.pk}", f"{row.cluster.name} · {row.name} · {_('now')}"))
        for each in selectors.milestones(row):
            found.append(Choice(f"m:{each.pk}", f"{row.cluster.name} · {row.name} · {each.name}"))
    return found


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def compare(request: OrganisationRequest) -> HttpResponse:
    """The form, and with `?a=…&b=…` the comparison."""
    options = choices(request.organisation)
    a, b = request.GET.get("a", ""), request.GET.get("b", "")
    context: dict[str, Any] = {"choices": options, "a": a, "b": b}
    if not a and not b and len(options) > 1:
        context["a"], context["b"] = _first_two(request.organisation, options)
    if a and b:
        context |= _compared(request.organisation, a, b)
    return render(request, "assessments/compare.html", context)


def _first_two(organisation: Any, options: list[Choice]) -> tuple[str, str]:
    """A sensible start: the two newest assessments of different clusters with the same scope."""
    rows = list(selectors.assessments(organisation))
    for left in rows:
        for right in rows:
            if left.cluster_id != right.cluster_id and left.scope == right.scope:
                return f"a:{right.pk}", f"a:{left.pk}"
    return options[0].value, options[1].value


def _compared(organisation: Any, a: str, b: str) -> dict[str, Any]:
    left, right = selectors.comparable(organisation, a), selectors.comparable(organisation, b)
    found = compare_sides(left.side, right.side)
    lang = language()
    matrix = selectors.matrix(left.assessment.matrix_version_id)
    cluster_a, cluster_b = left.assessment.cluster, right.assessment.cluster
    notes = [
        (key, getattr(cluster_a, key) or "—", getattr(cluster_b, key) or "—")
        for key in ("gpu_sku", "engine")
        if getattr(cluster_a, key) != getattr(cluster_b, key)
    ]
    heat = [
        HeatRow(
            pair, matrix.practice(pair.practice).title.in_language(lang) if pair.practice in matrix else ""
        )
        for pair in sorted(found.practices, key=lambda each: (-each.gap, each.practice))
    ]
    context: dict[str, Any] = {
        "comparison": found,
        "notes": notes,
        "heat": heat,
        "lines": [
            DimensionLine(row.dimension.full_name.in_language(lang), row)
            for row in found.dimensions
            if row.dimension
        ],
    }
    if not found.refused:
        # Our own SVG, escaped by its writer.
        context["plot"] = mark_safe(for_any_width(_dots(found)))  # noqa: S308
        if cluster_a == cluster_b:
            context["slope"] = mark_safe(slope(_slope(found)))  # noqa: S308
    return context


def _dots(found: Comparison) -> DotPlot:
    rows = []
    for line in found.dimensions:
        if line.dimension is None:
            continue
        values = (line.a, line.b)
        rows.append(
            DotRow(
                code=line.dimension.value,
                label=line.dimension.full_name.in_language(language()),
                dots=tuple(
                    Dot(series=index, value=value, hint=f"{each.label} {value:.2f}")
                    for index, (value, each) in enumerate(zip(values, (found.a, found.b), strict=True))
                    if value is not None
                ),
                unknown=_("not enough answers"),
            )
        )
    return DotPlot(
        id="compared",
        title=_("Current score by dimension, largest difference first"),
        description=_("One mark per side on the scale from 0 to 5."),
        series=(found.a.label, found.b.label),
        rows=tuple(rows),
        axis=_("Level"),
    )


def _slope(found: Comparison) -> SlopeChart:
    by_dimension = {row.dimension: row for row in found.dimensions}
    return SlopeChart(
        id="slope",
        title=_("From one moment to the other"),
        description=_("Score of each dimension before and after; rising and falling are both labelled."),
        before=found.a.label,
        after=found.b.label,
        lines=tuple(
            SlopeLine(
                code=dimension.value,
                label=dimension.full_name.in_language(language()),
                before=by_dimension[dimension].a,
                after=by_dimension[dimension].b,
            )
            for dimension in Dimension
        ),
    )

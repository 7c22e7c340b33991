"""A page that shows every component with made-up content, for the people who build pages.

Its route exists only with DEBUG on and in tests; see docs/reference/frontend.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone

from frontend.plots.dotplot import Dot, DotPlot, DotRow
from frontend.plots.scatter import Point, ScatterWords, effort_gain
from frontend.plots.slope import SlopeChart, SlopeLine
from frontend.templatetags.ui import DIMENSIONS

CLUSTERS = ("cn-north-a", "华北-B", "edge-lab")
SCORES = {
    "REL": (3.2, 2.6, 1.4),
    "OBS": (3.6, 3.4, 2.0),
    "RCV": (2.8, 1.9, 1.1),
    "EVO": (2.4, 2.3, 2.1),
    "SEC": (3.0, 2.9, None),
    "COST": (1.8, 2.2, 1.3),
}


@dataclass(frozen=True)
class SampleOrganisation:
    """What the layout needs of an organisation."""

    slug: str = "demo"
    name: str = "Demo Resilience Lab"


class SampleForm(forms.Form):
    """One field of each kind; bound with a wrong value it shows its errors."""

    name = forms.CharField(label="Cluster name", help_text="As people call it: letters, digits and hyphens.")
    sku = forms.ChoiceField(label="GPU", choices=[("h100", "H100 80 GB"), ("h200", "H200 141 GB")])
    gpus = forms.IntegerField(label="Number of GPUs", min_value=1)
    kinds = forms.MultipleChoiceField(
        label="What runs here",
        choices=[("serve", "Serving"), ("train", "Training")],
        widget=forms.CheckboxSelectMultiple,
    )
    note = forms.CharField(label="Note", widget=forms.Textarea(attrs={"rows": 3}), required=False)
    archived = forms.BooleanField(label="Keep out of comparisons", required=False)


def styleguide(request: HttpRequest) -> HttpResponse:
    """Every component once."""
    request.organisation = SampleOrganisation()  # type: ignore[attr-defined]
    now = timezone.now()
    context: dict[str, Any] = {
        "may": {
            "organisation.view",
            "assessments.view",
            "matrix.view",
            "roadmaps.view",
            "reports.view",
            "clusters.view",
            "activity.view",
        },
        "form": SampleForm({"name": "", "sku": "h100", "gpus": "-3"}) if "errors" in request.GET else None,
        "sample_form": SampleForm(initial={"name": "cn-north-a", "gpus": 64}),
        "colours": [f"level-{n}" for n in range(6)],
        "clusters": CLUSTERS,
        "score_rows": [
            (f"{code} {DIMENSIONS[code]}", [f"{v:.2f}" if v is not None else "—" for v in values])
            for code, values in SCORES.items()
        ],
        "score_columns": ["", *CLUSTERS],
        "dots": sample_dots(),
        "slope": sample_slope(),
        "scatter": sample_scatter(),
        "page": Paginator(range(120), 25).page(2),
        "times": [now - timedelta(seconds=20), now - timedelta(minutes=42), now - timedelta(days=3)],
        "now": now,
        "dimensions": list(DIMENSIONS),
    }
    return render(request, "styleguide.html", context)


def sample_dots() -> DotPlot:
    rows = []
    for code, values in SCORES.items():
        dots = tuple(
            Dot(index, value, value - 0.35 if value else None, value + 0.4 if value else None)
            for index, value in enumerate(values)
        )
        rows.append(DotRow(code, str(DIMENSIONS[code]), dots, unknown="not enough answers"))
    return DotPlot(
        id="guide-dots",
        title="Current score of three clusters",
        description="One row per dimension, one mark per cluster with its 95 % interval.",
        series=CLUSTERS,
        rows=tuple(rows),
        axis="Level",
    )


def sample_slope() -> SlopeChart:
    lines = tuple(
        SlopeLine(code, str(DIMENSIONS[code]), values[0], values[1]) for code, values in SCORES.items()
    )
    return SlopeChart(
        id="guide-slope",
        title="Change since the last milestone",
        description="One line per dimension from the first milestone to the second.",
        before="2026-06-30",
        after="2026-12-02",
        lines=lines,
    )


def sample_scatter() -> dict[str, Any]:
    points = (
        Point("RCV-03", "Checkpoint integrity", 12, 0.41, 0),
        Point("REL-04", "KV-cache resilience", 20, 0.35, 0),
        Point("OBS-01", "Golden signals", 5, 0.12, 1),
        Point("SEC-06", "Routing integrity", 40, 0.22, 2),
        Point("COST-01", "Unit economics", 8, 0.19, 1),
    )
    words = ScatterWords("Effort (engineer-days)", "Gain (score)", ("Now", "Next", "Later"))
    return effort_gain(points, words)


urlpatterns = [path("styleguide", styleguide, name="styleguide")]

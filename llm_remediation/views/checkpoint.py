"""The checkpoint calculator as a page: everything it needs is in its URL, nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from frontend.plots import lines
from frontend.plots.lines import Line, LineChart, Mark
from frontend.templatetags.ui import number
from llm_remediation import checkpoint_words as words
from llm_remediation import tradeoff_selectors
from llm_remediation.checkpoint_forms import CheckpointForm
from llm_remediation.domain.tradeoffs.checkpoint import (
    SHORTEST_S,
    Checkpointing,
    CurvePoint,
    Waste,
    gpu_hours_a_day,
)
from llm_remediation.tradeoff_number_words import name
from llm_remediation.tradeoff_selectors import JobNumbers
from llm_remediation.words import typed
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.clusters import selectors as clusters
from portal.errors import Refused

# What a page can be about without a number in its URL.
NEEDED = ("checkpoint_save_s", "job_mtbf_h")
FIELD_OF = {"save_s": "checkpoint_save_s", "mtbf_s": "job_mtbf_h", "restart_s": "checkpoint_restart_s"}
TABLE_STEP = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One interval in words; `lost` is empty where the number of GPUs is not known."""

    label: str
    interval: str
    save: str
    rework: str
    total: str
    lost: str


@dataclass(frozen=True, slots=True)
class Result:
    """What the page answers."""

    young: words.Told
    daly: words.Told
    rows: list[Row]
    verdict: str
    warn: bool
    difference: str
    lost: str
    svg: SafeString
    description: str
    table: list[tuple[str, list[str]]]


@organisation_view(Action.ROADMAPS_VIEW)
@require_GET
def calculator(request: OrganisationRequest) -> HttpResponse:
    """How often to save a checkpoint; with a cluster its newest numbers stand in the fields."""
    source = _source(request)
    measured = {key: typed(each.value) for key, each in source.readings.items()} if source else {}
    form = _form(request.GET, measured)
    result = None
    if form.is_bound and form.is_valid():
        try:
            result = _result(form)
        except Refused as refused:
            form.add_error(FIELD_OF.get(refused.place or "", "checkpoint_interval_s"), str(refused.message))
    context = {
        "form": form,
        "source": source,
        "measured": _measured(source),
        "clusters": clusters.clusters(request.organisation.pk),
        "result": result,
        "columns": _columns(),
    }
    failed = form.is_bound and bool(form.errors)
    return render(request, "llm_remediation/checkpoint.html", context, status=400 if failed else 200)


def _source(request: OrganisationRequest) -> JobNumbers | None:
    cluster_id = request.GET.get("cluster")
    if not cluster_id:
        return None
    return tradeoff_selectors.job_numbers(request.organisation, cluster_id, request.GET.get("service"))


def _form(given: QueryDict, measured: dict[str, str]) -> CheckpointForm:
    """The fields of the URL, else the numbers of the cluster; untouched where neither says enough."""
    sent = {key: given[key] for key in CheckpointForm.base_fields if key in given}
    if sent or all(key in measured for key in NEEDED):
        return CheckpointForm(sent or measured)
    return CheckpointForm(initial=measured)


def _measured(source: JobNumbers | None) -> list[tuple[str, str, Any]]:
    """Name, value and end of the window of each number of the chosen job."""
    if source is None:
        return []
    return [
        (name(key), typed(each.value) + (" h" if key.endswith("_h") else " s"), each.end)
        for key, each in sorted(source.readings.items())
    ]


def _result(form: CheckpointForm) -> Result:
    job, gpus = form.job(), form.cleaned_data["gpus"]
    used_s: float | None = form.cleaned_data["checkpoint_interval_s"]
    best_s = max(job.daly_s, SHORTEST_S)
    best = job.waste(best_s)
    used = None if used_s is None else job.waste(used_s)
    rows = [_row(_("At the optimum (Daly)"), best_s, best, gpus)]
    if used_s is not None and used is not None:
        rows.insert(0, _row(_("In use"), used_s, used, gpus))
    points = job.curve(used_s)
    verdict = words.verdict(job, used_s) if used_s is not None else ""
    description = verdict or _("The best interval is %(interval)s (Daly).") % {
        "interval": words.interval(best_s)
    }
    lost = ""
    if gpus and used:
        lost = number(gpu_hours_a_day(used, gpus) - gpu_hours_a_day(best, gpus), 1)
    return Result(
        young=words.told(job.young_s),
        daly=words.told(best_s),
        rows=rows,
        verdict=verdict,
        warn=used_s is not None and words.too_far(job, used_s),
        difference=words.difference(used, best) if used else "",
        lost=lost,
        svg=_drawn(points, job, (best_s, best), (used_s, used), description),
        description=description,
        table=[_line(each) for each in points[::TABLE_STEP]],
    )


def _row(label: str, interval_s: float, waste: Waste, gpus: int | None) -> Row:
    return Row(
        label=label,
        interval=words.interval(interval_s),
        save=words.share(waste.save),
        rework=words.share(waste.rework),
        total=words.share(waste.total),
        lost=number(gpu_hours_a_day(waste, gpus), 1) if gpus else "",
    )


def _columns() -> list[str]:
    return [_("Interval"), _("Saving"), _("Rework and restarts"), _("Together")]


def _line(point: CurvePoint) -> tuple[str, list[str]]:
    waste = point.waste
    shares = [words.share(each) for each in (waste.save, waste.rework, waste.total)]
    return words.interval(point.interval_s), shares


def _drawn(
    points: tuple[CurvePoint, ...],
    job: Checkpointing,
    best: tuple[float, Waste],
    used: tuple[float | None, Waste | None],
    description: str,
) -> SafeString:
    marks = [_mark(_("best: %(interval)s, %(share)s"), *best, series=0)]
    if used[0] is not None and used[1] is not None:
        marks.append(_mark(_("in use: %(interval)s, %(share)s"), used[0], used[1], series=3))
    chart = LineChart(
        id="waste",
        title=_("Machine time without useful work against the checkpoint interval"),
        description=description,
        x_axis=_("interval between checkpoints (log scale)"),
        y_axis=_("share of the machine time (%)"),
        lines=(
            Line(_("saving and rework together"), _points(points, lambda waste: waste.total)),
            Line(_("saving"), _points(points, lambda waste: waste.save)),
            Line(_("rework and restarts"), _points(points, lambda waste: waste.rework)),
        ),
        marks=tuple(marks),
        x_ticks=words.ticks(),
    )
    return mark_safe(lines.for_any_width(chart))  # noqa: S308 - our own SVG, escaped by its writer


def _mark(text: str, interval_s: float, waste: Waste, *, series: int) -> Mark:
    values = {"interval": words.time(interval_s), "share": words.share(waste.total)}
    return Mark(text % values, interval_s, 100 * waste.total, series)


def _points(points: tuple[CurvePoint, ...], share: Any) -> tuple[tuple[float, float], ...]:
    return tuple((each.interval_s, 100 * share(each.waste)) for each in points)

"""All roadmaps, drawing one up, and one roadmap."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from assessments import selectors as assessments
from llm_remediation import selectors, tradeoff_selectors, words
from llm_remediation.domain.model import WEIGHTS
from llm_remediation.forms import DrawUpForm, field_of
from llm_remediation.models import ItemStatus
from llm_remediation.services import roadmaps
from llm_remediation.services.items import OPEN_STATUSES
from llm_remediation.views import charts, pareto, rows, tradeoff_rows
from portal.accounts import selectors as people
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action, allowed
from portal.errors import Refused

LEFT_OUT_SHOWN = 12


def url(name: str, request: OrganisationRequest, **kwargs: Any) -> str:
    """The URL of a page of this app in the request's organisation."""
    return reverse(f"roadmaps:{name}", kwargs={"slug": request.organisation.slug, **kwargs})


@organisation_view(Action.ROADMAPS_VIEW)
@require_GET
def index(request: OrganisationRequest) -> HttpResponse:
    """The organisation's roadmaps with progress and what they promise."""
    context = {
        "rows": selectors.summaries(request.organisation),
        "assessments": assessments.assessments(request.organisation).exists(),
    }
    return render(request, "llm_remediation/list.html", context)


@organisation_view(Action.ROADMAPS_EDIT)
def new(request: OrganisationRequest) -> HttpResponse:
    """Choose the assessment, the target and the budgets; the plan is made when the form is sent."""
    form = DrawUpForm(request.POST or None, organisation=request.organisation, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = roadmaps.draw_up(
                organisation=request.organisation,
                assessment=form.assessment_row(),
                actor=request.user,
                name=form.cleaned_data["name"],
                wishes=roadmaps.Wishes(
                    budgets=form.budgets(),
                    default_target=int(form.cleaned_data["default_target"]),
                    targets=form.targets(),
                ),
            )
        except Refused as refused:
            field = field_of(refused.place)
            form.add_error(field if field in form.fields else None, str(refused.message))
        else:
            return HttpResponseRedirect(url("detail", request, roadmap_id=made.pk))
    context = {"form": form, "weights": WEIGHTS, "language": charts.language()}
    return render(request, "llm_remediation/new.html", context, status=400 if form.errors else 200)


def _initial(request: OrganisationRequest) -> dict[str, Any]:
    """`?assessment=` preselects; the name starts with today's date."""
    month = timezone.localdate().strftime("%Y-%m")
    return {
        "name": _("Roadmap %(month)s") % {"month": month},
        "assessment": request.GET.get("assessment", ""),
    }


@organisation_view(Action.ROADMAPS_VIEW)
@require_GET
def detail(request: OrganisationRequest, roadmap_id: Any) -> HttpResponse:
    """Score now and planned, balance, waves, what was left out and why."""
    return page(request, selectors.detail(request.organisation, roadmap_id))


def page(
    request: OrganisationRequest,
    found: selectors.Detail,
    *,
    problem: rows.Problem | None = None,
    attempt: tradeoff_rows.Attempt | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a roadmap, with what went wrong at one of its steps or trade-offs."""
    members = [each.user for each in people.members(request.organisation)]
    may_edit = allowed(request.membership.role, Action.ROADMAPS_EDIT)
    costs = rows.Costs.of(tradeoff_selectors.of_detail(found))
    left_out = [rows.step_row(each, found, costs) for each in sorted(found.left_out, key=rows.distance)]
    context = {
        "roadmap": found.roadmap,
        "detail": found,
        "dimensions": [rows.dimension_row(each, found, costs) for each in found.dimensions],
        "waves": [rows.wave_row(each, found, costs, problem) for each in found.waves],
        "left_out": left_out[:LEFT_OUT_SHOWN],
        "more_left_out": left_out[LEFT_OUT_SHOWN:],
        "broken": sum(bool(step.broken) for step in found.steps),
        "over": [wave for wave in found.waves if any(use.over for use in wave.uses)],
        "unanswered": words.unanswered(len(found.unanswered)) if found.unanswered else "",
        "figure": charts.scatter(found),
        "figure_rows": charts.scatter_rows(found),
        "figure_columns": [_("Step"), _("Days (estimate)"), _("Gain"), _("Wave")],
        "members": members,
        "statuses": [(each.value, each.label) for each in OPEN_STATUSES],
        "wave_names": [(index, words.wave(index)) for index in range(len(found.budgets))],
        "confirmed": found.count(ItemStatus.CONFIRMED),
        "saved": request.GET.get("saved", ""),
        "tradeoffs": tradeoff_rows.section(costs.found, members=members, may_edit=may_edit, attempt=attempt),
        "pareto": pareto.section(found),
        "decided": request.GET.get("decided", ""),
    }
    return render(request, "llm_remediation/detail.html", context, status=status)

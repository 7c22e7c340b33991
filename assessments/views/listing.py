"""All assessments, opening one, and the front page of one."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from assessments import selectors
from assessments.forms import OpenForm
from assessments.services import openings
from assessments.views.worksheet import next_practice, worksheet
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Refused


def url(name: str, request: OrganisationRequest, **kwargs: Any) -> str:
    """The URL of a page of this app in the request's organisation."""
    return reverse(f"assessments:{name}", kwargs={"slug": request.organisation.slug, **kwargs})


@organisation_view(Action.ASSESSMENTS_VIEW)
def index(request: OrganisationRequest) -> HttpResponse:
    """The organisation's assessments with progress and headline."""
    rows = [(row, selectors.scorecard(row)) for row in selectors.assessments(request.organisation)]
    return render(request, "assessments/list.html", {"rows": rows})


@organisation_view(Action.ASSESSMENTS_CREATE)
def new(request: OrganisationRequest) -> HttpResponse:
    """Open an assessment of a cluster."""
    form = OpenForm(request.POST or None, organisation=request.organisation, initial=request.GET.dict())
    if request.method == "POST" and form.is_valid():
        try:
            row = openings.open_assessment(
                organisation=request.organisation,
                cluster=form.cluster_row(),
                actor=request.user,
                name=form.cleaned_data["name"],
                scope=form.cleaned_data["scope"],
                carry_from=form.carry_row(),
                matrix_version=form.matrix_row(),
            )
        except Refused as refused:
            form.add_error(refused.place if refused.place in form.fields else None, str(refused.message))
        else:
            return HttpResponseRedirect(url("detail", request, assessment_id=row.pk))
    return render(request, "assessments/new.html", {"form": form}, status=400 if form.errors else 200)


@organisation_view(Action.ASSESSMENTS_VIEW)
def detail(request: OrganisationRequest, assessment_id: Any) -> HttpResponse:
    """Where to go on: the next unanswered practice, or the results when nothing is left."""
    one = selectors.assessment(request.organisation, assessment_id)
    practice = next_practice(worksheet(one))
    if practice is None:
        return HttpResponseRedirect(url("results", request, assessment_id=one.pk))
    return HttpResponseRedirect(url("question", request, assessment_id=one.pk, practice=practice))

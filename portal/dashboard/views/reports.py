"""Choosing what a new report shows."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from assessments import selectors as assessments
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.dashboard import report_order
from portal.errors import Refused

LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]


class ReportForm(forms.Form):
    """An assessment of the organisation, a language, and what it is compared with."""

    assessment = forms.ChoiceField(label=gettext_lazy("Assessment"))
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=LANGUAGES)
    against = forms.ChoiceField(
        label=gettext_lazy("Compare with"),
        required=False,
        help_text=gettext_lazy("Another cluster as it stands now, or a milestone."),
    )

    def __init__(self, *args: Any, organisation: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own, sides = _choices(organisation)
        self.fields["assessment"].choices = own  # type: ignore[attr-defined]
        self.fields["against"].choices = [("", _("Nothing")), *sides]  # type: ignore[attr-defined]


def _choices(organisation: Any) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Assessments by id, and everything a report can be compared with."""
    own, sides = [], []
    for row in assessments.assessments(organisation):
        name = f"{row.cluster.name} · {row.name}"
        own.append((str(row.pk), name))
        sides.append((f"a:{row.pk}", f"{name} · {_('now')}"))
        sides += [(f"m:{each.pk}", f"{name} · {each.name}") for each in assessments.milestones(row)]
    return own, sides


@organisation_view(Action.REPORTS_CREATE)
def create(request: OrganisationRequest) -> HttpResponse:
    """The form; a POST queues the report and goes to its page."""
    if request.method == "POST":
        form = ReportForm(request.POST, organisation=request.organisation)
        if form.is_valid():
            return _queued(request, form)
    else:
        start = {"language": "zh-hans" if (get_language() or "").startswith("zh") else "en"}
        form = ReportForm(initial=start | request.GET.dict(), organisation=request.organisation)
    return render(request, "reports/new.html", {"form": form}, status=400 if form.errors else 200)


def _queued(request: OrganisationRequest, form: ReportForm) -> HttpResponse:
    data = form.cleaned_data
    try:
        row = report_order.place(
            organisation=request.organisation,
            user=request.user,
            assessment_id=data["assessment"],
            language=data["language"],
            against=data["against"],
        )
    except Refused as refused:
        form.add_error(refused.place if refused.place in form.fields else None, str(refused.message))
        return render(request, "reports/new.html", {"form": form}, status=refused.status)
    return HttpResponseRedirect(
        reverse("reports:detail", kwargs={"slug": request.organisation.slug, "report_id": row.pk})
    )

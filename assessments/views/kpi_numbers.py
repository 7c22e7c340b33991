"""Numbers of a cluster by hand: one window, everything that was typed or nothing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from assessments import kpi_selectors, number_words
from assessments.domain.kpis.numbers import NUMBERS
from assessments.kpi_forms import NumbersForm
from assessments.services import kpis
from assessments.views.listing import url
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.clusters import selectors as clusters
from portal.errors import Conflict, Invalid

USES = tuple(
    use
    for use in (*number_words.KPIS, *number_words.TRADEOFFS)
    if any(use in kind.used_by for kind in NUMBERS.values())
)


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_http_methods(["GET", "POST"])
def numbers(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """A field per number; `?for=T5` shows those of one KPI or trade-off, `?service=` those of a service."""
    one = clusters.cluster(request.organisation.pk, cluster_id)
    services = [each.name for each in kpi_selectors.scopes_of(one)]
    service = request.GET.get("service", "")
    only = request.GET.get("for", "")
    form = NumbersForm(
        request.POST if request.method == "POST" else None,
        readings=kpi_selectors.readings_of(request.organisation, one, timezone.now()),
        service=service if service in services else "",
        only=only if only in USES else "",
    )
    if request.method == "POST" and form.is_valid():
        done = _store(request, one, form)
        if done is not None:
            return done
    context = {
        "cluster": one,
        "form": form,
        "services": services,
        "uses": [(code, number_words.use(code)) for code in USES],
        "title": number_words.use(form.only) if form.only else "",
        "per_service": any(kind.per_service for kind in form.kinds),
    }
    return render(request, "assessments/kpi_numbers.html", context, status=400 if form.errors else 200)


def _store(request: OrganisationRequest, cluster: Any, form: NumbersForm) -> HttpResponse | None:
    """The way on after storing; None where the form holds errors now."""
    given = form.given()
    start, end = form.window()
    try:
        stored = kpis.set_numbers(
            cluster=cluster,
            actor=request.user,
            numbers=given,
            start=start,
            end=end,
            note=form.cleaned_data["note"],
        )
    except Invalid as refused:
        form.show(refused, given)
        return None
    except Conflict as refused:
        form.add_error(None, str(refused.message))
        return None
    count = stored.counts["new"] + stored.counts["replaced"]
    if count:
        words = ngettext("%(count)d number was recorded.", "%(count)d numbers were recorded.", count)
        messages.success(request, words % {"count": count})
    else:
        messages.info(request, _("These numbers are known already: nothing was recorded."))
    return HttpResponseRedirect(url("cluster-kpis", request, cluster_id=cluster.pk) + "#numbers")

"""Pages of reports: the list, one report with its live state, the download."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.reports import selectors, services
from portal.reports.downloads import pdf_response
from portal.reports.models import Report, ReportState

PER_PAGE = 25


@organisation_view(Action.REPORTS_VIEW)
@require_GET
def index(request: OrganisationRequest) -> HttpResponse:
    """All reports, newest first."""
    pages = Paginator(selectors.reports(request.organisation), PER_PAGE)
    context = {"page": pages.get_page(request.GET.get("page")), "silent": selectors.worker_is_silent()}
    return render(request, "reports/list.html", context)


@organisation_view(Action.REPORTS_VIEW)
@require_GET
def detail(request: OrganisationRequest, report_id: Any) -> HttpResponse:
    """One report; its state renews itself while it is being made."""
    one = selectors.report(request.organisation, report_id)
    return render(request, "reports/detail.html", _context(one, paused="pause" in request.GET))


@organisation_view(Action.REPORTS_VIEW)
@require_GET
def state(request: OrganisationRequest, report_id: Any) -> HttpResponse:
    """The changing part of the page, or 204 where it is still what `?was=` says."""
    one = selectors.report(request.organisation, report_id)
    context = _context(one, paused=False)
    if request.GET.get("was") == context["mark"]:
        return HttpResponse(status=204)
    return render(request, "reports/state.html", context)


@organisation_view(Action.REPORTS_VIEW)
@require_GET
def download(request: OrganisationRequest, report_id: Any) -> HttpResponse:
    """The PDF as a file; 409 where it is not finished."""
    one = selectors.report(request.organisation, report_id)
    return pdf_response(one, selectors.pdf(one))


@organisation_view(Action.REPORTS_CREATE)
@require_POST
def cancel(request: OrganisationRequest, report_id: Any) -> HttpResponse:
    """Take it out of the queue."""
    one = selectors.report(request.organisation, report_id)
    services.cancel(report=one, actor=request.user)
    return HttpResponseRedirect(
        reverse("reports:detail", kwargs={"slug": request.organisation.slug, "report_id": one.pk})
    )


def _context(one: Report, *, paused: bool) -> dict[str, Any]:
    """`mark` changes exactly when the changing part of the page does."""
    silent = one.state == ReportState.QUEUED and selectors.worker_is_silent()
    return {
        "report": one,
        "open": one.state in selectors.OPEN,
        "silent": silent,
        "worker_seen": selectors.worker_seen(),
        "paused": paused,
        "mark": f"{one.state}-{one.attempts}-{int(silent)}",
    }

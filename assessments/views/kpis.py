"""The KPI page of a cluster and its downloads."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from assessments import kpi_selectors, selectors
from assessments.domain.kpis import csv_writing
from assessments.services import kpis
from assessments.views.kpi_rows import by_dimension, number_groups, practice_rows
from assessments.views.worksheet import language
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.clusters import selectors as clusters

UPLOADS_SHOWN = 50
CSV = "text/csv; charset=utf-8"


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def cluster_kpis(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Headline KPIs, practices against their targets, the numbers behind both, and who gave them."""
    one = clusters.cluster(request.organisation.pk, cluster_id)
    as_of = timezone.now()
    groups = number_groups(kpi_selectors.readings_of(request.organisation, one, as_of))
    uploads = kpi_selectors.uploads_of(request.organisation, one)
    newest = selectors.assessments(request.organisation).filter(cluster=one).first()
    practices = []
    if newest is not None:
        found = selectors.practice_kpis_of(newest, as_of=as_of)
        practices = practice_rows(selectors.matrix_of(newest), found, language())
    context = {
        "cluster": one,
        "as_of": as_of,
        "known": uploads.exists(),
        "dimensions": by_dimension(kpi_selectors.headlines_of(request.organisation, one, as_of)),
        "groups": [each for each in groups if each.rows],
        "unknown": [each for each in groups if each.missing],
        "assessment": newest,
        "practices": practices,
        "uploads": uploads[:UPLOADS_SHOWN],
    }
    return render(request, "assessments/kpis.html", context)


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def csv(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Every fact of the cluster that holds, as a CSV that can be sent back."""
    one = clusters.cluster(request.organisation.pk, cluster_id)
    content = kpis.export(organisation=request.organisation, cluster=one)
    return _download(content, f"kpis-{one.name}.csv")


@organisation_view(Action.ASSESSMENTS_VIEW)
@require_GET
def template(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """A CSV with an example row of each kind."""
    one = clusters.cluster(request.organisation.pk, cluster_id)
    first = next((each.name for each in kpi_selectors.scopes_of(one) if each.in_scope), "")
    return _download(csv_writing.template(first), "kpis-template.csv")


def _download(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=CSV)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "private, no-store"
    return response

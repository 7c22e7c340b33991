"""Facts of a cluster from a file: send it, look at what would change, confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from assessments import kpi_selectors
from assessments.domain.kpis.facts import Fact
from assessments.services import kpi_imports, kpis
from assessments.views.kpi_rows import FactRow, fact_row
from assessments.views.listing import url
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.clusters import selectors as clusters
from portal.errors import Invalid, Refused

PROBLEMS_SHOWN = 100
ROWS_SHOWN = 200


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_http_methods(["GET", "POST"])
def upload(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Send a CSV; with problems the page lists every one and nothing is kept."""
    one = clusters.cluster(request.organisation.pk, cluster_id)
    if request.method == "GET":
        return render(request, "assessments/kpi_import.html", {"cluster": one})
    file = request.FILES.get("file")
    try:
        if file is None:
            raise Invalid("file_missing", _("Choose a file."), place="file")
        # One byte more than is allowed shows that a file is too large.
        content = file.read(kpis.MAX_BYTES + 1)
        made = kpi_imports.prepare(cluster=one, actor=request.user, file_name=str(file.name), content=content)
    except Refused as refused:
        return _refused(request, one, refused)
    return HttpResponseRedirect(
        url("cluster-kpis-preview", request, cluster_id=one.pk, kpi_import_id=made.pk)
    )


def _refused(request: OrganisationRequest, cluster: Any, refused: Refused) -> HttpResponse:
    """The upload page with everything that is wrong."""
    found = [{**each, "words": each["message"]} for each in refused.extra.get("problems", [])]
    context = {
        "cluster": cluster,
        "refused": refused.message,
        "problems": found[:PROBLEMS_SHOWN],
        "more": max(0, len(found) - PROBLEMS_SHOWN),
    }
    return render(request, "assessments/kpi_import.html", context, status=refused.status)


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_GET
def preview(request: OrganisationRequest, cluster_id: Any, kpi_import_id: Any) -> HttpResponse:
    """What confirming would change; after confirming, what it did."""
    row = kpi_selectors.kpi_import(request.organisation, cluster_id, kpi_import_id)
    context: dict[str, Any] = {"cluster": row.cluster, "row": row}
    if row.applied_at:
        return render(request, "assessments/kpi_import_done.html", context)
    found = kpi_imports.planned(row)
    if found.problems:
        return _refused(request, row.cluster, kpis.refused(found.problems))
    known = {each.key: each for each in kpi_selectors.facts_of(request.organisation, row.cluster)}
    groups = [("replaced", found.replaced), ("new", found.new)]
    context |= {
        "counts": found.counts(),
        "writes": len(found.written),
        "upload": found.upload,
        "groups": [(kind, len(facts), _rows(facts, known)) for kind, facts in groups if facts],
        "most": ROWS_SHOWN,
    }
    return render(request, "assessments/kpi_import_preview.html", context)


def _rows(facts: Sequence[Fact], known: Mapping[Any, Fact]) -> list[FactRow]:
    return [fact_row(each, known.get(each.key)) for each in facts[:ROWS_SHOWN]]


@organisation_view(Action.ASSESSMENTS_ANSWER)
@require_POST
def apply(request: OrganisationRequest, cluster_id: Any, kpi_import_id: Any) -> HttpResponse:
    """Record what the preview showed."""
    row = kpi_selectors.kpi_import(request.organisation, cluster_id, kpi_import_id)
    try:
        counts = kpi_imports.apply(row=row, actor=request.user)
    except Refused as refused:
        messages.error(request, str(refused.message))
    else:
        count = counts["new"] + counts["replaced"]
        words = ngettext("%(count)d fact was recorded.", "%(count)d facts were recorded.", count)
        messages.success(request, words % {"count": count})
    return HttpResponseRedirect(
        url("cluster-kpis-preview", request, cluster_id=row.cluster_id, kpi_import_id=row.pk)
    )

"""Pages of clusters and the services on them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.accounts.forms import SHOWN, show
from portal.clusters import selectors, services
from portal.clusters.forms import TAG_NAMES, ClusterForm, ServiceForm
from portal.clusters.models import Cluster, Service, ServiceKind

CLUSTER_FIELDS = ("name", "environment", "gpu_sku", "gpu_count", "engine", "kinds", "tags", "note")
SERVICE_FIELDS = ("name", "kind", "model", "tier", "in_scope", "tags")


def _traits(row: Cluster | Service) -> list[str]:
    return [str(TAG_NAMES.get(tag, tag)) for tag in row.tags]


def _kinds(row: Cluster) -> list[str]:
    names = {kind.value: str(kind.label) for kind in ServiceKind}
    return [names.get(kind, kind) for kind in row.kinds]


def _to(name: str, request: OrganisationRequest, **kwargs: Any) -> HttpResponse:
    return HttpResponseRedirect(
        reverse(f"clusters:{name}", kwargs={"slug": request.organisation.slug, **kwargs})
    )


@organisation_view(Action.CLUSTERS_VIEW)
def index(request: OrganisationRequest) -> HttpResponse:
    """The clusters in use, or the archived ones with `?archived=1`."""
    archived = request.GET.get("archived") == "1"
    own = request.organisation.pk
    rows = [
        {"row": row, "kinds": _kinds(row), "traits": _traits(row)}
        for row in selectors.clusters(own, archived=archived)
    ]
    any_archived = archived or selectors.clusters(own, archived=True).exists()
    page = {"rows": rows, "archived": archived, "any_archived": any_archived}
    return render(request, "clusters/list.html", page)


@organisation_view(Action.CLUSTERS_VIEW)
def detail(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """One cluster and its services."""
    return _detail(request, selectors.cluster(request.organisation.pk, cluster_id))


def _detail(request: OrganisationRequest, cluster: Cluster, form: Any = None) -> HttpResponse:
    services_here = [{"row": row, "traits": _traits(row)} for row in selectors.services_of(cluster)]
    page = {
        "cluster": cluster,
        "kinds": _kinds(cluster),
        "traits": _traits(cluster),
        "services": services_here,
        "form": form if form is not None else ServiceForm(),
    }
    status = 400 if form is not None and form.errors else 200
    return render(request, "clusters/detail.html", page, status=status)


@organisation_view(Action.CLUSTERS_EDIT)
def new(request: OrganisationRequest) -> HttpResponse:
    """Add a cluster."""
    form = ClusterForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.create_cluster(
                organisation_id=request.organisation.pk, actor=request.user, data=form.data_object()
            )
        except SHOWN as refused:
            show(form, refused)
        else:
            return _to("detail", request, cluster_id=made.pk)
    return render(request, "clusters/new.html", {"form": form}, status=400 if form.errors else 200)


@organisation_view(Action.CLUSTERS_EDIT)
def edit(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Change what is said about a cluster."""
    row = selectors.cluster(request.organisation.pk, cluster_id)
    form = ClusterForm(request.POST or None, initial={name: getattr(row, name) for name in CLUSTER_FIELDS})
    if request.method == "POST" and form.is_valid():
        try:
            services.update_cluster(
                organisation_id=request.organisation.pk,
                actor=request.user,
                cluster_id=row.pk,
                data=form.data_object(),
            )
        except SHOWN as refused:
            show(form, refused)
        else:
            messages.success(request, _("Saved."))
            return _to("detail", request, cluster_id=row.pk)
    page = {"form": form, "cluster": row}
    return render(request, "clusters/edit.html", page, status=400 if form.errors else 200)


@organisation_view(Action.CLUSTERS_EDIT)
@require_POST
def archive(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Take a cluster out of lists; everything that refers to it stays."""
    row = services.archive_cluster(
        organisation_id=request.organisation.pk, actor=request.user, cluster_id=cluster_id
    )
    messages.success(request, _("%(name)s is archived.") % {"name": row.name})
    return _to("list", request)


@organisation_view(Action.CLUSTERS_EDIT)
@require_POST
def restore(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Bring an archived cluster back."""
    row = services.restore_cluster(
        organisation_id=request.organisation.pk, actor=request.user, cluster_id=cluster_id
    )
    messages.success(request, _("%(name)s is back.") % {"name": row.name})
    return _to("detail", request, cluster_id=row.pk)


@organisation_view(Action.CLUSTERS_EDIT)
@require_POST
def service_add(request: OrganisationRequest, cluster_id: Any) -> HttpResponse:
    """Add a service; errors come back on the cluster's page."""
    row = selectors.cluster(request.organisation.pk, cluster_id)
    form = ServiceForm(request.POST)
    if form.is_valid():
        try:
            services.add_service(
                organisation_id=request.organisation.pk,
                actor=request.user,
                cluster_id=row.pk,
                data=form.data_object(),
            )
        except SHOWN as refused:
            show(form, refused)
        else:
            return _to("detail", request, cluster_id=row.pk)
    return _detail(request, row, form)


@organisation_view(Action.CLUSTERS_EDIT)
def service_edit(request: OrganisationRequest, cluster_id: Any, service_id: Any) -> HttpResponse:
    """Change what is said about a service."""
    own = request.organisation.pk
    row = selectors.service(own, service_id, cluster_id=cluster_id)
    form = ServiceForm(request.POST or None, initial={name: getattr(row, name) for name in SERVICE_FIELDS})
    if request.method == "POST" and form.is_valid():
        try:
            services.update_service(
                organisation_id=own, actor=request.user, service_id=row.pk, data=form.data_object()
            )
        except SHOWN as refused:
            show(form, refused)
        else:
            messages.success(request, _("Saved."))
            return _to("detail", request, cluster_id=cluster_id)
    page = {"form": form, "service": row, "cluster": row.cluster}
    return render(request, "clusters/service_edit.html", page, status=400 if form.errors else 200)


@organisation_view(Action.CLUSTERS_EDIT)
@require_http_methods(["GET", "POST"])
def service_remove(request: OrganisationRequest, cluster_id: Any, service_id: Any) -> HttpResponse:
    """Ask, then take a service off its cluster."""
    own = request.organisation.pk
    row = selectors.service(own, service_id, cluster_id=cluster_id)
    if request.method == "POST":
        services.remove_service(organisation_id=own, actor=request.user, service_id=row.pk)
        messages.success(request, _("%(name)s is removed.") % {"name": row.name})
        return _to("detail", request, cluster_id=cluster_id)
    return render(request, "clusters/service_remove.html", {"service": row, "cluster": row.cluster})

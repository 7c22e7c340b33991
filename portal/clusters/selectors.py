"""Reads of clusters and services. Missing and foreign look the same: NotFound."""

from __future__ import annotations

import uuid
from typing import Any, TypeVar

from django.db.models import Count, Model, Q, QuerySet
from django.utils.translation import gettext as _

from portal.clusters.domain.profile import ClusterProfile
from portal.clusters.models import Cluster, Service
from portal.errors import NotFound

Row = TypeVar("Row", bound=Model)


def clusters(organisation_id: uuid.UUID | str, *, archived: bool = False) -> QuerySet[Cluster]:
    """The organisation's clusters by name, each with `service_count` and `in_scope_count`."""
    return (
        Cluster.objects.filter(organisation_id=organisation_id, archived_at__isnull=not archived)
        .annotate(
            service_count=Count("services"), in_scope_count=Count("services", Q(services__in_scope=True))
        )
        .order_by("name", "id")
    )


def cluster(organisation_id: uuid.UUID | str, cluster_id: Any) -> Cluster:
    """One cluster, archived or not."""
    found = _by_id(Cluster.objects.filter(organisation_id=organisation_id), cluster_id)
    if found is None:
        raise NotFound("cluster_not_found", _("There is no such cluster in this organisation."))
    return found


def services_of(cluster: Cluster) -> QuerySet[Service]:
    """The services of a cluster, most important tier first."""
    return Service.objects.filter(organisation_id=cluster.organisation_id, cluster=cluster).order_by(
        "tier", "name", "id"
    )


def service(organisation_id: uuid.UUID | str, service_id: Any, *, cluster_id: Any = None) -> Service:
    """One service; with `cluster_id` it must stand on that cluster."""
    rows = Service.objects.filter(organisation_id=organisation_id).select_related("cluster")
    if cluster_id is not None:
        rows = rows.filter(cluster_id=cluster(organisation_id, cluster_id).pk)
    found = _by_id(rows, service_id)
    if found is None:
        raise NotFound("service_not_found", _("There is no such service in this organisation."))
    return found


def profile(cluster: Cluster) -> ClusterProfile:
    """Kinds and tags of the cluster together with those of its in-scope services."""
    kinds, tags = set(cluster.kinds), set(cluster.tags)
    for kind, own in services_of(cluster).filter(in_scope=True).values_list("kind", "tags"):
        kinds.add(kind)
        tags.update(own)
    return ClusterProfile(kinds=frozenset(kinds), tags=frozenset(tags))


def _by_id(rows: QuerySet[Row], given: Any) -> Row | None:
    try:
        wanted = given if isinstance(given, uuid.UUID) else uuid.UUID(str(given))
    except ValueError:
        return None
    return rows.filter(pk=wanted).first()

"""Clusters and their services, for programs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from portal.accounts.domain.permissions import Action
from portal.api.pagination import PagedView
from portal.api.serializers import Strict, StrictBoolean, StrictInteger, checked
from portal.clusters import selectors, services
from portal.clusters.domain.profile import KINDS, MOST_GPUS, TAGS
from portal.clusters.domain.sayings import ClusterData, ServiceData
from portal.clusters.models import Cluster, Environment, Service

ACTIONS = {"GET": Action.CLUSTERS_VIEW, "POST": Action.CLUSTERS_EDIT}
ACTIONS_ONE = {"GET": Action.CLUSTERS_VIEW, "PATCH": Action.CLUSTERS_EDIT, "DELETE": Action.CLUSTERS_EDIT}


class ClusterFields(Strict):
    """What can be written; a PATCH sends only what changes."""

    name = serializers.CharField(max_length=80)
    gpu_sku = serializers.CharField(max_length=60, required=False, allow_blank=True)
    gpu_count = StrictInteger(min_value=0, max_value=MOST_GPUS, required=False)
    engine = serializers.CharField(max_length=60, required=False, allow_blank=True)
    environment = serializers.ChoiceField(choices=Environment.values, required=False)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS), required=False, allow_empty=False, max_length=len(KINDS)
    )
    tags = serializers.ListField(
        child=serializers.ChoiceField(choices=TAGS), required=False, max_length=len(TAGS)
    )
    note = serializers.CharField(max_length=2000, required=False, allow_blank=True)


class ClusterOut(serializers.ModelSerializer[Cluster]):
    class Meta:
        model = Cluster
        fields = [
            "id", "name", "gpu_sku", "gpu_count", "engine", "environment", "kinds", "tags", "note",
            "created_at", "archived_at",
        ]  # fmt: skip


class ServiceFields(Strict):
    """What can be written; a PATCH sends only what changes."""

    name = serializers.CharField(max_length=80)
    kind = serializers.ChoiceField(choices=KINDS, required=False)
    model = serializers.CharField(max_length=120, required=False, allow_blank=True)
    tier = StrictInteger(min_value=1, max_value=3, required=False)
    in_scope = StrictBoolean(required=False)
    tags = serializers.ListField(
        child=serializers.ChoiceField(choices=TAGS), required=False, max_length=len(TAGS)
    )


class ServiceOut(serializers.ModelSerializer[Service]):
    cluster = serializers.UUIDField(source="cluster_id")

    class Meta:
        model = Service
        fields = ["id", "cluster", "name", "kind", "model", "tier", "in_scope", "tags", "created_at"]


def _data(shape: Any, given: dict[str, Any], row: Any = None) -> Any:
    """`given` over what `row` says now, as the service's dataclass; lists become tuples."""
    said = {name: getattr(row, name) for name in shape.__dataclass_fields__} if row is not None else {}
    merged = {**said, **given}
    return shape(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in merged.items()}
    )


class ClusterList(PagedView):
    required_actions = ACTIONS

    @extend_schema(parameters=[OpenApiParameter("archived", bool)], responses=ClusterOut(many=True))
    def get(self, request: Any, slug: str) -> Response:
        """Clusters by name: those in use, or with `?archived=true` the archived ones."""
        archived = request.query_params.get("archived", "").lower() in {"1", "true"}
        return self.paged(selectors.clusters(request.organisation.pk, archived=archived), ClusterOut)

    @extend_schema(request=ClusterFields, responses={201: ClusterOut})
    def post(self, request: Any, slug: str) -> Response:
        """Add a cluster."""
        data = _data(ClusterData, checked(ClusterFields(data=request.data)))
        made = services.create_cluster(organisation_id=request.organisation.pk, actor=request.user, data=data)
        return Response(ClusterOut(made).data, status=201)


class ClusterOne(APIView):
    required_actions = ACTIONS_ONE

    @extend_schema(responses=ClusterOut)
    def get(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """One cluster, archived or not."""
        return Response(ClusterOut(selectors.cluster(request.organisation.pk, cluster_id)).data)

    @extend_schema(request=ClusterFields(partial=True), responses=ClusterOut)
    def patch(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """Change the fields that are sent."""
        row = selectors.cluster(request.organisation.pk, cluster_id)
        given = checked(ClusterFields(data=request.data, partial=True))
        changed = services.update_cluster(
            organisation_id=request.organisation.pk,
            actor=request.user,
            cluster_id=row.pk,
            data=_data(ClusterData, given, row),
        )
        return Response(ClusterOut(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """Archive a cluster; what refers to it stays."""
        services.archive_cluster(
            organisation_id=request.organisation.pk, actor=request.user, cluster_id=cluster_id
        )
        return Response(status=204)


class ClusterRestore(APIView):
    required_actions = {"POST": Action.CLUSTERS_EDIT}

    @extend_schema(request=None, responses=ClusterOut)
    def post(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """Bring an archived cluster back."""
        row = services.restore_cluster(
            organisation_id=request.organisation.pk, actor=request.user, cluster_id=cluster_id
        )
        return Response(ClusterOut(row).data)


class ServiceList(PagedView):
    required_actions = ACTIONS

    @extend_schema(responses=ServiceOut(many=True))
    def get(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """The services of a cluster, most important tier first."""
        cluster = selectors.cluster(request.organisation.pk, cluster_id)
        return self.paged(selectors.services_of(cluster), ServiceOut)

    @extend_schema(request=ServiceFields, responses={201: ServiceOut})
    def post(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """Add a service."""
        cluster = selectors.cluster(request.organisation.pk, cluster_id)
        data = _data(ServiceData, checked(ServiceFields(data=request.data)))
        made = services.add_service(
            organisation_id=request.organisation.pk, actor=request.user, cluster_id=cluster.pk, data=data
        )
        return Response(ServiceOut(made).data, status=201)


class ServiceOne(APIView):
    required_actions = ACTIONS_ONE

    def _row(self, request: Any, cluster_id: Any, service_id: Any) -> Service:
        return selectors.service(request.organisation.pk, service_id, cluster_id=cluster_id)

    @extend_schema(responses=ServiceOut)
    def get(self, request: Any, slug: str, cluster_id: Any, service_id: Any) -> Response:
        """One service."""
        return Response(ServiceOut(self._row(request, cluster_id, service_id)).data)

    @extend_schema(request=ServiceFields(partial=True), responses=ServiceOut)
    def patch(self, request: Any, slug: str, cluster_id: Any, service_id: Any) -> Response:
        """Change the fields that are sent."""
        row = self._row(request, cluster_id, service_id)
        given = checked(ServiceFields(data=request.data, partial=True))
        changed = services.update_service(
            organisation_id=request.organisation.pk,
            actor=request.user,
            service_id=row.pk,
            data=_data(ServiceData, given, row),
        )
        return Response(ServiceOut(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Any, slug: str, cluster_id: Any, service_id: Any) -> Response:
        """Take a service off its cluster."""
        row = self._row(request, cluster_id, service_id)
        services.remove_service(
            organisation_id=request.organisation.pk, actor=request.user, service_id=row.pk
        )
        return Response(status=204)

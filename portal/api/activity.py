"""The record of changes, for programs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from portal.accounts.domain.permissions import Action
from portal.api.pagination import PagedView
from portal.api.serializers import Strict, checked
from portal.audit import selectors, services

FILTERS = ("actor_id", "action", "object_type", "object_id")


class Entry(serializers.Serializer[Any]):
    sequence = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor_id = serializers.CharField()
    actor = serializers.CharField(source="actor_label")
    action = serializers.CharField()
    object_type = serializers.CharField()
    object_id = serializers.CharField()
    detail = serializers.DictField()
    previous_hash = serializers.CharField()
    hash = serializers.CharField()


class Filter(Strict):
    actor_id = serializers.CharField(required=False, max_length=40)
    action = serializers.CharField(required=False, max_length=80)
    object_type = serializers.CharField(required=False, max_length=60)
    object_id = serializers.CharField(required=False, max_length=80)


class Chain(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    checked = serializers.IntegerField()
    first_broken = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    head = serializers.CharField()


class ActivityList(PagedView):
    required_actions = {"GET": Action.ACTIVITY_VIEW}

    @extend_schema(parameters=[OpenApiParameter(name) for name in FILTERS], responses=Entry(many=True))
    def get(self, request: Any, slug: str) -> Response:
        """Entries, newest first, with their hashes."""
        given = {name: request.query_params[name] for name in FILTERS if request.query_params.get(name)}
        wanted = selectors.EntryFilter(**checked(Filter(data=given)))
        return self.paged(selectors.entries(request.organisation.pk, wanted), Entry)


class ActivityVerify(APIView):
    required_actions = {"GET": Action.ACTIVITY_VIEW}

    @extend_schema(responses=Chain)
    def get(self, request: Any, slug: str) -> Response:
        """Recompute the chain and name the first broken link."""
        return Response(Chain(services.verify_chain(request.organisation.pk)).data)

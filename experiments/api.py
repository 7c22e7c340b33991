"""The signal catalogue for programs. It is the product's own data: whoever is signed in may read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from experiments.domain.reference import as_data
from experiments.domain.rules import scope_of
from experiments.domain.signals import catalogue
from experiments.downloads import rules_response
from experiments.forms import MOST, plain_name
from portal.api.serializers import Strict, checked

STACK = OpenApiParameter("stack", str, many=True, description="Only these stacks; may be repeated.")
CLUSTER = OpenApiParameter("cluster", str, description="Only series with this cluster label.")
NAMESPACE = OpenApiParameter("namespace", str, description="Only series of this namespace.")


def stack_ids() -> list[str]:
    """The stacks that may be asked for."""
    return sorted(catalogue().by_stack)


class Stacks(Strict):
    stack = serializers.ListField(child=serializers.CharField(max_length=80), required=False, max_length=50)

    def validate_stack(self, value: list[str]) -> list[str]:
        """Every stack must exist; the refusal lists those that do."""
        field = serializers.ChoiceField(choices=stack_ids())
        return [field.run_validation(each) for each in value]


class Scope(Stacks):
    cluster = serializers.CharField(
        max_length=MOST, required=False, allow_blank=True, trim_whitespace=False, validators=[plain_name]
    )
    namespace = serializers.CharField(
        max_length=MOST, required=False, allow_blank=True, trim_whitespace=False, validators=[plain_name]
    )


class JsonErrorsOnly(BaseContentNegotiation):
    """For a file of one kind: whatever the caller accepts, the file is sent, and a refusal is JSON."""

    def select_parser(self, request: Any, parsers: Iterable[Any]) -> Any:
        return next(iter(parsers))

    def select_renderer(
        self, request: Any, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


def query(request: Any) -> dict[str, Any]:
    """The query as data: `stack` may be repeated, of anything else the last one counts."""
    found: dict[str, Any] = {key: value for key, value in request.query_params.items() if key != "stack"}
    if "stack" in request.query_params:
        found["stack"] = request.query_params.getlist("stack")
    return found


class SignalList(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(parameters=[STACK], responses={200: dict}, operation_id="signals_list")
    def get(self, request: Any) -> Response:
        """The signal catalogue in both languages: signals with an expression per stack, and stacks."""
        return Response(as_data(checked(Stacks(data=query(request))).get("stack", [])))


class SignalRules(APIView):
    permission_classes = [IsAuthenticated]
    content_negotiation_class = JsonErrorsOnly

    @extend_schema(
        parameters=[STACK, CLUSTER, NAMESPACE],
        responses={(200, "application/yaml"): OpenApiTypes.STR},
        operation_id="signals_rules",
    )
    def get(self, request: Any) -> HttpResponse:
        """Recording rules for Prometheus, narrowed to a cluster and a namespace."""
        given = checked(Scope(data=query(request)))
        scope = scope_of(given.get("cluster", ""), given.get("namespace", ""))
        return rules_response(given.get("stack", []), scope)

"""Roadmaps and their steps."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.pagination import BasePagination
from rest_framework.response import Response
from rest_framework.views import APIView

from assessments import selectors as assessments
from llm_remediation import selectors
from llm_remediation.api import serializers, shapes
from llm_remediation.models import RoadmapItem
from llm_remediation.services import items, roadmaps
from portal.accounts.domain.permissions import Action
from portal.api.pagination import Pages
from portal.api.preconditions import expected_version, if_match
from portal.api.serializers import checked

IF_MATCH = if_match('The version of the step you saw, quoted: "3".')


class RoadmapList(APIView):
    required_actions = {"GET": Action.ROADMAPS_VIEW, "POST": Action.ROADMAPS_EDIT}
    pagination_class: type[BasePagination] = Pages

    @extend_schema(operation_id="roadmaps_list", responses={200: dict})
    def get(self, request: Any, slug: str) -> Response:
        """The organisation's roadmaps, newest first."""
        pages = Pages()
        rows = pages.paginate_queryset(selectors.roadmaps(request.organisation), request, view=self)
        return pages.get_paginated_response([shapes.summary(selectors.summary(row)) for row in rows or ()])

    @extend_schema(request=serializers.DrawUp, responses={201: dict})
    def post(self, request: Any, slug: str) -> Response:
        """Draw up a roadmap from an assessment under budgets per wave."""
        data = checked(serializers.DrawUp(data=request.data))
        made = roadmaps.draw_up(
            organisation=request.organisation,
            assessment=assessments.assessment(request.organisation, data["assessment"]),
            actor=request.user,
            name=data["name"],
            wishes=roadmaps.Wishes(
                budgets=[serializers.budget(each) for each in data["budgets"]],
                default_target=data["default_target"],
                targets=data["targets"],
            ),
        )
        return Response(shapes.roadmap(selectors.detail(request.organisation, made.pk)), status=201)


class RoadmapOne(APIView):
    required_actions = {"GET": Action.ROADMAPS_VIEW}

    @extend_schema(operation_id="roadmaps_one", responses={200: dict})
    def get(self, request: Any, slug: str, roadmap_id: Any) -> Response:
        """A roadmap with its waves, what was left out and why."""
        return Response(shapes.roadmap(selectors.detail(request.organisation, roadmap_id)))


class ItemOne(APIView):
    required_actions = {"GET": Action.ROADMAPS_VIEW, "PATCH": Action.ROADMAPS_EDIT}

    @extend_schema(responses={200: dict})
    def get(self, request: Any, slug: str, roadmap_id: Any, item_id: Any) -> Response:
        """A step with the version a change must name."""
        return answer(selectors.item(request.organisation, roadmap_id, item_id))

    @extend_schema(request=serializers.StepChange, parameters=[IF_MATCH], responses={200: dict, 409: dict})
    def patch(self, request: Any, slug: str, roadmap_id: Any, item_id: Any) -> Response:
        """Change owner, date, status, wave or estimates; 409 with both values where somebody was faster."""
        row = selectors.item(request.organisation, roadmap_id, item_id)
        version = expected_version(request)
        data = checked(serializers.StepChange(data=request.data))
        wanted = items.Change(**data)
        return answer(items.change(item=row, actor=request.user, expected_version=version, wanted=wanted))


class ItemConfirm(APIView):
    required_actions = {"POST": Action.ROADMAPS_CLOSE}

    @extend_schema(request=serializers.Confirmation, parameters=[IF_MATCH], responses={200: dict, 409: dict})
    def post(self, request: Any, slug: str, roadmap_id: Any, item_id: Any) -> Response:
        """Close a step on evidence ("confirmed, not replayed"); never by its owner."""
        row = selectors.item(request.organisation, roadmap_id, item_id)
        version = expected_version(request)
        data = checked(serializers.Confirmation(data=request.data))
        done = items.confirm(
            item=row, actor=request.user, expected_version=version, evidence=data["evidence"]
        )
        return answer(done)


class ItemReopen(APIView):
    required_actions = {"POST": Action.ROADMAPS_CLOSE}

    @extend_schema(request=None, parameters=[IF_MATCH], responses={200: dict, 409: dict})
    def post(self, request: Any, slug: str, roadmap_id: Any, item_id: Any) -> Response:
        """Take a confirmation back."""
        row = selectors.item(request.organisation, roadmap_id, item_id)
        version = expected_version(request)
        return answer(items.reopen(item=row, actor=request.user, expected_version=version))


def answer(row: RoadmapItem) -> Response:
    """A step with its version as ETag."""
    return Response(shapes.item(row), headers={"ETag": f'"{row.version}"'})

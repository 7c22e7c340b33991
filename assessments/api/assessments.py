"""Assessments, their scorecards and milestones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.pagination import BasePagination
from rest_framework.response import Response
from rest_framework.views import APIView

from assessments import matrix_selectors, selectors
from assessments.api import serializers, shapes
from assessments.domain.compare import compare_sides
from assessments.domain.json_values import parse_moment
from assessments.services import milestones, openings
from portal.accounts.domain.permissions import Action
from portal.api.pagination import Pages
from portal.api.serializers import checked
from portal.clusters import selectors as clusters
from portal.errors import Invalid, NotFound

AS_OF = OpenApiParameter("as_of", datetime, description="Score as of this moment (ISO 8601 with time zone).")


@contextmanager
def at(place: str) -> Iterator[None]:
    """Say which field named what cannot be found."""
    try:
        yield
    except NotFound as error:
        raise NotFound(error.code, error.message, place=place) from None


def as_of(request: Any) -> datetime | None:
    """`?as_of=` as an aware datetime; Invalid with a place where it is none."""
    raw = request.query_params.get("as_of")
    if not raw:
        return None
    try:
        return parse_moment(raw)
    except ValueError:
        raise Invalid(
            "as_of_invalid", _("as_of must be a date and time with a time zone, ISO 8601."), place="as_of"
        ) from None


class AssessmentList(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "POST": Action.ASSESSMENTS_CREATE}
    pagination_class: type[BasePagination] = Pages

    @extend_schema(operation_id="assessments_list", responses={200: dict})
    def get(self, request: Any, slug: str) -> Response:
        """The organisation's assessments, newest first."""
        pages = Pages()
        rows = pages.paginate_queryset(selectors.assessments(request.organisation), request, view=self)
        return pages.get_paginated_response([shapes.assessment(row) for row in rows or ()])

    @extend_schema(request=serializers.OpenAssessment, responses={201: dict})
    def post(self, request: Any, slug: str) -> Response:
        """Open an assessment."""
        data = checked(serializers.OpenAssessment(data=request.data))
        source = data.get("carry_from")
        with at("cluster"):
            cluster = clusters.cluster(request.organisation.pk, data["cluster"])
        with at("carry_from"):
            carry_from = selectors.assessment(request.organisation, source) if source else None
        with at("matrix"):
            wanted = data.get("matrix")
            version = matrix_selectors.version(request.organisation, wanted, usable=True) if wanted else None
        row = openings.open_assessment(
            organisation=request.organisation,
            cluster=cluster,
            actor=request.user,
            name=data["name"],
            scope=data["scope"],
            carry_from=carry_from,
            matrix_version=version,
        )
        return Response(shapes.assessment(row), status=201)


class AssessmentOne(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "PATCH": Action.MILESTONES_LOCK}

    @extend_schema(responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """One assessment."""
        return Response(shapes.assessment(selectors.assessment(request.organisation, assessment_id)))

    @extend_schema(request=serializers.StatusChange, responses={200: dict})
    def patch(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """Close or reopen."""
        row = selectors.assessment(request.organisation, assessment_id)
        data = checked(serializers.StatusChange(data=request.data))
        openings.set_status(assessment=row, actor=request.user, status=data["status"])
        return Response(shapes.assessment(row))


class ScorecardOne(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(parameters=[AS_OF], responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """The scores: the same JSON as `manage.py score --json`."""
        row = selectors.assessment(request.organisation, assessment_id)
        return Response(selectors.scorecard(row, as_of=as_of(request)).as_dict())


class MilestoneList(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "POST": Action.MILESTONES_LOCK}

    @extend_schema(operation_id="milestones_list", responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """The milestones of an assessment, oldest first."""
        row = selectors.assessment(request.organisation, assessment_id)
        return Response({"results": [shapes.milestone(each) for each in selectors.milestones(row)]})

    @extend_schema(request=serializers.MilestoneNew, responses={201: dict})
    def post(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """Freeze the assessment as it is now."""
        row = selectors.assessment(request.organisation, assessment_id)
        data = checked(serializers.MilestoneNew(data=request.data))
        made = milestones.lock(assessment=row, actor=request.user, name=data["name"])
        return Response(shapes.milestone(made), status=201)


class MilestoneOne(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(operation_id="milestones_one", responses={200: dict})
    def get(self, request: Any, slug: str, milestone_id: Any) -> Response:
        """A milestone with its frozen state and whether it still has its hash."""
        row = selectors.milestone(request.organisation, milestone_id)
        return Response({**shapes.milestone(row, whole=True), "intact": milestones.intact(row)})


class Compare(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(
        parameters=[
            OpenApiParameter("a", str, required=True, description="a:<assessment id> or m:<milestone id>"),
            OpenApiParameter("b", str, required=True, description="a:<assessment id> or m:<milestone id>"),
        ],
        responses={200: dict},
    )
    def get(self, request: Any, slug: str) -> Response:
        """Two assessments or milestones side by side: the numbers of the compare page."""
        sides = []
        for name in ("a", "b"):
            chosen = request.query_params.get(name, "")
            if not chosen:
                raise Invalid("side_missing", _("Say what to compare: a and b."), place=name)
            with at(name):
                sides.append(selectors.comparable(request.organisation, chosen).side)
        return Response(compare_sides(*sides).as_dict())


class MatrixOne(APIView):
    required_actions = {"GET": Action.MATRIX_VIEW}

    @extend_schema(
        parameters=[OpenApiParameter("version", str, description="SHA-256 or name of a version")],
        responses={200: dict},
    )
    def get(self, request: Any, slug: str) -> Response:
        """A matrix (default: the newest shipped one) in the language of the request (Accept-Language)."""
        wanted = request.query_params.get("version") or selectors.newest_matrix_version().sha256
        return Response(shapes.matrix(matrix_selectors.matrix(request.organisation, wanted)))

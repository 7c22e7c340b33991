"""Asking for a report through the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from portal.accounts.domain.permissions import Action
from portal.dashboard import report_order
from portal.errors import Invalid
from portal.reports.api import ReportList, shape
from portal.reports.services import LANGUAGES


class NewReport(serializers.Serializer[Any]):
    """`against` is `a:<uuid>` (an assessment now) or `m:<uuid>` (a milestone)."""

    assessment = serializers.UUIDField()
    language = serializers.ChoiceField(choices=LANGUAGES)
    against = serializers.CharField(required=False, allow_blank=True, max_length=60)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise Invalid("unknown_field", _("This field is not known here."), place=str(unknown[0]))
        return super().to_internal_value(data)


class Reports(ReportList):
    required_actions = {"GET": Action.REPORTS_VIEW, "POST": Action.REPORTS_CREATE}

    @extend_schema(operation_id="reports_create", request=NewReport, responses={202: dict})
    def post(self, request: Any, slug: str) -> Response:
        """Ask for a PDF of an assessment. Answers at once; read the report until its state is `done`."""
        given = NewReport(data=request.data)
        given.is_valid(raise_exception=True)
        row = report_order.place(
            organisation=request.organisation,
            user=request.user,
            assessment_id=given.validated_data["assessment"],
            language=given.validated_data["language"],
            against=given.validated_data.get("against", ""),
        )
        return Response(shape(row), status=202)

"""Answers from a filled-in sheet: send it, look at what would change, apply."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from assessments import selectors
from assessments.api.serializers import Text
from assessments.models import AnswerImport
from assessments.services import imports
from portal.accounts.domain.permissions import Action
from portal.api.serializers import Strict, checked
from portal.errors import Invalid


class SheetNew(Strict):
    """A CSV or XLSX as the export writes it (multipart)."""

    file = serializers.FileField()


class ApplyImport(Strict):
    """`overwrite` names practices to write although somebody answered them since the export."""

    overwrite = serializers.ListField(child=Text(max_length=10), required=False, max_length=200)


def shape(row: AnswerImport) -> dict[str, Any]:
    """A sent sheet with what applying would do now, or what it did."""
    body = {
        "id": str(row.pk),
        "file_name": row.file_name,
        "sha256": row.sha256,
        "created_by": str(row.created_by),
        "created_at": row.created_at,
        "applied_at": row.applied_at,
        "outcome": row.outcome,
    }
    if row.applied_at:
        return body
    rows = [
        {
            "row": each.answer.row,
            "practice": each.answer.practice,
            "change": each.change.value,
            "version": each.answer.version,
        }
        for each in imports.planned(row)
    ]
    return {**body, "rows": rows}


class ImportList(APIView):
    required_actions = {"POST": Action.ASSESSMENTS_ANSWER}

    @extend_schema(operation_id="imports_create", request=SheetNew, responses={201: dict, 400: dict})
    def post(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """Send a sheet; 400 with every problem by row and column, else 201 with the preview."""
        one = selectors.assessment(request.organisation, assessment_id)
        file = checked(SheetNew(data=request.data))["file"]
        try:
            made = imports.prepare(
                assessment=one,
                actor=request.user,
                file_name=file.name,
                content=file.read(imports.MAX_BYTES + 1),
            )
        except Invalid as refused:
            for each in refused.extra.get("problems", []):
                each["message"] = imports.problem_words(each)
            raise
        return Response(shape(made), status=201)


class ImportOne(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(operation_id="imports_get", responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any, import_id: Any) -> Response:
        """A sent sheet: the preview as it stands now, or the outcome."""
        return Response(shape(selectors.answer_import(request.organisation, assessment_id, import_id)))


class ImportApply(APIView):
    required_actions = {"POST": Action.ASSESSMENTS_ANSWER}

    @extend_schema(operation_id="imports_apply", request=ApplyImport, responses={200: dict, 409: dict})
    def post(self, request: Any, slug: str, assessment_id: Any, import_id: Any) -> Response:
        """Write the new and changed answers in one transaction; again: the first outcome."""
        row = selectors.answer_import(request.organisation, assessment_id, import_id)
        data = checked(ApplyImport(data=request.data))
        imports.apply(row=row, actor=request.user, overwrite=data.get("overwrite", []))
        return Response(shape(selectors.answer_import(request.organisation, assessment_id, import_id)))

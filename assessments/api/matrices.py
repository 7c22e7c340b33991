"""Matrix versions: list, upload, release, retire, compare, and the move of an assessment to another one."""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from assessments import matrix_problem_words, matrix_selectors, selectors
from assessments.api.serializers import Text
from assessments.domain.matrix_diff import diff
from assessments.domain.matrix_files import MAX_FILES
from assessments.domain.tree_reading import MAX_UPLOAD_BYTES
from assessments.matrix_selectors import Version
from assessments.models import CustomMatrix, MatrixMigration
from assessments.services import custom_matrices, matrix_migrations
from portal.accounts.domain.permissions import Action
from portal.api.preconditions import if_match
from portal.api.serializers import Strict, checked
from portal.errors import Invalid, PreconditionMissing

VERSION = "SHA-256 of the version, at least its first 12 characters, or its name such as 2.3"
ETAG = re.compile(r'(?:W/)?"?([0-9a-f]{64})"?')


class MatrixUpload(Strict):
    """Either `files` (multipart: one YAML, JSON or XLSX file, or the seven of a folder) or `document` (JSON).

    `document` is a whole matrix (`format: ballast-matrix/1`) or an overlay (`format: ballast-overlay/1`).
    """

    name = Text(required=False, allow_blank=True, max_length=120)
    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), required=False)
    document = serializers.JSONField(required=False)


class MigrationAsked(Strict):
    """`version` names the matrix to move to; `map` says what differs from "the same id" (docs/guide)."""

    version = Text(max_length=64)
    map = serializers.JSONField(required=False)
    milestone = Text(required=False, allow_blank=True, max_length=120)


def version_shape(each: Version) -> dict[str, Any]:
    """A released version."""
    return {
        "sha256": each.sha256,
        "version": each.version,
        "name": each.name or None,
        "shipped": each.custom is None,
        "usable": each.usable,
        "released_at": each.released_at,
    }


def custom_shape(row: CustomMatrix, *, whole: bool = False) -> dict[str, Any]:
    """An own matrix; with `whole` its provenance and findings too."""
    shape = {
        "id": str(row.pk),
        "name": row.name,
        "version": row.version,
        "sha256": row.sha256,
        "status": row.status,
        "source": row.source_name,
        "parent": row.parent_sha256 or None,
        "warning_count": row.warning_count,
        "created_by": str(row.created_by),
        "created_at": row.created_at,
        "changed_by": str(row.changed_by) if row.changed_by else None,
        "changed_at": row.changed_at,
    }
    if not whole:
        return shape
    return {
        **shape,
        "warnings": [matrix_problem_words.explained(each) for each in row.warnings],
        "provenance": row.provenance,
        "ignored": row.ignored,
        "consequences": [{"code": code, "subject": subject} for code, subject in row.consequences],
    }


def migration_shape(row: MatrixMigration, *, whole: bool = False) -> dict[str, Any]:
    """A move that was applied; with `whole` its map, its plan and every answer that was not carried over."""
    shape = {
        "id": str(row.pk),
        "assessment": str(row.assessment_id),
        "from": {"version": row.from_version.version, "sha256": row.from_version_id},
        "to": {"version": row.to_version.version, "sha256": row.to_version_id},
        "counts": row.plan["counts"],
        "milestone": str(row.milestone_id),
        "applied_by": str(row.applied_by),
        "applied_at": row.applied_at,
    }
    if not whole:
        return shape
    return {
        **shape,
        "map": row.mapping,
        "plan": row.plan,
        "archived": row.archived,
        "evidence": row.evidence,
    }


class MatrixList(APIView):
    required_actions = {"GET": Action.MATRIX_VIEW, "POST": Action.MATRIX_MANAGE}

    @extend_schema(operation_id="matrices_list", responses={200: dict})
    def get(self, request: Any, slug: str) -> Response:
        """The released versions that the organisation sees, and its own matrices in every state."""
        return Response(
            {
                "versions": [version_shape(each) for each in matrix_selectors.versions(request.organisation)],
                "own": [custom_shape(row) for row in matrix_selectors.customs(request.organisation)],
            }
        )

    @extend_schema(
        request={"multipart/form-data": MatrixUpload, "application/json": MatrixUpload}, responses={201: dict}
    )
    def post(self, request: Any, slug: str) -> Response:
        """Upload a matrix or an overlay as a draft; 400 lists every problem, 200 if it was there."""
        row, new = custom_matrices.upload(
            organisation=request.organisation, actor=request.user, files=_files(request), name=_name(request)
        )
        return Response(custom_shape(row, whole=True), status=201 if new else 200)


def _name(request: Any) -> str:
    return str(request.data.get("name") or "") if hasattr(request.data, "get") else ""


def _files(request: Any) -> list[tuple[str, bytes]]:
    sent = request.FILES.getlist("files")
    if sent:
        # One byte more than is allowed shows that a file is too large.
        return [(each.name or "file", each.read(MAX_UPLOAD_BYTES + 1)) for each in sent[: MAX_FILES + 1]]
    data = checked(MatrixUpload(data=request.data))
    if data.get("document") is None:
        raise Invalid("upload_missing", _("Send files or a document."), place="document")
    body = json.dumps(data["document"], ensure_ascii=False, indent=1)
    return [("document.json", body.encode("utf-8", "surrogatepass"))]


class MatrixCustom(APIView):
    required_actions = {"GET": Action.MATRIX_VIEW}

    @extend_schema(operation_id="matrices_one", responses={200: dict})
    def get(self, request: Any, slug: str, custom_matrix_id: Any) -> Response:
        """One of the organisation's own matrices with provenance, warnings and what an overlay led to."""
        return Response(
            custom_shape(matrix_selectors.custom(request.organisation, custom_matrix_id), whole=True)
        )


class MatrixRelease(APIView):
    required_actions = {"POST": Action.MATRIX_MANAGE}

    @extend_schema(request=None, responses={200: dict})
    def post(self, request: Any, slug: str, custom_matrix_id: Any) -> Response:
        """Make a draft usable, or a retired matrix usable again."""
        row = matrix_selectors.custom(request.organisation, custom_matrix_id)
        return Response(custom_shape(custom_matrices.release(row=row, actor=request.user)))


class MatrixRetire(APIView):
    required_actions = {"POST": Action.MATRIX_MANAGE}

    @extend_schema(request=None, responses={200: dict})
    def post(self, request: Any, slug: str, custom_matrix_id: Any) -> Response:
        """Offer a matrix no more; assessments that use it keep it."""
        row = matrix_selectors.custom(request.organisation, custom_matrix_id)
        return Response(custom_shape(custom_matrices.retire(row=row, actor=request.user)))


class MatrixDifference(APIView):
    required_actions = {"GET": Action.MATRIX_VIEW}

    @extend_schema(
        parameters=[
            OpenApiParameter("a", str, required=True, description=VERSION),
            OpenApiParameter("b", str, required=True, description=VERSION),
        ],
        responses={200: dict},
    )
    def get(self, request: Any, slug: str) -> Response:
        """What differs from version a to version b: practices, texts, clauses, weights, needs, targets."""
        sides = []
        for name in ("a", "b"):
            wanted = request.query_params.get(name, "")
            if not wanted:
                raise Invalid("side_missing", _("Say what to compare: a and b."), place=name)
            sides.append(matrix_selectors.matrix(request.organisation, wanted))
        return Response(diff(*sides).as_dict())


class MigrationPreview(APIView):
    required_actions = {"POST": Action.ASSESSMENTS_MIGRATE}

    @extend_schema(request=MigrationAsked, responses={200: dict})
    def post(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """What moving the assessment would do, answer by answer; the ETag is what applying asks for."""
        one = selectors.assessment(request.organisation, assessment_id)
        data = checked(MigrationAsked(data=request.data))
        to = matrix_selectors.find(request.organisation, data["version"], usable=True)
        found = matrix_migrations.preview(assessment=one, to=to.sha256, mapping=data.get("map"))
        body = {
            "to": version_shape(to),
            "map": found.mapping.as_dict(),
            "etag": found.sha256,
            **found.plan.as_dict(),
            "problems": [matrix_problem_words.explained(each.as_dict()) for each in found.problems],
        }
        return Response(body, headers={"ETag": f'"{found.sha256}"'})


class MigrationList(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "POST": Action.ASSESSMENTS_MIGRATE}

    @extend_schema(operation_id="migrations_list", responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """The moves of an assessment to other matrix versions, newest first."""
        one = selectors.assessment(request.organisation, assessment_id)
        return Response({"results": [migration_shape(row) for row in matrix_selectors.migrations(one)]})

    @extend_schema(
        request=MigrationAsked,
        parameters=[if_match("The ETag of the preview; 409 where anything has changed since.")],
        responses={201: dict},
    )
    def post(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """Move the assessment as the preview said; a milestone is locked first, every old answer stays."""
        one = selectors.assessment(request.organisation, assessment_id)
        data = checked(MigrationAsked(data=request.data))
        raw = request.headers.get("If-Match")
        if raw is None:
            raise PreconditionMissing(
                "if_match_missing", _("Send If-Match with the ETag of the preview."), place="If-Match"
            )
        etag = ETAG.fullmatch(raw.strip())
        if etag is None:
            raise Invalid("if_match_invalid", _("If-Match must be the ETag of a preview."), place="If-Match")
        to = matrix_selectors.find(request.organisation, data["version"])
        row = matrix_migrations.apply(
            assessment=one,
            to=to.sha256,
            mapping=data.get("map"),
            expected=etag.group(1),
            actor=request.user,
            milestone_name=data.get("milestone", ""),
        )
        return Response(migration_shape(row, whole=True), status=201)


class MigrationOne(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(operation_id="migrations_one", responses={200: dict})
    def get(self, request: Any, slug: str, migration_id: Any) -> Response:
        """One move with its map, its plan and every old answer that was not carried over."""
        return Response(
            migration_shape(matrix_selectors.migration(request.organisation, migration_id), whole=True)
        )

"""What is known about a cluster in numbers: KPIs, practice values, facts from a file or one by one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from assessments import kpi_selectors, selectors
from assessments.api.assessments import AS_OF, as_of
from assessments.api.serializers import Moment, Text
from assessments.domain.kpis.numbers import NUMBERS, Reading
from assessments.models import KpiSource, KpiUpload
from assessments.services import kpis
from portal.accounts.domain.permissions import Action
from portal.api.serializers import Strict, checked
from portal.clusters import selectors as clusters

MOST_UPLOADS = 50


class Number(serializers.FloatField):
    """A JSON number; "3" and true are refused."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class FactsFile(Strict):
    """A CSV of facts (multipart); with `dry_run` the answer says what would happen and nothing is stored."""

    file = serializers.FileField(allow_empty_file=True)
    dry_run = serializers.BooleanField(required=False)


class NumberGiven(Strict):
    """`name` and unit as `numbers_known` of GET lists them; without `service` it is about the cluster."""

    name = Text(max_length=80)
    value = Number()
    service = Text(required=False, allow_blank=True, max_length=80)


class NumbersGiven(Strict):
    """Numbers about one window: all are stored, or none."""

    start = Moment()
    end = Moment()
    numbers = serializers.ListField(child=NumberGiven(), min_length=1, max_length=kpis.MOST_NUMBERS)
    note = Text(required=False, allow_blank=True, max_length=500)


def reading_shape(each: Reading) -> dict[str, Any]:
    """The newest usable value of a number."""
    kind = NUMBERS[each.name]
    return {
        "name": each.name,
        "service": each.service or None,
        "value": each.value,
        "unit": kind.unit,
        "start": each.start,
        "end": each.end,
        "used_by": kind.used_by,
    }


def upload_shape(row: KpiUpload) -> dict[str, Any]:
    """A file or a form that somebody gave."""
    return {
        "id": str(row.pk),
        "source": row.source,
        "file_name": row.file_name or None,
        "sha256": row.sha256,
        "rows": row.rows,
        "uploaded_by": str(row.uploaded_by),
        "at": row.at,
    }


def recorded_shape(found: kpis.Recorded) -> dict[str, Any]:
    """What was stored."""
    return {
        "stored": found.new,
        "counts": found.counts,
        "upload": upload_shape(found.upload) if found.upload else None,
    }


class ClusterKpis(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(operation_id="kpis_get", parameters=[AS_OF], responses={200: dict})
    def get(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """The headline KPIs of a cluster, the numbers that are known of it, and who gave them."""
        one = clusters.cluster(request.organisation.pk, cluster_id)
        moment = as_of(request) or timezone.now()
        found = kpi_selectors.readings_of(request.organisation, one, moment)
        uploads = kpi_selectors.uploads_of(request.organisation, one)[:MOST_UPLOADS]
        return Response(
            {
                "cluster": {"id": str(one.pk), "name": one.name},
                "as_of": moment,
                "headlines": [
                    each.as_dict() for each in kpi_selectors.headlines_of(request.organisation, one, moment)
                ],
                "numbers": [reading_shape(found[key]) for key in sorted(found)],
                "numbers_known": [asdict(each) for each in NUMBERS.values()],
                "uploads": [upload_shape(row) for row in uploads],
            }
        )


class ClusterKpiCsv(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "POST": Action.ASSESSMENTS_ANSWER}

    @extend_schema(operation_id="kpis_csv_get", responses={(200, "text/csv"): OpenApiTypes.BINARY})
    def get(self, request: Any, slug: str, cluster_id: Any) -> HttpResponse:
        """Every fact of the cluster that holds, as a CSV that can be sent back."""
        one = clusters.cluster(request.organisation.pk, cluster_id)
        content = kpis.export(organisation=request.organisation, cluster=one)
        response = HttpResponse(content, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = content_disposition_header(True, f"kpis-{one.name}.csv") or (
            "attachment"
        )
        response["X-Content-Type-Options"] = "nosniff"
        response["Cache-Control"] = "private, no-store"
        return response

    @extend_schema(
        operation_id="kpis_csv_post",
        request={"multipart/form-data": FactsFile},
        responses={200: dict, 201: dict, 400: dict},
    )
    def post(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """Store the facts of a CSV; 400 with every problem by row and column, 200 if nothing was new."""
        one = clusters.cluster(request.organisation.pk, cluster_id)
        data = checked(FactsFile(data=request.data))
        # One byte more than is allowed shows that a file is too large.
        content = data["file"].read(kpis.MAX_BYTES + 1)
        if data.get("dry_run"):
            found = kpis.preview(cluster=one, content=content)
            if found.problems:
                raise kpis.refused(found.problems)
            upload = upload_shape(found.upload) if found.upload else None
            return Response({"stored": False, "counts": found.counts(), "upload": upload})
        stored = kpis.record_csv(
            cluster=one, actor=request.user, file_name=data["file"].name, content=content
        )
        return Response(recorded_shape(stored), status=201 if stored.new else 200)


class ClusterKpiNumbers(APIView):
    required_actions = {"POST": Action.ASSESSMENTS_ANSWER}

    @extend_schema(
        operation_id="kpis_numbers_post",
        request=NumbersGiven,
        responses={200: dict, 201: dict, 400: dict},
    )
    def post(self, request: Any, slug: str, cluster_id: Any) -> Response:
        """Store several numbers about one window at once, all or none; 200 if nothing was new."""
        one = clusters.cluster(request.organisation.pk, cluster_id)
        data = checked(NumbersGiven(data=request.data))
        stored = kpis.set_numbers(
            cluster=one,
            actor=request.user,
            numbers=[
                kpis.Given(each["name"], each["value"], each.get("service", "")) for each in data["numbers"]
            ],
            start=data["start"],
            end=data["end"],
            source=KpiSource.API,
            note=data.get("note", ""),
        )
        return Response(recorded_shape(stored), status=201 if stored.new else 200)


class AssessmentKpis(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(operation_id="kpis_practices", parameters=[AS_OF], responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """Measured values per practice, targets met or missed, and the level they suggest; sets nothing."""
        one = selectors.assessment(request.organisation, assessment_id)
        moment = as_of(request) or timezone.now()
        found = selectors.practice_kpis_of(one, as_of=moment)
        return Response(
            {
                "assessment": str(one.pk),
                "as_of": moment,
                "practices": [found[practice].as_dict() for practice in sorted(found)],
            }
        )

"""Reports through the API: list, one, its PDF. Creating one composes data: portal.dashboard.api."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.pagination import BasePagination
from rest_framework.response import Response
from rest_framework.views import APIView

from portal.accounts.domain.permissions import Action
from portal.api.pagination import Pages
from portal.reports import selectors, services
from portal.reports.downloads import pdf_response
from portal.reports.models import Report


def shape(one: Report) -> dict[str, Any]:
    """The JSON of a report."""
    return {
        "id": str(one.pk),
        "title": one.title,
        "template": one.template,
        "language": one.language,
        "subject": one.subject_id,
        "state": one.state,
        "attempts": one.attempts,
        "error": one.error,
        "pages": one.pages,
        "sha256": one.pdf_sha256,
        "requested_by": str(one.requested_by),
        "created_at": one.created_at.isoformat(),
        "finished_at": one.finished_at.isoformat() if one.finished_at else None,
    }


class ReportList(APIView):
    required_actions = {"GET": Action.REPORTS_VIEW}
    pagination_class: type[BasePagination] = Pages

    @extend_schema(operation_id="reports_list", responses={200: dict})
    def get(self, request: Any, slug: str) -> Response:
        """The organisation's reports, newest first."""
        pages = Pages()
        rows = pages.paginate_queryset(selectors.reports(request.organisation), request, view=self)
        return pages.get_paginated_response([shape(row) for row in rows or ()])


class ReportOne(APIView):
    required_actions = {"GET": Action.REPORTS_VIEW, "DELETE": Action.REPORTS_CREATE}

    @extend_schema(responses={200: dict})
    def get(self, request: Any, slug: str, report_id: Any) -> Response:
        """One report and its state: queued, running, done, failed or cancelled."""
        return Response(shape(selectors.report(request.organisation, report_id)))

    @extend_schema(responses={200: dict})
    def delete(self, request: Any, slug: str, report_id: Any) -> Response:
        """Cancel it while it waits or is being made; 409 afterwards. The row stays."""
        services.cancel(report=selectors.report(request.organisation, report_id), actor=request.user)
        return Response(shape(selectors.report(request.organisation, report_id)))


class ReportPdf(APIView):
    required_actions = {"GET": Action.REPORTS_VIEW}

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def get(self, request: Any, slug: str, report_id: Any) -> HttpResponse:
        """The PDF; 409 while it is not finished."""
        one = selectors.report(request.organisation, report_id)
        return pdf_response(one, selectors.pdf(one))

"""Routes of the reports API, under /api/v1/o/<slug>/."""

from django.urls import path

from portal.dashboard.api import Reports
from portal.reports import api

urlpatterns = [
    path("reports", Reports.as_view(), name="api-reports"),
    path("reports/<uuid:report_id>", api.ReportOne.as_view(), name="api-report"),
    path("reports/<uuid:report_id>/pdf", api.ReportPdf.as_view(), name="api-report-pdf"),
]

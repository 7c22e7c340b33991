"""A finished PDF as an answer to a browser or a program."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from portal.reports import selectors
from portal.reports.models import Report


def pdf_response(one: Report, pdf: bytes) -> HttpResponse:
    """The PDF as an attachment with its name in any language, never sniffed and never cached by others."""
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = (
        content_disposition_header(True, selectors.file_name(one)) or "attachment"
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response

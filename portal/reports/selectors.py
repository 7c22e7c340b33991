"""Reads of reports. Everything goes through the organisation; missing and foreign look the same."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from portal.errors import Conflict, NotFound
from portal.reports.models import Report, ReportState

WORKER_KEY = "reports.worker-seen"
# The beat wakes a worker every 30 s; twice missed and a half means that there is none.
WORKER_SILENT_AFTER = timedelta(seconds=75)
OPEN = (ReportState.QUEUED, ReportState.RUNNING)
# A PDF is loaded only where it is sent.
_HEAVY = ("pdf", "data")


def reports(organisation: Any) -> QuerySet[Report]:
    """The organisation's reports without their bytes, newest first."""
    return (
        Report.objects.filter(organisation=organisation)
        .defer(*_HEAVY)
        .select_related("requested_by")
        .order_by("-created_at", "pk")
    )


def report(organisation: Any, report_id: Any) -> Report:
    """One report of the organisation without its bytes, or NotFound."""
    try:
        wanted = report_id if isinstance(report_id, uuid.UUID) else uuid.UUID(str(report_id))
    except ValueError:
        raise not_found() from None
    found = reports(organisation).filter(pk=wanted).first()
    if found is None:
        raise not_found()
    return found


def pdf(one: Report) -> bytes:
    """The finished PDF; Conflict where it is not finished."""
    stored = Report.objects.filter(pk=one.pk, state=ReportState.DONE).values_list("pdf", flat=True).first()
    if stored is None:
        raise Conflict("not_ready", _("This report is not finished."), retryable=one.state in OPEN)
    return bytes(stored)


def file_name(one: Report) -> str:
    """What the download is called: the title, in whatever language, and the date."""
    title = "".join(char if char.isalnum() or char in " -_.()" else " " for char in one.title)
    return f"{' '.join(title.split())[:120] or 'report'} {one.created_at:%Y-%m-%d}.pdf"


def worker_seen() -> datetime | None:
    """When a worker last said that it is there; None where none ever did."""
    return parse_datetime(str(cache.get(WORKER_KEY) or ""))


def worker_is_silent(now: datetime | None = None) -> bool:
    """Whether no worker has been heard of for longer than the beat allows."""
    seen = worker_seen()
    return seen is None or (now or timezone.now()) - seen > WORKER_SILENT_AFTER


def not_found() -> NotFound:
    """The one answer for what is missing or belongs to somebody else."""
    return NotFound("not_found", _("There is no such report here."))

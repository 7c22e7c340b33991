"""Ordering a report: compose its data now, queue it, wake a worker once that is stored."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.dashboard import report_data
from portal.reports import services, tasks


def place(*, organisation: Any, user: Any, assessment_id: Any, language: str, against: str = "") -> Any:
    """The queued report of an assessment. NotFound for what is not theirs; else see services.request."""
    language = services.checked_language(language)
    order = report_data.Order(language=language, author=str(user), against=against)
    with transaction.atomic():
        data = report_data.compose(organisation, assessment_id, order, as_of=timezone.now())
        row = services.request(
            organisation=organisation,
            user=user,
            template=report_data.TEMPLATE,
            language=language,
            title=data["title"],
            subject_id=str(assessment_id),
            data=data,
        )
        transaction.on_commit(tasks.wake)
    return row

"""The queue of reports: the row is the queue, a lease says who works on it.

A worker claims a row by a conditional UPDATE, renders outside any transaction, and writes the result only
where the lease is still its own. A worker that dies leaves a lease that runs out; `reap` puts the row back.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from portal.audit import services as audit
from portal.errors import Conflict, Invalid, TooLarge
from portal.reports import compiler, selectors
from portal.reports.models import Report, ReportState

LANGUAGES = ("en", "zh-hans")
ATTEMPTS = 3
# Longer than the wall limit of a render, so that a living worker never loses its row.
LEASE = timedelta(seconds=compiler.WALL_SECONDS + 40)
MOST_OPEN = 20
TITLE_CHARACTERS = 200


def request(
    *, organisation: Any, user: Any, template: str, language: str, title: str, subject_id: str, data: Any
) -> Report:
    """Queue a report of frozen `data` (JSON values). Nothing is stored where this raises.

    Raises Invalid (`language`, `template`, `data`), TooLarge over 4 MB, Conflict where 20 are waiting.
    """
    language = checked_language(language)
    if not compiler.exists(template):
        raise Invalid("unknown_template", _("There is no report template with this name."), place="template")
    clean = _frozen(data)
    name = " ".join(str(compiler.printable(title)).split())[:TITLE_CHARACTERS]
    with transaction.atomic():
        waiting = Report.objects.filter(organisation=organisation, state__in=selectors.OPEN).count()
        if waiting >= MOST_OPEN:
            raise Conflict(
                "too_many_waiting",
                _("%(count)d reports are waiting already. Try again when some are done.")
                % {"count": waiting},
                retryable=True,
            )
        row = Report.objects.create(
            organisation=organisation,
            requested_by=user,
            template=template,
            language=language,
            title=name,
            subject_id=subject_id,
            data=clean,
        )
        detail = {"title": name, "template": template, "language": language, "subject": subject_id}
        _record(row, user, "report.requested", detail)
    return row


def checked_language(language: str) -> str:
    """The code in lower case; Invalid for a language that reports are not written in."""
    code = language.lower()
    if code not in LANGUAGES:
        raise Invalid(
            "unknown_language",
            _("A report is written in one of: %(known)s.") % {"known": ", ".join(LANGUAGES)},
            place="language",
        )
    return code


def cancel(*, report: Report, actor: Any) -> None:
    """Take a report out of the queue; Conflict where it has ended already."""
    with transaction.atomic():
        changed = Report.objects.filter(pk=report.pk, state__in=selectors.OPEN).update(
            state=ReportState.CANCELLED, lease_until=None, lease_owner="", finished_at=timezone.now()
        )
        if not changed:
            raise Conflict("already_ended", _("This report has ended already."))
        _record(report, actor, "report.cancelled", {"title": report.title})


def claim(owner: str, *, now: datetime | None = None) -> Report | None:
    """The longest waiting report, now leased to `owner`; None where none waits."""
    now = now or timezone.now()
    while True:
        waiting = Report.objects.filter(state=ReportState.QUEUED).order_by("created_at", "pk")
        key = waiting.values_list("pk", flat=True).first()
        if key is None:
            return None
        changed = Report.objects.filter(pk=key, state=ReportState.QUEUED).update(
            state=ReportState.RUNNING, lease_until=now + LEASE, lease_owner=owner, attempts=F("attempts") + 1
        )
        # Otherwise somebody else was faster, or it was cancelled: look for the next one.
        if changed:
            return Report.objects.defer("pdf").get(pk=key)


def finish(*, report: Report, owner: str, pdf: bytes) -> bool:
    """Store the PDF if the lease is still `owner`'s; False where it was lost or the report was cancelled."""
    changed = _held(report, owner).update(
        state=ReportState.DONE,
        pdf=pdf,
        pdf_sha256=hashlib.sha256(pdf).hexdigest(),
        pages=compiler.page_count(pdf),
        error="",
        lease_until=None,
        lease_owner="",
        finished_at=timezone.now(),
    )
    return bool(changed)


def fail(*, report: Report, owner: str, message: str, retryable: bool) -> bool:
    """Note a failed attempt if the lease is still `owner`'s: back into the queue, or failed for good."""
    again = retryable and report.attempts < ATTEMPTS
    changed = _held(report, owner).update(
        state=ReportState.QUEUED if again else ReportState.FAILED,
        error=message,
        lease_until=None,
        lease_owner="",
        finished_at=None if again else timezone.now(),
    )
    return bool(changed)


def reap(*, now: datetime | None = None) -> int:
    """Put reports back whose worker is gone (lease run out); after the third attempt they fail.

    Returns how many rows changed.
    """
    now = now or timezone.now()
    lost = Q(state=ReportState.RUNNING) & (Q(lease_until__lt=now) | Q(lease_until=None))
    changed = 0
    for language in LANGUAGES:
        with translation.override(language):
            message = _("The worker stopped before the report was finished.")
        own = Report.objects.filter(lost, language=language)
        changed += own.filter(attempts__gte=ATTEMPTS).update(
            state=ReportState.FAILED, error=message, lease_until=None, lease_owner="", finished_at=now
        )
        changed += own.filter(attempts__lt=ATTEMPTS).update(
            state=ReportState.QUEUED, error=message, lease_until=None, lease_owner=""
        )
    return changed


def worker_was_here() -> None:
    """Note that a worker is alive, for the pages that wait for one."""
    cache.set(selectors.WORKER_KEY, timezone.now().isoformat(), timeout=None)


def _held(report: Report, owner: str) -> Any:
    return Report.objects.filter(pk=report.pk, state=ReportState.RUNNING, lease_owner=owner)


def _frozen(data: Any) -> Any:
    """`data` as JSON that every database stores; TooLarge over the limit, Invalid for what is not JSON."""
    try:
        text = json.dumps(compiler.printable(data), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Invalid(
            "not_json", _("The data of the report cannot be stored: %(error)s") % {"error": error}
        ) from None
    if len(text) > compiler.DATA_BYTES:
        raise TooLarge("report_too_large", _("The data of the report is larger than 4 MB."))
    return json.loads(text)


def _record(row: Report, actor: Any, action: str, detail: dict[str, Any]) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="report",
        object_id=str(row.pk),
        detail=detail,
    )

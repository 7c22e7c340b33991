"""What workers do with the queue. The broker only wakes them; without it the beat still does."""

from __future__ import annotations

import logging
import os
import socket
import uuid
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import close_old_connections
from django.utils import translation
from django.utils.translation import gettext as _

from portal.errors import Refused
from portal.reports import compiler, services
from portal.reports.models import Report

log = logging.getLogger(__name__)
# A worker gives way to others after so many reports; whatever is left is claimed by the next one awake.
MOST_AT_ONCE = 50


@shared_task(name="portal.reports.tasks.render")  # type: ignore[untyped-decorator]
def render() -> None:
    """Render what waits."""
    services.worker_was_here()
    claim_due()


@shared_task(name="portal.reports.tasks.reap")  # type: ignore[untyped-decorator]
def reap() -> None:
    """Put back what dead workers left, then render what waits (a lost message costs one period)."""
    services.worker_was_here()
    services.reap()
    claim_due()


@worker_ready.connect  # type: ignore[untyped-decorator]
def _there(**_kwargs: Any) -> None:
    """A worker that has just started says so, and is told at once to look for what is waiting."""
    try:
        services.worker_was_here()
        services.reap()
        wake()
    except Exception:
        log.exception("The first look at the queue failed; the beat will look again")
    finally:
        close_old_connections()


def wake() -> None:
    """Wake a worker after the transaction; never an error of the request, the beat comes anyway."""
    try:
        render.apply_async(retry=False, ignore_result=True)
    except Exception:
        log.warning("No worker could be woken; the report waits for the beat", exc_info=True)


def claim_due() -> int:
    """Render waiting reports one after the other; returns how many were finished."""
    owner = f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
    finished = 0
    for _turn in range(MOST_AT_ONCE):
        row = services.claim(owner)
        if row is None:
            break
        finished += _render(row, owner)
    return finished


def _render(row: Report, owner: str) -> bool:
    """One report, outside any transaction; whatever happens is written to its row."""
    with translation.override(row.language):
        try:
            pdf = compiler.compile_pdf(
                row.template, row.data, language=row.language, timestamp=row.created_at
            )
        except Refused as refused:
            log.warning("Report %s: %s %s", row.pk, refused.code, refused.extra)
            message, again = str(refused.message), refused.retryable
        except Exception:
            log.exception("Report %s failed", row.pk)
            message, again = _("Something went wrong while the report was made."), True
        else:
            return services.finish(report=row, owner=owner, pdf=pdf)
    services.fail(report=row, owner=owner, message=message, retryable=again)
    return False

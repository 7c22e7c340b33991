"""A file of facts on its way in: kept for the preview, recorded once it is confirmed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from assessments.domain.answer_sheet import plain
from assessments.models import KpiImport
from assessments.services import kpis

if TYPE_CHECKING:
    from portal.clusters.models import Cluster


def prepare(*, cluster: Cluster, actor: Any, file_name: str, content: bytes) -> KpiImport:
    """Keep a file without problems for the preview; no fact is stored yet.

    Raises Invalid `kpi_rows_invalid` with every problem (`extra["problems"]`).
    """
    found = kpis.preview(cluster=cluster, content=content)
    if found.problems:
        raise kpis.refused(found.problems)
    return KpiImport.objects.create(
        organisation_id=cluster.organisation_id,
        cluster=cluster,
        file_name=plain(file_name)[-kpis.FILE_NAME_CHARACTERS :] or "kpis.csv",
        sha256=hashlib.sha256(content).hexdigest(),
        content=content,
        created_by=actor,
    )


def planned(row: KpiImport) -> kpis.Preview:
    """What confirming would do now."""
    return kpis.preview(cluster=row.cluster, content=bytes(row.content))


@transaction.atomic
def apply(*, row: KpiImport, actor: Any) -> dict[str, int]:
    """Record the facts of the file; returns how many were new, replaced and unchanged.

    Confirming again returns the first outcome. Raises Invalid with every problem where the file has become
    wrong since (a service is gone); nothing is stored then.
    """
    locked = KpiImport.objects.select_for_update().get(pk=row.pk)
    if locked.applied_at:
        return dict(locked.outcome or {})
    content = bytes(locked.content)
    locked.applied_at, locked.applied_by, locked.content = timezone.now(), actor, b""
    recorded = kpis.record_csv(cluster=row.cluster, actor=actor, file_name=row.file_name, content=content)
    locked.outcome = recorded.counts
    locked.save(update_fields=["applied_at", "applied_by", "content", "outcome"])
    return recorded.counts

"""Reads of what an organisation knows about a cluster in numbers: facts, readings, KPIs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from assessments.domain.kpis.facts import Fact, FactKind, Phase, ServiceScope, newest
from assessments.domain.kpis.headlines import Headline, headlines
from assessments.domain.kpis.numbers import Reading, readings
from assessments.domain.kpis.practice_values import PracticeKpi, practice_kpis
from assessments.domain.matrix import Matrix
from assessments.models import KpiFact, KpiImport, KpiUpload
from portal.clusters import selectors as clusters
from portal.errors import NotFound

if TYPE_CHECKING:
    from portal.clusters.models import Cluster


def uploads_of(organisation: Any, cluster: Cluster) -> QuerySet[KpiUpload]:
    """What was given about the cluster, newest first."""
    return KpiUpload.objects.filter(organisation=organisation, cluster=cluster).select_related("uploaded_by")


def kpi_import(organisation: Any, cluster_id: Any, kpi_import_id: Any) -> KpiImport:
    """One sent file of facts of the organisation, or NotFound."""
    found = (
        KpiImport.objects.filter(organisation=organisation, cluster_id=cluster_id, pk=kpi_import_id)
        .select_related("cluster", "created_by", "applied_by")
        .first()
    )
    if found is None:
        raise NotFound("not_found", _("There is no such thing here."))
    return found


def rows_of(organisation: Any, cluster_id: Any) -> QuerySet[KpiFact]:
    """Every fact ever given about the cluster, oldest first, replaced ones among them."""
    return KpiFact.objects.filter(cluster_id=cluster_id, upload__organisation=organisation).order_by("pk")


def facts_of(organisation: Any, cluster: Cluster) -> tuple[Fact, ...]:
    """The facts about the cluster that hold, in order of their key."""
    return _newest(rows_of(organisation, cluster.pk))


def readings_of(organisation: Any, cluster: Cluster, as_of: datetime) -> dict[tuple[str, str], Reading]:
    """The newest usable number by (name, service); see `numbers.readings`."""
    rows = rows_of(organisation, cluster.pk).filter(kind=FactKind.number.value)
    return readings(_newest(rows), as_of)


def headlines_of(organisation: Any, cluster: Cluster, as_of: datetime) -> tuple[Headline, ...]:
    """The headline KPIs of the six dimensions at a moment, each with its value or why there is none."""
    rows = rows_of(organisation, cluster.pk).exclude(kind=FactKind.kpi.value)
    return headlines(_newest(rows), scopes_of(cluster), as_of)


def practice_kpis_of(cluster: Cluster, matrix: Matrix, as_of: datetime) -> Mapping[str, PracticeKpi]:
    """By practice of the matrix: KPI values, targets met or missed, and what they suggest.

    One query where nothing is known about the cluster's practices, else two.
    """
    facts = _newest(rows_of(cluster.organisation_id, cluster.pk).filter(kind=FactKind.kpi.value))
    if not facts:
        return {}
    return practice_kpis(matrix, facts, scopes_of(cluster), as_of)


def scopes_of(cluster: Cluster) -> tuple[ServiceScope, ...]:
    """The services of the cluster as facts see them."""
    return tuple(
        ServiceScope(row.name, row.kind, row.tier, row.in_scope) for row in clusters.services_of(cluster)
    )


def _newest(rows: QuerySet[KpiFact]) -> tuple[Fact, ...]:
    return newest(_fact(row) for row in rows)


def _fact(row: KpiFact) -> Fact:
    return Fact(
        kind=FactKind(row.kind),
        name=row.name,
        service=row.service,
        start=row.start,
        end=row.end,
        value=row.value,
        unit=row.unit,
        phase=Phase(row.phase),
        present=row.present,
        note=row.note,
    )

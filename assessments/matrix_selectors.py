"""Which matrix versions an organisation sees: the shipped ones and its own. A foreign one does not exist."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from assessments import selectors
from assessments.domain.matrix import Matrix
from assessments.domain.overlays import Provenance
from assessments.models import Assessment, CustomMatrix, CustomStatus, MatrixMigration, MatrixVersion
from portal.errors import NotFound

# Fewer characters of a hash could name two matrices.
SHORTEST_HASH = 12
_PUBLIC = (CustomStatus.RELEASED, CustomStatus.RETIRED)


@dataclass(frozen=True, slots=True)
class Version:
    """A version as lists show it; `custom` is None for a shipped one."""

    sha256: str
    version: str
    name: str
    released_at: datetime
    usable: bool
    custom: CustomMatrix | None = None

    @property
    def label(self) -> str:
        """Name and version, as choices show them."""
        return f"{self.name} V{self.version}" if self.custom else f"V{self.version}"


def customs(organisation: Any) -> QuerySet[CustomMatrix]:
    """The organisation's own matrices, newest first, drafts and retired ones among them."""
    return (
        CustomMatrix.objects.filter(organisation=organisation)
        .select_related("created_by", "changed_by")
        .defer("documents")
    )


def custom(organisation: Any, custom_matrix_id: Any) -> CustomMatrix:
    """One of the organisation's own matrices, or NotFound."""
    found = (
        CustomMatrix.objects.filter(organisation=organisation, pk=selectors.as_uuid(custom_matrix_id))
        .select_related("created_by", "changed_by", "organisation")
        .first()
    )
    if found is None:
        raise selectors.not_found()
    return found


def versions(organisation: Any) -> list[Version]:
    """Every released version that the organisation sees, newest first; retired ones are not `usable`."""
    own = {row.sha256: row for row in customs(organisation) if row.status in _PUBLIC}
    rows = MatrixVersion.objects.filter(Q(shipped=True) | Q(pk__in=list(own))).defer("documents")
    found = []
    for row in rows.order_by("-released_at"):
        mine = None if row.shipped else own[row.sha256]
        found.append(
            Version(
                sha256=row.sha256,
                version=row.version,
                name=mine.name if mine else "",
                released_at=row.released_at,
                usable=mine is None or mine.status == CustomStatus.RELEASED,
                custom=mine,
            )
        )
    return found


def find(organisation: Any, wanted: str, *, usable: bool = False) -> Version:
    """The version with this SHA-256 (or its first 12 characters or more) or this name, such as `2.3`.

    The newest one counts where a name occurs twice. NotFound for anything that the organisation does not see;
    with `usable` also for a retired one.
    """
    wanted = wanted.strip().removeprefix("V")
    for each in versions(organisation):
        short = len(wanted) >= SHORTEST_HASH and each.sha256.startswith(wanted)
        if wanted and (short or each.version == wanted) and (each.usable or not usable):
            return each
    raise NotFound("matrix_unknown", _("There is no such matrix version here."), place="version")


def version(organisation: Any, wanted: str, *, usable: bool = False) -> MatrixVersion:
    """The row of a version that the organisation sees (see `find`), or NotFound."""
    return MatrixVersion.objects.get(pk=find(organisation, wanted, usable=usable).sha256)


def matrix(organisation: Any, sha256: str) -> Matrix:
    """The parsed matrix of a version that the organisation sees, or NotFound."""
    return selectors.matrix(find(organisation, sha256).sha256)


def provenance(row: CustomMatrix | None) -> dict[str, tuple[Provenance, ...]]:
    """Where each practice of an own matrix comes from, oldest first; empty for a shipped one."""
    stored: dict[str, list[dict[str, Any]]] = row.provenance if row else {}
    return {
        practice: tuple(Provenance(**{**each, "parts": tuple(each["parts"])}) for each in entries)
        for practice, entries in stored.items()
    }


def custom_of(organisation: Any, sha256: str) -> CustomMatrix | None:
    """The organisation's own matrix with this content, or None."""
    return customs(organisation).filter(sha256=sha256).first()


def migrations(one: Assessment) -> QuerySet[MatrixMigration]:
    """The moves of an assessment to other versions, newest first."""
    return MatrixMigration.objects.filter(assessment=one).select_related(
        "from_version", "to_version", "applied_by", "milestone"
    )


def migration(organisation: Any, migration_id: Any) -> MatrixMigration:
    """One move of the organisation, or NotFound."""
    found = (
        MatrixMigration.objects.filter(organisation=organisation, pk=selectors.as_uuid(migration_id))
        .select_related("assessment__cluster", "from_version", "to_version", "applied_by", "milestone")
        .first()
    )
    if found is None:
        raise selectors.not_found()
    return found

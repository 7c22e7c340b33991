"""Which matrix versions an organisation sees: the shipped ones and its own. A foreign one does not exist."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from assessments import selectors
from assessments.domain.loader import load_documents
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


def contents(organisation: Any) -> list[Version]:
    """Everything of which the organisation can see the content: its drafts (not usable), then `versions`."""
    drafts = [
        Version(row.sha256, row.version, row.name, row.created_at, usable=False, custom=row)
        for row in customs(organisation)
        if row.status == CustomStatus.DRAFT
    ]
    return [*drafts, *versions(organisation)]


def content(organisation: Any, wanted: str) -> tuple[Version, Matrix]:
    """A version or draft of the organisation by its SHA-256 (at least 12 characters) with what it asks.

    A name such as `2.3` is that of a version, never of a draft. NotFound for anything else.
    """
    for each in contents(organisation):
        draft = each.custom if each.custom and each.custom.status == CustomStatus.DRAFT else None
        if draft and len(wanted) >= SHORTEST_HASH and each.sha256.startswith(wanted):
            return each, _draft(each.sha256, str(draft.pk))
    found = find(organisation, wanted)
    return found, selectors.matrix(found.sha256)


@lru_cache(maxsize=8)
def _draft(sha256: str, custom_matrix_id: str) -> Matrix:
    """The parsed content of a draft, which the caller has found to be visible; it cannot change."""
    return load_documents(CustomMatrix.objects.get(pk=custom_matrix_id, sha256=sha256).documents)


def documents(organisation: Any, wanted: str) -> tuple[Version, dict[str, str]]:
    """A version or draft (see `content`) with its files, name to YAML text."""
    found, _matrix = content(organisation, wanted)
    if found.custom is not None:
        return found, CustomMatrix.objects.get(pk=found.custom.pk).documents
    return found, MatrixVersion.objects.get(pk=found.sha256).documents


def everywhere(wanted: str) -> dict[str, tuple[str, dict[str, str]]]:
    """For commands, which no person runs: SHA-256 to (version, files) of what begins so or has that name.

    Whatever organisation it belongs to; the same content in two of them is one entry.
    """
    named = Q(sha256__startswith=wanted) | Q(version=wanted)
    rows: list[Any] = [*MatrixVersion.objects.filter(named), *CustomMatrix.objects.filter(named)]
    return {row.sha256: (row.version, row.documents) for row in rows}


def uses(organisation: Any) -> dict[str, int]:
    """SHA-256 to how many assessments of the organisation have that version."""
    rows = Assessment.objects.filter(organisation=organisation).order_by()
    counted = rows.values("matrix_version_id").annotate(number=Count("pk"))
    return {row["matrix_version_id"]: row["number"] for row in counted}


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


def changes_of(organisation: Any, practice: str, *, besides: str = "") -> list[tuple[Version, str, Any]]:
    """What the organisation's other versions and drafts do with a practice, newest first.

    Triples of version, `replaced`, `added` or `ignored`, and the last Provenance or the mapping of what is
    ignored; versions that leave the practice as it is are not listed, nor is the one with SHA-256 `besides`.
    """
    found: list[tuple[Version, str, Any]] = []
    for each in contents(organisation):
        row = each.custom
        if row is None or each.sha256 == besides:
            continue
        entries = provenance(row).get(practice, ())
        left_out = next((one for one in row.ignored if one["practice"] == practice), None)
        if left_out is not None:
            found.append((each, "ignored", left_out))
        elif entries and entries[-1].change != "base":
            found.append((each, entries[-1].change, entries[-1]))
    return found


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

"""Matrices of an organisation: upload as a draft, look at it, release, retire."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from assessments import matrix_problem_words, matrix_selectors, selectors
from assessments.domain.checking import Checked, check_documents
from assessments.domain.loader import INDEX_FILE, load_documents
from assessments.domain.matrix_files import Upload, read_upload
from assessments.domain.overlays import Provenance, apply_overlay, base_named
from assessments.domain.tree_reading import UploadErrors, from_yaml, refuse
from assessments.domain.trees import Pairs, Tree
from assessments.models import CustomMatrix, CustomStatus, MatrixVersion
from assessments.services import openings
from frontend.workbooks import read_workbook
from portal.audit import services as audit
from portal.errors import Conflict, Refused

Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Draft:
    """What an upload gives before it is stored."""

    checked: Checked
    source: str
    name: str = ""
    parent: str = ""
    provenance: dict[str, Any] = field(default_factory=dict)
    ignored: list[dict[str, Any]] = field(default_factory=list)
    consequences: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Base:
    """A matrix that an overlay is laid over: files (name to YAML text), and where its practices come from."""

    version: str
    sha256: str
    documents: Mapping[str, str]
    inherited: Mapping[str, tuple[Provenance, ...]] = field(default_factory=dict)


def upload(*, organisation: Any, actor: Any, files: Files, name: str = "") -> tuple[CustomMatrix, bool]:
    """Check the files (a whole matrix or an overlay) and keep the result as a draft.

    Returns the row and whether it is new: the same content again gives the row that is there. Raises
    UploadErrors with every problem, its place and what its rule wants, Invalid for the name; nothing is
    stored then.
    """
    try:
        draft = read(organisation, files)
        _refuse_taken(organisation, draft)
    except UploadErrors as error:
        error.message = ngettext(
            "The upload has %(count)d problem.", "The upload has %(count)d problems.", error.count
        ) % {"count": error.count}
        error.extra["problems"] = [matrix_problem_words.explained(each.as_dict()) for each in error.findings]
        raise
    matrix = draft.checked.matrix
    missing = _("Give the matrix a name of at most 120 characters.")
    name = openings.checked_name(name or draft.name or f"V{matrix.version}", missing=missing)
    with transaction.atomic():
        row, new = CustomMatrix.objects.get_or_create(
            organisation=organisation,
            sha256=matrix.sha256,
            defaults={
                "name": name,
                "version": matrix.version,
                "documents": draft.checked.documents,
                "source_name": draft.source[:200],
                "parent_sha256": draft.parent,
                "provenance": draft.provenance,
                "ignored": draft.ignored,
                "consequences": draft.consequences,
                "warnings": [each.as_dict() for each in draft.checked.warnings],
                "warning_count": draft.checked.warning_count,
                "created_by": actor,
            },
        )
        if new:
            _note(row, actor, "matrix.uploaded", source=row.source_name, parent=row.parent_sha256)
    return row, new


def read(organisation: Any, files: Files) -> Draft:
    """The matrix that the files make, without storing anything. Raises UploadErrors."""
    shipped = selectors.newest_matrix_version()
    return read_files(files, shipped.documents[INDEX_FILE], lambda wanted: _base(organisation, wanted))


def read_files(files: Files, index: str, find_base: Callable[[str], Base]) -> Draft:
    """The matrix that the files make.

    `index` is the YAML whose levels and evidence a workbook without such sheets takes; `find_base` gives the
    matrix that an overlay names, or raises Refused. Raises UploadErrors.
    """
    defaults = from_yaml(INDEX_FILE, index)
    assert isinstance(defaults, Pairs)  # noqa: S101 - a released matrix has an index
    found = read_upload(files, _workbook, defaults)
    if found.overlay is not None:
        return _overlaid(found, found.overlay, find_base)
    return Draft(check_documents(found.documents or {}, source=found.source), found.source)


def _workbook(data: bytes) -> Mapping[str, Sequence[Sequence[str]]]:
    """Rows by sheet; what the reader refuses becomes a finding with its cell."""
    try:
        return read_workbook(data)
    except Refused as refused:
        raise refuse(refused.place or "file", refused.code, str(refused.message)) from None


def _base(organisation: Any, wanted: str) -> Base:
    found = matrix_selectors.find(organisation, wanted, usable=True)
    documents = MatrixVersion.objects.get(pk=found.sha256).documents
    return Base(found.version, found.sha256, documents, matrix_selectors.provenance(found.custom))


def _overlaid(found: Upload, overlay: Tree, find_base: Callable[[str], Base]) -> Draft:
    wanted = base_named(overlay)
    try:
        base = find_base(wanted)
    except Refused:
        place = overlay.get("base") if isinstance(overlay, Pairs) else None
        message = f"there is no matrix {wanted!r:.80} to lay this over"
        raise refuse((place or overlay).place, "overlay.base", message) from None
    documents = {name: from_yaml(name, text, label=f"base {name}") for name, text in base.documents.items()}
    applied = apply_overlay(
        documents,
        overlay,
        base_version=base.version,
        base_sha256=base.sha256,
        inherited=base.inherited,
    )
    return Draft(
        checked=check_documents(applied.documents, source=found.source),
        source=found.source,
        name=applied.name,
        parent=applied.base,
        provenance={
            practice: [each.as_dict() for each in entries] for practice, entries in applied.provenance.items()
        },
        ignored=[asdict(each) for each in applied.ignored],
        consequences=[list(each) for each in applied.consequences],
    )


def _refuse_taken(organisation: Any, draft: Draft) -> None:
    """A version's name means one content to everybody who sees it in a report."""
    matrix = draft.checked.matrix
    for each in matrix_selectors.versions(organisation):
        if each.sha256 == matrix.sha256 and each.custom is None:
            raise refuse(draft.source, "matrix.same", f"is the shipped matrix V{each.version} itself")
        if each.version == matrix.version and each.sha256 != matrix.sha256:
            message = f"the version {matrix.version} exists already with other content; choose another name"
            raise refuse(draft.source, "version.taken", message)


@transaction.atomic
def release(*, row: CustomMatrix, actor: Any) -> CustomMatrix:
    """Make a draft usable, or a retired matrix usable again. Conflict where it is released already."""
    row = _locked(row)
    if row.status == CustomStatus.RELEASED:
        raise Conflict("already_released", _("This matrix is released already."))
    for each in matrix_selectors.versions(row.organisation):
        if each.version == row.version and each.sha256 != row.sha256:
            raise Conflict("version_taken", _("Another matrix with this version name has been released."))
    matrix = load_documents(row.documents)
    version, _new = MatrixVersion.objects.get_or_create(
        sha256=matrix.sha256,
        defaults={"version": matrix.version, "documents": row.documents, "shipped": False},
    )
    row.matrix_version = version
    return _change(row, actor, CustomStatus.RELEASED, "matrix.released")


@transaction.atomic
def retire(*, row: CustomMatrix, actor: Any) -> CustomMatrix:
    """Offer the matrix no more; assessments that use it keep it. Conflict where it is retired already."""
    row = _locked(row)
    if row.status == CustomStatus.RETIRED:
        raise Conflict("already_retired", _("This matrix is retired already."))
    return _change(row, actor, CustomStatus.RETIRED, "matrix.retired")


def _locked(row: CustomMatrix) -> CustomMatrix:
    return CustomMatrix.objects.select_for_update().select_related("organisation").get(pk=row.pk)


def _change(row: CustomMatrix, actor: Any, status: CustomStatus, action: str) -> CustomMatrix:
    row.status = status.value
    row.changed_by, row.changed_at = actor, timezone.now()
    row.save(update_fields=["status", "changed_by", "changed_at", "matrix_version"])
    _note(row, actor, action)
    return row


def _note(row: CustomMatrix, actor: Any, action: str, **detail: Any) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="matrix",
        object_id=str(row.pk),
        detail={"name": row.name, "version": row.version, "sha256": row.sha256, **detail},
    )

"""Opening, closing and carrying over assessments."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from assessments import selectors
from assessments.domain.matrix import Scope
from assessments.models import (
    AnswerHead,
    Assessment,
    AssessmentStatus,
    MatrixVersion,
    Response,
    ResponseSource,
)
from portal.accounts.domain import names
from portal.audit import services as audit
from portal.clusters import selectors as clusters
from portal.errors import Conflict, Invalid

NAME_CHARACTERS = 120


@transaction.atomic
def open_assessment(
    *,
    organisation: Any,
    cluster: Any,
    actor: Any,
    name: str,
    scope: str,
    carry_from: Assessment | None = None,
    matrix_version: MatrixVersion | None = None,
) -> Assessment:
    """Open an assessment of `cluster`; its profile is frozen now.

    `matrix_version` (default: the newest shipped one) must be one that the organisation sees.
    `carry_from` (same organisation and cluster) hands its answers over where the new scope asks them.
    Raises Invalid with the place of what is wrong.
    """
    name, profile = _checked(organisation, cluster, name, scope)
    version = matrix_version or selectors.newest_matrix_version()
    created = Assessment.objects.create(
        organisation=organisation,
        cluster=cluster,
        matrix_version=version,
        name=name,
        scope=scope,
        kinds=sorted(profile.kinds),
        tags=sorted(profile.tags),
        created_by=actor,
    )
    carried = _carry(carry_from, created, actor) if carry_from else 0
    audit.record(
        organisation_id=organisation.pk,
        actor=actor,
        action="assessment.opened",
        object_type="assessment",
        object_id=str(created.pk),
        detail={
            "name": created.name,
            "scope": scope,
            "cluster": str(cluster.pk),
            "matrix": version.sha256,
            "carried": carried,
        },
    )
    return created


def checked_name(name: str, *, missing: str) -> str:
    """The name with single spaces; Invalid where it is empty, too long, or full of invisible characters."""
    name = names.tidy(name)
    if not name:
        raise Invalid("name_missing", missing, place="name")
    if len(name) > NAME_CHARACTERS:
        raise Invalid(
            "name_too_long", _("At most %(most)d characters.") % {"most": NAME_CHARACTERS}, place="name"
        )
    if not names.readable(name):
        raise Invalid("name_unreadable", _("The name has characters that nobody can see."), place="name")
    return name


def _checked(organisation: Any, cluster: Any, name: str, scope: str) -> tuple[str, Any]:
    """The tidied name and the cluster's profile; Invalid or NotFound says what is wrong."""
    name = checked_name(name, missing=_("Give the assessment a name."))
    if scope not in {each.value for each in Scope}:
        raise Invalid("scope_unknown", _("The scope must be quick or full."), place="scope")
    if cluster.organisation_id != organisation.pk:
        raise selectors.not_found()
    profile = clusters.profile(cluster)
    if not profile.kinds:
        raise Invalid(
            "cluster_without_profile",
            _("Say first whether the cluster serves or trains: without it no practice applies."),
            place="cluster",
        )
    return name, profile


def _carry(source: Assessment, target: Assessment, actor: Any) -> int:
    """Copy the answers of `source` that `target` asks too; returns how many."""
    if source.organisation_id != target.organisation_id or source.cluster_id != target.cluster_id:
        raise selectors.not_found()
    if source.matrix_version_id != target.matrix_version_id:
        raise Invalid(
            "matrix_differs",
            _("Answers can be carried over only between assessments of the same matrix version."),
            place="carry_from",
        )
    matrix = selectors.matrix_of(target)
    asked = {each.id for each in matrix.in_scope(target.scope, selectors.profile_of(target))}
    carried = 0
    for practice, head in selectors.heads(source).items():
        old = head.response
        if practice not in asked or old.cleared:
            continue
        copy = Response.objects.create(
            assessment=target,
            practice=practice,
            version=1,
            level=old.level,
            clauses=old.clauses,
            na_reason=old.na_reason,
            na_text=old.na_text,
            unsure=old.unsure,
            confidence=old.confidence,
            note=old.note,
            source=ResponseSource.CARRIED,
            respondent=actor,
            supersedes=old,
        )
        AnswerHead.objects.create(assessment=target, practice=practice, version=1, response=copy)
        carried += 1
    return carried


def require_open(assessment: Assessment) -> None:
    """Conflict where the assessment is closed, seen under a lock: closing waits for who is writing now.

    Call it inside the transaction that writes; the row that was read earlier may be out of date, also in its
    matrix: what was checked against another version must not be written.
    """
    fields = ("status", "matrix_version_id")
    row = Assessment.objects.select_for_update().filter(pk=assessment.pk).only(*fields).first()
    if row is None or row.status == AssessmentStatus.CLOSED:
        raise Conflict("assessment_closed", _("The assessment is closed. Reopen it to change something."))
    if row.matrix_version_id != assessment.matrix_version_id:
        raise Conflict(
            "matrix_changed", _("The assessment has moved to another matrix version. Load the page again.")
        )


@transaction.atomic
def set_status(*, assessment: Assessment, actor: Any, status: str) -> None:
    """Close or reopen; Conflict where it already has that status."""
    changed = (
        Assessment.objects.filter(pk=assessment.pk)
        .exclude(status=status)
        .update(status=AssessmentStatus(status).value)
    )
    if not changed:
        raise Conflict("status_unchanged", _("The assessment already has this status."))
    assessment.status = status
    audit.record(
        organisation_id=assessment.organisation_id,
        actor=actor,
        action=f"assessment.{'closed' if status == AssessmentStatus.CLOSED else 'reopened'}",
        object_type="assessment",
        object_id=str(assessment.pk),
        detail={"name": assessment.name},
    )

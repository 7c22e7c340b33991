"""Evidence: added with its own date and kind, verified by somebody else, withdrawn but never deleted."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments.domain.matrix import EvidenceKind
from assessments.models import AnswerHead, Assessment, Evidence
from assessments.services import openings
from assessments.services.responses import asked_practice
from portal.accounts.domain import names
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, NotAllowed, TooLarge

TITLE_CHARACTERS = 200
URL_CHARACTERS = 1000
# Clocks differ a little between a person's machine and ours.
CLOCK_SLACK = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Submission:
    """What a person sends: a file or a link, what kind it is, and the moment it speaks for."""

    kind: str
    title: str
    effective_at: datetime
    clause: str = ""
    url: str = ""
    file: UploadedFile[Any] | None = None


def add(*, assessment: Assessment, practice_id: str, actor: Any, submission: Submission) -> Evidence:
    """Store the evidence and, for a file, its SHA-256. Raises Invalid, TooLarge or NotFound."""
    practice = asked_practice(assessment, practice_id)
    title = " ".join(submission.title.split())[:TITLE_CHARACTERS]
    if title and not names.readable(title):
        raise Invalid("title_unreadable", _("The title has characters that nobody can see."), place="title")
    _check_kind_and_time(submission)
    if submission.clause and submission.clause not in {each.id for each in practice.clauses}:
        raise Invalid("clause_unknown", _("This practice has no such clause."), place="clause")
    url = _checked_url(submission.url)
    if bool(url) == bool(submission.file) and submission.kind != EvidenceKind.E0:
        raise Invalid("file_or_link", _("Give either a file or a link."), place="url")
    row = Evidence(
        organisation_id=assessment.organisation_id,
        assessment=assessment,
        practice=practice_id,
        clause=submission.clause,
        kind=submission.kind,
        title=title,
        url=url,
        effective_at=submission.effective_at,
        added_by=actor,
    )
    if submission.file:
        _attach(row, submission.file)
    if not row.title:
        row.title = row.file_name or url
    if not row.title:
        raise Invalid("title_missing", _("Say in a few words what it shows."), place="title")
    stored = False
    try:
        with transaction.atomic():
            openings.require_open(assessment)
            row.save()  # writes the file first
            stored = True
            _note(row, actor, "evidence.added")
    except BaseException:
        # The row is gone with its transaction; the file must go with it.
        if stored or row.file:
            row.file.delete(save=False)
        raise
    return row


def _check_kind_and_time(submission: Submission) -> None:
    if submission.kind not in {each.value for each in EvidenceKind}:
        raise Invalid("kind_unknown", _("The kind must be one of E0 to E5."), place="kind")
    if timezone.is_naive(submission.effective_at):
        raise Invalid("time_zone_missing", _("The date needs a time zone."), place="effective_at")
    if submission.effective_at > timezone.now() + CLOCK_SLACK:
        raise Invalid("in_the_future", _("Evidence cannot be dated in the future."), place="effective_at")
    if submission.effective_at.year < 2000:
        raise Invalid("too_old", _("Check the date: it lies before the year 2000."), place="effective_at")


def _checked_url(url: str) -> str:
    """Only http and https: a link is shown to people, never fetched."""
    url = url.strip()
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        # `port` raises where it is no port. A name or password before the host misleads or leaks.
        valid = (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and parts.port != 0
            and "@" not in parts.netloc
        )
    except ValueError:
        valid = False
    if not valid or len(url) > URL_CHARACTERS or re.search(r'[\s<>"\\]', url) or not url.isprintable():
        raise Invalid(
            "url_invalid", _("The link must be a complete http:// or https:// address."), place="url"
        )
    return url


def _attach(row: Evidence, file: UploadedFile[Any]) -> None:
    limit = settings.EVIDENCE_MAX_BYTES
    if file.size is None or file.size > limit:
        raise TooLarge(
            "file_too_large",
            _("The file is too large: at most %(most)d MiB.") % {"most": limit // (1024 * 1024)},
            place="file",
        )
    if file.size == 0:
        raise Invalid("file_empty", _("The file is empty."), place="file")
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    name = re.sub(r"[\x00-\x1f\x7f/\\]", "_", PurePath(file.name or "file").name)[-200:]
    row.file_name, row.file_size, row.sha256 = name, file.size, digest.hexdigest()
    file.seek(0)
    # The name on disk is ours: a name from outside never becomes a path.
    row.file.save(row.sha256[:32], file, save=False)


@transaction.atomic
def verify(*, evidence: Evidence, actor: Any) -> Evidence:
    """A reviewer vouches for it. Never the person who brought it or gave the answer it backs."""
    openings.require_open(evidence.assessment)
    if evidence.added_by_id == actor.pk:
        raise NotAllowed("own_evidence", _("You brought this evidence; somebody else must verify it."))
    head = (
        AnswerHead.objects.filter(assessment=evidence.assessment_id, practice=evidence.practice)
        .select_related("response")
        .first()
    )
    if head and head.response.respondent_id == actor.pk:
        raise NotAllowed(
            "own_answer", _("You gave the answer this evidence backs; somebody else must verify it.")
        )
    now = timezone.now()
    changed = Evidence.objects.filter(pk=evidence.pk, verified_at=None, withdrawn_at=None).update(
        verified_by=actor, verified_at=now
    )
    if not changed:
        raise Conflict("evidence_not_open", _("It has been verified or withdrawn in the meantime."))
    evidence.verified_by, evidence.verified_at = actor, now
    _note(evidence, actor, "evidence.verified")
    return evidence


@transaction.atomic
def withdraw(*, evidence: Evidence, actor: Any) -> Evidence:
    """Take it out of the score; the row and the file stay for the record."""
    openings.require_open(evidence.assessment)
    now = timezone.now()
    changed = Evidence.objects.filter(pk=evidence.pk, withdrawn_at=None).update(
        withdrawn_by=actor, withdrawn_at=now
    )
    if not changed:
        raise Conflict("evidence_withdrawn", _("It has been withdrawn already."))
    evidence.withdrawn_by, evidence.withdrawn_at = actor, now
    _note(evidence, actor, "evidence.withdrawn")
    return evidence


def _note(row: Evidence, actor: Any, action: str) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="evidence",
        object_id=str(row.pk),
        detail={
            "assessment": str(row.assessment_id),
            "practice": row.practice,
            "kind": row.kind,
            "title": row.title,
            "sha256": row.sha256,
        },
    )

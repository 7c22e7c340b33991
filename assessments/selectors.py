"""Reads of assessments. Everything goes through the organisation; missing and foreign look the same."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from assessments import kpi_selectors
from assessments.domain.answers import Answer, Confidence, EvidenceItem, NaReason, Profile, Scope
from assessments.domain.compare import Side
from assessments.domain.evidence import is_expired
from assessments.domain.kpis.practice_values import PracticeKpi
from assessments.domain.loader import load_documents
from assessments.domain.matrix import EvidenceKind, Matrix
from assessments.domain.scoring import Scorecard, claimed_level, is_answered, score
from assessments.domain.xray import Twin, XrayFacts
from assessments.models import (
    AnswerHead,
    AnswerImport,
    Assessment,
    Evidence,
    MatrixVersion,
    Milestone,
    Response,
)
from portal.errors import NotFound


def not_found() -> NotFound:
    """The one answer for what is missing or belongs to somebody else."""
    return NotFound("not_found", _("There is no such thing here."))


def as_uuid(value: Any) -> uuid.UUID:
    """`value` as a UUID; NotFound where it is none."""
    try:
        return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))
    except ValueError:
        raise not_found() from None


# -- matrices ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def matrix(sha256: str) -> Matrix:
    """The parsed matrix with this hash; kept in memory because it cannot change."""
    row = MatrixVersion.objects.filter(sha256=sha256).first()
    if row is None:
        raise not_found()
    return load_documents(row.documents)


def matrix_versions() -> QuerySet[MatrixVersion]:
    """All shipped versions, newest first; those of an organisation: see `matrix_selectors`."""
    return MatrixVersion.objects.filter(shipped=True).order_by("-released_at")


def newest_matrix_version() -> MatrixVersion:
    """The version new assessments start with."""
    row = matrix_versions().first()
    if row is None:
        raise NotFound("no_matrix", _("No matrix has been released yet: run manage.py load_matrix."))
    return row


# -- assessments ------------------------------------------------------------------------------------------


def assessments(organisation: Any) -> QuerySet[Assessment]:
    """The assessments of the organisation with cluster and `last_answer` (or None), newest first."""
    newest = Response.objects.filter(assessment=OuterRef("pk")).order_by("-created_at").values("created_at")
    return (
        Assessment.objects.filter(organisation=organisation)
        .select_related("cluster", "matrix_version", "created_by")
        # The text of the matrix is long, and `matrix` keeps it parsed.
        .defer("matrix_version__documents")
        .annotate(last_answer=Subquery(newest[:1]))
    )


def assessment(organisation: Any, assessment_id: Any) -> Assessment:
    """One assessment of the organisation, or NotFound."""
    found = (
        Assessment.objects.filter(organisation=organisation, pk=as_uuid(assessment_id))
        .select_related("cluster", "matrix_version", "organisation")
        .defer("matrix_version__documents")
        .first()
    )
    if found is None:
        raise not_found()
    return found


def assessment_by_id(assessment_id: Any) -> Assessment:
    """For commands, which no person runs: an assessment of whatever organisation, or NotFound."""
    found = Assessment.objects.filter(pk=as_uuid(assessment_id)).select_related("organisation").first()
    if found is None:
        raise not_found()
    return found


def profile_of(one: Assessment) -> Profile:
    """What the cluster did and had when the assessment was opened."""
    return Profile(kinds=frozenset(one.kinds), tags=frozenset(one.tags))


def matrix_of(one: Assessment) -> Matrix:
    """The matrix of an assessment with the clauses that its profile leaves."""
    return matrix(one.matrix_version_id).narrowed(profile_of(one))


def heads(one: Assessment) -> dict[str, AnswerHead]:
    """Practice id to the answer that holds now."""
    rows = AnswerHead.objects.filter(assessment=one).select_related("response", "response__respondent")
    return {row.practice: row for row in rows}


def history(one: Assessment, practice: str) -> QuerySet[Response]:
    """Every answer ever given to a practice, newest first."""
    return (
        Response.objects.filter(assessment=one, practice=practice)
        .select_related("respondent")
        .order_by("-version")
    )


# -- evidence ---------------------------------------------------------------------------------------------


def evidence_of(one: Assessment, practice: str | None = None) -> QuerySet[Evidence]:
    """Evidence that has not been withdrawn, by practice and newest first."""
    rows = Evidence.objects.filter(assessment=one, withdrawn_at=None).select_related(
        "added_by", "verified_by"
    )
    return rows.filter(practice=practice) if practice else rows


def evidence(organisation: Any, assessment_id: Any, evidence_id: Any) -> Evidence:
    """One piece of evidence of the organisation, or NotFound."""
    found = (
        Evidence.objects.filter(
            organisation=organisation, assessment_id=as_uuid(assessment_id), pk=as_uuid(evidence_id)
        )
        .select_related("assessment", "added_by", "verified_by")
        .first()
    )
    if found is None:
        raise not_found()
    return found


def vouched(row: Evidence, respondent_id: Any = None) -> bool:
    """Whether somebody else than the person whose answer it backs has verified it.

    Also holds where that person verified first and answered afterwards.
    """
    return row.verified_at is not None and (respondent_id is None or row.verified_by_id != respondent_id)


def evidence_item(row: Evidence, respondent_id: Any = None) -> EvidenceItem:
    """The row as the scoring code sees it, for the answer of `respondent_id`."""
    return EvidenceItem(
        kind=EvidenceKind(row.kind),
        effective_at=row.effective_at,
        verified=vouched(row, respondent_id),
        clause=row.clause or None,
        source=str(row.pk),
    )


# -- answers and scores -----------------------------------------------------------------------------------


def domain_answer(response: Response, items: Iterable[EvidenceItem] = ()) -> Answer:
    """A stored response as the scoring code sees it."""
    return Answer(
        practice=response.practice,
        level=response.level if response.clauses is None else None,
        clauses=None if response.clauses is None else frozenset(response.clauses),
        na_reason=NaReason(response.na_reason) if response.na_reason else None,
        na_text=response.na_text,
        unsure=response.unsure,
        confidence=None if response.confidence is None else Confidence(response.confidence),
        evidence=tuple(items),
    )


def answers(one: Assessment) -> tuple[Answer, ...]:
    """What is answered now, with the evidence of each practice."""
    given = heads(one)
    items: dict[str, list[EvidenceItem]] = {}
    for row in evidence_of(one):
        head = given.get(row.practice)
        respondent = head.response.respondent_id if head else None
        items.setdefault(row.practice, []).append(evidence_item(row, respondent))
    return tuple(
        domain_answer(head.response, items.get(practice, ()))
        for practice, head in given.items()
        if not head.response.cleared
    )


def xray_facts(one: Assessment, *, as_of: datetime) -> XrayFacts:
    """What speaks against the answers: twins on other clusters, and what was measured on this one."""
    return XrayFacts(twins=_twins(one), kpis=practice_kpis_of(one, as_of=as_of))


def _twins(one: Assessment) -> dict[str, tuple[Twin, ...]]:
    """By practice the other clusters of the organisation that show the same file or link.

    Of each other cluster the assessment opened last counts.
    """
    own = {(row.practice, row.sha256 or row.url) for row in evidence_of(one) if row.sha256 or row.url}
    if not own:
        return {}
    alike = Evidence.objects.filter(
        Q(sha256__in=[key for _practice, key in own]) | Q(url__in=[key for _practice, key in own]),
        organisation=one.organisation_id,
        withdrawn_at=None,
    ).exclude(assessment__cluster=one.cluster_id)
    newest: dict[Any, Assessment] = {}
    for row in alike.select_related("assessment__cluster").order_by("-assessment__created_at"):
        if (row.practice, row.sha256 or row.url) in own:
            newest.setdefault(row.assessment.cluster_id, row.assessment)
    twins: dict[str, list[Twin]] = {}
    for other in newest.values():
        shown = {row.practice for row in alike if row.assessment_id == other.pk}
        for practice, head in heads(other).items():
            answer = domain_answer(head.response)
            parsed = matrix_of(other)
            if practice in shown and practice in parsed and is_answered(answer):
                level = claimed_level(parsed.practice(practice), answer)
                twins.setdefault(practice, []).append(Twin(other.cluster.name, level))
    return {practice: tuple(found) for practice, found in twins.items()}


def practice_kpis_of(one: Assessment, *, as_of: datetime) -> Mapping[str, PracticeKpi]:
    """By practice: what was measured on the cluster of the assessment, targets met or missed, suggestions."""
    return kpi_selectors.practice_kpis_of(one.cluster, matrix_of(one), as_of)


def scorecard(one: Assessment, *, as_of: datetime | None = None) -> Scorecard:
    """The scores of an assessment at a moment (default: now). The only way any surface gets them."""
    as_of = as_of or timezone.now()
    return score(
        matrix_of(one),
        answers(one),
        profile=profile_of(one),
        scope=Scope(one.scope),
        as_of=as_of,
        facts=xray_facts(one, as_of=as_of),
    )


def answer_import(organisation: Any, assessment_id: Any, import_id: Any) -> AnswerImport:
    """One sent sheet of the organisation, or NotFound."""
    found = (
        AnswerImport.objects.filter(
            organisation=organisation, assessment_id=as_uuid(assessment_id), pk=as_uuid(import_id)
        )
        .select_related("assessment__cluster", "assessment__organisation", "created_by", "applied_by")
        .first()
    )
    if found is None:
        raise not_found()
    return found


# -- milestones -------------------------------------------------------------------------------------------


def milestones(one: Assessment) -> QuerySet[Milestone]:
    """The frozen states of an assessment, oldest first."""
    return Milestone.objects.filter(assessment=one).select_related("created_by")


def milestone(organisation: Any, milestone_id: Any) -> Milestone:
    """One milestone of the organisation, or NotFound."""
    found = (
        Milestone.objects.filter(assessment__organisation=organisation, pk=as_uuid(milestone_id))
        .select_related("assessment", "assessment__cluster", "created_by")
        .first()
    )
    if found is None:
        raise not_found()
    return found


@dataclass(frozen=True, slots=True)
class Comparable:
    """One side of a comparison: its card, and the assessment whose cluster it tells of."""

    side: Side
    assessment: Assessment


def comparable(organisation: Any, chosen: str) -> Comparable:
    """What `a:<uuid>` (an assessment now) or `m:<uuid>` (a milestone) names; NotFound for anything else."""
    kind, _colon, key = chosen.partition(":")
    if kind == "a":
        one = assessment(organisation, key)
        return Comparable(Side(f"{one.cluster.name} · {one.name}", scorecard(one).as_dict()), one)
    if kind == "m":
        row = milestone(organisation, key)
        label = f"{row.assessment.cluster.name} · {row.name}"
        return Comparable(Side(label, row.frozen["card"]), row.assessment)
    raise not_found()


@dataclass(frozen=True, slots=True)
class ReportSource:
    """What a report or a roadmap needs from an assessment, read once so that all parts agree.

    Each row of `evidence` says in `vouched` whether it counts as verified and in `expired` whether it is
    too old.
    """

    assessment: Assessment
    matrix: Matrix
    profile: Profile
    answers: tuple[Answer, ...]
    card: Scorecard
    heads: dict[str, AnswerHead]
    evidence: tuple[Evidence, ...]
    milestones: tuple[Milestone, ...]


def report_source(organisation: Any, assessment_id: Any, *, as_of: datetime | None = None) -> ReportSource:
    """Everything about one assessment at a moment, for composition above this app."""
    one = assessment(organisation, assessment_id)
    given = answers(one)
    parsed = matrix_of(one)
    profile = profile_of(one)
    as_of = as_of or timezone.now()
    card = score(
        parsed,
        given,
        profile=profile,
        scope=Scope(one.scope),
        as_of=as_of,
        facts=xray_facts(one, as_of=as_of),
    )
    current = heads(one)
    rows = tuple(evidence_of(one))
    for row in rows:
        head = current.get(row.practice)
        row.vouched = vouched(row, head.response.respondent_id if head else None)
        row.expired = is_expired(evidence_item(row), card.as_of)
    return ReportSource(
        assessment=one,
        matrix=parsed,
        profile=profile,
        answers=given,
        card=card,
        heads=current,
        evidence=rows,
        milestones=tuple(milestones(one)),
    )

"""Rows and domain values as the JSON the API sends."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from assessments.domain.matrix import Matrix, Practice
from assessments.models import Assessment, Evidence, Milestone, Response


def assessment(row: Assessment) -> dict[str, Any]:
    """An assessment without its answers."""
    return {
        "id": str(row.pk),
        "name": row.name,
        "cluster": {"id": str(row.cluster_id), "name": row.cluster.name},
        "scope": row.scope,
        "kinds": row.kinds,
        "tags": row.tags,
        "status": row.status,
        "matrix": {"version": row.matrix_version.version, "sha256": row.matrix_version_id},
        "created_at": row.created_at,
    }


def answer(row: Response) -> dict[str, Any]:
    """An answer; `version` is what If-Match wants as long as nobody answers after it."""
    return {
        "practice": row.practice,
        "version": row.version,
        "level": row.level,
        "clauses": row.clauses,
        "na_reason": row.na_reason or None,
        "na_text": row.na_text,
        "unsure": row.unsure,
        "confidence": row.confidence,
        "cleared": row.cleared,
        "note": row.note,
        "source": row.source,
        "respondent": str(row.respondent),
        "at": row.created_at,
    }


def evidence(row: Evidence) -> dict[str, Any]:
    """One piece of evidence."""
    return {
        "id": str(row.pk),
        "practice": row.practice,
        "clause": row.clause or None,
        "kind": row.kind,
        "title": row.title,
        "url": row.url or None,
        "file_name": row.file_name or None,
        "file_size": row.file_size,
        "sha256": row.sha256 or None,
        "effective_at": row.effective_at,
        "added_by": str(row.added_by),
        "verified_by": str(row.verified_by) if row.verified_by else None,
        "verified_at": row.verified_at,
    }


def milestone(row: Milestone, *, whole: bool = False) -> dict[str, Any]:
    """A milestone; with `whole` its frozen state too."""
    shape = {
        "id": str(row.pk),
        "name": row.name,
        "as_of": row.as_of,
        "sha256": row.sha256,
        "previous_sha256": row.previous_sha256 or None,
        "created_by": str(row.created_by),
        "created_at": row.created_at,
        "overall": row.frozen["card"]["overall"],
    }
    return {**shape, "frozen": row.frozen} if whole else shape


def practice(each: Practice) -> dict[str, Any]:
    """A practice in the language of the request."""
    language = get_language() or "en"
    return {
        "id": each.id,
        "dimension": each.dimension.value,
        "core": each.core,
        "worded": each.worded,
        "title": each.title.in_language(language),
        "question": each.question.in_language(language),
        "why": each.why.in_language(language) if each.why else None,
        "proof": [text.in_language(language) for text in each.proof],
        "rulings": [text.in_language(language) for text in each.rulings],
        "clauses": [
            {
                "id": clause.id,
                "level": clause.level,
                "evidence": clause.evidence.value,
                "text": clause.text.in_language(language),
                "tags": sorted(clause.tags),
            }
            for clause in each.clauses
        ],
        "kpi": kpi(each, language),
        "answered_by": [
            {
                "fault": answer.fault,
                "drill": answer.drill.in_language(language) if answer.drill else None,
                "clauses": list(answer.clauses),
            }
            for answer in each.answers_by
        ],
        "signals": list(each.signals),
        "needs": [{"practice": need.practice, "level": need.level} for need in each.needs],
        "kinds": sorted(each.kinds),
        "tags": sorted(each.tags),
        "nist": list(each.nist),
    }


def kpi(each: Practice, language: str) -> dict[str, Any] | None:
    """The KPI of a practice with its targets as numbers; None where it has none."""
    if each.kpi is None:
        return None
    return {
        "name": each.kpi.name.in_language(language),
        "unit": each.kpi.unit,
        "better": each.kpi.better,
        "formula": each.kpi.formula.in_language(language),
        "targets": [
            {
                "level": target.level,
                "op": target.op,
                "value": target.value,
                "low": target.low,
                "high": target.high,
                "unit": target.unit,
                "share": target.share,
                "window_days": target.window_days,
                "window_seconds": target.window_seconds,
                "also": [
                    {
                        "name": also.name.in_language(language),
                        "op": also.op,
                        "value": also.value,
                        "low": also.low,
                        "high": also.high,
                        "unit": also.unit,
                    }
                    for also in target.also
                ],
            }
            for target in each.kpi.targets
        ],
    }


def matrix(one: Matrix) -> dict[str, Any]:
    """A whole matrix version in the language of the request."""
    language = get_language() or "en"
    return {
        "version": one.version,
        "sha256": one.sha256,
        "reading": [text.in_language(language) for text in one.reading],
        "quick_scan": list(one.quick_scan),
        "practices": [practice(each) for each in one.practices],
    }

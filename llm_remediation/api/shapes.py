"""Roadmaps as the JSON the API sends. Numbers are unrounded; words are in the language of the request."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from llm_remediation import snapshots, words
from llm_remediation.domain.model import ClosingTest, Totals
from llm_remediation.domain.tradeoffs.pareto import Placed
from llm_remediation.domain.waves import wave_key
from llm_remediation.models import RoadmapItem
from llm_remediation.selectors import Detail, Step, Summary, Wave
from llm_remediation.services.items import step_id


def summary(row: Summary) -> dict[str, Any]:
    """A roadmap in one line."""
    roadmap = row.roadmap
    return {
        "id": str(roadmap.pk),
        "name": roadmap.name,
        "assessment": {"id": str(roadmap.assessment_id), "name": row.assessment},
        "cluster": {"id": str(roadmap.assessment.cluster_id), "name": row.cluster},
        "score": {"before": row.before, "after": row.after},
        "steps": row.steps,
        "confirmed": row.confirmed,
        "in_progress": row.in_progress,
        "overdue": row.overdue,
        "next_due": row.next_due,
        "created_by": str(roadmap.created_by),
        "created_at": roadmap.created_at,
    }


def roadmap(found: Detail) -> dict[str, Any]:
    """A whole roadmap."""
    row = found.roadmap
    return {
        "id": str(row.pk),
        "name": row.name,
        "assessment": {"id": str(row.assessment_id), "name": row.assessment.name},
        "cluster": {"id": str(row.assessment.cluster_id), "name": row.assessment.cluster.name},
        "created_by": str(row.created_by),
        "created_at": row.created_at,
        "inputs": row.inputs,
        "optimal": row.outcome["optimal"],
        "gap": row.outcome["gap"],
        "changed_by_hand": found.changed_by_hand,
        "score": {"before": found.before, "after": found.after},
        "weakest": found.weakest,
        "dimensions": {
            each.dimension.value: {"before": each.before, "after": each.after, "change": each.change}
            for each in found.dimensions
        },
        "totals": _totals(found.totals),
        "waves": [_wave(each, found) for each in found.waves],
        "left_out": [_step(each, found) for each in found.left_out],
        "unanswered": list(found.unanswered),
        "frontier": [_placed(each) for each in found.placed],
    }


def item(row: RoadmapItem) -> dict[str, Any]:
    """What people change about a step; `version` is what If-Match wants."""
    return {
        "id": str(row.pk),
        "step": step_id(row),
        "version": row.version,
        "wave": row.wave,
        "owner": {"id": row.owner_id, "name": str(row.owner)} if row.owner else None,
        "due": row.due,
        "status": row.status,
        "running_cost_month": row.running_cost_month,
        "slo_minutes_month": row.slo_minutes_month,
        "confirmed_by": str(row.confirmed_by) if row.confirmed_by else None,
        "confirmed_at": row.confirmed_at,
        "confirmation": row.confirmation or None,
    }


def _placed(one: Placed) -> dict[str, Any]:
    return {
        "step": one.choice.id,
        "running_cost_month": one.choice.cost_month,
        "slo_minutes_month": one.choice.minutes_saved,
        "dominated_by": one.dominated_by.id if one.dominated_by else None,
    }


def _wave(wave: Wave, found: Detail) -> dict[str, Any]:
    return {
        "index": wave.index,
        "key": wave_key(wave.index),
        "name": words.wave(wave.index),
        "budget": snapshots.budget_json(wave.budget),
        "totals": _totals(wave.totals),
        "over": [use.resource.value for use in wave.uses if use.over],
        "steps": [_step(each, found) for each in wave.steps],
    }


def _step(step: Step, found: Detail) -> dict[str, Any]:
    return {
        **snapshots.candidate_json(step.candidate),
        "title": step.title.in_language(get_language() or "en"),
        "reasons": [
            {**each, "text": words.reason(reason, found.currency)}
            for each, reason in zip(snapshots.reasons_json(step.reasons), step.reasons, strict=True)
        ],
        "closing_test": _closing_test(step.candidate.closing_test),
        "price": words.price(step.reasons) or None,
        "broken_needs": [{"needs": each.needs, "earliest": each.earliest} for each in step.broken],
        "item": item(step.item) if step.item else None,
    }


def _closing_test(test: ClosingTest | None) -> dict[str, Any] | None:
    if test is None:
        return None
    return {**snapshots.closing_test_json(test), "text": words.closing_test(test)}


def _totals(sums: Totals) -> dict[str, Any]:
    return {
        "steps": sums.steps,
        "gain": sums.gain,
        "weighted_gain": sums.value,
        "days": sums.days,
        "days_low": sums.days_low,
        "days_high": sums.days_high,
        "gpu_hours": sums.gpu_hours,
        "money": sums.money,
    }

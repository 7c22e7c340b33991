"""The roadmap part of a report: a roadmap as its page shows it."""

from __future__ import annotations

from datetime import UTC

from django.utils import translation

from llm_remediation import words
from llm_remediation.selectors import Detail, Step, Wave
from portal.reports import schema


def part(found: Detail | None) -> schema.RoadmapPart | None:
    """A roadmap of the assessment; None where there is none."""
    if found is None:
        return None
    totals, row = found.totals, found.roadmap
    return schema.RoadmapPart(
        name=row.name,
        date=row.created_at.astimezone(UTC).date().isoformat(),
        currency=found.currency,
        score_before=round(found.before, 4),
        score_after=round(found.after, 4),
        optimal=bool(row.outcome["optimal"]) and not found.changed_by_hand,
        changed_by_hand=found.changed_by_hand,
        gain=totals.gain,
        days=totals.days,
        gpu_hours=totals.gpu_hours,
        money=totals.money,
        waves=[_wave(found, wave) for wave in found.waves],
        left_out=[_left_out(found, step) for step in found.left_out],
        note=words.unanswered(len(found.unanswered)) if found.unanswered else "",
    )


def _wave(found: Detail, wave: Wave) -> schema.WaveRow:
    return schema.WaveRow(
        name=words.wave(wave.index),
        items=[_item(found, step) for step in wave.steps if step.counted],
        gain=wave.totals.gain,
        days=wave.totals.days,
        gpu_hours=wave.totals.gpu_hours,
        money=wave.totals.money,
        budget_days=wave.budget.days,
        budget_gpu_hours=wave.budget.gpu_hours,
        budget_money=wave.budget.money,
    )


def _item(found: Detail, step: Step) -> schema.RoadmapItemRow:
    one, item = step.candidate, step.item
    return schema.RoadmapItemRow(
        practice=one.practice,
        title=_title(step),
        from_level=one.from_level,
        to_level=one.to_level,
        gain=one.gain,
        days=one.effort_days,
        days_low=one.effort_days if one.days_low is None else one.days_low,
        days_high=one.effort_days if one.days_high is None else one.days_high,
        gpu_hours=one.gpu_hours,
        money=one.money,
        owner=str(item.owner) if item and item.owner else "",
        due=item.due.isoformat() if item and item.due else None,
        status=str(item.get_status_display()) if item else "",
        closing=words.closing_test(one.closing_test),
        why=words.sentence(step.reasons, found.currency),
    )


def _left_out(found: Detail, step: Step) -> schema.LeftOutRow:
    one = step.candidate
    return schema.LeftOutRow(
        practice=one.practice,
        title=_title(step),
        from_level=one.from_level,
        to_level=one.to_level,
        gain=one.gain,
        why=words.sentence(step.reasons, found.currency),
    )


def _title(step: Step) -> str:
    return step.title.in_language(translation.get_language() or "en")

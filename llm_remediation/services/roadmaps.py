"""Drawing up a roadmap: read the assessment once, plan outside the transaction, store everything at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from assessments import selectors as assessments
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import Scope
from assessments.domain.scoring import Scorecard
from llm_remediation import snapshots, words
from llm_remediation.domain.candidates import DEFAULT_TARGET, candidates
from llm_remediation.domain.effort import Rates
from llm_remediation.domain.model import WEIGHTS, Candidate, Plan, WaveBudget
from llm_remediation.domain.planned import Situation
from llm_remediation.domain.refusals import BadPlanInput
from llm_remediation.domain.roadmap import plan
from llm_remediation.models import Roadmap, RoadmapItem
from llm_remediation.services.texts import checked
from portal.audit import services as audit
from portal.errors import Invalid

NAME_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person asks for: one budget per wave (None is unlimited) and the levels to reach."""

    budgets: Sequence[WaveBudget]
    default_target: int = DEFAULT_TARGET
    targets: Mapping[str, int] = field(default_factory=dict)


def draw_up(*, organisation: Any, assessment: Any, actor: Any, name: str, wishes: Wishes) -> Roadmap:
    """Plan the steps of `assessment` under the budgets and store the roadmap with its items.

    Raises Invalid with a place: `name`, `assessment` (too few answers for a score), `default_target`,
    `targets[REL-04]`, `budgets[0].days`, … Nothing is stored then. NotFound for a foreign assessment.
    """
    name = checked(
        " ".join(name.split()), place="name", most=NAME_CHARACTERS, missing=_("Give the roadmap a name.")
    )
    source = assessments.report_source(organisation, assessment.pk)
    one = source.assessment
    situation = Situation(source.matrix, source.answers, source.card.as_of, source.profile, Scope(one.scope))
    lab = one.cluster.environment == "lab"
    rates = Rates(float(organisation.day_rate), float(organisation.gpu_hour_price))
    try:
        found = candidates(
            situation,
            targets=wishes.targets,
            default_target=wishes.default_target,
            rates=rates,
            lab=lab,
        )
        if not found:
            raise Invalid(
                "nothing_to_plan",
                _("Every answered practice has reached its target already. Raise the target."),
                place="default_target",
            )
        best = plan(found, wishes.budgets, WEIGHTS)
        after = situation.card_at(best.levels)
    except BadPlanInput as refused:
        raise _in_words(refused, source.card) from refused
    inputs = {
        "as_of": source.card.as_of.isoformat(),
        "matrix": {"version": source.matrix.version, "sha256": source.matrix.sha256},
        "scope": one.scope,
        "lab": lab,
        "default_target": wishes.default_target,
        "targets": dict(wishes.targets),
        "budgets": [snapshots.budget_json(each) for each in wishes.budgets],
        "rates": {
            "day_rate": rates.day_rate,
            "gpu_hour_price": rates.gpu_hour_price,
            "currency": organisation.currency,
        },
        "weights": {"version": WEIGHTS.version, "weakest_dimension": WEIGHTS.weakest_dimension},
    }
    outcome = _outcome(best, found, source.card, after)
    return _store(one, actor, name, inputs, outcome, best)


def _in_words(refused: BadPlanInput, card: Scorecard) -> Invalid:
    if refused.code == "score_incomplete":
        text = _(
            "There are too few answers for a score: %(share)d %% of the practices are answered. A roadmap"
            " needs at least 70 %% in total and in each dimension."
        ) % {"share": int(100 * card.overall.completeness)}
        return Invalid(refused.code, text, place="assessment")
    return Invalid(refused.code, words.refusal(refused.code, str(refused.message)), place=refused.place)


def _outcome(best: Plan, found: Sequence[Candidate], now: Scorecard, after: Scorecard) -> dict[str, Any]:
    return {
        "before": _card(now),
        "after": _card(after),
        "weakest": now.overall.weakest.value if now.overall.weakest else None,
        "optimal": best.optimal,
        "gap": best.gap,
        "ties_settled": best.ties_settled,
        "candidates": {each.id: snapshots.candidate_json(each) for each in found},
        "waves": {item.candidate.id: item.wave for wave in best.waves for item in wave.items},
        "left_out": [
            {"id": each.candidate.id, "reasons": snapshots.reasons_json(each.reasons)}
            for each in best.left_out
        ],
        "unanswered": sorted(
            practice for practice, result in now.practices.items() if result.state in ("unanswered", "unsure")
        ),
    }


def _card(card: Scorecard) -> dict[str, Any]:
    return {
        "overall": card.overall.score,
        "dimensions": {each.value: card.dimensions[each].score for each in Dimension},
    }


@transaction.atomic
def _store(
    one: Any, actor: Any, name: str, inputs: dict[str, Any], outcome: dict[str, Any], best: Plan
) -> Roadmap:
    roadmap = Roadmap.objects.create(
        organisation=one.organisation,
        assessment=one,
        name=name,
        inputs=inputs,
        outcome=outcome,
        created_by=actor,
    )
    RoadmapItem.objects.bulk_create(
        RoadmapItem(
            roadmap=roadmap,
            practice=step.practice,
            from_level=step.from_level,
            to_level=step.to_level,
            wave=wave.index,
            position=position,
            gain=step.gain,
            effort_days_low=step.effort_days if step.days_low is None else step.days_low,
            effort_days=step.effort_days,
            effort_days_high=step.effort_days if step.days_high is None else step.days_high,
            gpu_hours=step.gpu_hours,
            money=step.money,
            blast_radius=step.blast_radius.value,
            reason=snapshots.reasons_json(item.reasons),
            needs=list(step.needs),
            closing_test=snapshots.closing_test_json(step.closing_test) if step.closing_test else {},
        )
        for wave in best.waves
        for position, item in enumerate(wave.items)
        for step in (item.candidate,)
    )
    audit.record(
        organisation_id=one.organisation_id,
        actor=actor,
        action="roadmap.drawn_up",
        object_type="roadmap",
        object_id=roadmap.pk,
        detail={
            "name": name,
            "assessment": str(one.pk),
            "steps": best.totals.steps,
            "left_out": len(best.left_out),
            "optimal": best.optimal,
        },
    )
    return roadmap

"""The plan: chosen steps in waves, what was left out and why, totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from llm_remediation.domain.checks import check_input
from llm_remediation.domain.model import (
    WEIGHTS,
    Candidate,
    GainWeights,
    LeftOut,
    Plan,
    PlannedItem,
    PlannedWave,
    Totals,
    WaveBudget,
)
from llm_remediation.domain.reasons import Explainer
from llm_remediation.domain.solver import Placement, solve
from llm_remediation.domain.units import Instance, in_whole_units
from llm_remediation.domain.waves import wave_key

SOLVE_SECONDS = 10.0
EXPLAIN_SECONDS = 3.0


def plan(
    candidates: Sequence[Candidate],
    budgets: Sequence[WaveBudget],
    weights: GainWeights = WEIGHTS,
    *,
    solve_seconds: float = SOLVE_SECONDS,
    explain_seconds: float = EXPLAIN_SECONDS,
) -> Plan:
    """The plan with the largest weighted gain under the budgets of each wave (one entry per wave).

    Exact while `solve_seconds` last (`Plan.optimal`). A larger budget never lowers the *weighted* gain.
    Exact losses of left-out steps are computed while `explain_seconds` last.

    Raises:
        BadPlanInput: NaN, negative or huge numbers, unknown or circular prerequisites, no wave.
    """
    check_input(candidates, budgets, weights)
    instance = in_whole_units(candidates, budgets, weights)
    placement = solve(instance, solve_seconds)
    explainer = Explainer(instance, placement, weights, explain_seconds)
    left_out = explainer.left_out()
    waves = tuple(_wave(instance, placement, explainer, index) for index in range(instance.waves))
    return Plan(
        waves=waves,
        left_out=tuple(LeftOut(instance.candidates[c], reasons) for c, reasons in left_out.items()),
        totals=totals([item.candidate for wave in waves for item in wave.items], weights),
        optimal=placement.optimal,
        gap=placement.gap,
        ties_settled=placement.ties_settled,
        weights=weights,
    )


def totals(candidates: Iterable[Candidate], weights: GainWeights = WEIGHTS) -> Totals:
    """Sums over candidates; a missing low or high estimate counts as the likely one."""
    steps = list(candidates)
    return Totals(
        steps=len(steps),
        gain=sum(c.gain for c in steps),
        value=sum(weights.value(c) for c in steps),
        days=sum(c.effort_days for c in steps),
        days_low=sum(c.effort_days if c.days_low is None else c.days_low for c in steps),
        days_high=sum(c.effort_days if c.days_high is None else c.days_high for c in steps),
        gpu_hours=sum(c.gpu_hours for c in steps),
        money=sum(c.money for c in steps),
    )


def _wave(instance: Instance, placement: Placement, explainer: Explainer, index: int) -> PlannedWave:
    inside = _in_working_order(instance, [c for c, wave in enumerate(placement.wave_of) if wave == index])
    items = tuple(PlannedItem(instance.candidates[c], index, explainer.chosen(c)) for c in inside)
    return PlannedWave(
        index=index,
        key=wave_key(index),
        budget=instance.budgets[index],
        items=items,
        totals=totals([item.candidate for item in items], explainer.weights),
    )


def _in_working_order(instance: Instance, inside: Sequence[int]) -> list[int]:
    """Prerequisites first; of the steps that are free, the largest weighted gain, then the id."""
    waiting, done = set(inside), list[int]()
    while waiting:
        free = [c for c in waiting if waiting.isdisjoint(instance.needs[c])]
        first = min(free, key=lambda c: (-instance.values[c], instance.candidates[c].id))
        waiting.remove(first)
        done.append(first)
    return done

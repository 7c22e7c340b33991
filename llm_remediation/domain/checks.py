"""Checks of what comes into the planner, and of plans that a person changed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from assessments.domain.matrix import HIGHEST_LEVEL
from llm_remediation.domain.model import Candidate, GainWeights, Resource, WaveBudget
from llm_remediation.domain.refusals import BadPlanInput, checked_quantity
from llm_remediation.domain.units import in_whole_units
from llm_remediation.domain.waves import MOST_WAVES, waves_after

MOST_CANDIDATES = 1000
LARGEST_WEIGHT = 100


def check_input(candidates: Sequence[Candidate], budgets: Sequence[WaveBudget], weights: GainWeights) -> None:
    """Refuse what no plan can be made from.

    Raises:
        BadPlanInput: with the code and the place of the first broken rule.
    """
    _check_budgets(budgets)
    factor = checked_quantity(weights.weakest_dimension, "weights.weakest_dimension", LARGEST_WEIGHT)
    if factor < 1:
        raise BadPlanInput(
            "weight_below_one",
            f"weights.weakest_dimension must be at least 1, got {factor:g}",
            place="weights.weakest_dimension",
        )
    if len(candidates) > MOST_CANDIDATES:
        raise BadPlanInput(
            "too_many_candidates",
            f"at most {MOST_CANDIDATES} candidates, got {len(candidates)}",
            place="candidates",
        )
    _check_candidates(candidates)


def _check_budgets(budgets: Sequence[WaveBudget]) -> None:
    if not 1 <= len(budgets) <= MOST_WAVES:
        raise BadPlanInput(
            "number_of_waves", f"a plan has 1 to {MOST_WAVES} waves, got {len(budgets)}", place="budgets"
        )
    for index, budget in enumerate(budgets):
        for resource in Resource:
            limit = budget.limit(resource)
            if limit is not None:
                checked_quantity(limit, f"budgets[{index}].{resource.value}")


def _check_candidates(candidates: Sequence[Candidate]) -> None:
    known = {candidate.id: candidate for candidate in candidates}
    if len(known) < len(candidates):
        ids = [candidate.id for candidate in candidates]
        double = next(name for name in ids if ids.count(name) > 1)
        raise BadPlanInput("duplicate_candidate", f"candidate {double} appears twice", place=double)
    for candidate in candidates:
        for name in ("effort_days", "gpu_hours", "money"):
            checked_quantity(getattr(candidate, name), f"{candidate.id}.{name}")
        for name in ("gain", "weakest_gain"):
            checked_quantity(getattr(candidate, name), f"{candidate.id}.{name}", HIGHEST_LEVEL)
        missing = sorted(set(candidate.needs) - known.keys())
        if missing:
            raise BadPlanInput(
                "unknown_prerequisite",
                f"{candidate.id} needs {missing[0]}, which is no candidate",
                place=f"{candidate.id}.needs",
            )
    try:
        TopologicalSorter({candidate.id: set(candidate.needs) for candidate in candidates}).prepare()
    except CycleError as error:
        cycle = " → ".join(error.args[1])
        raise BadPlanInput("cycle", f"candidates need each other: {cycle}", place="candidates") from None


@dataclass(frozen=True, slots=True)
class BrokenNeed:
    """`candidate` stands too early for `needs`; `earliest` is the first allowed wave, None if left out."""

    candidate: str
    needs: str
    earliest: int | None


@dataclass(frozen=True, slots=True)
class Overrun:
    """A wave takes more of a resource than its budget."""

    wave: int
    resource: Resource
    used: float
    budget: float


@dataclass(frozen=True, slots=True)
class HandCheck:
    """What is wrong with a plan after a person moved steps: shown, never forbidden."""

    broken: tuple[BrokenNeed, ...]
    overruns: tuple[Overrun, ...]


def check_by_hand(
    candidates: Sequence[Candidate], budgets: Sequence[WaveBudget], wave_of: Mapping[str, int]
) -> HandCheck:
    """Broken prerequisites and overrun budgets of `wave_of` (candidate id -> wave from 0).

    Raises:
        BadPlanInput: unknown candidate or wave in `wave_of`, or a bad budget.
    """
    check_input(candidates, budgets, GainWeights())
    known = {candidate.id: candidate for candidate in candidates}
    for name, wave in wave_of.items():
        if name not in known:
            raise BadPlanInput("unknown_candidate", f"{name} is no candidate", place=f"wave_of[{name}]")
        if not 0 <= wave < len(budgets):
            raise BadPlanInput("unknown_wave", f"there is no wave {wave}", place=f"wave_of[{name}]")
    broken = []
    for name in sorted(wave_of):
        for need in known[name].needs:
            earliest = wave_of[need] + waves_after(known[need]) if need in wave_of else None
            if earliest is None or wave_of[name] < earliest:
                broken.append(BrokenNeed(name, need, earliest))
    return HandCheck(tuple(broken), _overruns(list(known.values()), budgets, wave_of))


def _overruns(
    candidates: Sequence[Candidate], budgets: Sequence[WaveBudget], wave_of: Mapping[str, int]
) -> tuple[Overrun, ...]:
    instance = in_whole_units(candidates, budgets, GainWeights())
    found = []
    for wave, budget in enumerate(budgets):
        inside = [i for i, c in enumerate(instance.candidates) if wave_of.get(c.id) == wave]
        for column, resource in enumerate(Resource):
            whole, limit = instance.limits[wave][column], budget.limit(resource)
            if whole is None or limit is None or sum(instance.costs[i][column] for i in inside) <= whole:
                continue
            used = sum(instance.candidates[i].cost(resource) for i in inside)
            found.append(Overrun(wave, resource, used, limit))
    return tuple(found)

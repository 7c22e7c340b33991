"""Why each step is in the plan or out of it, as codes and values that the views word in a language.

In the plan:
- `gain`: raises the overall score by `gain` (`weakest` true: in the weakest dimension).
- `assumes`: `practice` at `level`, outside the scope of the assessment, is taken as met.
- `prerequisite`: above its own target, needed by `needed_by`.
- `unlocks`: chosen steps (`candidates`) that wait for this one.

Left out, in the order in which they are looked for:
- `prerequisite_unanswered`: `practice` must be answered (level `level` is needed) before this is planned.
- `exceeds_largest_wave`: takes `needed` of `resource`, the largest wave has `largest`.
- `fits_no_wave`: every wave lacks something (`waves`: wave, resource, needed, budget); `from_wave` where
  what it waits for rules out the waves before.
- `blast_radius_capped`: disturbs `radius`, the waves allow at most `cap`.
- `too_few_waves`: what it waits for leaves no wave; it could start in wave number `waves_needed` of `waves`.
- `cannot_fit_with_prerequisites`: with what it needs (`candidates`) it exceeds the waves; `totals` says of
  which resource how much all waves have and how much is needed.
- `prerequisite_left_out`: what it needs (`candidates`) is left out, `possible` false: cannot be planned.
- `only_as_prerequisite`: above its own target, and nothing that needs it (`needed_by`) is in the plan.
- `no_gain`: does not change the score.
- `outbid`: no room beside the chosen steps (`waves` as above, `left` instead of `budget`).
- `waits_too_long`: what it needs ends in wave `wave`, too late to start it.
- `found_no_time`: the solver stopped before it could tell.
`outbid`, `waits_too_long` and `prerequisite_left_out` carry `loss` (weighted gain that a plan with this step
would lose, exact) and `displaces` (steps that would leave) where there was time to compute them; `loss` 0
means an equally good plan exists that costs no less.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from llm_remediation.domain.model import BlastRadius, GainWeights, Reason, Resource
from llm_remediation.domain.solver import Model, Placement, earliest_waves, gain_objective, value_of
from llm_remediation.domain.units import UNITS, Instance
from llm_remediation.domain.waves import waves_after


@dataclass(slots=True)
class Explainer:
    """Reasons for one placement. `seconds`: time for the exact losses, all candidates together."""

    instance: Instance
    placement: Placement
    weights: GainWeights
    seconds: float
    _impossible: dict[int, bool] = field(default_factory=dict, init=False)
    _earliest: tuple[int | None, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        self._earliest = earliest_waves(self.instance)

    def chosen(self, candidate: int) -> tuple[Reason, ...]:
        """Why the chosen candidate is in."""
        step = self.instance.candidates[candidate]
        dependents = [c for c in self._dependents(candidate) if self.placement.wave_of[c] is not None]
        reasons = [Reason("gain", {"gain": step.gain, "weakest": step.weakest_gain > 0})]
        if step.pulled_in:
            reasons.insert(0, Reason("prerequisite", {"needed_by": self._ids(dependents)}))
        if dependents:
            reasons.append(Reason("unlocks", {"candidates": self._ids(dependents)}))
        for need in step.assumed:
            reasons.append(Reason("assumes", {"practice": need.practice, "level": need.level}))
        return tuple(reasons)

    def left_out(self) -> dict[int, tuple[Reason, ...]]:
        """Candidate -> what stopped it, for all that are not chosen."""
        out = [c for c, wave in enumerate(self.placement.wave_of) if wave is None]
        stops = {c: self._stops(c) for c in out}
        deadline = time.monotonic() + self.seconds
        model: Model | None = None
        for c in sorted(out, key=lambda c: -self.instance.values[c]):
            left = min(deadline - time.monotonic(), self.seconds / 3)
            if stops[c] or not self._worth_pricing(c) or left <= 0:
                continue
            model = model or Model(self.instance)
            stops[c] = [self._why_not(c, self._price(model, c, left))]
        return {c: tuple(stops[c] or [self._plain(c)]) for c in out}

    # -- what makes a step impossible, whatever else is chosen ---------------------------------------

    def _stops(self, candidate: int) -> list[Reason]:
        reasons = [*self._unanswered(candidate), *self._too_large(candidate)]
        dead = [need for need in self.instance.needs[candidate] if self._is_impossible(need)]
        if dead:
            reasons.append(
                Reason("prerequisite_left_out", {"candidates": self._ids(dead), "possible": False})
            )
        if not reasons:
            reasons += self._too_late(candidate) or self._bundle_too_large(candidate)
        return reasons

    def _is_impossible(self, candidate: int) -> bool:
        if self.placement.wave_of[candidate] is not None:
            return False
        if candidate not in self._impossible:
            self._impossible[candidate] = bool(self._stops(candidate))
        return self._impossible[candidate]

    def _unanswered(self, candidate: int) -> list[Reason]:
        blocked = self.instance.candidates[candidate].blocked
        return [
            Reason("prerequisite_unanswered", {"practice": need.practice, "level": need.level})
            for need in blocked
        ]

    def _too_large(self, candidate: int) -> list[Reason]:
        instance, waves = self.instance, range(self.instance.waves)
        step = instance.candidates[candidate]
        reasons = []
        for column, resource in enumerate(Resource):
            limits = [instance.limits[wave][column] for wave in waves]
            largest = max(math.inf if limit is None else limit for limit in limits)
            if instance.costs[candidate][column] > largest:
                budget = max(limit for b in instance.budgets if (limit := b.limit(resource)) is not None)
                values = {"resource": resource.value, "needed": step.cost(resource), "largest": budget}
                reasons.append(Reason("exceeds_largest_wave", values))
        caps = [budget.blast_radius for budget in instance.budgets]
        if all(instance.too_disruptive(candidate, wave) for wave in waves):
            cap = max((cap for cap in caps if cap is not None), key=lambda cap: cap.rank)
            reasons.append(_capped(step.blast_radius, cap))
        if not reasons and not step.blocked and not any(instance.fits_alone(candidate, w) for w in waves):
            reasons.append(Reason("fits_no_wave", {"waves": self._obstacles(candidate)}))
        return reasons

    def _obstacles(self, candidate: int) -> list[dict[str, object]]:
        step, found = self.instance.candidates[candidate], list[dict[str, object]]()
        for wave, budget in enumerate(self.instance.budgets):
            for resource in self.instance.obstacles(candidate, wave):
                values = {"needed": step.cost(resource), "budget": budget.limit(resource)}
                found.append({"wave": wave, "resource": resource.value, **values})
            if self.instance.too_disruptive(candidate, wave) and budget.blast_radius is not None:
                capped = _capped(step.blast_radius, budget.blast_radius).parameters
                found.append({"wave": wave, "resource": "blast_radius", **capped})
        return found

    def _too_late(self, candidate: int) -> list[Reason]:
        if self._earliest[candidate] is not None:
            return []
        starts = [
            wave + waves_after(self.instance.candidates[need])
            for need in self.instance.needs[candidate]
            if (wave := self._earliest[need]) is not None
        ]
        start, waves = max(starts, default=0), self.instance.waves
        if start >= waves:
            return [Reason("too_few_waves", {"waves": waves, "waves_needed": start + 1})]
        obstacles = [entry for entry in self._obstacles(candidate) if cast(int, entry["wave"]) >= start]
        return [Reason("fits_no_wave", {"waves": obstacles, "from_wave": start})]

    def _bundle_too_large(self, candidate: int) -> list[Reason]:
        bundle = sorted(self._with_prerequisites(candidate))
        if len(bundle) == 1:
            return []
        part = self._part(bundle)
        model = Model(part)
        everything = [model.chosen(c) for c in range(len(bundle))]
        answer = model.minimise([0.0] * len(model.open), everything, max(self.seconds, 1.0))
        if answer.wave_of is not None or not answer.optimal:
            return []
        totals = []
        for column, resource in enumerate(Resource):
            limits = [limits[column] for limits in part.limits]
            needed = sum(costs[column] for costs in part.costs)
            if None not in limits:
                all_waves = sum(limit for limit in limits if limit is not None)
                unit = UNITS[resource]
                totals.append(
                    {"resource": resource.value, "needed": needed / unit, "all_waves": all_waves / unit}
                )
        others = self._ids(c for c in bundle if c != candidate)
        return [Reason("cannot_fit_with_prerequisites", {"candidates": others, "totals": totals})]

    def _part(self, keep: Sequence[int]) -> Instance:
        instance, place = self.instance, {c: index for index, c in enumerate(keep)}
        return Instance(
            candidates=tuple(instance.candidates[c] for c in keep),
            budgets=instance.budgets,
            values=tuple(instance.values[c] for c in keep),
            gain_unit=instance.gain_unit,
            costs=tuple(instance.costs[c] for c in keep),
            limits=instance.limits,
            needs=tuple(tuple(place[need] for need in instance.needs[c]) for c in keep),
        )

    # -- what makes a possible step a worse choice ----------------------------------------------------

    def _worth_pricing(self, candidate: int) -> bool:
        step = self.instance.candidates[candidate]
        return self.instance.values[candidate] > 0 and not step.pulled_in and self.placement.optimal

    def _price(self, model: Model, candidate: int, seconds: float) -> dict[str, object]:
        answer = model.minimise(gain_objective(self.instance), [model.chosen(candidate)], seconds)
        if answer.wave_of is None or not answer.optimal:
            return {}
        loss = self.placement.value - value_of(self.instance, answer.wave_of)
        pairs = enumerate(zip(self.placement.wave_of, answer.wave_of, strict=True))
        gone = self._ids(c for c, (now, then) in pairs if now is not None and then is None)
        return {"loss": float(loss * self.instance.gain_unit), "displaces": gone}

    def _why_not(self, candidate: int, price: dict[str, object]) -> Reason:
        missing = [need for need in self.instance.needs[candidate] if self.placement.wave_of[need] is None]
        if missing:
            values = {"candidates": self._ids(missing), "possible": True}
            return Reason("prerequisite_left_out", values | price)
        start = self._start(candidate)
        open_waves = [w for w in range(start, self.instance.waves) if self.instance.fits_alone(candidate, w)]
        if not open_waves:
            return Reason("waits_too_long", {"wave": start - 1} | price)
        lacking = [self._lacking(candidate, wave) for wave in open_waves]
        if not all(lacking):
            return Reason("found_no_time")
        return Reason("outbid", {"waves": [entry for wave in lacking for entry in wave]} | price)

    def _plain(self, candidate: int) -> Reason:
        step = self.instance.candidates[candidate]
        if step.pulled_in:
            return Reason("only_as_prerequisite", {"needed_by": self._ids(self._dependents(candidate))})
        if self.instance.values[candidate] == 0:
            return Reason("no_gain")
        return self._why_not(candidate, {})

    def _start(self, candidate: int) -> int:
        starts = [0]
        for need in self.instance.needs[candidate]:
            wave = self.placement.wave_of[need]
            if wave is not None:
                starts.append(wave + waves_after(self.instance.candidates[need]))
        return max(starts)

    def _lacking(self, candidate: int, wave: int) -> list[dict[str, object]]:
        found = []
        for column, resource in enumerate(Resource):
            limit, unit = self.instance.limits[wave][column], UNITS[resource]
            inside = (c for c, at in enumerate(self.placement.wave_of) if at == wave)
            used = sum(self.instance.costs[c][column] for c in inside)
            needed = self.instance.costs[candidate][column]
            if limit is not None and needed > limit - used:
                values: dict[str, object] = {"needed": needed / unit, "left": (limit - used) / unit}
                found.append({"wave": wave, "resource": resource.value} | values)
        return found

    # -- the graph of needs -------------------------------------------------------------------------------

    def _dependents(self, candidate: int) -> list[int]:
        return [c for c, needs in enumerate(self.instance.needs) if candidate in needs]

    def _with_prerequisites(self, candidate: int) -> set[int]:
        found, queue = {candidate}, [candidate]
        while queue:
            for need in self.instance.needs[queue.pop()]:
                if need not in found:
                    found.add(need)
                    queue.append(need)
        return found

    def _ids(self, candidates: Iterable[int]) -> list[str]:
        return [self.instance.candidates[c].id for c in candidates]


def _capped(radius: BlastRadius, cap: BlastRadius) -> Reason:
    return Reason("blast_radius_capped", {"radius": radius.value, "cap": cap.value})

"""Exact choice of steps and waves by mixed-integer programming (HiGHS through `scipy.optimize.milp`).

Binary x[c, w] = 1 when candidate c is done in wave w. Stages, each exact:

1. maximise the weighted gain  sum value[c] x[c, w];
2. among the plans with that gain, minimise the cost (money, or days when no rates are set);
3. among the timings of that set of steps, do gains early, then the first ids first.

Candidates are sorted by id and HiGHS is deterministic, so equal input in any order gives an equal plan.

Subject to: a step is done once; a wave stays inside each budget; a step comes after what it needs
(`waves.waves_after`); a pulled-in step is chosen only with a step that needs it.

All numbers are whole (`units`). HiGHS works in floating point with a tolerance of 1e-6, so every answer is
checked in whole numbers afterwards; a set of steps that exceeds a budget by rounding is cut off (cover
inequality) and the stage is solved again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from llm_remediation.domain.model import Resource
from llm_remediation.domain.units import Instance
from llm_remediation.domain.waves import waves_after

_SOLVED, _INFEASIBLE = 0, 2  # status of scipy.optimize.milp


@dataclass(frozen=True, slots=True)
class Row:
    """lower <= sum of coefficient * x <= upper; `terms` maps a variable's index to its coefficient."""

    terms: dict[int, float]
    lower: float
    upper: float


# Room for HiGHS's tolerance. Terms are whole numbers, so no other plan gets in.
_TOLERANCE_ROOM = 1e-3


def _at_most(terms: Mapping[int, int], limit: int) -> Row:
    """Whole-number row, divided by the common divisor of its terms: a tighter bound and smaller numbers."""
    divisor = math.gcd(*terms.values())
    scaled = {variable: float(term // divisor) for variable, term in terms.items()}
    return Row(scaled, -math.inf, limit // divisor + _TOLERANCE_ROOM)


@dataclass(frozen=True, slots=True)
class Placement:
    """`wave_of[c]` is the wave of candidate c or None; `gap` as in `Plan.gap`."""

    wave_of: tuple[int | None, ...]
    value: int
    optimal: bool
    gap: float | None
    ties_settled: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    """`wave_of` None: no plan found (`optimal`: none exists)."""

    wave_of: tuple[int | None, ...] | None
    optimal: bool
    gap: float | None = None


@dataclass(slots=True)
class Model:
    """The rows of one instance, built once and solved for several objectives."""

    instance: Instance
    rows: list[Row] = field(init=False)
    open: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        earliest = earliest_waves(self.instance)
        waves = self.instance.waves
        self.open = [
            first is not None and wave >= first and self.instance.fits_alone(c, wave)
            for c, first in enumerate(earliest)
            for wave in range(waves)
        ]
        self.rows = [*self._once(), *self._budgets(), *self._order(), *self._pulled_in()]

    def variables(self, candidate: int) -> range:
        """Indices of x[candidate, 0] … x[candidate, last wave]."""
        waves = self.instance.waves
        return range(candidate * waves, (candidate + 1) * waves)

    def chosen(self, candidate: int, lower: int = 1) -> Row:
        """The candidate must be in the plan (`lower` 1)."""
        return Row(dict.fromkeys(self.variables(candidate), 1.0), lower, 1)

    def _once(self) -> list[Row]:
        return [self.chosen(c, 0) for c in range(len(self.instance.candidates))]

    def _budgets(self) -> list[Row]:
        rows = []
        for wave in range(self.instance.waves):
            for column in range(len(Resource)):
                limit = self.instance.limits[wave][column]
                terms = {
                    self.variables(c)[wave]: costs[column]
                    for c, costs in enumerate(self.instance.costs)
                    if costs[column] and self.open[self.variables(c)[wave]]
                }
                if limit is not None and sum(terms.values()) > limit:
                    rows.append(_at_most(terms, limit))
        return rows

    def _order(self) -> list[Row]:
        rows = []
        for c, needs in enumerate(self.instance.needs):
            for need in needs:
                lag = waves_after(self.instance.candidates[need])
                for wave in range(self.instance.waves):
                    terms = dict.fromkeys(self.variables(c)[: wave + 1], 1.0)
                    terms.update(dict.fromkeys(self.variables(need)[: max(wave + 1 - lag, 0)], -1.0))
                    rows.append(Row(terms, -math.inf, 0))
        return rows

    def _pulled_in(self) -> list[Row]:
        rows = []
        for c, candidate in enumerate(self.instance.candidates):
            if candidate.pulled_in:
                terms = dict.fromkeys(self.variables(c), 1.0)
                for dependent, needs in enumerate(self.instance.needs):
                    if c in needs:
                        terms.update(dict.fromkeys(self.variables(dependent), -1.0))
                rows.append(Row(terms, -math.inf, 0))
        return rows

    def minimise(self, costs: Sequence[float], extra: Sequence[Row], seconds: float) -> _Answer:
        """Smallest sum of costs[i] x[i] under all rows; adds a cover row when rounding broke a budget."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return _Answer(None, optimal=False)
            answer = self._solve(costs, extra, left)
            cuts = [] if answer.wave_of is None else self._exceeded(answer.wave_of)
            if not cuts:
                return answer
            self.rows += cuts

    def _solve(self, costs: Sequence[float], extra: Sequence[Row], seconds: float) -> _Answer:
        rows = [*self.rows, *extra]
        indices = [(r, i) for r, row in enumerate(rows) for i in row.terms]
        values = [value for row in rows for value in row.terms.values()]
        shape = (len(rows), len(self.open))
        matrix = csr_array((values, tuple(np.array(indices, dtype=np.int64).T)), shape=shape)
        result = milp(
            np.asarray(costs, dtype=float),
            integrality=np.ones(len(self.open), dtype=np.int64),
            bounds=Bounds(0.0, np.asarray(self.open, dtype=float)),
            constraints=LinearConstraint(matrix, [r.lower for r in rows], [r.upper for r in rows]),
            options={"time_limit": seconds, "mip_rel_gap": 0.0},
        )
        if result.x is None:
            return _Answer(None, optimal=result.status == _INFEASIBLE)
        x = np.asarray(result.x).reshape(-1, self.instance.waves) > 0.5
        wave_of = tuple(int(np.argmax(row)) if row.any() else None for row in x)
        gap = None if result.mip_gap is None or not math.isfinite(result.mip_gap) else float(result.mip_gap)
        return _Answer(wave_of, optimal=result.status == _SOLVED, gap=gap)

    def _exceeded(self, wave_of: Sequence[int | None]) -> list[Row]:
        cuts = []
        for wave in range(self.instance.waves):
            inside = [c for c, chosen in enumerate(wave_of) if chosen == wave]
            for column in range(len(Resource)):
                limit = self.instance.limits[wave][column]
                costs = {c: self.instance.costs[c][column] for c in inside}
                if limit is not None and sum(costs.values()) > limit:
                    cover = [c for c in inside if costs[c]]
                    terms = {self.variables(c)[wave]: 1.0 for c in cover}
                    cuts.append(Row(terms, -math.inf, len(cover) - 1))
        return cuts


def earliest_waves(instance: Instance) -> tuple[int | None, ...]:
    """First wave in which each candidate can be done, given only its needs and its own size."""
    found: dict[int, int | None] = {}

    def earliest(candidate: int) -> int | None:
        if candidate not in found:
            after = [
                None if (first := earliest(need)) is None else first + waves_after(instance.candidates[need])
                for need in instance.needs[candidate]
            ]
            start = None if None in after else max((wave for wave in after if wave is not None), default=0)
            waves = range(instance.waves if start is None else start, instance.waves)
            found[candidate] = next((w for w in waves if instance.fits_alone(candidate, w)), None)
        return found[candidate]

    return tuple(earliest(candidate) for candidate in range(len(instance.candidates)))


def gain_objective(instance: Instance) -> list[float]:
    """Costs whose minimum is the largest weighted gain."""
    return [-float(value) for value in instance.values for _ in range(instance.waves)]


def value_of(instance: Instance, wave_of: Sequence[int | None]) -> int:
    """Weighted gain of the chosen candidates, in whole units."""
    return sum(value for value, wave in zip(instance.values, wave_of, strict=True) if wave is not None)


def cost_of(instance: Instance) -> tuple[int, ...]:
    """What the second stage saves: money, or days when nothing costs money."""
    columns = list(Resource)
    money, days = columns.index(Resource.MONEY), columns.index(Resource.DAYS)
    column = money if any(costs[money] for costs in instance.costs) else days
    return tuple(costs[column] for costs in instance.costs)


def solve(instance: Instance, seconds: float) -> Placement:
    """The best placement; with too little time the best one found, marked not optimal."""
    count = len(instance.candidates)
    if count == 0:
        return Placement((), 0, optimal=True, gap=0.0, ties_settled=True)
    model = Model(instance)
    deadline = time.monotonic() + seconds
    best = model.minimise(gain_objective(instance), (), seconds)
    if best.wave_of is None:
        return Placement((None,) * count, 0, optimal=False, gap=None, ties_settled=False)
    value = value_of(instance, best.wave_of)
    if not best.optimal:
        return Placement(best.wave_of, value, optimal=False, gap=best.gap, ties_settled=False)
    wave_of, settled = _settle_ties(model, best.wave_of, value, deadline)
    return Placement(wave_of, value, optimal=True, gap=0.0, ties_settled=settled)


def _settle_ties(
    model: Model, wave_of: tuple[int | None, ...], value: int, deadline: float
) -> tuple[tuple[int | None, ...], bool]:
    """The cheapest placement with that gain, then its earliest timing; False when time ran out."""
    cheap = model.minimise(_cost_objective(model), [_same_gain(model, value)], deadline - time.monotonic())
    if cheap.wave_of is not None and value_of(model.instance, cheap.wave_of) == value:
        wave_of = cheap.wave_of
    early = model.minimise(_early_objective(model), _same_steps(model, wave_of), deadline - time.monotonic())
    if early.wave_of is not None:
        wave_of = early.wave_of
    return wave_of, cheap.optimal and early.optimal


def _same_gain(model: Model, value: int) -> Row:
    gains = {i: float(v) for c, v in enumerate(model.instance.values) if v for i in model.variables(c)}
    return Row(gains, value - _TOLERANCE_ROOM, math.inf)


def _cost_objective(model: Model) -> list[float]:
    costs = cost_of(model.instance)
    divisor = math.gcd(*costs) or 1
    return [float(cost // divisor) for cost in costs for _ in range(model.instance.waves)]


def _same_steps(model: Model, wave_of: Sequence[int | None]) -> list[Row]:
    rows = [model.chosen(c) for c, wave in enumerate(wave_of) if wave is not None]
    out = {i: 1.0 for c, wave in enumerate(wave_of) if wave is None for i in model.variables(c)}
    return [*rows, Row(out, 0, 0)] if out else rows


def _early_objective(model: Model) -> list[float]:
    """Weighted gain times wave, so that gains come early; among equals the first ids come first."""
    instance = model.instance
    count = len(instance.candidates)
    return [
        wave * (value + 1 + (count - c) / (count + 1) ** 2)
        for c, value in enumerate(instance.values)
        for wave in range(instance.waves)
    ]

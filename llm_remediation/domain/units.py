"""Whole numbers for the solver: costs rounded up, budgets down, so that no budget is ever exceeded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from llm_remediation.domain.model import Candidate, GainWeights, Resource, WaveBudget

# Thousandths of a day and of a GPU-hour, hundredths of money.
UNITS = {Resource.DAYS: 1000, Resource.GPU_HOURS: 1000, Resource.MONEY: 100}
# Gains of a roadmap are fractions such as 1/48 (weight over answered practices over dimensions). With their
# common denominator they become small whole numbers, which lets the solver prune early. Gains without a
# small common denominator are rounded to a millionth of a level.
GAIN_DENOMINATOR = 1_000_000
# Digits kept before rounding up or down: hides binary noise such as 0.1 + 0.2 = 0.30000000000000004.
_NOISE_DIGITS = 6


def _up(value: float, unit: int) -> int:
    return math.ceil(round(value * unit, _NOISE_DIGITS))


def _down(value: float, unit: int) -> int:
    return math.floor(round(value * unit, _NOISE_DIGITS))


def _whole_gains(gains: Sequence[float]) -> tuple[tuple[int, ...], Fraction]:
    """Whole numbers and their unit in levels, so that number * unit is the gain."""
    exact = [Fraction(gain).limit_denominator(GAIN_DENOMINATOR) for gain in gains]
    denominator = math.lcm(*(fraction.denominator for fraction in exact))
    if denominator > GAIN_DENOMINATOR:
        return tuple(round(gain * GAIN_DENOMINATOR) for gain in gains), Fraction(1, GAIN_DENOMINATOR)
    whole = [int(fraction * denominator) for fraction in exact]
    divisor = math.gcd(*whole) or 1
    return tuple(number // divisor for number in whole), Fraction(divisor, denominator)


@dataclass(frozen=True, slots=True)
class Instance:
    """A planning problem in whole numbers; candidates sorted by id, so input order never matters.

    A weighted gain is `values[c] * gain_unit` levels.
    `costs[c][r]` and `limits[w][r]` follow the order of `Resource`; a budget of None is unlimited.
    """

    candidates: tuple[Candidate, ...]
    budgets: tuple[WaveBudget, ...]
    values: tuple[int, ...]
    gain_unit: Fraction
    costs: tuple[tuple[int, ...], ...]
    limits: tuple[tuple[int | None, ...], ...]
    needs: tuple[tuple[int, ...], ...]

    @property
    def waves(self) -> int:
        return len(self.budgets)

    def obstacles(self, candidate: int, wave: int) -> tuple[Resource, ...]:
        """Resources of which the candidate alone takes more than the wave has."""
        pairs = zip(Resource, self.costs[candidate], self.limits[wave], strict=True)
        return tuple(resource for resource, cost, limit in pairs if limit is not None and cost > limit)

    def too_disruptive(self, candidate: int, wave: int) -> bool:
        """Does the candidate disturb more than the wave allows?"""
        cap = self.budgets[wave].blast_radius
        return cap is not None and self.candidates[candidate].blast_radius.rank > cap.rank

    def fits_alone(self, candidate: int, wave: int) -> bool:
        """May the candidate, all others set aside, be done in the wave?"""
        return not (
            self.candidates[candidate].blocked
            or self.obstacles(candidate, wave)
            or self.too_disruptive(candidate, wave)
        )


def in_whole_units(
    candidates: Sequence[Candidate], budgets: Sequence[WaveBudget], weights: GainWeights
) -> Instance:
    """The instance of checked candidates and budgets (`checks.checked`)."""
    ordered = tuple(sorted(candidates, key=lambda candidate: candidate.id))
    values, unit = _whole_gains([weights.value(candidate) for candidate in ordered])
    position = {candidate.id: index for index, candidate in enumerate(ordered)}
    return Instance(
        candidates=ordered,
        budgets=tuple(budgets),
        values=values,
        gain_unit=unit,
        costs=tuple(tuple(_up(c.cost(r), UNITS[r]) for r in Resource) for c in ordered),
        limits=tuple(
            tuple(None if (limit := b.limit(r)) is None else _down(limit, UNITS[r]) for r in Resource)
            for b in budgets
        ),
        needs=tuple(tuple(sorted(position[need] for need in c.needs)) for c in ordered),
    )

"""What a step costs and what it may disturb. Every number here is an estimate and is labelled so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assessments.domain.matrix import HIGHEST_LEVEL, Practice
from llm_remediation.domain.model import BlastRadius, EstimateSource
from llm_remediation.domain.refusals import BadPlanInput, checked_quantity


@dataclass(frozen=True, slots=True)
class Estimate:
    """Engineer-days (low, likely, high) and GPU-hours of one step."""

    days_low: float
    days_likely: float
    days_high: float
    gpu_hours: float


@dataclass(frozen=True, slots=True)
class Rates:
    """Prices of the organisation, in its currency."""

    day_rate: float = 0.0
    gpu_hour_price: float = 0.0

    def money(self, estimate: Estimate) -> float:
        """Likely days times the day rate plus GPU-hours times their price."""
        return estimate.days_likely * self.day_rate + estimate.gpu_hours * self.gpu_hour_price


# Used only where neither the organisation nor the matrix has an estimate. Orders of magnitude chosen for
# one cluster with about ten services: a note, a rule, a dashboard, a series of fault runs, automation.
DEFAULT_ESTIMATES = {
    1: Estimate(0.5, 1, 2, 0),
    2: Estimate(2, 3, 6, 0),
    3: Estimate(3, 5, 10, 2),
    4: Estimate(4, 8, 15, 16),
    5: Estimate(6, 12, 25, 32),
}

Estimates = Mapping[tuple[str, int], Estimate]  # (practice, to_level) -> the organisation's own estimate


def estimate_for(practice: Practice, to_level: int, own: Estimates) -> tuple[Estimate, EstimateSource]:
    """The organisation's estimate, else that of the matrix, else the default of the level."""
    if (practice.id, to_level) in own:
        return own[practice.id, to_level], EstimateSource.ORGANISATION
    for step in practice.effort:
        if step.to_level == to_level:
            found = Estimate(step.days_low, step.days_likely, step.days_high, step.gpu_hours)
            return found, EstimateSource.MATRIX
    return DEFAULT_ESTIMATES[to_level], EstimateSource.DEFAULT


def check_estimates(own: Estimates, rates: Rates) -> None:
    """Refuse estimates and prices that are no money, no time or in the wrong order.

    Raises:
        BadPlanInput: with the place of the number (`estimates[REL-04.L3].days_likely`, `rates.day_rate`).
    """
    checked_quantity(rates.day_rate, "rates.day_rate")
    checked_quantity(rates.gpu_hour_price, "rates.gpu_hour_price")
    for (practice, to_level), estimate in own.items():
        place = f"estimates[{practice}.L{to_level}]"
        if not 1 <= to_level <= HIGHEST_LEVEL:
            raise BadPlanInput(
                "level_out_of_range", f"{place}: a step ends at level 1 to {HIGHEST_LEVEL}", place=place
            )
        for name in ("days_low", "days_likely", "days_high", "gpu_hours"):
            checked_quantity(getattr(estimate, name), f"{place}.{name}")
        if not estimate.days_low <= estimate.days_likely <= estimate.days_high:
            raise BadPlanInput("estimate_order", f"{place}: days must be low <= likely <= high", place=place)


def blast_radius(to_level: int, *, runs_fault: bool, lab: bool) -> BlastRadius:
    """What the step may disturb, by what its level asks for (level scale of the matrix).

    Level 1 leaves an artefact: none. Levels 2 and 3 change configuration and telemetry of tier-1 services:
    low. A fault run on tier-1 services: medium. Level 5 starts without a person: one more. In a lab
    nobody's traffic is hit, so what is above low falls by one.
    """
    if to_level == 1 and not runs_fault:
        return BlastRadius.NONE
    rank = BlastRadius.MEDIUM.rank if runs_fault else BlastRadius.LOW.rank
    if to_level == HIGHEST_LEVEL:
        rank += 1
    if lab and rank > BlastRadius.LOW.rank:
        rank -= 1
    return list(BlastRadius)[rank]

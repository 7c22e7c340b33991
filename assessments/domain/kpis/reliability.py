"""REL: mean time between SLO breaches, with a bound where breaches are too few for a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scipy import stats

from assessments.domain.kpis.measured import LEVEL, Measured, number
from portal.errors import Invalid

LEAST_BREACHES = 3
SHORTEST_BREACH_S = 300.0


@dataclass(frozen=True, slots=True)
class Breach:
    """A time in which the SLO was violated, in hours since the start of the window."""

    start_h: float
    end_h: float


def service_mtbf(breaches: Sequence[Breach], observed_h: float, *, span_h: float | None = None) -> Measured:
    """Service MTBF in hours over `observed_h` hours of a window of `span_h` (the same unless given).

    From 3 breaches on the mean gap: sum of (start of the next breach - end of a breach) / number of gaps
    (matrix, REL-01), with the exact Poisson interval of the hours per breach, T / r: 2T / chi2(0.975, 2r + 2)
    to 2T / chi2(0.025, 2r) (Garwood 1936). Below 3 breaches there is no mean, only the one-sided lower 95 %
    bound 2T / chi2(0.95, 2r + 2) in `low`. Violations shorter than 300 s are no breaches.

    Raises Invalid for times that are not finite, end before they start, overlap or leave the window.
    """
    total = number(observed_h, "observed_h")
    span = total if span_h is None else number(span_h, "span_h")
    if total > span:
        raise Invalid("kpi_number", f"observed_h must be at most {span:g}, the window", place="observed_h")
    ordered = _ordered(breaches, span)
    counted = [each for each in ordered if (each.end_h - each.start_h) * 3600 >= SHORTEST_BREACH_S]
    events = len(counted)
    if total == 0:
        return Measured("mtbf", "h", None, 0, reason="no_data")
    if events < LEAST_BREACHES:
        bound = 2 * total / float(stats.chi2.ppf(LEVEL, 2 * events + 2))
        return Measured(
            "mtbf", "h", None, events, low=bound, method="poisson_bound", reason="too_few_breaches"
        )
    gaps = [later.start_h - earlier.end_h for earlier, later in pairwise(counted)]
    tail = (1 - LEVEL) / 2
    return Measured(
        "mtbf",
        "h",
        math.fsum(gaps) / len(gaps),
        events,
        low=2 * total / float(stats.chi2.ppf(1 - tail, 2 * events + 2)),
        high=2 * total / float(stats.chi2.ppf(tail, 2 * events)),
        method="poisson",
    )


def _ordered(breaches: Sequence[Breach], total: float) -> list[Breach]:
    for index, each in enumerate(breaches):
        start = number(each.start_h, f"breaches[{index}].start_h")
        end = number(each.end_h, f"breaches[{index}].end_h")
        if end < start or end > total:
            message = "a breach ends after it starts and inside the window"
            raise Invalid("kpi_breach", message, place=f"breaches[{index}]")
    ordered = sorted(breaches, key=lambda each: (each.start_h, each.end_h))
    for earlier, later in pairwise(ordered):
        if later.start_h < earlier.end_h:
            message = f"breaches overlap at {later.start_h:g} h; join them first"
            raise Invalid("kpi_breach", message, place="breaches")
    return ordered


def budget_left(good: float, total: float, objective: float) -> Measured:
    """Error budget left in percent: 1 - (1 - good / total) / (1 - objective), below 0 where overspent.

    `objective` is a share such as 0.995. Raises Invalid for an objective outside (0, 1) or good above total.
    """
    events, fine = number(total, "total"), number(good, "good")
    if not 0 < number(objective, "objective") < 1:
        raise Invalid("kpi_objective", "objective must lie between 0 and 1", place="objective")
    if fine > events:
        raise Invalid("kpi_number", "good must not be more than total", place="good")
    if events == 0:
        return Measured("error_budget_left", "%", None, 0, reason="no_data")
    spent = (1 - fine / events) / (1 - objective)
    return Measured("error_budget_left", "%", 100 * (1 - spent), int(events))

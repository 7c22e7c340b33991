"""RCV: time to recover, and how often the objectives are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scipy import stats

from assessments.domain.kpis.measured import LEVEL, Measured, count, median, number, share


@dataclass(frozen=True, slots=True)
class Incident:
    """From alert to the SLO met again, in minutes; `open_` where it is not met yet (so far that long)."""

    minutes: float
    open_: bool = False


def mttr(incidents: Sequence[Incident]) -> Measured:
    """Median minutes from alert to recovery (matrix, RCV-06), with the exact interval of a median.

    An incident that is still open lasts at least as long as it has lasted: it stays in the sample, and where
    the median falls on one the value is only a lower bound (`reason` still_open). The interval takes order
    statistics k and n + 1 - k with the largest k whose binomial(n, 1/2) tail is at most 2.5 % (Conover);
    below 6 incidents there is none.
    """
    if not incidents:
        return Measured("mttr", "min", None, 0, reason="no_data")
    times = sorted(
        (number(each.minutes, f"incidents[{index}].minutes"), each.open_)
        for index, each in enumerate(incidents)
    )
    total = len(times)
    value = median([minutes for minutes, _open in times])
    # Whatever lasts longer than an open incident may turn out shorter than it: from there on only a bound.
    first_open = next((index for index, (_minutes, open_) in enumerate(times) if open_), total)
    if first_open <= total // 2:
        return Measured("mttr", "min", None, total, low=min(value, times[first_open][0]), reason="still_open")
    k = int(stats.binom.ppf((1 - LEVEL) / 2, total, 0.5))
    while k > 0 and stats.binom.cdf(k - 1, total, 0.5) > (1 - LEVEL) / 2:
        k -= 1
    if k < 1 or total - k >= first_open:
        return Measured("mttr", "min", value, total)
    return Measured(
        "mttr", "min", value, total, low=times[k - 1][0], high=times[total - k][0], method="order_statistics"
    )


def objective_attainment(inside: int, exercises: int, without_objective: int = 0) -> Measured:
    """Drills and runs inside both RTO and RPO in percent (matrix, RCV-01), with the Wilson interval.

    `without_objective` services or kinds of state have no objective: each counts as one that failed.
    """
    missing = count(without_objective, "without_objective")
    total = count(exercises, "exercises") + missing
    return share(
        "objective_attainment", count(inside, "inside", most=exercises), total, place="objective_attainment"
    )

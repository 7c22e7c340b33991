"""How often to save a checkpoint, and what share of the GPU-hours saving and rework take.

Young, J. W. (1974), "A first order approximation to the optimum checkpoint interval", CACM 17(9). Daly, J. T.
(2006), "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS 22(3): failures
are a Poisson process with mean time between failures M; a failure can hit computing, saving and restarting.
The interval runs from the end of one save to the start of the next. All times are in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from assessments.domain.kpis.measured import number
from portal.errors import Invalid

LONGEST_S = 1e10
"""Times above (three centuries) are refused; below, no step of the formulas leaves the floats."""
SHORTEST_S = 1e-6
CURVE_SPAN = 8.0
CURVE_STEPS = 48


@dataclass(frozen=True, slots=True)
class Waste:
    """Shares (0 to 1) of the machine time: `save` on saving, `rework` on lost work, lost saves, restarts."""

    save: float
    rework: float

    @property
    def total(self) -> float:
        """What is no useful work."""
        return self.save + self.rework


@dataclass(frozen=True, slots=True)
class CurvePoint:
    interval_s: float
    waste: Waste


@dataclass(frozen=True, slots=True)
class Checkpointing:
    """Time to save, mean time between failures of the job, time to restart.

    Raises Invalid with the name of the time for one that is not from 1 µs (restart: 0) to 1e10 s.
    """

    save_s: float
    mtbf_s: float
    restart_s: float = 0.0

    def __post_init__(self) -> None:
        _checked(self.save_s, "save_s")
        _checked(self.mtbf_s, "mtbf_s")
        _checked(self.restart_s, "restart_s", least=0.0)

    @property
    def young_s(self) -> float:
        """The first-order optimum: sqrt(2 save M)."""
        return math.sqrt(2 * self.save_s * self.mtbf_s)

    @property
    def daly_s(self) -> float:
        """The higher-order optimum; M where a save takes 2 M or longer.

        With x = save / 2M: sqrt(2 save M) (1 + sqrt(x) / 3 + x / 9) - save.
        """
        if self.save_s >= 2 * self.mtbf_s:
            return self.mtbf_s
        x = self.save_s / (2 * self.mtbf_s)
        return self.young_s * (1 + math.sqrt(x) / 3 + x / 9) - self.save_s

    def waste(self, interval_s: float) -> Waste:
        """What saving every `interval_s` wastes, by Daly's complete model of the run time.

        T = M exp(R / M) (exp((interval + save) / M) - 1) Ts / interval for Ts of useful work, so the useful
        share is Ts / T; each interval is saved once with success, the rest is rework.
        """
        interval = _checked(interval_s, "interval_s")
        period = interval + self.save_s
        useful = interval / period * self._kept(period / self.mtbf_s)
        save = useful * self.save_s / interval
        return Waste(save, max(0.0, 1 - useful - save))

    def curve(self, around_s: float | None = None) -> tuple[CurvePoint, ...]:
        """The waste over intervals, evenly in their logarithm, from an eighth to eight times the optimum.

        Reaches further where `around_s`, the interval in use, lies outside.
        """
        best = max(self.daly_s, SHORTEST_S)
        given = best if around_s is None else _checked(around_s, "interval_s")
        low = max(SHORTEST_S, min(best / CURVE_SPAN, given))
        high = min(LONGEST_S, max(best * CURVE_SPAN, given))
        step = (math.log(high) - math.log(low)) / CURVE_STEPS
        intervals = [low * math.exp(step * index) for index in range(CURVE_STEPS)] + [high]
        return tuple(CurvePoint(each, self.waste(each)) for each in intervals)

    def _kept(self, periods: float) -> float:
        """exp(-R / M) x / (exp(x) - 1): what failures leave of a period that lasts x = `periods` MTBFs."""
        if periods > 700:  # exp would overflow; the share is below 1e-300
            return 0.0
        return math.exp(-self.restart_s / self.mtbf_s) * periods / math.expm1(periods)


def gpu_hours_a_day(waste: Waste, gpus: int) -> float:
    """What a waste comes to on so many GPUs that compute around the clock."""
    return 24.0 * gpus * waste.total


def deviation(interval_s: float, optimum_s: float) -> float:
    """How far an interval lies from the optimum, as a share of it: 0.25 is a quarter longer or shorter."""
    return abs(interval_s / optimum_s - 1)


def _checked(value: float, place: str, *, least: float = SHORTEST_S) -> float:
    seconds = number(value, place, least=least)
    if seconds > LONGEST_S:
        raise Invalid("kpi_number", f"{place} must be at most {LONGEST_S:g}", place=place)
    return seconds

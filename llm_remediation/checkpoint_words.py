"""What the checkpoint calculator says: times as people read them, and how good the interval in use is."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from llm_remediation.domain.tradeoffs.checkpoint import Checkpointing, Waste, deviation
from llm_remediation.domain.tradeoffs.model import Amount
from llm_remediation.domain.tradeoffs.t5 import MOST_DEVIATION_PERCENT
from llm_remediation.tradeoff_number_words import amount, apart

MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0
# A time is told in a larger unit from two of that unit on.
LARGER = ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min"))
ROUND = {
    1.0: (0.001, 0.01, 0.1, 1, 2, 5, 10, 20, 30),
    MINUTE_S: (1, 2, 5, 10, 20, 30),
    HOUR_S: (1, 2, 5, 12),
    DAY_S: (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000),
}


def time(seconds: float) -> str:
    """`42 s`, `9.45 min`, `3.2 h`, `4 d`: three significant digits in the unit that fits."""
    for unit_s, unit in LARGER:
        if seconds >= 2 * unit_s:
            return _in(seconds / unit_s, unit)
    return _in(seconds, "s")


@dataclass(frozen=True, slots=True)
class Told:
    """A time as a number of seconds, and in the unit that fits where that is a larger one."""

    seconds: str
    larger: str


def told(seconds: float) -> Told:
    """The time for a place that shows the unit apart."""
    larger = "" if seconds < 2 * MINUTE_S else time(seconds)
    return Told(amount(Amount("", seconds, "count")), larger)


def interval(seconds: float) -> str:
    """The time in seconds, as it is set, and in the unit that fits where that is a larger one."""
    shown = _in(seconds, "s")
    return shown if seconds < 2 * MINUTE_S else f"{shown} ({time(seconds)})"


def ticks() -> tuple[tuple[float, str], ...]:
    """Round times for an axis, from a millisecond on, with their words."""
    names = {1.0: "s", **dict(LARGER)}
    return tuple(
        (value * unit_s, _in(value, names[unit_s])) for unit_s, values in ROUND.items() for value in values
    )


def too_far(job: Checkpointing, interval_s: float) -> bool:
    """Whether T5 would warn about the interval."""
    return 100 * deviation(interval_s, job.young_s) > MOST_DEVIATION_PERCENT


def verdict(job: Checkpointing, interval_s: float) -> str:
    """How far the interval in use lies from Young's optimum, and whether that matters."""
    off = Amount("", 100 * deviation(interval_s, job.young_s), "%")
    away, limit = apart(off, Amount("", MOST_DEVIATION_PERCENT, "%"))
    values = {"away": away, "limit": limit}
    if not too_far(job, interval_s):
        return _("The interval in use is %(away)s away from the best one (Young): within %(limit)s.") % values
    if interval_s < job.young_s:
        return (
            _("The interval in use is %(away)s shorter than the best one (Young): more than %(limit)s.")
            % values
        )
    return (
        _("The interval in use is %(away)s longer than the best one (Young): more than %(limit)s.") % values
    )


def difference(used: Waste, best: Waste) -> str:
    """What the interval in use wastes beyond the optimum, in percentage points."""
    return amount(Amount("", 100 * (used.total - best.total), "count"), 2)


def share(value: float) -> str:
    """A share of the machine time in percent, three significant digits."""
    return amount(Amount("", 100 * value, "%"))


def _in(value: float, unit: str) -> str:
    if unit == "min":
        return _("%(value)s min") % {"value": amount(Amount("", value, "count"))}
    return amount(Amount("", value, unit))

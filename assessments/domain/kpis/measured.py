"""What a KPI function returns, and the checks every one makes of its input."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from scipy import stats

from portal.errors import Invalid

LEVEL = 0.95
"""Confidence of every interval and bound here."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A KPI: its value with interval, or why there is none.

    `value` is None where nothing can be said; `reason` is then a code (`no_data`, `too_few_breaches`, …),
    never 0. `low` and `high` bound it at 95 %; a one-sided bound has only one of the two. `count` is the
    denominator or the number of events.
    """

    kpi: str
    unit: str
    value: float | None
    count: int
    low: float | None = None
    high: float | None = None
    method: str = ""
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON shape."""
        return asdict(self)


def number(value: float, place: str, *, least: float = 0.0) -> float:
    """The value as a float. Raises Invalid with `place` for NaN, infinity, and anything below `least`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Invalid("kpi_number", f"{place} must be a finite number", place=place)
    if value < least:
        raise Invalid("kpi_number", f"{place} must be at least {least:g}", place=place)
    return float(value)


def count(value: int, place: str, *, most: int | None = None) -> int:
    """A whole number of things, at least 0 and at most `most`. Raises Invalid with `place`."""
    whole = number(value, place)
    if not whole.is_integer():
        raise Invalid("kpi_count", f"{place} must be a whole number", place=place)
    if most is not None and whole > most:
        raise Invalid("kpi_count", f"{place} must be at most {most}", place=place)
    return int(whole)


def share(kpi: str, part: int, whole: int, *, place: str) -> Measured:
    """`part` of `whole` in percent with the Wilson score interval; nothing of nothing is `no_data`.

    Wilson (1927): centre (p + z²/2n) / (1 + z²/n), z = 1.96; unlike Wald it never leaves 0 to 100 and holds
    for small n (Brown, Cai, DasGupta 2001).
    """
    total = count(whole, f"{place}.whole")
    hit = count(part, f"{place}.part", most=total)
    if not total:
        return Measured(kpi, "%", None, 0, reason="no_data")
    interval = stats.binomtest(hit, total).proportion_ci(LEVEL, method="wilson")
    return Measured(
        kpi,
        "%",
        100 * hit / total,
        total,
        low=100 * float(interval.low),
        high=100 * float(interval.high),
        method="wilson",
    )


def median(values: Iterable[float]) -> float:
    """Median of at least one value; the mean of the middle two where their number is even."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2

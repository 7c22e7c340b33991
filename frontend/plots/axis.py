"""Axes of our own charts: round values, how they are written, and the lines across."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from frontend.plots import svg

MOST_TICKS = 5


def ticks(low: float, high: float, most: int = MOST_TICKS) -> list[float]:
    """Round values from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, few of them."""
    span = high - low
    step = 10.0 ** math.floor(math.log10(span / most))
    step = next(each for each in (step, 2 * step, 5 * step, 10 * step) if span / each <= most * (1 + 1e-9))
    return [step * n for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def tick_words(values: Sequence[float]) -> list[str]:
    """The values with as many decimals as their step needs, and a true minus sign."""
    step = values[1] - values[0] if len(values) > 1 else 1.0
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [f"{each:,.{digits}f}".replace("-", "−") for each in values]


def lines_across(
    title: str, high: float, place: Callable[[float], float], *, left: float, right: float
) -> list[str]:
    """The name of an upright axis from 0 to `high`, and a line with its number at each round value."""
    parts = [svg.label(0, 14, title, class_="chart__axis")]
    values = ticks(0.0, high)
    for value, words in zip(values, tick_words(values), strict=True):
        y = place(value)
        parts.append(svg.line(left, y, right, y, class_="chart__grid"))
        parts.append(svg.label(left - 8, y + 4.5, words, class_="chart__tick", anchor="end"))
    return parts

"""Slope chart: two moments side by side, a line per dimension, rising and falling told apart and labelled."""

from __future__ import annotations

from dataclasses import dataclass

from frontend.plots import svg

WIDTH = 600.0
SIDE = 215.0
HEAD = 40.0
BODY = 300.0
FOOT = 14.0
LABEL_GAP = 18.0
# A change below half of the last printed digit is not a change a reader can see.
SAME = 0.005


@dataclass(frozen=True, slots=True)
class SlopeLine:
    """One thing at two moments; None where it was not rated then."""

    code: str
    label: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class SlopeChart:
    """The whole chart; `before` and `after` name the two moments."""

    id: str
    title: str
    description: str
    before: str
    after: str
    lines: tuple[SlopeLine, ...]
    low: float = 0.0
    high: float = 5.0


def slope(chart: SlopeChart) -> str:
    """The chart as SVG text. Raises ValueError for a value outside the scale."""
    if chart.high <= chart.low:
        raise ValueError("the scale must rise")
    left, right = SIDE, WIDTH - SIDE
    parts = [
        svg.label(left, 18, chart.before, class_="chart__strong", anchor="end"),
        svg.label(right, 18, chart.after, class_="chart__strong"),
        svg.line(left, HEAD - 8, left, HEAD + BODY + 8, class_="chart__grid"),
        svg.line(right, HEAD - 8, right, HEAD + BODY + 8, class_="chart__grid"),
    ]
    for item in chart.lines:
        parts.append(_line(chart, item, left, right))
    parts.extend(_labels(chart, left - 12, first=True))
    parts.extend(_labels(chart, right + 12, first=False))
    return svg.picture(
        parts,
        id_=chart.id,
        width=WIDTH,
        height=HEAD + BODY + FOOT,
        title=chart.title,
        description=chart.description,
        class_="chart chart--slope",
    )


def direction(item: SlopeLine) -> str:
    """up, down or none: the class and the arrow of a line."""
    if item.before is None or item.after is None or abs(item.after - item.before) < SAME:
        return "none"
    return "up" if item.after > item.before else "down"


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Positions in the order of `wanted`, moved apart to at least `gap` and kept within low and high.

    When there is not enough room for all gaps the gap shrinks; order is kept.
    """
    count = len(wanted)
    if count < 2:
        return [min(max(y, low), high) for y in wanted]
    step = min(gap, (high - low) / (count - 1))
    order = sorted(range(count), key=lambda i: wanted[i])
    placed: list[float] = []
    for rank, index in enumerate(order):
        ceiling = high - step * (count - 1 - rank)
        floor = placed[-1] + step if placed else low
        placed.append(min(max(wanted[index], floor), ceiling))
    result = [0.0] * count
    for rank, index in enumerate(order):
        result[index] = placed[rank]
    return result


def _y(chart: SlopeChart, value: float) -> float:
    if not chart.low <= value <= chart.high:
        raise ValueError(f"{value} is outside {chart.low} to {chart.high}")
    return HEAD + BODY * (1 - (value - chart.low) / (chart.high - chart.low))


def _line(chart: SlopeChart, item: SlopeLine, left: float, right: float) -> str:
    marks = []
    way = direction(item)
    if item.before is not None and item.after is not None:
        dash = "5 4" if way == "down" else None
        before, after = _y(chart, item.before), _y(chart, item.after)
        marks.append(svg.line(left, before, right, after, class_="chart__line", dash=dash))
    if item.before is not None:
        marks.append(svg.mark("circle", left, _y(chart, item.before), 4.5, class_="chart__mark--open"))
    if item.after is not None:
        marks.append(svg.mark("circle", right, _y(chart, item.after), 4.5, class_="chart__mark"))
    return svg.element("g", *marks, class_=f"change-{way}") if marks else ""


def _labels(chart: SlopeChart, x: float, *, first: bool) -> list[str]:
    shown = [item for item in chart.lines if (item.before if first else item.after) is not None]
    values = [(item.before if first else item.after) or 0.0 for item in shown]
    places = spread([_y(chart, value) for value in values], LABEL_GAP, HEAD, HEAD + BODY)
    return [
        svg.label(
            x,
            place + 4.5,
            _words(item, value, first=first),
            anchor="end" if first else "start",
        )
        for item, value, place in zip(shown, values, places, strict=True)
    ]


def _words(item: SlopeLine, value: float, *, first: bool) -> str:
    shown = f"{value:.2f}"
    if first:
        return f"{svg.clipped(item.label, SIDE - 95)}  {item.code}  {shown}".replace("    ", "  ")
    if item.before is None or item.after is None:
        return f"{shown}  {item.code}"
    way = direction(item)
    if way == "none":
        return f"{shown}  {item.code}  ="
    arrow = "▲" if way == "up" else "▼"
    return f"{shown}  {item.code}  {arrow} {item.after - item.before:+.2f}".replace("-", "−")

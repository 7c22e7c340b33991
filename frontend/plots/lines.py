"""Lines: several shares over one quantity on a logarithmic scale, and marked points on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from frontend.plots import axis, legend, svg
from frontend.plots.theme import SERIES_LIMIT, SHAPES

WIDTH, NARROW_WIDTH = 600.0, 330.0
HEAD, BODY, FOOT = 30.0, 220.0, 50.0
LEFT, RIGHT = 46.0, 22.0
MARK = 6.0
LABEL_GAP = 10.0
DASHES = (None, "7 4", "2 4", "10 3 2 3")


@dataclass(frozen=True, slots=True)
class Line:
    """One quantity: points of (x, y) that rise in x."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A point that is told apart by its shape; it has the colour of `series` (0-based)."""

    label: str
    x: float
    y: float
    series: int


@dataclass(frozen=True, slots=True)
class LineChart:
    """The whole chart: at most four lines; `x_ticks` are (value, words). y starts at 0."""

    id: str
    title: str
    description: str
    x_axis: str
    y_axis: str
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...]
    x_ticks: tuple[tuple[float, str], ...]
    narrow: bool = False

    @property
    def width(self) -> float:
        return NARROW_WIDTH if self.narrow else WIDTH

    @property
    def x_range(self) -> tuple[float, float]:
        """The least and the largest x of lines and marks."""
        every = [x for line in self.lines for x, _y in line.points] + [each.x for each in self.marks]
        return min(every), max(every)

    @property
    def y_high(self) -> float:
        """The end of the vertical scale: the largest y."""
        every = [y for line in self.lines for _x, y in line.points] + [each.y for each in self.marks]
        return max(every)


def for_any_width(chart: LineChart) -> str:
    """The chart twice, wide and narrow; the style sheet shows the one that fits (and hides the other)."""
    return lines(chart) + lines(replace(chart, narrow=True, id=f"{chart.id}-narrow"))


def lines(chart: LineChart) -> str:
    """The chart as SVG text.

    Raises ValueError for an x that is not above 0, a negative y, a scale without extent or a fifth line.
    """
    low, high = chart.x_range
    every = [y for line in chart.lines for _x, y in line.points] + [each.y for each in chart.marks]
    if not 0 < low < high or min(every) < 0 or not chart.y_high > 0 or len(chart.lines) > SERIES_LIMIT:
        raise ValueError("x must rise from above 0 and y from 0, with at most four lines")
    drawn = [
        svg.element("path", d=_path(chart, line), class_="chart__line", stroke_dasharray=DASHES[index])
        for index, line in enumerate(chart.lines)
    ]
    entries = [
        (_group(index, svg.line(0, 0, 22, 0, class_="chart__line", dash=DASHES[index])), line.label)
        for index, line in enumerate(chart.lines)
    ]
    entries += [
        (_group(each.series, svg.mark(SHAPES[each.series], 11, 0, MARK, class_="chart__mark")), each.label)
        for each in chart.marks
    ]
    bottom = HEAD + BODY + FOOT
    return svg.picture(
        [
            *_grid(chart),
            *(_group(index, path) for index, path in enumerate(drawn)),
            *(_mark(chart, each) for each in chart.marks),
            *legend.lines(entries, top=bottom, width=chart.width),
        ],
        id_=chart.id,
        width=chart.width,
        height=bottom + legend.height(len(entries)),
        title=chart.title,
        description=chart.description,
        class_=f"chart chart--{'narrow' if chart.narrow else 'wide'}",
    )


def _x(chart: LineChart, value: float) -> float:
    low, high = (math.log(each) for each in chart.x_range)
    return LEFT + (chart.width - LEFT - RIGHT) * (math.log(value) - low) / (high - low)


def _y(chart: LineChart, value: float) -> float:
    return HEAD + BODY * (1 - value / chart.y_high)


def _path(chart: LineChart, line: Line) -> str:
    places = [f"{svg.number(_x(chart, x))} {svg.number(_y(chart, y))}" for x, y in line.points]
    return "M" + "L".join(places)


def _grid(chart: LineChart) -> list[str]:
    bottom, right = HEAD + BODY, chart.width - RIGHT
    parts = axis.lines_across(
        chart.y_axis, chart.y_high, lambda value: _y(chart, value), left=LEFT, right=right
    )
    free = 0.0  # where the next label may start
    low, high = chart.x_range
    for value, words in chart.x_ticks:
        if not low <= value <= high:
            continue
        x, half = _x(chart, value), svg.text_width(words, 12) / 2
        parts.append(svg.line(x, bottom, x, bottom + 5, class_="chart__grid"))
        if x - half >= free and x + half <= chart.width:
            parts.append(svg.label(x, bottom + 18, words, class_="chart__tick", anchor="middle"))
            free = x + half + LABEL_GAP
    parts.append(svg.label(right, bottom + 38, chart.x_axis, class_="chart__axis", anchor="end"))
    return parts


def _mark(chart: LineChart, mark: Mark) -> str:
    x, y = _x(chart, mark.x), _y(chart, mark.y)
    foot = svg.line(x, y, x, HEAD + BODY, class_="chart__line", dash="2 4")
    return _group(mark.series, foot + svg.mark(SHAPES[mark.series], x, y, MARK, class_="chart__mark"))


def _group(series: int, drawn: str) -> str:
    return svg.element("g", drawn, class_=f"series-{series + 1}")

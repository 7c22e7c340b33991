"""Curve: one quantity over another, a marked point, and the limits they are compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from frontend.plots import axis, legend, svg

WIDTH, NARROW_WIDTH = 600.0, 330.0
HEAD, BODY, FOOT = 30.0, 200.0, 48.0
LEFT, RIGHT = 58.0, 16.0
MARK = 5.5
DASHES = {"x": "2 4", "y": "7 4"}


@dataclass(frozen=True, slots=True)
class Limit:
    """A line across the chart at `value` of the axis `axis` (x or y)."""

    axis: str
    value: float
    label: str


@dataclass(frozen=True, slots=True)
class CurveChart:
    """The whole chart. Points rise in x; what is above `y_high` is cut off. Scales start at 0."""

    id: str
    title: str
    description: str
    x_axis: str
    y_axis: str
    points: tuple[tuple[float, float], ...]
    marked: tuple[float, float]
    marked_label: str
    limits: tuple[Limit, ...]
    x_high: float
    y_high: float
    narrow: bool = False

    @property
    def width(self) -> float:
        return NARROW_WIDTH if self.narrow else WIDTH


def for_any_width(chart: CurveChart) -> str:
    """The chart twice, wide and narrow; the style sheet shows the one that fits (and hides the other)."""
    return curve(chart) + curve(replace(chart, narrow=True, id=f"{chart.id}-narrow"))


def curve(chart: CurveChart) -> str:
    """The chart as SVG text. Raises ValueError where a scale does not rise or a limit lies outside."""
    if not (chart.x_high > 0 and chart.y_high > 0):
        raise ValueError("the scale must rise")
    parts = [*_grid(chart)]
    parts.extend(_limit(chart, each) for each in chart.limits)
    parts.append(svg.element("path", d=_path(chart), class_="chart__line"))
    x, y = chart.marked
    parts.append(svg.mark("circle", _x(chart, x), _y(chart, y), MARK, class_="chart__mark"))
    entries = [(svg.mark("circle", 11, 0, MARK, class_="chart__mark"), chart.marked_label)]
    entries += [(_key(each), each.label) for each in chart.limits]
    bottom = HEAD + BODY + FOOT
    return svg.picture(
        [svg.element("g", *parts, class_="series-1"), *_drawn_legend(entries, bottom, chart.width)],
        id_=chart.id,
        width=chart.width,
        height=bottom + legend.height(len(entries)),
        title=chart.title,
        description=chart.description,
        class_=f"chart chart--{'narrow' if chart.narrow else 'wide'}",
    )


def _x(chart: CurveChart, value: float) -> float:
    return _placed(value, chart.x_high) * (chart.width - LEFT - RIGHT) + LEFT


def _y(chart: CurveChart, value: float) -> float:
    return HEAD + BODY * (1 - _placed(value, chart.y_high))


def _placed(value: float, high: float) -> float:
    if not 0 <= value <= high * (1 + 1e-9):
        raise ValueError(f"{value} is outside 0 to {high}")
    return value / high


def _path(chart: CurveChart) -> str:
    """The line up to where it leaves the chart, the last bit of it interpolated."""
    kept: list[tuple[float, float]] = []
    for x, y in chart.points:
        if y > chart.y_high:
            if kept:
                before_x, before_y = kept[-1]
                share = (chart.y_high - before_y) / (y - before_y)
                kept.append((before_x + share * (x - before_x), chart.y_high))
            break
        kept.append((x, y))
    places = [f"{svg.number(_x(chart, x))} {svg.number(_y(chart, y))}" for x, y in kept]
    return "M" + "L".join(places) if places else "M0 0"


def _grid(chart: CurveChart) -> list[str]:
    bottom, right = HEAD + BODY, chart.width - RIGHT
    parts = axis.lines_across(
        chart.y_axis, chart.y_high, lambda value: _y(chart, value), left=LEFT, right=right
    )
    values = axis.ticks(0.0, chart.x_high)
    for value, words in zip(values, axis.tick_words(values), strict=True):
        x = _x(chart, value)
        parts.append(svg.line(x, bottom, x, bottom + 5, class_="chart__grid"))
        parts.append(svg.label(x, bottom + 18, words, class_="chart__tick", anchor="middle"))
    parts.append(svg.label(right, bottom + 38, chart.x_axis, class_="chart__axis", anchor="end"))
    return parts


def _limit(chart: CurveChart, limit: Limit) -> str:
    dash = DASHES[limit.axis]
    if limit.axis == "x":
        x = _x(chart, limit.value)
        return svg.line(x, HEAD, x, HEAD + BODY, class_="chart__limit", dash=dash)
    y = _y(chart, limit.value)
    return svg.line(LEFT, y, chart.width - RIGHT, y, class_="chart__limit", dash=dash)


def _key(limit: Limit) -> str:
    dash = DASHES[limit.axis]
    if limit.axis == "x":
        return svg.line(11, -9, 11, 9, class_="chart__limit", dash=dash)
    return svg.line(0, 0, 22, 0, class_="chart__limit", dash=dash)


def _drawn_legend(entries: list[tuple[str, str]], top: float, width: float) -> list[str]:
    return [svg.element("g", *legend.lines(entries, top=top, width=width), class_="series-1")]

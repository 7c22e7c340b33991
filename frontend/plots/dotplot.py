"""Dot plot: one row per dimension, one mark per cluster, an interval bar where there is one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from frontend.plots import svg
from frontend.plots.theme import SERIES_LIMIT, SHAPES

WIDTH = 600.0
LABEL_WIDTH = 204.0
# A phone: codes without names, so that the marks fit beside them.
NARROW_WIDTH = 330.0
NARROW_LABEL_WIDTH = 62.0
PAD_RIGHT = 20.0
HEAD = 34.0
FOOT = 30.0
ROW = 34.0
LEGEND_LINE = 22.0
LANE = 11.0
MARK = 5.5


@dataclass(frozen=True, slots=True)
class Dot:
    """One value on the scale; `value` None means not known, `low`/`high` None means no interval."""

    series: int
    value: float | None
    low: float | None = None
    high: float | None = None
    hint: str = ""
    open: bool = False


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row: `code` in small type before `label`; `unknown` is printed where no dot has a value."""

    code: str
    label: str
    dots: tuple[Dot, ...]
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class DotPlot:
    """The whole chart. `series` holds the labels in order; from the fifth on marks are grey circles."""

    id: str
    title: str
    description: str
    series: tuple[str, ...]
    rows: tuple[DotRow, ...]
    low: int = 0
    high: int = 5
    axis: str = ""
    narrow: bool = False

    @property
    def width(self) -> float:
        return NARROW_WIDTH if self.narrow else WIDTH

    @property
    def label_width(self) -> float:
        return NARROW_LABEL_WIDTH if self.narrow else LABEL_WIDTH

    @property
    def head(self) -> float:
        """Height of the legend: one line, or one line per series."""
        return HEAD + LEGEND_LINE * (len(self.series) - 1) if self.narrow and self.series else HEAD


def for_any_width(chart: DotPlot) -> str:
    """The chart twice, wide and narrow; the style sheet shows the one that fits (and hides the other)."""
    return dotplot(chart) + dotplot(replace(chart, narrow=True, id=f"{chart.id}-narrow"))


def dotplot(chart: DotPlot) -> str:
    """The chart as SVG text. Raises ValueError for a value outside the scale."""
    if chart.high <= chart.low:
        raise ValueError("the scale must rise")
    heights = [_row_height(row) for row in chart.rows]
    bottom = chart.head + sum(heights)
    parts = [*_legend(chart), *_grid(chart, bottom)]
    top = chart.head
    for index, (row, height) in enumerate(zip(chart.rows, heights, strict=True)):
        parts.extend(_row(chart, row, top=top, height=height, striped=index % 2 == 0))
        top += height
    return svg.picture(
        parts,
        id_=chart.id,
        width=chart.width,
        height=bottom + FOOT,
        title=chart.title,
        description=chart.description,
        class_=f"chart chart--dots chart--{'narrow' if chart.narrow else 'wide'}",
    )


def _row_height(row: DotRow) -> float:
    return max(ROW, 14 + LANE * len(row.dots))


def _x(chart: DotPlot, value: float) -> float:
    if not chart.low <= value <= chart.high:
        raise ValueError(f"{value} is outside {chart.low} to {chart.high}")
    share = (value - chart.low) / (chart.high - chart.low)
    return chart.label_width + share * (chart.width - chart.label_width - PAD_RIGHT)


def _legend(chart: DotPlot) -> list[str]:
    parts, x, y = [], 0.0, 12.0
    for index, name in enumerate(chart.series):
        parts.append(_mark(index, x + 7, y, hint=""))
        shown = svg.clipped(name, chart.width - 24) if chart.narrow else name
        parts.append(svg.label(x + 19, y + 4.5, shown))
        if chart.narrow:
            y += LEGEND_LINE
        else:
            x += 19 + svg.text_width(name) + 24
    return parts


def _grid(chart: DotPlot, bottom: float) -> list[str]:
    parts = []
    for value in range(chart.low, chart.high + 1):
        x = _x(chart, value)
        parts.append(svg.line(x, chart.head, x, bottom, class_="chart__grid"))
        parts.append(svg.label(x, bottom + 18, str(value), class_="chart__tick", anchor="middle"))
    if chart.axis:
        parts.append(svg.label(0, bottom + 18, chart.axis, class_="chart__axis"))
    return parts


def _row(chart: DotPlot, row: DotRow, *, top: float, height: float, striped: bool) -> list[str]:
    middle = top + height / 2
    parts = []
    if striped:
        band = chart.label_width - 12
        parts.append(svg.element("rect", x=0.0, y=top, width=band, height=height, class_="chart__band"))
    code_width = 46.0 if row.code else 6.0
    if row.code:
        parts.append(svg.label(6, middle + 4.5, row.code, class_="chart__code"))
    if not (chart.narrow and row.code):
        name = svg.clipped(row.label, chart.label_width - code_width - 18)
        parts.append(svg.label(code_width, middle + 4.5, name))
    known = [dot for dot in row.dots if dot.value is not None]
    if not known and row.unknown:
        parts.append(svg.label(_x(chart, chart.low) + 10, middle + 4.5, row.unknown, class_="chart__axis"))
    if len(known) > 1:
        ends = [_x(chart, dot.value) for dot in known if dot.value is not None]
        parts.append(svg.line(min(ends), middle, max(ends), middle, class_="chart__range"))
    first = middle - LANE * (len(known) - 1) / 2
    lanes = _lanes(chart, known)
    for dot, lane in zip(known, lanes, strict=True):
        parts.append(_dot(chart, dot, first + LANE * lane if _spread(lanes) else middle))
    return parts


def _spread(lanes: list[int]) -> bool:
    return any(lanes)


def _lanes(chart: DotPlot, dots: list[Dot]) -> list[int]:
    """Own lanes when intervals or marks would cover each other, else all on the middle line."""
    reach = sorted(
        (
            _x(chart, max(chart.low, dot.low if dot.low is not None else value)) - 2 * MARK,
            _x(chart, min(chart.high, dot.high if dot.high is not None else value)) + 2 * MARK,
        )
        for dot in dots
        if (value := dot.value) is not None
    )
    touching = any(left[1] > right[0] for left, right in pairwise(reach))
    return list(range(len(dots))) if touching else [0] * len(dots)


def _dot(chart: DotPlot, dot: Dot, y: float) -> str:
    value = dot.value if dot.value is not None else float(chart.low)
    x = _x(chart, value)
    bar = ""
    if dot.low is not None and dot.high is not None:
        low, high = _x(chart, max(chart.low, dot.low)), _x(chart, min(chart.high, dot.high))
        ends = f"M{svg.number(low)} {svg.number(y)}H{svg.number(high)}"
        caps = "".join(f"M{svg.number(end)} {svg.number(y - 4)}v8" for end in (low, high))
        bar = svg.element("path", d=ends + caps, class_="chart__interval")
    number = dot.series if dot.series < SERIES_LIMIT else None
    group = f"series-{number + 1}" if number is not None else "series-rest"
    return svg.element("g", bar + _shape(dot.series, x, y, hint=dot.hint, open_=dot.open), class_=group)


def _shape(series: int, x: float, y: float, *, hint: str, open_: bool = False) -> str:
    shape = SHAPES[series] if series < SERIES_LIMIT else "circle"
    return svg.mark(shape, x, y, MARK, class_="chart__mark--open" if open_ else "chart__mark", hint=hint)


def _mark(series: int, x: float, y: float, *, hint: str) -> str:
    group = f"series-{series + 1}" if series < SERIES_LIMIT else "series-rest"
    return svg.element("g", _shape(series, x, y, hint=hint), class_=group)

"""Stacked bar: what a whole is made of, part after part, and the limits along it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from frontend.plots import legend, svg
from frontend.plots.axis import tick_words, ticks
from frontend.plots.slope import spread
from frontend.plots.theme import SERIES_LIMIT

WIDTH, NARROW_WIDTH = 600.0, 330.0
HEAD, BAR, FOOT = 26.0, 34.0, 48.0
SIDE = 14.0
NUMBER_GAP = 14.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part with its size; a `rest` is drawn in grey."""

    label: str
    value: float
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """The whole chart: at most four parts and a rest; `limits` are (value, label) along the same scale."""

    id: str
    title: str
    description: str
    axis: str
    parts: tuple[Part, ...]
    limits: tuple[tuple[float, str], ...] = ()
    narrow: bool = False

    @property
    def width(self) -> float:
        return NARROW_WIDTH if self.narrow else WIDTH

    @property
    def high(self) -> float:
        """The end of the scale: all parts and every limit fit."""
        return max(sum(each.value for each in self.parts), *(value for value, _label in self.limits), 0.0)


def for_any_width(chart: Stack) -> str:
    """The chart twice, wide and narrow; the style sheet shows the one that fits (and hides the other)."""
    return stack(chart) + stack(replace(chart, narrow=True, id=f"{chart.id}-narrow"))


def stack(chart: Stack) -> str:
    """The chart as SVG text. Raises ValueError for a negative part or an empty scale."""
    if chart.high <= 0 or any(each.value < 0 for each in chart.parts):
        raise ValueError("parts must not be negative and some must be there")
    bottom = HEAD + BAR
    entries = [
        (_group(index, part, _swatch(index)), f"{index + 1}  {part.label}")
        for index, part in enumerate(chart.parts)
    ]
    entries += [(_limit_key(index), label) for index, (_value, label) in enumerate(chart.limits)]
    return svg.picture(
        [
            *_bars(chart),
            *_scale(chart, bottom),
            *(_limit(chart, index, value) for index, (value, _label) in enumerate(chart.limits)),
            *legend.lines(entries, top=bottom + FOOT, width=chart.width),
        ],
        id_=chart.id,
        width=chart.width,
        height=bottom + FOOT + legend.height(len(entries)),
        title=chart.title,
        description=chart.description,
        class_=f"chart chart--{'narrow' if chart.narrow else 'wide'}",
    )


def _x(chart: Stack, value: float) -> float:
    return SIDE + (chart.width - 2 * SIDE) * value / chart.high


def _bars(chart: Stack) -> list[str]:
    """The parts, each under its number."""
    drawn, middles, start = [], [], 0.0
    for index, part in enumerate(chart.parts):
        left, right = _x(chart, start), _x(chart, start + part.value)
        box = svg.element("rect", x=left, y=HEAD, width=right - left, height=BAR, class_="chart__mark")
        drawn.append(_group(index, part, box))
        middles.append((left + right) / 2)
        start += part.value
    places = spread(middles, NUMBER_GAP, SIDE, chart.width - SIDE)
    return drawn + [
        svg.label(place, HEAD - 8, str(index + 1), class_="chart__tick", anchor="middle")
        for index, place in enumerate(places)
    ]


def _scale(chart: Stack, bottom: float) -> list[str]:
    values = ticks(0.0, chart.high)
    drawn = [svg.line(SIDE, bottom, chart.width - SIDE, bottom, class_="chart__grid")]
    for value, words in zip(values, tick_words(values), strict=True):
        x = _x(chart, value)
        drawn.append(svg.line(x, bottom, x, bottom + 5, class_="chart__grid"))
        drawn.append(svg.label(x, bottom + 18, words, class_="chart__tick", anchor="middle"))
    drawn.append(svg.label(chart.width - SIDE, bottom + 36, chart.axis, class_="chart__axis", anchor="end"))
    return drawn


def _limit(chart: Stack, index: int, value: float) -> str:
    x = _x(chart, value)
    halo = svg.line(x, HEAD, x, HEAD + BAR, class_="chart__halo")
    return halo + svg.line(x, HEAD - 4, x, HEAD + BAR + 4, class_="chart__limit", dash=_dash(index))


def _limit_key(index: int) -> str:
    return svg.line(11, -9, 11, 9, class_="chart__limit", dash=_dash(index))


def _dash(index: int) -> str:
    return ("2 4", "7 4")[index % 2]


def _swatch(index: int) -> str:
    return svg.element("rect", x=4.0, y=-7.0, width=14.0, height=14.0, class_="chart__mark")


def _group(index: int, part: Part, drawn: str) -> str:
    grey = part.rest or index >= SERIES_LIMIT
    return svg.element("g", drawn, class_="series-rest" if grey else f"series-{index + 1}")

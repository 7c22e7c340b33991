"""Frontier: what things cost against what they bring; what none dominates is joined by a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from frontend.plots import axis, legend, svg

WIDTH, NARROW_WIDTH = 600.0, 330.0
HEAD, BODY, FOOT = 30.0, 240.0, 50.0
LEFT, RIGHT = 58.0, 20.0
MARK = 5.5
PAD = 0.08
LEAST = 1e-6  # below this extent of a scale its values are shown as one
TEXT = 12.0  # height of a label
# Where a label may stand: its anchor, and how far from the middle of the mark.
PLACES = (("start", 9.0, -6.0), ("end", -9.0, -6.0), ("start", 9.0, 14.0), ("end", -9.0, 14.0))

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """One thing: `cost` may be negative, `gain` is 0 or more; `hint` says it all when pointed at."""

    label: str
    hint: str
    cost: float
    gain: float
    dominated: bool


@dataclass(frozen=True, slots=True)
class FrontierChart:
    """The whole chart; `words` name the marks on the frontier, those that are dominated, and the line."""

    id: str
    title: str
    description: str
    x_axis: str
    y_axis: str
    words: tuple[str, str, str]
    spots: tuple[Spot, ...]
    narrow: bool = False

    @property
    def width(self) -> float:
        return NARROW_WIDTH if self.narrow else WIDTH

    @property
    def x_range(self) -> tuple[float, float]:
        """All costs and 0, with room at the sides that hold marks."""
        low = min(0.0, *(each.cost for each in self.spots))
        high = max(0.0, *(each.cost for each in self.spots))
        room = PAD * (high - low) if high - low > LEAST else 1.0
        return (low - room if low < 0 else 0.0), high + room

    @property
    def y_high(self) -> float:
        """The largest gain with room above."""
        high = max(each.gain for each in self.spots)
        return (1 + PAD) * high if high > LEAST else 1.0


def for_any_width(chart: FrontierChart) -> str:
    """The chart twice, wide and narrow; the style sheet shows the one that fits (and hides the other)."""
    return frontier(chart) + frontier(replace(chart, narrow=True, id=f"{chart.id}-narrow"))


def frontier(chart: FrontierChart) -> str:
    """The chart as SVG text. Raises ValueError where every spot is dominated or a gain is negative."""
    if all(each.dominated for each in chart.spots) or min(each.gain for each in chart.spots) < 0:
        raise ValueError("there must be a spot that none dominates, and no gain below 0")
    best = [each for each in chart.spots if not each.dominated]
    rest = [each for each in chart.spots if each.dominated]
    places = [f"{svg.number(x)} {svg.number(y)}" for x, y in _corners(chart, best)]
    line = svg.element("path", d="M" + "L".join(places), class_="chart__line", stroke_dasharray="7 4")
    entries = [(_series(svg.mark("circle", 11, 0, MARK, class_="chart__mark")), chart.words[0])]
    if rest:
        entries.append((_rest(svg.mark("circle", 11, 0, MARK, class_="chart__mark--open")), chart.words[1]))
    key = svg.line(0, 0, 22, 0, class_="chart__line", dash="7 4")
    entries.append((_series(key), chart.words[2]))
    bottom = HEAD + BODY + FOOT
    return svg.picture(
        [
            *_grid(chart),
            _series(line),
            *(_rest(_mark(chart, each)) for each in rest),
            *(_series(_mark(chart, each)) for each in best),
            *_labels(chart, [*best, *rest]),
            *legend.lines(entries, top=bottom, width=chart.width),
        ],
        id_=chart.id,
        width=chart.width,
        height=bottom + legend.height(len(entries)),
        title=chart.title,
        description=chart.description,
        class_=f"chart chart--{'narrow' if chart.narrow else 'wide'}",
    )


def _x(chart: FrontierChart, value: float) -> float:
    low, high = chart.x_range
    return LEFT + (chart.width - LEFT - RIGHT) * (value - low) / (high - low)


def _y(chart: FrontierChart, value: float) -> float:
    return HEAD + BODY * (1 - value / chart.y_high)


def _corners(chart: FrontierChart, best: Iterable[Spot]) -> list[tuple[float, float]]:
    """The most that each amount of money brings: along in cost, then up, at last to the edge."""
    found: list[tuple[float, float]] = []
    for each in sorted(best, key=lambda one: (one.cost, one.gain)):
        x, y = _x(chart, each.cost), _y(chart, each.gain)
        found += [(x, found[-1][1]), (x, y)] if found else [(x, y)]
    return [*found, (chart.width - RIGHT, found[-1][1])]


def _grid(chart: FrontierChart) -> list[str]:
    bottom, right = HEAD + BODY, chart.width - RIGHT
    parts = axis.lines_across(
        chart.y_axis, chart.y_high, lambda value: _y(chart, value), left=LEFT, right=right
    )
    values = axis.ticks(*chart.x_range, most=3 if chart.narrow else axis.MOST_TICKS)
    for value, words in zip(values, axis.tick_words(values), strict=True):
        x = _x(chart, value)
        top = HEAD if value == 0 else bottom
        parts.append(svg.line(x, top, x, bottom + 5, class_="chart__grid"))
        if x + svg.text_width(words, TEXT) / 2 <= chart.width:
            parts.append(svg.label(x, bottom + 18, words, class_="chart__tick", anchor="middle"))
    parts.append(svg.label(right, bottom + 38, chart.x_axis, class_="chart__axis", anchor="end"))
    return parts


def _mark(chart: FrontierChart, spot: Spot) -> str:
    class_ = "chart__mark--open" if spot.dominated else "chart__mark"
    place = _x(chart, spot.cost), _y(chart, spot.gain)
    return svg.mark("circle", *place, MARK, class_=class_, hint=spot.hint)


def _labels(chart: FrontierChart, spots: list[Spot]) -> list[str]:
    """Labels beside their marks; one that would cover another, a mark or the line is left out."""
    taken = [_around(_x(chart, each.cost), _y(chart, each.gain)) for each in chart.spots]
    corners = _corners(chart, [each for each in spots if not each.dominated])
    taken += [
        (min(a, c) - 1, min(b, d) - 1, max(a, c) + 1, max(b, d) + 1) for (a, b), (c, d) in pairwise(corners)
    ]
    drawn = []
    for spot in spots:
        x, y = _x(chart, spot.cost), _y(chart, spot.gain)
        own = _around(x, y)
        for anchor, right, down in PLACES:
            box = _box(x + right, y + down, svg.text_width(spot.label, TEXT), anchor)
            inside = box[0] >= LEFT and box[2] <= chart.width and box[1] >= HEAD - TEXT
            inside = inside and box[3] <= HEAD + BODY
            if inside and not any(_meet(box, each) for each in taken if each != own):
                taken.append(box)
                class_ = "chart__tick" if spot.dominated else None
                drawn.append(svg.label(x + right, y + down, spot.label, class_=class_, anchor=anchor))
                break
    return drawn


def _around(x: float, y: float) -> Box:
    return x - MARK, y - MARK, x + MARK, y + MARK


def _box(x: float, y: float, width: float, anchor: str) -> Box:
    left = x if anchor == "start" else x - width
    return left, y - TEXT, left + width, y + 3


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _series(drawn: str) -> str:
    return svg.element("g", drawn, class_="series-1")


def _rest(drawn: str) -> str:
    return svg.element("g", drawn, class_="series-rest")

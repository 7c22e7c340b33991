"""Lines over a logarithmic scale: places by hand, labels that do not meet, nothing outside the box."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.plots.lines import (
    BODY,
    HEAD,
    LEFT,
    NARROW_WIDTH,
    RIGHT,
    WIDTH,
    Line,
    LineChart,
    Mark,
    for_any_width,
    lines,
)

NAMESPACE = "{http://www.w3.org/2000/svg}"
CHART = LineChart(
    id="c",
    title="T",
    description="D",
    x_axis="x",
    y_axis="y",
    lines=(Line("all", ((1.0, 8.0), (10.0, 4.0), (100.0, 8.0))), Line("part", ((1.0, 0.0), (100.0, 4.0)))),
    marks=(Mark("best <b>", 10.0, 4.0, 0), Mark("in use", 100.0, 8.0, 3)),
    x_ticks=((0.1, "0.1"), (1.0, "1"), (10.0, "10"), (11.0, "eleven"), (100.0, "100"), (1000.0, "1000")),
)


def parsed(chart: LineChart) -> ElementTree.Element:
    return ElementTree.fromstring(lines(chart))


def paths(root: ElementTree.Element) -> list[list[tuple[float, float]]]:
    found = [each.attrib["d"] for each in root.iter(f"{NAMESPACE}path")]
    return [[(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", each)] for each in found]


def test_the_middle_of_a_logarithmic_scale_is_the_geometric_mean() -> None:
    whole, part = paths(parsed(CHART))
    middle = (LEFT + WIDTH - RIGHT) / 2
    assert whole == [(LEFT, HEAD), (middle, HEAD + BODY / 2), (WIDTH - RIGHT, HEAD)]
    assert part == [(LEFT, HEAD + BODY), (WIDTH - RIGHT, HEAD + BODY / 2)]


def test_lines_are_told_apart_without_colour() -> None:
    root = parsed(CHART)
    dashes = [each.get("stroke-dasharray") for each in root.iter(f"{NAMESPACE}path")]
    assert len(set(dashes)) == len(dashes) == 2
    shapes = {each.tag for each in root.iter() if each.get("class") == "chart__mark"}
    assert shapes == {f"{NAMESPACE}circle", f"{NAMESPACE}polygon"}


def test_ticks_outside_and_labels_that_would_meet_are_left_out() -> None:
    words = [each.text for each in parsed(CHART).iter(f"{NAMESPACE}text")]
    assert {"1", "10", "100"} <= set(words)
    assert not {"0.1", "eleven", "1000"} & set(words)
    assert words[-4:] == ["all", "part", "best <b>", "in use"]


def test_both_widths_with_ids_of_their_own() -> None:
    both = ElementTree.fromstring(f"<p>{for_any_width(CHART)}</p>")
    ids = [each.get("id") for each in both.iter() if each.get("id")]
    assert len(ids) == len(set(ids)) == 4
    widths = [float(each.attrib["viewBox"].split()[2]) for each in both]
    assert widths == [WIDTH, NARROW_WIDTH]


@given(
    st.lists(st.tuples(st.floats(1e-6, 1e10), st.floats(0, 100)), min_size=1, max_size=20),
    st.tuples(st.floats(1e-6, 1e10), st.floats(0.01, 100)),
)
def test_any_positive_points_stay_inside(points: list[Any], mark: tuple[float, float]) -> None:
    xs = {x for x, _y in points} | {mark[0]}
    if max(xs) < 1.001 * min(xs):
        return
    chart = replace(CHART, lines=(Line("a", tuple(sorted(points))),), marks=(Mark("m", *mark, 0),))
    for each in (chart, replace(chart, narrow=True)):
        for x, y in paths(parsed(each))[0]:
            assert LEFT - 0.01 <= x <= each.width - RIGHT + 0.01
            assert HEAD - 0.01 <= y <= HEAD + BODY + 0.01


@pytest.mark.parametrize(
    "changes",
    [
        {"lines": (Line("a", ((0.0, 1.0), (1.0, 1.0))),)},
        {"lines": (Line("a", ((1.0, -1.0), (2.0, 1.0))),)},
        {"lines": (Line("a", ((1.0, 1.0),)),), "marks": ()},
        {"lines": (Line("a", ((1.0, 0.0), (2.0, 0.0))),), "marks": ()},
        {"lines": CHART.lines * 3},
    ],
)
def test_a_scale_that_does_not_rise_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must rise"):
        lines(replace(CHART, **changes))

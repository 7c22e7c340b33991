"""The frontier: the staircase by hand, marks told apart without colour, labels that meet nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.plots.axis import ticks
from frontend.plots.frontier import (
    BODY,
    HEAD,
    LEFT,
    PAD,
    RIGHT,
    WIDTH,
    FrontierChart,
    Spot,
    for_any_width,
    frontier,
)

NAMESPACE = "{http://www.w3.org/2000/svg}"
MONEY = st.floats(-1e9, 1e9)
SPOTS = st.lists(
    st.builds(Spot, st.text("aBé→ <&", max_size=9), st.just(""), MONEY, st.floats(0, 1e9), st.booleans()),
    min_size=1,
    max_size=15,
)


def chart(*spots: Spot) -> FrontierChart:
    return FrontierChart("f", "T", "D", "x", "y", ("best", "dominated", "line"), spots)


def parsed(one: FrontierChart) -> ElementTree.Element:
    return ElementTree.fromstring(frontier(one))


def test_the_staircase_by_hand() -> None:
    """Costs 0 and 100 with gains 10 and 20: along to the second, then up, then to the edge."""
    root = parsed(
        chart(Spot("b", "", 100, 20, False), Spot("a", "", 0, 10, False), Spot("c", "", 50, 5, True))
    )
    path = next(root.iter(f"{NAMESPACE}path")).attrib["d"]
    place = [float(each) for each in re.findall(r"[\d.]+", path)]
    second = LEFT + (WIDTH - LEFT - RIGHT) / (1 + PAD)
    top = HEAD + BODY * (1 - 1 / (1 + PAD))
    middle = HEAD + BODY * (1 - 0.5 / (1 + PAD))
    wanted = [LEFT, middle, second, middle, second, top, WIDTH - RIGHT, top]
    assert place == pytest.approx(wanted, abs=0.01)


def test_marks_differ_by_more_than_colour() -> None:
    root = parsed(chart(Spot("a", "hint", 1, 1, False), Spot("c", "", 2, 1, True)))
    classes = [each.get("class") for each in root.iter(f"{NAMESPACE}circle")]
    assert sorted(set(classes)) == ["chart__mark", "chart__mark--open"]
    assert "hint" in [each.text for each in root.iter(f"{NAMESPACE}title")]


def test_the_legend_names_only_what_is_there() -> None:
    words = [each.text for each in parsed(chart(Spot("a", "", 1, 1, False))).iter(f"{NAMESPACE}text")]
    assert words[-2:] == ["best", "line"] and "dominated" not in words


def test_labels_at_one_place_do_not_cover_each_other() -> None:
    spots = [Spot(f"REL-0{n} → 3", "", 10, 10, False) for n in range(9)]
    words = [each.text or "" for each in parsed(chart(*spots)).iter(f"{NAMESPACE}text")]
    assert len([each for each in words if each.startswith("REL")]) < len(spots)


@given(SPOTS)
def test_any_spots_stay_inside(spots: list[Spot]) -> None:
    spots[0] = replace(spots[0], dominated=False)
    one = chart(*spots)
    for each in (one, replace(one, narrow=True)):
        root = parsed(each)
        for circle in list(root.iter(f"{NAMESPACE}circle"))[: len(spots)]:
            assert LEFT - 0.01 <= float(circle.attrib["cx"]) <= each.width - RIGHT + 0.01
            assert HEAD - 0.01 <= float(circle.attrib["cy"]) <= HEAD + BODY + 0.01


def test_both_widths_with_ids_of_their_own() -> None:
    both = ElementTree.fromstring(f"<p>{for_any_width(chart(Spot('a', '', 1, 1, False)))}</p>")
    ids = [each.get("id") for each in both.iter() if each.get("id")]
    assert len(ids) == len(set(ids)) == 4


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (-50, 110, [-50, 0, 50, 100]),
        (-3, 0, [-3, -2, -1, 0]),
        (0, 0.9, [0, 0.2, 0.4, 0.6, 0.8]),
    ],
)
def test_ticks_are_round_and_hold_zero(low: float, high: float, wanted: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(wanted)


@pytest.mark.parametrize("spots", [(), (Spot("a", "", 1, -1, False),), (Spot("a", "", 1, 1, True),)])
def test_nothing_and_negative_gains_are_refused(spots: Any) -> None:
    with pytest.raises(ValueError, match="spot"):
        frontier(chart(*spots))

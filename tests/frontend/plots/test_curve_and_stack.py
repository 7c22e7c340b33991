"""Curve and stacked bar: well-formed for any words and values, inside their box, at the right place."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.plots import curve as curves
from frontend.plots import stack as stacks
from frontend.plots.axis import tick_words, ticks
from frontend.plots.curve import CurveChart, Limit, curve
from frontend.plots.stack import Part, Stack, stack

WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Cn")), max_size=40)
SIZES = st.floats(0, 1e9)


def chart(**changes: Any) -> CurveChart:
    values: dict[str, Any] = {
        "id": "c",
        "title": "T",
        "description": "D",
        "x_axis": "x",
        "y_axis": "y",
        "points": ((0.0, 0.0), (50.0, 10.0), (100.0, 30.0)),
        "marked": (50.0, 10.0),
        "marked_label": "today",
        "limits": (Limit("x", 80.0, "target"), Limit("y", 20.0, "most")),
        "x_high": 100.0,
        "y_high": 20.0,
    }
    return CurveChart(**{**values, **changes})


def bar(*parts: Part, **changes: Any) -> Stack:
    return Stack(**{"id": "s", "title": "T", "description": "D", "axis": "s", "parts": parts, **changes})


def numbers(markup: str, attribute: str) -> list[float]:
    return [float(each) for each in re.findall(rf'\b{attribute}="([-\d.]+)"', markup)]


@pytest.mark.parametrize(
    ("high", "wanted"),
    [
        (100.0, [0, 20, 40, 60, 80, 100]),
        (360.0, [0, 100, 200, 300]),
        (1280.0, [0, 500, 1000]),
        (0.7, [0, 0.2, 0.4, 0.6]),
        (5.0, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_ticks_are_round(high: float, wanted: list[float]) -> None:
    assert ticks(0, high) == pytest.approx(wanted)


@given(st.floats(1e-6, 1e12))
def test_ticks_are_few_and_inside(high: float) -> None:
    values = ticks(0, high)
    assert 2 <= len(values) <= 6 and values[0] == 0 and values[-1] <= high * (1 + 1e-6)
    assert len(set(tick_words(values))) == len(values)


def test_tick_words_have_the_decimals_of_their_step() -> None:
    assert tick_words([0, 500, 1000]) == ["0", "500", "1,000"]
    assert tick_words([0, 0.2, 0.4]) == ["0.0", "0.2", "0.4"]
    assert tick_words([0]) == ["0"]


def test_the_curve_leaves_the_chart_where_it_crosses_its_top() -> None:
    """From (50, 10) to (100, 30) it is at 20 halfway, so at x = 75; 526 px wide from 58 px: 452.5."""
    drawn = curve(chart())
    assert ' d="M58 230L321 130L452.5 30"' in drawn
    assert 'cx="321" cy="130"' in drawn
    assert '<line x1="478.8" y1="30" x2="478.8" y2="230"' in drawn  # x = 80


@pytest.mark.parametrize(
    "changes",
    [{"x_high": 0.0}, {"y_high": 0.0}, {"marked": (101.0, 1.0)}, {"limits": (Limit("y", -1.0, ""),)}],
)
def test_a_curve_outside_its_scale_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        curve(chart(**changes))


def test_a_curve_that_starts_above_the_chart_draws_nothing() -> None:
    assert ' d="M0 0"' in curve(chart(points=((0.0, 99.0), (1.0, 100.0))))


@given(st.lists(st.tuples(WORDS, SIZES, st.booleans()), min_size=1, max_size=7), WORDS)
def test_any_parts_give_a_well_formed_picture(rows: list[Any], words: str) -> None:
    whole = bar(*(Part(*each) for each in rows), limits=((1.0, words),), title=words)
    drawn = stacks.for_any_width(whole)
    assert len(ElementTree.fromstring(f"<all>{drawn}</all>")) == 2
    assert all(-0.01 <= each <= 600.01 for name in ("x", "x1", "x2") for each in numbers(drawn, name))
    assert all(each >= -0.01 for each in numbers(drawn, "width"))


@given(WORDS, WORDS, st.floats(0, 100), st.floats(0, 20))
def test_any_words_give_a_well_formed_curve(title: str, words: str, x: float, y: float) -> None:
    whole = chart(
        title=title, marked_label=words, x_axis=words, marked=(x, y), limits=(Limit("x", x, words),)
    )
    assert len(ElementTree.fromstring(f"<all>{curves.for_any_width(whole)}</all>")) == 2


def test_the_bar_is_to_scale() -> None:
    """100 and 300 of 400 on 572 px from 14 px: 143 px and 429 px; the limit at 200 lies at 300 px."""
    drawn = stack(bar(Part("a", 100.0), Part("b", 300.0, rest=True), limits=((200.0, "most"),)))
    assert '<rect x="14" y="26" width="143"' in drawn and '<rect x="157" y="26" width="429"' in drawn
    assert 'x1="300" y1="22" x2="300"' in drawn
    assert drawn.index("series-1") < drawn.index("series-rest")


@pytest.mark.parametrize("parts", [(), (Part("a", 0.0),), (Part("a", 2.0), Part("b", -1.0))])
def test_a_bar_of_nothing_is_refused(parts: tuple[Part, ...]) -> None:
    with pytest.raises(ValueError):
        stack(bar(*parts))

"""The interactive figure is plain data that the browser can theme."""

from __future__ import annotations

import json
from typing import Any

import pytest

from frontend.plots.scatter import Point, ScatterWords, effort_gain
from frontend.plots.theme import colours

WORDS = ScatterWords("Effort", "Gain", ("Now", "Next"))


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [found for part in inner for found in strings(part)]


def test_a_figure_is_json_with_one_trace_per_group() -> None:
    figure = effort_gain(
        (Point("A", "a", 1, 0.1, 0), Point("B", "b", 2, 0.2, 1), Point("C", "c", 3, 0.3, 1)), WORDS
    )
    assert json.loads(json.dumps(figure)) == figure
    assert [trace["name"] for trace in figure["data"]] == ["Now", "Next"]
    assert figure["data"][1]["x"] == [2, 3]
    assert figure["layout"]["xaxis"]["type"] == "log"


def test_groups_without_points_are_left_out() -> None:
    assert [trace["name"] for trace in effort_gain((Point("A", "a", 1, 0.1, 1),), WORDS)["data"]] == ["Next"]


def test_no_colour_is_fixed() -> None:
    figure = effort_gain((Point("A", "a", 1, 0.1, 0),), WORDS)
    assert not [text for text in strings(figure) if text.startswith("#")]
    named = {text[6:-1] for text in strings(figure) if text.startswith("var(--") and "font" not in text}
    assert named <= set(colours())


def test_groups_differ_in_shape_as_well() -> None:
    figure = effort_gain((Point("A", "a", 1, 0.1, 0), Point("B", "b", 2, 0.2, 1)), WORDS)
    assert len({trace["marker"]["symbol"] for trace in figure["data"]}) == 2


def test_no_effort_has_no_place_on_a_logarithmic_axis() -> None:
    with pytest.raises(ValueError, match="RCV-03"):
        effort_gain((Point("RCV-03", "x", 0, 0.1, 0),), WORDS)


def test_the_effort_axis_has_labels_however_narrow_its_range() -> None:
    words = ScatterWords(effort="Effort", gain="Gain", groups=("Now",))
    for efforts in ((4.0, 8.0), (3.0, 5.0), (0.5, 60.0), (6.0, 6.5)):
        points = tuple(Point(label="x", title="x", effort_days=each, gain=0.1, group=0) for each in efforts)
        ticks = effort_gain(points, words)["layout"]["xaxis"]["tickvals"]
        near = [each for each in ticks if min(efforts) / 1.6 <= each <= max(efforts) * 1.6]
        assert len(near) >= 2

"""Charts are well-formed, safe, honest about missing values, and inside their box."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.plots import svg
from frontend.plots.dotplot import Dot, DotPlot, DotRow, dotplot, for_any_width
from frontend.plots.slope import SlopeChart, SlopeLine, direction, slope, spread

NAMESPACE = "{http://www.w3.org/2000/svg}"
# What XML can hold at all; the database refuses NUL, and control characters have no glyph.
WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Cn")), max_size=40)
SCORES = st.none() | st.floats(0, 5)


def chart(*rows: DotRow, series: tuple[str, ...] = ("a", "b")) -> DotPlot:
    return DotPlot(id="c", title="T", description="D", series=series, rows=rows)


def parsed(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(markup)


@given(
    st.lists(st.tuples(WORDS, WORDS, st.lists(st.tuples(st.integers(0, 6), SCORES), max_size=5)), max_size=6),
    WORDS,
)
def test_any_words_and_scores_give_a_well_formed_picture(rows: list[Any], title: str) -> None:
    drawn = dotplot(
        DotPlot(
            id="x",
            title=title,
            description=title,
            series=(title, title),
            rows=tuple(
                DotRow(code, label, tuple(Dot(number, value) for number, value in dots))
                for code, label, dots in rows
            ),
        )
    )
    root = parsed(drawn)
    assert root.tag == f"{NAMESPACE}svg"
    assert root.find(f"{NAMESPACE}title").text in {title, None}  # type: ignore[union-attr]
    assert "style=" not in re.sub(r">[^<]*<", "><", drawn)


def test_hostile_labels_stay_text() -> None:
    drawn = dotplot(chart(DotRow("<b>", '"><script>alert(1)</script>', (Dot(0, 1.0, hint="<i>"),))))
    assert "<script" not in drawn
    assert "<i>" not in drawn
    assert parsed(drawn).find(f".//{NAMESPACE}script") is None


def test_a_name_and_a_description_are_tied_to_the_picture() -> None:
    root = parsed(dotplot(chart()))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "c-title c-desc"
    assert root.find(f"{NAMESPACE}title").text == "T"  # type: ignore[union-attr]


def test_marks_stand_where_their_value_is() -> None:
    root = parsed(dotplot(chart(DotRow("REL", "R", (Dot(0, 0.0), Dot(0, 2.5), Dot(0, 5.0))))))
    places = [float(c.get("cx", "0")) for c in root.iter(f"{NAMESPACE}circle")][1:]
    low, middle, high = sorted(places)
    assert middle == pytest.approx((low + high) / 2, abs=0.01)
    assert high <= 600


def test_a_missing_value_is_words_and_never_zero() -> None:
    drawn = dotplot(chart(DotRow("REL", "R", (Dot(0, None),), unknown="not enough answers"), series=()))
    assert "not enough answers" in drawn
    assert not list(parsed(drawn).iter(f"{NAMESPACE}circle"))


def test_intervals_are_cut_at_the_scale() -> None:
    drawn = dotplot(chart(DotRow("REL", "R", (Dot(0, 4.9, 4.2, 5.6),))))
    path = next(parsed(drawn).iter(f"{NAMESPACE}path")).get("d", "")
    assert max(float(x) for x in re.findall(r"[MH](-?[\d.]+)", path)) <= 600


@pytest.mark.parametrize("value", [-0.1, 5.1])
def test_a_value_off_the_scale_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        dotplot(chart(DotRow("REL", "R", (Dot(0, value),))))


def test_the_fifth_series_is_grey() -> None:
    drawn = dotplot(chart(DotRow("REL", "R", (Dot(4, 1.0),)), series=("a", "b", "c", "d", "e")))
    assert drawn.count("series-rest") == 2


def test_style_attributes_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="style"):
        svg.element("g", style="fill:red")


def test_coordinates_must_be_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        svg.number(float("nan"))


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [(1.0, 2.0, "up"), (2.0, 1.0, "down"), (2.0, 2.004, "none"), (None, 2.0, "none"), (2.0, None, "none")],
)
def test_direction_of_a_change(before: float | None, after: float | None, way: str) -> None:
    assert direction(SlopeLine("REL", "R", before, after)) == way


@given(st.lists(st.floats(40, 340), max_size=12))
def test_labels_keep_their_order_their_gap_and_their_room(wanted: list[float]) -> None:
    placed = spread(wanted, 18, 40, 340)
    assert all(40 - 1e-6 <= y <= 340 + 1e-6 for y in placed)
    for (one, here), (other, there) in pairwise(sorted(zip(wanted, placed, strict=True))):
        assert here <= there or one == other
    gaps = sorted(placed)
    assert all(b - a >= 18 - 1e-6 for a, b in pairwise(gaps))


def test_a_falling_line_is_dashed_and_labelled() -> None:
    drawn = slope(
        SlopeChart(
            id="s",
            title="t",
            description="d",
            before="June",
            after="December",
            lines=(SlopeLine("REL", "Reliability", 3.0, 2.5), SlopeLine("OBS", "Observability", 2.0, 2.6)),
        )
    )
    root = parsed(drawn)
    assert "▼ −0.50" in drawn
    assert "▲ +0.60" in drawn
    dashed = [
        line.get("stroke-dasharray") for line in root.iter(f"{NAMESPACE}line") if line.get("stroke-dasharray")
    ]
    assert len(dashed) == 1


def test_wide_characters_count_as_wide() -> None:
    assert svg.text_width("华北") > svg.text_width("ab") * 1.5
    assert svg.clipped("批处理调度器的准入控制", 60).endswith("…")
    assert svg.clipped("short", 600) == "short"


def test_the_narrow_twin_holds_the_same_marks_without_names() -> None:
    rows = (DotRow("REL", "Reliability", (Dot(0, 0.0), Dot(1, 5.0))),)
    wide, narrow = parsed(f"<both>{for_any_width(chart(*rows, series=('a' * 90, 'b')))}</both>")
    assert {each.get("id") for each in wide.iter()} & {each.get("id") for each in narrow.iter()} == {None}
    words = [each.text for each in narrow.iter(f"{NAMESPACE}text")]
    assert "REL" in words and "Reliability" not in words
    edge = float(narrow.get("viewBox", "").split()[2])
    assert edge < float(wide.get("viewBox", "").split()[2])
    assert all(float(each.get("cx", 0)) < edge for each in narrow.iter(f"{NAMESPACE}circle"))
    assert max(svg.text_width(each or "") for each in words) < edge

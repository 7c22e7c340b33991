"""What the roadmap page draws: the bars of the balance strip and the scatter of effort against gain."""

from __future__ import annotations

from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from assessments.domain.matrix import HIGHEST_LEVEL
from frontend.plots import svg
from frontend.plots.scatter import Point, ScatterWords, effort_gain
from frontend.plots.theme import SERIES_LIMIT
from llm_remediation import words
from llm_remediation.selectors import Detail, DimensionChange, Step

WIDTH, HEIGHT, BAR = 160.0, 22.0, 8.0
# A change below half of the last printed digit is not a change a reader can see.
SAME = 0.005
# Marks of two waves at one place: the later one is smaller and lies on top.
LARGEST_MARK = 17
# One per wave, so that labels of two waves at one place do not cover each other.
LABEL_PLACES = ("top center", "bottom center", "middle right", "middle left")


def language() -> str:
    """The active language code."""
    return get_language() or "en"


def direction(change: float | None) -> str:
    """up, down or none; a fall is shown as plainly as a rise."""
    if change is None or abs(change) < SAME:
        return "none"
    return "up" if change > 0 else "down"


def bar(row: DimensionChange) -> SafeString:
    """One dimension from 0 to 5: what is there today, and what the plan adds or takes. Decoration."""
    middle = HEIGHT / 2
    parts = [_segment(0, WIDTH, middle, class_="balance__track")]
    if row.before is not None and row.after is not None:
        before, after = _x(row.before), _x(row.after)
        parts.append(_segment(0, min(before, after), middle, class_="balance__now"))
        kind = direction(row.change)
        if kind != "none":
            low, high = sorted((before, after))
            parts.append(_segment(low, max(high - low, 2.0), middle, class_=f"balance__change change-{kind}"))
        parts.append(svg.line(after, 3, after, HEIGHT - 3, class_="balance__mark"))
    ticks = [
        svg.line(_x(level), middle + BAR / 2, _x(level), middle + BAR / 2 + 3, class_="chart__grid")
        for level in range(HIGHEST_LEVEL + 1)
    ]
    drawn = svg.element(
        "svg",
        *parts,
        *ticks,
        viewBox=f"-1 0 {svg.number(WIDTH + 2)} {svg.number(HEIGHT)}",
        class_="balance__bar",
        aria_hidden="true",
    )
    return mark_safe(drawn)  # noqa: S308 - our own SVG, escaped by its writer


def _x(level: float) -> float:
    return WIDTH * min(max(level, 0.0), HIGHEST_LEVEL) / HIGHEST_LEVEL


def _segment(x: float, width: float, middle: float, *, class_: str) -> str:
    return svg.element(
        "rect", x=float(x), y=middle - BAR / 2, width=float(width), height=BAR, rx=2.0, class_=class_
    )


def scatter(found: Detail) -> dict[str, Any] | None:
    """Effort against gain as a figure; None where no step takes any time.

    Steps of one wave at the same place share a mark, so that labels can be read; those left out have no
    label but say what they are when pointed at. The table beside it lists every step.
    """
    places: dict[tuple[int, float, float], list[Step]] = {}
    for step in (*found.counted, *found.left_out):
        one = step.candidate
        group = SERIES_LIMIT if step.item is None else min(step.item.wave, SERIES_LIMIT - 1)
        if one.effort_days > 0:
            places.setdefault((group, one.effort_days, round(one.gain, 9)), []).append(step)
    if not places:
        return None
    names = [words.wave(index) for index in range(SERIES_LIMIT)]
    figure = effort_gain(
        tuple(_point(steps, group) for (group, *_rest), steps in sorted(places.items(), key=_place)),
        ScatterWords(
            effort=_("Effort in engineer-days (likely estimate, log scale)"),
            gain=_("Gain of the overall score"),
            groups=(*names, _("Left out")),
        ),
    )
    for trace in figure["data"]:
        if trace["name"] == _("Left out"):
            trace["mode"] = "markers"
        else:
            wave = names.index(trace["name"])
            trace["textposition"] = LABEL_PLACES[wave]
            trace["marker"]["size"] = LARGEST_MARK - 3 * wave
    return figure


def _place(entry: tuple[tuple[int, float, float], list[Step]]) -> tuple[int, float, float]:
    return entry[0]


def _point(steps: list[Step], group: int) -> Point:
    first, others = steps[0].candidate, len(steps) - 1
    label = words.step(first.id) + (f" +{others}" if others else "")
    titles = "<br>".join(f"{words.step(each.candidate.id)} {_plain_title(each)}" for each in steps)
    return Point(label, titles, first.effort_days, first.gain, group)


def _plain_title(step: Step) -> str:
    """The title as Plotly's own small markup takes it."""
    return escape(step.title.in_language(language()))


def scatter_rows(found: Detail) -> list[tuple[str, list[Any]]]:
    """The twin table of the scatter."""
    rows = []
    for step in (*found.counted, *found.left_out):
        one = step.candidate
        place = words.wave(step.item.wave) if step.item else _("Left out")
        cells = [words.plain(one.effort_days), words.gain(one.gain), place]
        rows.append((f"{words.step(one.id)} {step.title.in_language(language())}", cells))
    return rows

"""Effort against expected gain, as a Plotly figure in plain dicts; colours are CSS references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from frontend.plots.theme import DASHES, SERIES_LIMIT, series, var

SYMBOLS = ("circle", "square", "triangle-up", "diamond")

Figure = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """One roadmap item: effort in engineer-days (above 0), gain in score points."""

    label: str
    title: str
    effort_days: float
    gain: float
    group: int


@dataclass(frozen=True, slots=True)
class ScatterWords:
    """All texts of the figure, already in the reader's language."""

    effort: str
    gain: str
    groups: tuple[str, ...]


def effort_gain(points: tuple[Point, ...], words: ScatterWords) -> Figure:
    """A figure with one trace per group (wave or left out), a logarithmic effort axis and labels.

    Raises ValueError for an effort that is not above 0: it has no place on the axis.
    """
    for point in points:
        if point.effort_days <= 0:
            raise ValueError(f"{point.label}: effort must be above 0 days")
    traces = []
    for group, name in enumerate(words.groups):
        inside = [point for point in points if point.group == group]
        if inside:
            traces.append(_trace(group, name, inside, words))
    layout = _layout(words, [point.effort_days for point in points])
    return {"data": traces, "layout": layout, "config": plain_config()}


def _trace(group: int, name: str, points: list[Point], words: ScatterWords) -> Figure:
    last = group >= SERIES_LIMIT
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": name,
        "x": [point.effort_days for point in points],
        "y": [point.gain for point in points],
        "text": [point.label for point in points],
        "customdata": [point.title for point in points],
        "textposition": "top center",
        "cliponaxis": False,
        "marker": {
            "symbol": "circle-open" if last else SYMBOLS[group],
            "size": 11,
            "color": series(group),
            "line": {"color": var("bg"), "width": 1.5},
        },
        "hovertemplate": (
            "<b>%{text}</b> %{customdata}<br>"
            + f"{words.effort}: %{{x:.1f}}<br>{words.gain}: %{{y:.3f}}<extra></extra>"
        ),
    }


def _layout(words: ScatterWords, efforts: list[float]) -> Figure:
    layout = plain_layout()
    layout["xaxis"] |= {"title": _title(words.effort), "type": "log", **_ticks(efforts)}
    layout["yaxis"] |= {"title": _title(words.gain), "rangemode": "tozero"}
    return layout


def _title(words: str) -> Figure:
    return {"text": words, "font": {"size": 12, "color": var("text-muted")}}


def _ticks(efforts: list[float]) -> Figure:
    """1, 2, 5 and so on in full: Plotly's own labels between powers of ten are bare digits.

    Within one power of ten that would leave a single label; then 1, 2, 3, 4, 5, 6, 8.
    """
    wide = bool(efforts) and max(efforts) >= 10 * min(efforts)
    steps = (1, 2, 5) if wide else (1, 2, 3, 4, 5, 6, 8)
    values = [step * 10.0**power for power in range(-1, 4) for step in steps]
    return {"tickmode": "array", "tickvals": values, "ticktext": [f"{value:g}" for value in values]}


def plain_layout() -> Figure:
    """What every interactive figure shares: quiet grid, our type, no title (the caption is HTML)."""
    axis = {
        "gridcolor": var("border"),
        "zerolinecolor": var("border-control"),
        "linecolor": var("border-control"),
        "tickfont": {"size": 12, "color": var("text-muted")},
        "automargin": True,
    }
    return {
        "paper_bgcolor": var("bg"),
        "plot_bgcolor": var("bg"),
        "font": {"family": "var(--font-ui)", "size": 13, "color": var("text")},
        "margin": {"l": 56, "r": 16, "t": 16, "b": 48},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        "hoverlabel": {
            "bgcolor": var("overlay"),
            "bordercolor": var("border-control"),
            "font": {"color": var("text")},
        },
        "xaxis": dict(axis),
        "yaxis": dict(axis),
    }


def plain_config() -> Figure:
    """Plotly's config: no logo, no link to anybody's server, follows the width of its box."""
    return {
        "displaylogo": False,
        "responsive": True,
        "showEditInChartStudio": False,
        "plotlyServerURL": "",
        "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "toImage"],
    }


def dash(index: int) -> str:
    """The line pattern that goes with a series, so that colour is never alone."""
    return DASHES[index % len(DASHES)]

"""A legend in lines of its own below a chart: the key, then its words, cut to the width."""

from __future__ import annotations

from collections.abc import Sequence

from frontend.plots import svg

LINE = 22.0
KEY_WIDTH = 30.0


def height(count: int) -> float:
    """What `count` entries take."""
    return LINE * count


def lines(entries: Sequence[tuple[str, str]], *, top: float, width: float) -> list[str]:
    """Entries of (key, words); the key is markup drawn around (11, 0)."""
    drawn = []
    for index, (key, words) in enumerate(entries):
        middle = top + LINE * (index + 0.5)
        drawn.append(svg.element("g", key, transform=f"translate(0 {svg.number(middle)})"))
        drawn.append(svg.label(KEY_WIDTH, middle + 4.5, svg.clipped(words, width - KEY_WIDTH)))
    return drawn

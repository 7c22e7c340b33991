"""Writes SVG as text: escaped values, presentation attributes and classes, never a style attribute."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from html import escape

Value = str | int | float


def number(value: float) -> str:
    """A coordinate with at most two decimals and no exponent."""
    if not math.isfinite(value):
        raise ValueError("a coordinate must be finite")
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def element(name: str, *children: str, **attributes: Value | None) -> str:
    """One element. `class_` becomes class, other underscores become hyphens, None is left out.

    `children` are finished markup: pass text through `text()`.
    """
    if "style" in attributes:
        raise ValueError("style attributes are blocked by the content security policy")
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        shown = number(value) if isinstance(value, float) else str(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(shown, quote=True)}"')
    if not children:
        return f"<{' '.join(parts)}/>"
    return f"<{' '.join(parts)}>{''.join(children)}</{name}>"


def text(words: str) -> str:
    """Text as the content of an element."""
    return escape(words, quote=False)


def label(x: float, y: float, words: str, *, class_: str | None = None, anchor: str = "start") -> str:
    """A text element; `anchor` is start, middle or end."""
    return element("text", text(words), x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, *, class_: str, dash: str | None = None) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, stroke_dasharray=dash)


def mark(shape: str, x: float, y: float, size: float, *, class_: str, hint: str = "") -> str:
    """A circle, square, triangle or diamond centred on (x, y), `size` from the middle to the edge."""
    inside = [element("title", text(hint))] if hint else []
    if shape == "circle":
        return element("circle", *inside, cx=x, cy=y, r=size, class_=class_)
    half = size * 0.9
    corners: tuple[tuple[float, float], ...]
    if shape == "square":
        return element(
            "rect", *inside, x=x - half, y=y - half, width=2 * half, height=2 * half, class_=class_
        )
    if shape == "triangle":
        corners = ((x, y - size * 1.1), (x + size * 1.1, y + size * 0.85), (x - size * 1.1, y + size * 0.85))
    elif shape == "diamond":
        corners = ((x, y - size * 1.3), (x + size * 1.3, y), (x, y + size * 1.3), (x - size * 1.3, y))
    else:
        raise ValueError(f"unknown shape {shape!r}")
    points = " ".join(f"{number(px)},{number(py)}" for px, py in corners)
    return element("polygon", *inside, points=points, class_=class_)


def picture(
    children: Iterable[str],
    *,
    id_: str,
    width: float,
    height: float,
    title: str,
    description: str,
    class_: str = "chart",
) -> str:
    """The whole `<svg>`: an image with a name and a description that assistive technology reads."""
    head = element("title", text(title), id=f"{id_}-title")
    more = element("desc", text(description), id=f"{id_}-desc")
    return element(
        "svg",
        head,
        more,
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        class_=class_,
        role="img",
        aria_labelledby=f"{id_}-title {id_}-desc",
    )


def text_width(words: str, size: float = 13.0) -> float:
    """Estimated width in pixels: 1 em for a wide character, 0.55 em for the rest (Inter's mean)."""
    ems = sum(1.0 if unicodedata.east_asian_width(char) in "WF" else 0.55 for char in words)
    return ems * size


def clipped(words: str, width: float, size: float = 13.0) -> str:
    """`words`, shortened with an ellipsis where they would be wider than `width` pixels."""
    if text_width(words, size) <= width:
        return words
    kept = words
    while kept and text_width(kept + "…", size) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"

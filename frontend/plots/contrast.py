"""How well two colours can be told apart: contrast, and distance as people with other cone responses see it.

Contrast is the ratio of WCAG 2.2 (relative luminance). Distance is 100 times the Euclidean distance in
OKLab (Ottosson 2020). Colour-vision deficiency is simulated with the full-strength matrices of
Machado, Oliveira and Fernandes (2009), applied to linear RGB.
"""

from __future__ import annotations

import math
from itertools import combinations

Vector = tuple[float, float, float]
Rows = tuple[Vector, Vector, Vector]

SIMULATIONS: dict[str, Rows] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

_TO_CONES: Rows = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Rows = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def _times(rows: Rows, vector: Vector) -> Vector:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows)
    return first, second, third


def linear(colour: str) -> Vector:
    """`#rrggbb` as linear-light red, green and blue between 0 and 1."""
    if len(colour) != 7 or not colour.startswith("#"):
        raise ValueError(f"a colour must look like #rrggbb, not {colour!r}")
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    """Relative luminance, 0 (black) to 1 (white)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1 (the same) to 21 (black on white)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _oklab(rgb: Vector) -> Vector:
    first, second, third = (max(cone, 0.0) ** (1 / 3) for cone in _times(_TO_CONES, rgb))
    return _times(_TO_LAB, (first, second, third))


def distance(one: str, other: str, *, vision: str = "normal") -> float:
    """100 times the OKLab distance under one kind of vision of SIMULATIONS."""
    matrix = SIMULATIONS[vision]
    seen: list[Vector] = []
    for colour in (one, other):
        red, green, blue = (min(max(part, 0.0), 1.0) for part in _times(matrix, linear(colour)))
        seen.append(_oklab((red, green, blue)))
    return 100 * math.dist(*seen)


def least_distance(colours: list[str]) -> float:
    """The smallest distance between any two of `colours` under any of the four kinds of vision."""
    return min(
        distance(one, other, vision=vision)
        for one, other in combinations(colours, 2)
        for vision in SIMULATIONS
    )

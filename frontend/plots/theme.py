"""The colours of css/tokens.css, for whoever draws outside a style sheet.

tokens.css is the one source. Plots name a colour as `var(--name)` and the browser resolves it, so that
one figure serves both themes; print and tests read the values here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Scheme = Literal["light", "dark"]

TOKENS = Path(__file__).resolve().parents[1] / "static" / "css" / "tokens.css"
SERIES_LIMIT = 4
SHAPES = ("circle", "square", "triangle", "diamond")
DASHES = ("solid", "dash", "dot", "dashdot")

_COLOUR = re.compile(r"--([a-z0-9-]+):\s*light-dark\((#[0-9a-fA-F]{6,8}),\s*(#[0-9a-fA-F]{6,8})\);")


@dataclass(frozen=True, slots=True)
class Colour:
    """One role with its value in both themes, as `#rrggbb` (or `#rrggbbaa`)."""

    light: str
    dark: str

    def of(self, scheme: Scheme) -> str:
        return self.light if scheme == "light" else self.dark


@cache
def colours() -> dict[str, Colour]:
    """Every colour of tokens.css by its name without the dashes: `colours()["accent"].light`."""
    found = _COLOUR.findall(TOKENS.read_text(encoding="utf-8"))
    return {name: Colour(light.lower(), dark.lower()) for name, light, dark in found}


def palette(scheme: Scheme) -> dict[str, str]:
    """Name to `#rrggbb` for one theme; print always takes "light"."""
    return {name: colour.of(scheme) for name, colour in colours().items()}


def var(name: str) -> str:
    """The CSS reference to a colour; a name that tokens.css lacks is an error here, not a grey plot."""
    if name not in colours():
        raise KeyError(f"tokens.css has no colour --{name}")
    return f"var(--{name})"


def series(index: int) -> str:
    """CSS reference for the series at `index` (0-based); from the fifth on all are grey."""
    return var(f"series-{index + 1}") if index < SERIES_LIMIT else var("unknown")

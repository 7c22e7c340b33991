"""Recomputes what the design promises about colours: contrast of text and graphics, distances of series.

The expected numbers of `test_contrast_equals_the_design_table` were computed outside this code.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from frontend.plots.contrast import SIMULATIONS, contrast, distance, least_distance, linear, luminance
from frontend.plots.theme import Scheme, colours, palette

CSS = Path(__file__).resolve().parents[2] / "frontend" / "static" / "css"
GROUNDS = ("bg", "surface", "overlay")
STATE_GROUNDS = ("surface-hover", "surface-press", "accent-soft", "pass-soft", "warn-soft", "fail-soft")
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

# text colour -> grounds it stands on
TEXT = {
    "text": (*GROUNDS, *STATE_GROUNDS),
    "text-muted": (*GROUNDS, *STATE_GROUNDS),
    "text-subtle": GROUNDS,
    "accent": (*GROUNDS, "surface-hover", "accent-soft", "warn-soft", "fail-soft"),
    "accent-hover": (*GROUNDS, *STATE_GROUNDS),
    "pass": (*GROUNDS, "surface-hover", "pass-soft"),
    "warn-text": (*GROUNDS, "surface-hover", "warn-soft"),
    "fail": GROUNDS,
    "fail-text": (*GROUNDS, "surface-hover", "fail-soft"),
    "on-accent": ("accent", "accent-hover"),
    "on-fail": ("fail", "fail-hover"),
    **{f"on-level-{level}": (f"level-{level}",) for level in range(6)},
}
# graphic -> grounds it stands on
GRAPHICS = {
    "border-control": GROUNDS,
    "warn": (*GROUNDS, "warn-soft"),
    "pass": (*GROUNDS, "pass-soft"),
    "fail": (*GROUNDS, "fail-soft"),
    "accent": GROUNDS,
    "unknown": GROUNDS,
    **{f"series-{number}": GROUNDS for number in range(1, 5)},
    **{f"dim-{code}": ("bg",) for code in ("rel", "obs", "rcv", "evo", "sec", "cost")},
}


def pairs(table: dict[str, tuple[str, ...]]) -> list[tuple[Scheme, str, str]]:
    return [
        (scheme, mark, ground) for scheme in SCHEMES for mark, grounds in table.items() for ground in grounds
    ]


@pytest.mark.parametrize(("scheme", "mark", "ground"), pairs(TEXT))
def test_text_reaches_four_and_a_half(scheme: Scheme, mark: str, ground: str) -> None:
    shades = palette(scheme)
    assert contrast(shades[mark], shades[ground]) >= 4.5


@pytest.mark.parametrize(("scheme", "mark", "ground"), pairs(GRAPHICS))
def test_graphics_reach_three(scheme: Scheme, mark: str, ground: str) -> None:
    shades = palette(scheme)
    assert contrast(shades[mark], shades[ground]) >= 3.0


@pytest.mark.parametrize(
    ("scheme", "name", "published"),
    [
        ("light", "text", 15.7),
        ("light", "text-muted", 7.4),
        ("light", "text-subtle", 5.1),
        ("light", "border-control", 3.6),
        ("light", "accent", 5.8),
        ("light", "pass", 6.1),
        ("light", "warn", 3.7),
        ("light", "warn-text", 6.9),
        ("light", "fail", 7.8),
        ("dark", "text", 15.8),
        ("dark", "text-muted", 9.1),
        ("dark", "text-subtle", 6.4),
        ("dark", "border-control", 4.4),
        ("dark", "accent", 8.5),
        ("dark", "pass", 10.7),
        ("dark", "warn", 13.8),
        ("dark", "fail", 5.6),
    ],
)
def test_contrast_equals_the_design_table(scheme: Scheme, name: str, published: float) -> None:
    shades = palette(scheme)
    assert contrast(shades[name], shades["bg"]) == pytest.approx(published, abs=0.06)


def test_contrast_of_black_on_white_is_twenty_one() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
    assert luminance("#ff0000") == pytest.approx(0.2126)
    # The grey that is known to miss 4.5 on white by a hair.
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("bad", ["red", "#fff", "#12345", ""])
def test_a_colour_must_be_written_out(bad: str) -> None:
    with pytest.raises(ValueError, match="rrggbb"):
        linear(bad)


@pytest.mark.parametrize(("scheme", "least"), [("light", 21), ("dark", 22)])
def test_series_can_be_told_apart_by_everybody(scheme: Scheme, least: float) -> None:
    shades = palette(scheme)
    assert least_distance([shades[f"series-{number}"] for number in range(1, 5)]) >= least


@pytest.mark.parametrize(("scheme", "least"), [("light", 16), ("dark", 14)])
def test_dimensions_can_be_told_apart_by_everybody(scheme: Scheme, least: float) -> None:
    shades = palette(scheme)
    codes = ("rel", "obs", "rcv", "evo", "sec", "cost")
    assert least_distance([shades[f"dim-{code}"] for code in codes]) >= least


@pytest.mark.parametrize(("scheme", "least"), [("light", 13.8), ("dark", 17.1)])
def test_verdicts_can_be_told_apart_by_everybody(scheme: Scheme, least: float) -> None:
    shades = palette(scheme)
    assert least_distance([shades[name] for name in ("pass", "warn", "fail")]) >= least


@pytest.mark.parametrize(("scheme", "least"), [("light", 5.9), ("dark", 9.5)])
def test_steps_of_the_level_ramp_are_visible(scheme: Scheme, least: float) -> None:
    ramp = [palette(scheme)[f"level-{level}"] for level in range(6)]
    for one, other in pairwise(ramp):
        assert min(distance(one, other, vision=vision) for vision in SIMULATIONS) >= least


def test_no_sheet_but_the_tokens_names_a_colour() -> None:
    offenders = [
        f"{path.relative_to(CSS)}: {found}"
        for path in CSS.rglob("*.css")
        if path.name != "tokens.css"
        for found in re.findall(
            r"#[0-9a-fA-F]{3,8}\b(?!\s*\{)|rgba?\([^)]*\)|hsla?\([^)]*\)", path.read_text("utf-8")
        )
    ]
    assert offenders == []


def test_every_token_that_is_used_exists() -> None:
    defined = set(
        re.findall(r"(--[a-z0-9-]+)\s*:", "".join(p.read_text("utf-8") for p in CSS.rglob("*.css")))
    )
    used = {
        (path.name, name)
        for path in CSS.rglob("*.css")
        for name in re.findall(r"var\((--[a-z0-9-]+)\s*\)", path.read_text("utf-8"))
    }
    assert {pair for pair in used if pair[1] not in defined} == set()


def test_every_colour_of_the_sheet_is_read() -> None:
    lines = (CSS / "tokens.css").read_text("utf-8").splitlines()
    plain = [line for line in lines if re.match(r"\s*--[a-z0-9-]+: light-dark\(", line)]
    assert len(colours()) == len(plain) > 50

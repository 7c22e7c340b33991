"""Small random planning problems and a second, slow and obvious way to solve them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from assessments.domain.matrix import Need
from llm_remediation.domain.model import BlastRadius, Candidate, WaveBudget

WAVES = 2
Placement = tuple[int | None, ...]


def step(name: str, **values: object) -> Candidate:
    """A candidate with plain defaults: worth 1/48 of a level, one day, no prerequisites."""
    base: dict[str, object] = {
        "practice": name,
        "from_level": 1,
        "to_level": 2,
        "gain": 1 / 48,
        "effort_days": 1.0,
        "gpu_hours": 0.0,
        "money": 0.0,
        "blast_radius": BlastRadius.LOW,
    }
    return Candidate(id=name, **(base | values))  # type: ignore[arg-type]


@st.composite
def problems(draw: st.DrawFn, most: int = 6) -> tuple[list[Candidate], list[WaveBudget]]:
    """Up to `most` candidates, each needing some of those before it, and two waves."""
    count = draw(st.integers(0, most))
    steps = []
    for index in range(count):
        level = draw(st.integers(1, 5))
        gain = draw(st.integers(0, 6)) / 48
        steps.append(
            step(
                f"P-{index}",
                from_level=level - 1,
                to_level=level,
                gain=gain,
                weakest_gain=gain * 6 if draw(st.booleans()) else 0.0,
                effort_days=draw(st.integers(0, 20)) / 10,
                gpu_hours=draw(st.integers(0, 4)) * 2.5,
                money=draw(st.integers(0, 9)) * 99.99,
                blast_radius=draw(st.sampled_from(BlastRadius)),
                needs=tuple(f"P-{before}" for before in range(index) if draw(st.integers(0, 3)) == 0),
                pulled_in=draw(st.integers(0, 4)) == 0,
                blocked=(Need("X-01", 2),) if draw(st.integers(0, 9)) == 0 else (),
            )
        )
    return draw(st.permutations(steps)), [draw(budgets()) for _ in range(WAVES)]


@st.composite
def budgets(draw: st.DrawFn) -> WaveBudget:
    """One wave; half of its limits are open."""
    return WaveBudget(
        days=draw(st.none() | st.integers(0, 40).map(lambda tenths: tenths / 10)),
        gpu_hours=draw(st.none() | st.integers(0, 10).map(float)),
        money=draw(st.none() | st.integers(0, 2000).map(float)),
        blast_radius=draw(st.none() | st.sampled_from(BlastRadius)),
    )


def exact(number: float) -> Fraction:
    """The number as it is written, not as it is stored."""
    return Fraction(str(number))


def allowed(steps: Sequence[Candidate], waves: Sequence[WaveBudget], at: Placement) -> bool:
    """Does the placement keep every rule? Spelled out rule by rule, without the solver's code."""
    place = {each.id: wave for each, wave in zip(steps, at, strict=True)}
    level = {each.id: each.to_level for each in steps}
    for each in steps:
        wave = place[each.id]
        if wave is None:
            continue
        if each.blocked:
            return False
        for need in each.needs:
            before = place[need]
            if before is None or before > wave or (before == wave and level[need] >= 3):
                return False
        if each.pulled_in and all(place[other.id] is None for other in steps if each.id in other.needs):
            return False
        cap = waves[wave].blast_radius
        order = ["none", "low", "medium", "high"]
        if cap is not None and order.index(each.blast_radius.value) > order.index(cap.value):
            return False
    return all(
        getattr(budget, limit) is None
        or sum(exact(getattr(each, cost)) for each in steps if place[each.id] == wave)
        <= exact(getattr(budget, limit))
        for wave, budget in enumerate(waves)
        for cost, limit in (("effort_days", "days"), ("gpu_hours", "gpu_hours"), ("money", "money"))
    )


def placements(steps: Sequence[Candidate], waves: Sequence[WaveBudget]) -> Iterator[Placement]:
    """Every allowed placement."""
    options: list[int | None] = [None, *range(len(waves))]
    for at in itertools.product(options, repeat=len(steps)):
        if allowed(steps, waves, at):
            yield at


def weighted(steps: Sequence[Candidate], at: Placement) -> float:
    """Weighted gain: 1.5 times in the weakest dimension."""
    return sum(
        each.gain * (1.5 if each.weakest_gain > 0 else 1)
        for each, wave in zip(steps, at, strict=True)
        if wave is not None
    )


def spent(steps: Sequence[Candidate], at: Placement) -> Fraction:
    """Money of the placement, days where nothing costs money."""
    name = "money" if any(each.money for each in steps) else "effort_days"
    chosen = (each for each, wave in zip(steps, at, strict=True) if wave is not None)
    return sum((exact(getattr(each, name)) for each in chosen), Fraction(0))

"""A plan changed by hand: broken prerequisites and overrun budgets are found, never forbidden."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from llm_remediation.domain.checks import BrokenNeed, HandCheck, Overrun, check_by_hand
from llm_remediation.domain.model import Candidate, Resource, WaveBudget
from llm_remediation.domain.refusals import BadPlanInput
from llm_remediation.domain.roadmap import plan
from tests.llm_remediation.domain.instances import problems, step

STEPS = [step("A.L2"), step("A.L3", to_level=3, needs=("A.L2",)), step("B.L3", to_level=3, needs=("A.L3",))]
OPEN = [WaveBudget()] * 2


def test_a_good_order_has_nothing_broken() -> None:
    assert check_by_hand(STEPS, OPEN, {"A.L2": 0, "A.L3": 0, "B.L3": 1}) == HandCheck((), ())


def test_a_step_before_or_without_its_prerequisite_is_broken() -> None:
    found = check_by_hand(STEPS, OPEN, {"A.L2": 1, "A.L3": 0})
    assert found.broken == (BrokenNeed("A.L3", "A.L2", 1),)
    assert check_by_hand(STEPS, OPEN, {"B.L3": 1}).broken == (BrokenNeed("B.L3", "A.L3", None),)


def test_a_wave_shared_with_a_level_that_needs_observation_is_broken() -> None:
    found = check_by_hand(STEPS, OPEN, {"A.L2": 0, "A.L3": 0, "B.L3": 0})
    assert found.broken == (BrokenNeed("B.L3", "A.L3", 1),)


def test_an_overrun_budget_is_named() -> None:
    found = check_by_hand(STEPS, [WaveBudget(days=1.5), WaveBudget(days=1)], {"A.L2": 0, "A.L3": 0})
    assert found.overruns == (Overrun(0, Resource.DAYS, 2.0, 1.5),)


@settings(max_examples=30, deadline=None)
@given(problems())
def test_what_the_solver_makes_passes(problem: tuple[list[Candidate], list[WaveBudget]]) -> None:
    steps, waves = problem
    found = plan(steps, waves, explain_seconds=0)
    where = {item.candidate.id: item.wave for wave in found.waves for item in wave.items}
    assert check_by_hand(steps, waves, where) == HandCheck((), ())


@pytest.mark.parametrize(
    ("wave_of", "code"),
    [({"Z": 0}, "unknown_candidate"), ({"A.L2": 2}, "unknown_wave"), ({"A.L2": -1}, "unknown_wave")],
)
def test_unknown_steps_and_waves_are_refused(wave_of: dict[str, int], code: str) -> None:
    with pytest.raises(BadPlanInput) as caught:
        check_by_hand(STEPS, OPEN, wave_of)
    assert (caught.value.code, caught.value.place) == (code, f"wave_of[{next(iter(wave_of))}]")

"""Reasons say what really stopped a step: each code on a made case, and all of them against brute force."""

from __future__ import annotations

import math

from hypothesis import given, settings

from assessments.domain.matrix import Need
from llm_remediation.domain.model import BlastRadius, Candidate, Plan, Reason, WaveBudget
from llm_remediation.domain.roadmap import plan
from tests.llm_remediation.domain.instances import placements, problems, step, weighted

IMPOSSIBLE = {
    "prerequisite_unanswered",
    "exceeds_largest_wave",
    "fits_no_wave",
    "blast_radius_capped",
    "too_few_waves",
    "cannot_fit_with_prerequisites",
}


def why_not(found: Plan, name: str) -> tuple[Reason, ...]:
    return next(each.reasons for each in found.left_out if each.candidate.id == name)


def why(found: Plan, name: str) -> dict[str, dict[str, object]]:
    items = (item for wave in found.waves for item in wave.items)
    reasons = next(item.reasons for item in items if item.candidate.id == name)
    return {reason.code: dict(reason.parameters) for reason in reasons}


@settings(max_examples=60, deadline=None)
@given(problems())
def test_reasons_agree_with_brute_force(problem: tuple[list[Candidate], list[WaveBudget]]) -> None:
    steps, waves = problem
    found = plan(steps, waves, explain_seconds=60)
    everything = list(placements(steps, waves))
    for index, each in enumerate(steps):
        with_it = [weighted(steps, at) for at in everything if at[index] is not None]
        if each in found.chosen:
            continue
        reasons = why_not(found, each.id)
        assert reasons
        codes = {reason.code for reason in reasons}
        impossible = bool(codes & IMPOSSIBLE) or any(r.parameters.get("possible") is False for r in reasons)
        if not each.pulled_in:
            assert impossible == (not with_it)
        for reason in reasons:
            if "loss" in reason.parameters:
                loss = reason.parameters["loss"]
                assert isinstance(loss, float)
                assert math.isclose(loss, found.totals.value - max(with_it), abs_tol=1e-9)
        assert "found_no_time" not in codes


def test_larger_than_the_largest_wave() -> None:
    found = plan([step("A-1", effort_days=12.0)], [WaveBudget(days=8), WaveBudget(days=10)])
    assert why_not(found, "A-1") == (
        Reason("exceeds_largest_wave", {"resource": "days", "needed": 12.0, "largest": 10}),
    )


def test_every_wave_lacks_something_else() -> None:
    found = plan(
        [step("A-1", effort_days=5.0, gpu_hours=5.0)],
        [WaveBudget(days=9, gpu_hours=1), WaveBudget(days=1, gpu_hours=9)],
    )
    (reason,) = why_not(found, "A-1")
    assert reason.code == "fits_no_wave"
    assert reason.parameters["waves"] == [
        {"wave": 0, "resource": "gpu_hours", "needed": 5.0, "budget": 1},
        {"wave": 1, "resource": "days", "needed": 5.0, "budget": 1},
    ]


def test_blast_radius_cap() -> None:
    found = plan([step("A-1", blast_radius=BlastRadius.HIGH)], [WaveBudget(blast_radius=BlastRadius.LOW)])
    assert why_not(found, "A-1") == (Reason("blast_radius_capped", {"radius": "high", "cap": "low"}),)


def test_prerequisite_that_nobody_answered() -> None:
    found = plan([step("A-1", blocked=(Need("X-01", 2),)), step("A-2", needs=("A-1",))], [WaveBudget()])
    assert why_not(found, "A-1") == (Reason("prerequisite_unanswered", {"practice": "X-01", "level": 2}),)
    assert why_not(found, "A-2") == (
        Reason("prerequisite_left_out", {"candidates": ["A-1"], "possible": False}),
    )


def test_too_few_waves() -> None:
    steps = [step("A.L3", to_level=3), step("A.L4", to_level=4, needs=("A.L3",))]
    found = plan([*steps, step("A.L5", to_level=5, needs=("A.L4",))], [WaveBudget()] * 2)
    assert why_not(found, "A.L5") == (Reason("too_few_waves", {"waves": 2, "waves_needed": 3}),)


def test_too_large_for_the_waves_that_are_left() -> None:
    steps = [step("A.L3", to_level=3), step("A.L4", to_level=4, needs=("A.L3",), effort_days=5.0)]
    found = plan(steps, [WaveBudget(days=9), WaveBudget(days=2)])
    (reason,) = why_not(found, "A.L4")
    assert reason.code == "fits_no_wave" and reason.parameters["from_wave"] == 1
    assert reason.parameters["waves"] == [{"wave": 1, "resource": "days", "needed": 5.0, "budget": 2}]


def test_exceeds_all_waves_together_with_its_prerequisites() -> None:
    steps = [step("X", effort_days=6.0), step("P", effort_days=6.0, needs=("X",))]
    found = plan(steps, [WaveBudget(days=10)])
    (reason,) = why_not(found, "P")
    assert reason.code == "cannot_fit_with_prerequisites"
    assert reason.parameters["candidates"] == ["X"]
    assert reason.parameters["totals"] == [{"resource": "days", "needed": 12.0, "all_waves": 10.0}]


def test_outbid_names_room_loss_and_what_would_leave() -> None:
    steps = [step("A-1", gain=0.05), step("A-2", gain=0.02, effort_days=3.0)]
    found = plan(steps, [WaveBudget(days=3)])
    (reason,) = why_not(found, "A-2")
    assert reason.code == "outbid"
    assert reason.parameters["waves"] == [{"wave": 0, "resource": "days", "needed": 3.0, "left": 2.0}]
    assert math.isclose(float(str(reason.parameters["loss"])), 0.03)
    assert reason.parameters["displaces"] == ["A-1"]


def test_an_equally_good_but_dearer_step_loses_nothing() -> None:
    found = plan([step("A-1", effort_days=2.0), step("A-2")], [WaveBudget(days=2)])
    (reason,) = why_not(found, "A-1")
    assert (reason.code, reason.parameters["loss"]) == ("outbid", 0.0)


def test_left_out_with_its_prerequisite() -> None:
    steps = [
        step("A-1", gain=0.5, effort_days=2.0),
        step("X", effort_days=1.0),
        step("P", effort_days=1.0, needs=("X",)),
    ]
    found = plan(steps, [WaveBudget(days=2)])
    (reason,) = why_not(found, "P")
    assert reason.code == "prerequisite_left_out"
    assert reason.parameters["candidates"] == ["X"] and reason.parameters["possible"] is True
    assert reason.parameters["displaces"] == ["A-1"]


def test_only_as_prerequisite_and_no_gain() -> None:
    steps = [
        step("X", pulled_in=True),
        step("P", needs=("X",), effort_days=9.0),
        step("Z", gain=0.0),
    ]
    found = plan(steps, [WaveBudget(days=5)])
    assert why_not(found, "X") == (Reason("only_as_prerequisite", {"needed_by": ["P"]}),)
    assert why_not(found, "Z") == (Reason("no_gain"),)


def test_waits_too_long() -> None:
    """B fits only into the first wave and pushes X into the last, so what waits for X has no wave left."""
    steps = [
        step("B", effort_days=4.0, gpu_hours=5.0, gain=1.0),
        step("X", to_level=3, effort_days=4.0),
        step("P", to_level=4, needs=("X",), effort_days=0.0, gain=0.01),
    ]
    found = plan(steps, [WaveBudget(days=4, gpu_hours=5), WaveBudget(days=4, gpu_hours=0)])
    assert {each.id for each in found.chosen} == {"B", "X"}
    (reason,) = why_not(found, "P")
    assert (reason.code, reason.parameters["wave"]) == ("waits_too_long", 1)
    assert reason.parameters["displaces"] == ["B"]


def test_chosen_steps_say_gain_unlocks_and_assumptions() -> None:
    steps = [
        step("X.L3", to_level=3, pulled_in=True),
        step("P.L3", to_level=3, needs=("X.L3",), weakest_gain=1 / 8, assumed=(Need("Q-01", 2),)),
    ]
    found = plan(steps, [WaveBudget()] * 2)
    assert why(found, "X.L3") == {
        "prerequisite": {"needed_by": ["P.L3"]},
        "gain": {"gain": 1 / 48, "weakest": False},
        "unlocks": {"candidates": ["P.L3"]},
    }
    assert why(found, "P.L3") == {
        "gain": {"gain": 1 / 48, "weakest": True},
        "assumes": {"practice": "Q-01", "level": 2},
    }

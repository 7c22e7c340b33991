"""The plan against brute force, and what must hold for every plan."""

from __future__ import annotations

import dataclasses
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm_remediation.domain.model import WEIGHTS, BlastRadius, Candidate, GainWeights, Plan, WaveBudget
from llm_remediation.domain.refusals import BadPlanInput
from llm_remediation.domain.roadmap import plan
from llm_remediation.domain.solver import Model, gain_objective
from llm_remediation.domain.units import in_whole_units
from portal.errors import Refused
from tests.llm_remediation.domain.instances import (
    Placement,
    allowed,
    budgets,
    placements,
    problems,
    spent,
    step,
    weighted,
)

SLOW_BUT_SURE = settings(max_examples=60, deadline=None)
Problem = tuple[list[Candidate], list[WaveBudget]]


def quick(steps: list[Candidate], waves: list[WaveBudget]) -> Plan:
    """The plan without the exact losses, which these tests do not look at."""
    return plan(steps, waves, explain_seconds=0.0)


def placement(steps: list[Candidate], found: Plan) -> Placement:
    where = {item.candidate.id: item.wave for wave in found.waves for item in wave.items}
    return tuple(where.get(each.id) for each in steps)


@SLOW_BUT_SURE
@given(problems())
def test_equals_brute_force_in_gain_then_in_cost(problem: Problem) -> None:
    steps, waves = problem
    found = quick(steps, waves)
    everything = list(placements(steps, waves))
    best = max(weighted(steps, at) for at in everything)
    assert found.optimal and found.ties_settled
    assert math.isclose(found.totals.value, best, abs_tol=1e-9)
    equals = [at for at in everything if math.isclose(weighted(steps, at), best, abs_tol=1e-9)]
    cheapest = min(spent(steps, at) for at in equals)
    assert spent(steps, placement(steps, found)) == cheapest


@SLOW_BUT_SURE
@given(problems())
def test_keeps_budgets_prerequisites_and_caps(problem: Problem) -> None:
    steps, waves = problem
    found = quick(steps, waves)
    assert allowed(steps, waves, placement(steps, found))
    assert len(found.chosen) + len(found.left_out) == len(steps)


@SLOW_BUT_SURE
@given(problems())
def test_among_equal_plans_gains_come_early(problem: Problem) -> None:
    steps, waves = problem
    at = placement(steps, quick(steps, waves))

    def lateness(timing: Placement) -> float:
        pairs = zip(steps, timing, strict=True)
        return sum(weighted([each], (0,)) * wave for each, wave in pairs if wave is not None)

    same = [
        other
        for other in placements(steps, waves)
        if all((a is None) == (b is None) for a, b in zip(other, at, strict=True))
    ]
    # The solver also moves steps without gain forward, which weighs less than one unit of gain each.
    assert lateness(at) <= min(lateness(other) for other in same) + len(steps) / 48


@SLOW_BUT_SURE
@given(problems(), st.integers(0, 1), budgets())
def test_a_larger_budget_never_lowers_the_weighted_gain(
    problem: Problem, index: int, more: WaveBudget
) -> None:
    steps, waves = problem

    def wider(old: float | None, extra: float | None) -> float | None:
        return None if old is None or extra is None else old + extra

    wide = dataclasses.replace(
        waves[index],
        days=wider(waves[index].days, more.days),
        gpu_hours=wider(waves[index].gpu_hours, more.gpu_hours),
        money=wider(waves[index].money, more.money),
    )
    before = quick(steps, waves).totals.value
    waves = [*waves[:index], wide, *waves[index + 1 :]]
    assert quick(steps, waves).totals.value >= before - 1e-9


@SLOW_BUT_SURE
@given(problems(), st.randoms())
def test_the_order_of_the_input_is_irrelevant(problem: Problem, shuffler: random.Random) -> None:
    steps, waves = problem
    shuffled = list(steps)
    shuffler.shuffle(shuffled)
    assert quick(shuffled, waves) == quick(steps, waves)


@SLOW_BUT_SURE
@given(problems())
def test_items_of_a_wave_stand_in_working_order(problem: Problem) -> None:
    for wave in quick(*problem).waves:
        seen: set[str] = set()
        inside = {item.candidate.id for item in wave.items}
        for item in wave.items:
            assert inside & set(item.candidate.needs) <= seen
            seen.add(item.candidate.id)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(5, 25)), min_size=20, max_size=40),
    st.integers(20, 120),
)
def test_one_wave_equals_the_table_of_the_knapsack(things: list[tuple[int, int]], room: int) -> None:
    """Too many steps for brute force, and a second oracle: dynamic programming over tenths of days."""
    best = [0] * (room + 1)
    for gain, tenths in things:
        for left in range(room, tenths - 1, -1):
            best[left] = max(best[left], best[left - tenths] + gain)
    steps = [
        step(f"A-{n}", gain=gain / 144, effort_days=tenths / 10) for n, (gain, tenths) in enumerate(things)
    ]
    found = quick(steps, [WaveBudget(days=room / 10)])
    assert found.optimal and math.isclose(found.totals.gain, best[room] / 144, abs_tol=1e-9)


def test_a_budget_broken_by_rounding_is_cut_off() -> None:
    """The solver's own rows are taken away, as if its tolerance hid them; the whole-number check stays."""
    steps = [step(f"A-{n}", effort_days=1.0 + n / 10) for n in range(5)]
    model = Model(in_whole_units(steps, [WaveBudget(days=2.5)], WEIGHTS))
    model.rows = [row for row in model.rows if row.upper == 1]
    answer = model.minimise(gain_objective(model.instance), (), 60)
    assert answer.optimal and answer.wave_of is not None
    at = answer.wave_of
    assert allowed(steps, [WaveBudget(days=2.5)], at) and sum(wave is not None for wave in at) == 2


def test_no_candidates_give_an_empty_optimal_plan() -> None:
    found = plan([], [WaveBudget()] * 3)
    assert [wave.key for wave in found.waves] == ["now", "next", "later"]
    assert found.optimal and found.chosen == () and found.left_out == () and found.totals.gain == 0


def test_zero_budgets_still_allow_what_costs_nothing() -> None:
    steps = [step("A-1", effort_days=0.0), step("A-2", effort_days=0.5)]
    found = plan(steps, [WaveBudget(days=0, gpu_hours=0, money=0)])
    assert [each.id for each in found.chosen] == ["A-1"]


def test_without_limits_everything_is_planned_at_once_and_level_three_delays_what_waits_for_it() -> None:
    steps = [
        step("A.L2", to_level=2),
        step("A.L3", from_level=2, to_level=3, needs=("A.L2",)),
        step("B.L3", from_level=2, to_level=3, needs=("A.L3",)),
    ]
    found = plan(steps, [WaveBudget()] * 3)
    assert [[item.candidate.id for item in wave.items] for wave in found.waves] == [
        ["A.L2", "A.L3"],
        ["B.L3"],
        [],
    ]
    assert found.levels == {"A.L2": 2, "A.L3": 3, "B.L3": 3}


def test_decimals_are_added_as_written() -> None:
    """0.1 + 0.2 is 0.30000000000000004 in binary; the budget of 0.3 holds both."""
    steps = [step("A-1", effort_days=0.1), step("A-2", effort_days=0.2)]
    assert len(plan(steps, [WaveBudget(days=0.3)]).chosen) == 2
    assert len(plan(steps, [WaveBudget(days=0.2999)]).chosen) == 1


def test_parts_below_the_smallest_unit_are_rounded_against_the_plan() -> None:
    steps = [step(f"A-{n}", effort_days=0.1006) for n in range(10)]
    found = plan(steps, [WaveBudget(days=1.0)], explain_seconds=0)
    assert len(found.chosen) == 9 and found.totals.days <= 1.0


def test_large_money_is_exact_to_the_cent() -> None:
    """Seven digits of money and one cent too little: a tolerance of 1e-6 per variable would let it pass."""
    steps = [step(f"A-{n}", money=1_234_567.89) for n in range(4)]
    assert len(plan(steps, [WaveBudget(money=4 * 1_234_567.89)]).chosen) == 4
    assert len(plan(steps, [WaveBudget(money=4 * 1_234_567.89 - 0.01)]).chosen) == 3


def test_the_weakest_dimension_goes_first_when_there_is_room_for_one() -> None:
    steps = [step("A-1"), step("B-1", weakest_gain=1 / 8), step("C-1", gain=1.4 / 48)]
    assert [each.id for each in plan(steps, [WaveBudget(days=1)]).chosen] == ["B-1"]
    plain = GainWeights(version="plain", weakest_dimension=1.0)
    assert [each.id for each in plan(steps, [WaveBudget(days=1)], plain).chosen] == ["C-1"]


def test_a_step_above_its_own_target_comes_only_with_what_needs_it() -> None:
    steps = [
        step("X.L3", to_level=3, pulled_in=True),
        step("P.L3", to_level=3, needs=("X.L3",), effort_days=3.0),
    ]
    assert {each.id for each in plan(steps, [WaveBudget(days=4)] * 2).chosen} == {"X.L3", "P.L3"}
    assert plan(steps, [WaveBudget(days=2)] * 2).chosen == ()


def test_a_blast_radius_cap_keeps_steps_out_of_a_wave() -> None:
    steps = [step("A-1", blast_radius=BlastRadius.HIGH), step("A-2", blast_radius=BlastRadius.NONE)]
    waves = [WaveBudget(blast_radius=BlastRadius.MEDIUM), WaveBudget()]
    found = plan(steps, waves)
    assert placement(steps, found) == (1, 0)


def test_when_time_runs_out_the_plan_says_so() -> None:
    found = plan([step("A-1"), step("A-2")], [WaveBudget(days=1)], solve_seconds=0.0)
    assert not found.optimal and not found.ties_settled and found.gap is None
    assert {each.candidate.id for each in found.left_out} == {"A-1", "A-2"}
    assert all(reason.code == "found_no_time" for each in found.left_out for reason in each.reasons)


def test_totals_sum_low_and_high_estimates() -> None:
    steps = [step("A-1", days_low=0.5, days_high=2.0, gpu_hours=3.0, money=10.0), step("A-2")]
    totals = plan(steps, [WaveBudget()]).totals
    assert (totals.steps, totals.days, totals.days_low, totals.days_high) == (2, 2.0, 1.5, 3.0)
    assert (totals.gpu_hours, totals.money) == (3.0, 10.0)
    assert math.isclose(totals.gain, 2 / 48) and math.isclose(totals.value, 2 / 48)


@pytest.mark.parametrize(
    ("steps", "waves", "code", "place"),
    [
        ([], [], "number_of_waves", "budgets"),
        ([], [WaveBudget()] * 13, "number_of_waves", "budgets"),
        ([], [WaveBudget(), WaveBudget(days=math.nan)], "not_a_number", "budgets[1].days"),
        ([], [WaveBudget(money=math.inf)], "not_a_number", "budgets[0].money"),
        ([], [WaveBudget(gpu_hours=-1)], "negative", "budgets[0].gpu_hours"),
        ([], [WaveBudget(days="3")], "not_a_number", "budgets[0].days"),
        ([], [WaveBudget(days=True)], "not_a_number", "budgets[0].days"),
        ([], [WaveBudget(money=1e12)], "too_large", "budgets[0].money"),
        ([step("A-1", effort_days=-0.1)], [WaveBudget()], "negative", "A-1.effort_days"),
        ([step("A-1", gain=math.nan)], [WaveBudget()], "not_a_number", "A-1.gain"),
        ([step("A-1", gain=6.0)], [WaveBudget()], "too_large", "A-1.gain"),
        ([step("A-1"), step("A-1")], [WaveBudget()], "duplicate_candidate", "A-1"),
        ([step("A-1", needs=("B-1",))], [WaveBudget()], "unknown_prerequisite", "A-1.needs"),
        ([step("A-1", needs=("A-1",))], [WaveBudget()], "cycle", "candidates"),
        ([step("A", needs=("B",)), step("B", needs=("A",))], [WaveBudget()], "cycle", "candidates"),
    ],
)
def test_bad_input_is_refused_with_its_place(
    steps: list[Candidate], waves: list[WaveBudget], code: str, place: str
) -> None:
    with pytest.raises(BadPlanInput) as caught:
        plan(steps, waves)
    assert (caught.value.code, caught.value.place) == (code, place)
    assert isinstance(caught.value, Refused) and isinstance(caught.value, ValueError)


def test_a_weight_below_one_is_refused() -> None:
    with pytest.raises(BadPlanInput) as caught:
        plan([], [WaveBudget()], GainWeights(weakest_dimension=0.5))
    assert caught.value.place == "weights.weakest_dimension"


def test_too_many_candidates_are_refused() -> None:
    with pytest.raises(BadPlanInput) as caught:
        plan([step(f"A-{n}") for n in range(1001)], [WaveBudget()])
    assert caught.value.code == "too_many_candidates"

"""Which steps a roadmap may take, what they gain, cost and wait for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.answers import Answer
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import EvidenceKind, Need, Profile, Scope
from llm_remediation.domain.candidates import candidates, closing_test
from llm_remediation.domain.effort import Estimate, Rates, blast_radius
from llm_remediation.domain.model import (
    BlastRadius,
    Candidate,
    ClosingMethod,
    EstimateSource,
    WaveBudget,
    Work,
)
from llm_remediation.domain.refusals import BadPlanInput
from llm_remediation.domain.roadmap import plan
from tests.llm_remediation.domain.situations import (
    DRILL,
    EVERYTHING,
    MATRIX,
    PRACTICES,
    answer,
    evidence,
    not_applicable,
    situation,
)


def by_id(steps: tuple[Candidate, ...]) -> dict[str, Candidate]:
    return {each.id: each for each in steps}


# -- gains -------------------------------------------------------------------------------------------------

answered = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: ("level", *pair))
state = st.one_of(*[answered] * 12, st.just(("na",)), st.just(("unsure",)))


def answers_of(states: list[tuple[object, ...]]) -> list[Answer]:
    made = []
    for name, (kind, *levels) in zip(PRACTICES, states, strict=True):
        if kind == "na":
            made.append(not_applicable(name))
        elif kind == "unsure":
            made.append(Answer(name, unsure=True))
        else:
            claimed, proven = (int(str(level)) for level in levels)
            made.append(answer(name, claimed, proven))
    return made


@settings(max_examples=50, deadline=None)
@given(st.lists(state, min_size=len(PRACTICES), max_size=len(PRACTICES)), st.data())
def test_gains_add_up_to_the_change_of_the_score(
    states: list[tuple[object, ...]], data: st.DataObject
) -> None:
    where = situation(rest=None, others=answers_of(states))
    today = where.today.overall.score
    if today is None:
        with pytest.raises(BadPlanInput):
            candidates(where)
        return
    steps = candidates(where, default_target=5)
    reached = {
        name: data.draw(st.integers(result.current, 5))
        for name, result in where.today.practices.items()
        if result.current is not None
    }
    taken = [each for each in steps if each.to_level <= reached[each.practice]]
    levels = {each.practice: reached[each.practice] for each in taken}
    after = where.card_at(levels)
    assert after.overall.score is not None
    assert math.isclose(after.overall.score, today + sum(each.gain for each in taken), abs_tol=1e-9)
    weakest = where.today.overall.weakest
    assert weakest is not None
    before, then = where.today.dimensions[weakest].score, after.dimensions[weakest].score
    assert before is not None and then is not None
    assert math.isclose(then, before + sum(each.weakest_gain for each in taken), abs_tol=1e-9)
    for name, level in levels.items():
        assert after.practices[name].current == level


@settings(max_examples=15, deadline=None)
@given(st.lists(answered, min_size=len(PRACTICES), max_size=len(PRACTICES)))
def test_the_score_after_a_plan_is_todays_plus_its_gain(states: list[tuple[object, ...]]) -> None:
    where = situation(rest=None, others=answers_of(states))
    found = plan(candidates(where), [WaveBudget(days=12)] * 3, explain_seconds=0)
    after, today = where.card_at(found.levels).overall.score, where.today.overall.score
    assert after is not None and today is not None
    assert math.isclose(after, today + found.totals.gain, abs_tol=1e-9)


def test_gain_is_weight_over_practices_over_dimensions_and_the_weakest_is_marked() -> None:
    steps = by_id(candidates(situation({"REL-01": 1, "REL-02": 0})))
    assert math.isclose(steps["REL-01.L2"].gain, 1 / 5 / 6, rel_tol=1e-12)
    assert math.isclose(steps["REL-02.L2"].gain, 2 / 5 / 6, rel_tol=1e-12)
    assert math.isclose(steps["REL-02.L2"].weakest_gain, 2 / 5, rel_tol=1e-12)
    lower = by_id(candidates(situation({"REL-01": 2, "RCV-01": 0})))
    assert lower["REL-01.L3"].weakest_gain == 0 and lower["RCV-01.L1"].weakest_gain > 0


# -- which steps -------------------------------------------------------------------------------------------


def test_steps_go_from_the_current_level_to_the_target() -> None:
    steps = candidates(situation({"EVO-02": 1}), targets={"EVO-02": 4, "RCV-02": 5})
    assert [each.id for each in steps] == ["RCV-02.L4", "RCV-02.L5", "EVO-02.L2", "EVO-02.L3", "EVO-02.L4"]
    assert by_id(steps)["EVO-02.L3"].needs == ("EVO-02.L2",)
    assert by_id(steps)["EVO-02.L2"].needs == ()


def test_a_claim_without_proof_starts_at_the_current_level_and_needs_proof_only() -> None:
    steps = by_id(candidates(situation(others=[answer("EVO-02", 3, proven=1)]), default_target=4))
    assert steps["EVO-02.L2"].work is Work.PROVE and steps["EVO-02.L3"].work is Work.PROVE
    assert steps["EVO-02.L4"].work is Work.BUILD
    assert steps["EVO-02.L2"].gain > 0


def test_expired_evidence_brings_the_step_back() -> None:
    old = Answer("EVO-02", level=3, evidence=(evidence(3, days_old=31), evidence(2)))
    assert [each.id for each in candidates(situation(others=[old]))] == ["EVO-02.L3"]


def test_not_applicable_and_unsure_practices_have_no_steps() -> None:
    where = situation(rest=2, others=[not_applicable("EVO-02"), Answer("SEC-02", unsure=True)])
    assert not {"EVO-02", "SEC-02"} & {each.practice for each in candidates(where)}


def test_everything_at_its_target_leaves_no_candidates() -> None:
    assert candidates(situation()) == ()


# -- prerequisites -----------------------------------------------------------------------------------------


def test_unmet_prerequisites_bring_in_their_steps_and_those_of_their_own_prerequisites() -> None:
    where = situation({"REL-01": 2, "OBS-01": 1, "EVO-01": 0})
    steps = by_id(candidates(where, targets={"OBS-01": 1, "EVO-01": 1}))
    assert steps["REL-01.L3"].needs == ("OBS-01.L3",)
    assert steps["OBS-01.L3"].needs == ("OBS-01.L2", "EVO-01.L2")
    assert [name for name, each in steps.items() if each.pulled_in] == ["OBS-01.L2", "OBS-01.L3", "EVO-01.L2"]
    assert set(steps) == {"REL-01.L3", "OBS-01.L2", "OBS-01.L3", "EVO-01.L1", "EVO-01.L2"}


def test_steps_up_to_level_two_wait_for_nobody() -> None:
    steps = by_id(candidates(situation({"REL-01": 0, "OBS-01": 0}), targets={"REL-01": 2, "OBS-01": 0}))
    assert steps["REL-01.L2"].needs == ("REL-01.L1",)
    assert set(steps) == {"REL-01.L1", "REL-01.L2"}


def test_a_step_above_three_waits_for_a_prerequisite_that_was_never_met() -> None:
    where = situation({"REL-01": 3, "OBS-01": 2})
    steps = by_id(candidates(where, targets={"REL-01": 5, "OBS-01": 2}))
    assert steps["REL-01.L4"].needs == ("OBS-01.L3",)
    assert steps["REL-01.L5"].needs == ("REL-01.L4",)


def test_met_hidden_and_inapplicable_prerequisites_count_as_satisfied() -> None:
    met = by_id(candidates(situation({"SEC-01": 2})))["SEC-01.L3"]
    away = by_id(candidates(situation({"SEC-01": 2}, [not_applicable("COST-02")])))["SEC-01.L3"]
    serving = Profile(frozenset({"serve"}))
    hidden = by_id(candidates(situation({"SEC-01": 2}, profile=serving)))["SEC-01.L3"]
    for each in (met, away, hidden):
        assert (each.needs, each.blocked, each.assumed) == ((), (), ())


def test_an_unanswered_prerequisite_blocks() -> None:
    unsure = situation({"SEC-01": 2}, [Answer("COST-02", unsure=True)])
    silent = situation({"SEC-01": 2}, [Answer("COST-02")])
    for where in (unsure, silent):
        steps = by_id(candidates(where, default_target=4, targets={"SEC-01": 4}))
        assert steps["SEC-01.L3"].blocked == (Need("COST-02", 2),)
        assert steps["SEC-01.L4"].blocked == () and steps["SEC-01.L4"].needs == ("SEC-01.L3",)
        left = {each.candidate.id for each in plan(list(steps.values()), [WaveBudget()] * 3).left_out}
        assert left == {"SEC-01.L3", "SEC-01.L4"}


def test_a_prerequisite_outside_the_quick_scan_is_assumed() -> None:
    step = by_id(candidates(situation({"SEC-01": 2}, scope=Scope.quick, profile=EVERYTHING)))["SEC-01.L3"]
    assert step.assumed == (Need("COST-02", 2),)
    assert (step.needs, step.blocked) == ((), ())


# -- costs and tests ---------------------------------------------------------------------------------------


def test_estimates_come_from_the_organisation_then_the_matrix_then_the_level() -> None:
    where, rates = situation({"REL-02": 2, "EVO-02": 2}), Rates(day_rate=1000, gpu_hour_price=2.5)
    steps = by_id(candidates(where, rates=rates))
    assert steps["REL-02.L3"].estimate is EstimateSource.MATRIX
    assert steps["REL-02.L3"].money == 4 * 1000 + 10 * 2.5
    assert (steps["REL-02.L3"].days_low, steps["REL-02.L3"].days_high) == (2.0, 8.0)
    assert steps["EVO-02.L3"].estimate is EstimateSource.DEFAULT
    own = by_id(candidates(where, rates=rates, estimates={("REL-02", 3): Estimate(1, 1, 1, 0)}))
    assert own["REL-02.L3"].estimate is EstimateSource.ORGANISATION and own["REL-02.L3"].money == 1000


def test_closing_tests_name_fault_drill_or_evidence() -> None:
    worded, unworded = MATRIX.practice("RCV-01"), MATRIX.practice("RCV-02")
    fault = closing_test(worded, 4)
    assert (fault.method, fault.faults, fault.clauses) == (ClosingMethod.FAULT, ("F14",), ("RCV-01.L4.a",))
    assert closing_test(worded, 2).drills == (DRILL,)
    assert closing_test(worded, 3).method is ClosingMethod.EVIDENCE
    assert closing_test(worded, 3).evidence is EvidenceKind.E3
    assert closing_test(unworded, 3).method is ClosingMethod.EVIDENCE
    assert closing_test(unworded, 5).faults == ("F14",)


@pytest.mark.parametrize(
    ("level", "runs_fault", "lab", "radius"),
    [
        (1, False, False, BlastRadius.NONE),
        (2, False, False, BlastRadius.LOW),
        (3, False, False, BlastRadius.LOW),
        (4, False, False, BlastRadius.LOW),
        (4, True, False, BlastRadius.MEDIUM),
        (5, False, False, BlastRadius.MEDIUM),
        (5, True, False, BlastRadius.HIGH),
        (3, False, True, BlastRadius.LOW),
        (4, True, True, BlastRadius.LOW),
        (5, True, True, BlastRadius.MEDIUM),
    ],
)
def test_blast_radius_follows_what_the_level_asks_for(
    level: int, runs_fault: bool, lab: bool, radius: BlastRadius
) -> None:
    assert blast_radius(level, runs_fault=runs_fault, lab=lab) is radius


def test_a_step_above_level_three_names_what_it_may_cost() -> None:
    steps = by_id(candidates(situation({"REL-02": 2}), targets={"REL-02": 4}))
    assert steps["REL-02.L3"].may_cost == () and steps["REL-02.L4"].may_cost == (Dimension.COST,)


# -- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "code", "place"),
    [
        ({"targets": {"REL-01": 6}}, "level_out_of_range", "targets[REL-01]"),
        ({"targets": {"REL-01": True}}, "level_out_of_range", "targets[REL-01]"),
        ({"default_target": -1}, "level_out_of_range", "default_target"),
        ({"targets": {"REL-99": 3}}, "unknown_practice", "targets[REL-99]"),
        ({"rates": Rates(day_rate=-1)}, "negative", "rates.day_rate"),
        ({"rates": Rates(gpu_hour_price=math.nan)}, "not_a_number", "rates.gpu_hour_price"),
        ({"estimates": {("REL-01", 6): Estimate(1, 1, 1, 0)}}, "level_out_of_range", "estimates[REL-01.L6]"),
        ({"estimates": {("REL-01", 3): Estimate(2, 1, 3, 0)}}, "estimate_order", "estimates[REL-01.L3]"),
        (
            {"estimates": {("REL-01", 3): Estimate(1, math.inf, 3, 0)}},
            "not_a_number",
            "estimates[REL-01.L3].days_likely",
        ),
    ],
)
def test_bad_wishes_are_refused_with_their_place(wishes: dict[str, object], code: str, place: str) -> None:
    with pytest.raises(BadPlanInput) as caught:
        candidates(situation(), **wishes)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.place) == (code, place)


def test_too_few_answers_for_a_score_are_refused() -> None:
    with pytest.raises(BadPlanInput) as caught:
        candidates(situation(rest=None))
    assert (caught.value.code, caught.value.place) == ("score_incomplete", "answers")


def test_a_planned_level_leaves_higher_claims_and_other_practices_alone() -> None:
    where = situation(others=[answer("EVO-02", 4, proven=1)])
    after = where.card_at({"EVO-02": 2})
    assert (after.practices["EVO-02"].claimed, after.practices["EVO-02"].current) == (4, 2)
    assert all(after.practices[name] == where.today.practices[name] for name in PRACTICES if name != "EVO-02")
    assert where.card_at({}) == where.today


@pytest.mark.parametrize(
    ("levels", "code"),
    [({"EVO-02": 4}, "practice_not_answered"), ({"REL-01": 6}, "level_out_of_range")],
)
def test_a_planned_level_needs_an_answer_to_start_from(levels: dict[str, int], code: str) -> None:
    with pytest.raises(BadPlanInput) as caught:
        situation(others=[not_applicable("EVO-02")]).card_at(levels)
    assert caught.value.code == code

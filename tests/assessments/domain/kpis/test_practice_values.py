"""KPI values against targets: met, missed, unknown; what they suggest, and what cannot be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.domain.kpis.facts import Fact, FactKind, Phase, ServiceScope
from assessments.domain.kpis.practice_values import RATIOS, PracticeKpi, State, practice_kpis
from assessments.domain.shipped import v2_3
from tests.assessments.domain.kpis.test_csv import one_fact

NOW = datetime(2026, 12, 1, tzinfo=UTC)
SERVICES = (
    *(ServiceScope(f"s{number}", "serve", 1 + number % 3, True) for number in range(5)),
    ServiceScope("out", "serve", 1, False),
    ServiceScope("train", "train", 1, True),
)


def kpi(
    value: float,
    service: str = "",
    *,
    name: str = "OBS-02",
    present: float | None = 99,
    days: float = 30,
    ago: float = 1,
    phase: Phase = Phase.steady,
    unit: str = "%",
) -> Fact:
    end = NOW - timedelta(days=ago)
    return Fact(FactKind.kpi, name, service, end - timedelta(days=days), end, value, unit, phase, present)


def of(*facts: Fact) -> PracticeKpi:
    return practice_kpis(v2_3(), facts, SERVICES, NOW)[facts[0].name.partition("/")[0]]


def third(*facts: Fact) -> tuple[State, str, int | None]:
    found = of(*facts)
    target = found.target(3)
    assert target is not None
    return target.state, target.why.code, found.suggested


# OBS-02: level 3 asks for >= 80 % over 30 d; serving services only, so 5 are asked and 4 of them suffice.
def test_4_of_5_services_that_reach_the_target_suggest_level_3() -> None:
    facts = [kpi(80, f"s{number}") for number in range(4)]
    assert third(*facts) == (State.met, "met", 3)
    found = of(*facts)
    assert found.target(3).share == pytest.approx(80)  # type: ignore[union-attr]
    assert found.why.params == {"reached": 4, "covered": 4, "total": 5}


def test_a_service_out_of_scope_and_one_of_another_kind_do_not_count() -> None:
    facts = [*(kpi(80, f"s{number}") for number in range(3)), kpi(99, "out"), kpi(99, "train")]
    assert third(*facts) == (State.unknown, "coverage", None)


def test_2_of_5_below_the_target_are_a_miss_whatever_the_others_do() -> None:
    assert third(kpi(79.9, "s0"), kpi(10, "s1")) == (State.missed, "missed", None)
    assert third(kpi(79.9, "s0")) == (State.unknown, "coverage", None)


def test_a_value_of_the_cluster_stands_for_services_without_one_of_their_own() -> None:
    assert third(kpi(85)) == (State.met, "met", 3)
    assert third(kpi(85), kpi(10, "s0"), kpi(10, "s1")) == (State.missed, "missed", None)


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (kpi(85, ago=30), (State.met, "met", 3)),
        (kpi(85, ago=30.01), (State.unknown, "stale", None)),
        (kpi(85, days=27), (State.met, "met", 3)),
        (kpi(85, days=26.9), (State.unknown, "window_short", None)),
        (kpi(85, present=95), (State.met, "met", 3)),
        (kpi(85, unit=""), (State.met, "met", 3)),
        (kpi(85, unit="ms"), (State.unknown, "no_values", None)),
        (kpi(85, phase=Phase.fault), (State.unknown, "no_values", None)),
    ],
)
def test_a_value_must_be_fresh_long_and_in_the_unit_of_the_target(
    fact: Fact, expected: tuple[State, str, int | None]
) -> None:
    assert third(fact) == expected


@pytest.mark.parametrize("present", [None, 94.9])
def test_without_enough_samples_nothing_is_suggested(present: float | None) -> None:
    found = of(kpi(85, present=present))
    assert (found.target(3).state, found.suggested, found.why.code) == (State.met, None, "presence")  # type: ignore[union-attr]


def test_a_value_of_the_future_is_not_there() -> None:
    assert practice_kpis(v2_3(), [kpi(85, ago=-1)], SERVICES, NOW) == {}


def test_the_newest_window_holds_in_any_order() -> None:
    old, new = kpi(10, ago=20), kpi(90, ago=2)
    assert third(old, new) == third(new, old) == (State.met, "met", 3)


def test_level_4_is_read_from_the_fault_windows_and_never_suggested() -> None:
    # REL-04: level 4 asks for >= 85 %, level 5 for >= 95 %
    facts = [kpi(90, name="REL-04"), kpi(86, name="REL-04", phase=Phase.fault)]
    found = of(*facts)
    assert [(each.level, each.state) for each in found.targets] == [
        (3, State.met),
        (4, State.met),
        (5, State.missed),
    ]
    assert found.suggested == 3


def test_a_second_condition_holds_the_level_back() -> None:
    # COST-07: level 3 is measured, and >= 80 % of the in-scope services have a known premium
    assert third(kpi(30, name="COST-07")) == (State.unknown, "conditions", None)
    assert third(kpi(30, name="COST-07"), kpi(79, name="COST-07/1")) == (State.missed, "conditions", None)
    assert third(kpi(30, name="COST-07"), kpi(80, name="COST-07/1")) == (State.met, "met", 3)


def test_targets_in_another_unit_are_read_from_values_in_it() -> None:
    # COST-01: level 4 is the gap to the bill in %, the KPI itself is in USD
    found = of(kpi(0.002, name="COST-01", unit="USD"), kpi(4, name="COST-01", unit="%"))
    assert [each.state for each in found.targets] == [State.met, State.met, State.met]


@pytest.mark.parametrize(
    ("name", "value", "unit", "cannot"),
    [
        ("OBS-02", 100, "%", False),
        ("OBS-02", 100.1, "%", True),
        ("OBS-02", -0.1, "%", True),
        ("RCV-04", 140, "%", False),  # a share of the RTO may exceed 100
        ("RCV-06", -1, "min", True),
        ("REL-03", 180, "%", False),  # at twice the load up to twice the goodput
        ("REL-04", 100.4, "%", False),  # two measurements beside each other
        ("EVO-02", 100.1, "%", True),
        ("COST-04", -0.4, "ratio", False),
        ("COST-07", -3, "%", False),
    ],
)
def test_what_is_outside_its_range_is_named(name: str, value: float, unit: str, cannot: bool) -> None:
    assert bool(of(kpi(value, name=name, unit=unit)).impossible) is cannot


@given(st.lists(one_fact(), max_size=20))
def test_no_facts_raise_and_nothing_above_3_is_suggested(facts: list[Fact]) -> None:
    as_of = max((fact.end for fact in facts if fact.end), default=NOW)
    for each in practice_kpis(v2_3(), facts, SERVICES, as_of).values():
        assert each.suggested in (None, 3)
        assert each.as_dict()["practice"] == each.practice
        assert str(each.why)


def test_samples_must_be_there_in_the_values_that_meet_the_target() -> None:
    # Four of five reach it, one of them without samples; the fifth misses it with all of them.
    facts = [*(kpi(80, f"s{number}") for number in range(3)), kpi(80, "s3", present=50), kpi(10, "s4")]
    found = of(*facts)
    assert (found.target(3).state, found.suggested, found.why.code) == (State.met, None, "presence")  # type: ignore[union-attr]
    assert found.why.params == {"covered": 3, "total": 5}


def test_a_value_in_another_unit_takes_no_samples_away() -> None:
    assert of(kpi(85), kpi(5, unit="ms", present=None)).suggested == 3


def test_a_measured_target_needs_the_window_too() -> None:
    # REL-06: level 3 is `measured` and names no window, so 30 d are asked
    assert third(kpi(91, "train", name="REL-06")) == (State.met, "met", 3)
    assert third(kpi(91, "train", name="REL-06", days=1)) == (State.unknown, "window_short", None)


def test_the_ratios_are_percentages_of_the_matrix() -> None:
    assert {v2_3().practice(name).kpi.unit for name in RATIOS} == {"%"}  # type: ignore[union-attr]


def test_what_cannot_be_suggests_nothing() -> None:
    found = of(kpi(100.1))
    assert (found.target(3).state, found.suggested, found.why.code) == (State.met, None, "impossible")  # type: ignore[union-attr]

"""Headline KPIs from facts, computed by hand: values, windows, and why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.domain.kpis.facts import Fact, FactKind, ServiceScope
from assessments.domain.kpis.headlines import Headline, headlines
from assessments.domain.kpis.numbers import NUMBERS
from tests.assessments.domain.kpis.test_csv import one_fact

NOW = datetime(2026, 12, 1, tzinfo=UTC)
START = NOW - timedelta(days=30)
SERVICES = (
    ServiceScope("chat", "serve", 1, True),
    ServiceScope("code", "serve", 1, True),
    ServiceScope("batch", "serve", 3, True),
    ServiceScope("lab", "serve", 1, False),
)


def number(
    name: str, value: float, service: str = "", *, start: datetime = START, end: datetime = NOW
) -> Fact:
    return Fact(FactKind.number, name, service, start, end, value, NUMBERS[name].unit)


def breach(hour: float, minutes: float, service: str = "chat") -> Fact:
    start = START + timedelta(hours=hour)
    return Fact(FactKind.breach, "", service, start, start + timedelta(minutes=minutes))


def found(facts: Iterable[Fact]) -> dict[str, Headline]:
    return {each.measured.kpi: each for each in headlines(tuple(facts), SERVICES, NOW)}


def test_without_facts_every_kpi_says_that_nothing_is_known() -> None:
    all_of = headlines((), SERVICES, NOW)
    assert [each.dimension for each in all_of] == (
        ["REL", "REL", "OBS", "RCV", "RCV", "EVO", "SEC", "SEC", "SEC", "COST", "COST", "COST"]
    )
    assert {(each.measured.value, each.measured.reason) for each in all_of} == {(None, "no_data")}


def test_numbers_become_kpis() -> None:
    kpis = found(
        [
            number("slo_good", 99_800),
            number("slo_total", 100_000),
            number("slo_objective", 99.5),
            number("services_in_scope", 10),
            *(
                number(f"fresh_{name}", count)
                for name, count in zip(
                    ("http", "slo", "log", "metric", "trace"), (10, 8, 9, 8, 5), strict=True
                )
            ),
            number("exercises", 9),
            number("exercises_inside", 9),
            number("without_objective", 1),
            number("changes", 40),
            number("changes_failed", 6),
            number("integrity_runs", 10),
            number("integrity_detected", 8),
            number("null_faults", 25),
            number("false_alarms", 1),
            number("attacks_replayed", 200),
            number("attacks_successful", 5),
            # 8 GPUs at 2 USD/h and 4,000 tokens/s: 1000 × 16 / 14.4 million
            number("gpu_usd_per_h", 16),
            number("billable_tokens_per_s", 4000),
            number("step_cost_before", 100),
            number("step_cost_after", 140),
            number("step_tokens_before", 1000),
            number("step_tokens_after", 1500),
            number("cost_with_resilience", 130),
            number("cost_bare", 100),
        ]
    )
    values = {name: each.measured.value for name, each in kpis.items()}
    assert values == pytest.approx(
        {
            "mtbf": None,
            "error_budget_left": 60.0,  # 0.2 % of 0.5 % is spent
            "golden_signal_coverage": 80.0,
            "mttr": None,
            "objective_attainment": 90.0,
            "change_fail_rate": 15.0,
            "integrity_detection": 80.0,
            "false_alarms": 4.0,
            "attack_success": 2.5,
            "cost_per_1k_tokens": 16_000 / 14_400_000,
            "elasticity": (40 / 120) / (500 / 1250),
            "resilience_premium": 30.0,
        }
    )
    assert (kpis["change_fail_rate"].start, kpis["change_fail_rate"].end) == (START, NOW)


def test_numbers_about_different_windows_are_not_mixed() -> None:
    kpis = found([number("changes", 40), number("changes_failed", 6, start=START - timedelta(days=1))])
    assert kpis["change_fail_rate"].measured.reason == "windows_differ"


def test_numbers_that_cannot_all_be_true_give_no_value() -> None:
    kpis = found(
        [
            number("changes", 4),
            number("changes_failed", 6),
            number("slo_good", 2),
            number("slo_total", 3),
            number("slo_objective", 100),
        ]
    )
    assert kpis["change_fail_rate"].measured.reason == "contradictory"
    assert kpis["error_budget_left"].measured.reason == "contradictory"


def test_mtbf_is_that_of_the_tier_1_service_with_the_most_breaches() -> None:
    observed = [number("observed_h", 720, name) for name in ("chat", "code", "batch", "lab")]
    kpis = found(
        [
            *observed,
            breach(100, 30),
            breach(200, 30),
            breach(400, 60),
            breach(600, 4),  # below 300 s: none
            breach(50, 60, "code"),
            *(breach(10 * index, 6, "batch") for index in range(20)),
            *(breach(10 * index, 6, "lab") for index in range(30)),
        ]
    )
    one = kpis["mtbf"]
    # gaps: 200 - 100.5 and 400 - 200.5
    assert (one.service, one.measured.count) == ("chat", 3)
    assert one.measured.value == pytest.approx((99.5 + 199.5) / 2)


def test_breaches_at_the_same_time_are_one_and_the_window_cuts_them() -> None:
    kpis = found(
        [
            number("observed_h", 700, "chat"),
            breach(-1, 120),  # one hour of it lies in the window
            breach(100, 60),
            breach(100.5, 60),
            breach(300, 60),
        ]
    )
    one = kpis["mtbf"].measured
    assert one.count == 3
    assert one.value == pytest.approx(((100 - 1) + (300 - 101.5)) / 2)


def test_below_3_breaches_there_is_only_a_bound() -> None:
    one = found([number("observed_h", 720, "chat"), breach(100, 60), breach(300, 60)])["mtbf"].measured
    # 2 × 720 / chi2(0.95, 6) = 1440 / 12.5916
    assert (one.value, one.reason) == (None, "too_few_breaches")
    assert one.low == pytest.approx(114.36, abs=0.01)


def test_more_observed_hours_than_the_window_holds_are_a_contradiction() -> None:
    assert found([number("observed_h", 721, "chat")])["mtbf"].measured.reason == "contradictory"


def test_a_contradiction_leaves_the_headline_to_a_service_that_can_be_computed() -> None:
    facts = [number("observed_h", 721, "chat"), *(breach(10 * index, 60) for index in range(9))]
    one = found([*facts, number("observed_h", 720, "code"), breach(50, 60, "code")])["mtbf"]
    assert (one.service, one.measured.reason, one.measured.count) == ("code", "too_few_breaches", 1)


def test_mttr_is_the_median_of_the_incidents_of_90_days() -> None:
    def incident(name: str, days_ago: float, minutes: float | None) -> Fact:
        start = NOW - timedelta(days=days_ago)
        end = None if minutes is None else start + timedelta(minutes=minutes)
        return Fact(FactKind.incident, name, "", start, end)

    kpis = found(
        [
            incident("a", 80, 10),
            incident("b", 40, 20),
            incident("c", 20, 60),
            incident("old", 91, 900),
            incident("tomorrow", -1, 900),
        ]
    )
    assert (kpis["mttr"].measured.value, kpis["mttr"].measured.count) == (20.0, 3)
    still = found([incident("a", 80, 10), incident("b", 1, None), incident("c", 2, None)])["mttr"].measured
    assert (still.value, still.reason, still.low) == (None, "still_open", 1440.0)


def test_unit_cost_and_budget_fall_back_to_a_service() -> None:
    kpis = found(
        [
            number("gpu_usd_per_h", 10, "chat"),
            number("billable_tokens_per_s", 100, "chat"),
            number("gpu_usd_per_h", 10, "code"),
            number("billable_tokens_per_s", 1000, "code"),
            *(number(name, value, "chat") for name, value in (("slo_good", 999), ("slo_total", 1000))),
            number("slo_objective", 99, "chat"),
            *(number(name, value, "code") for name, value in (("slo_good", 995), ("slo_total", 1000))),
            number("slo_objective", 99, "code"),
        ]
    )
    assert kpis["cost_per_1k_tokens"].service == "code"
    assert kpis["cost_per_1k_tokens"].measured.value == pytest.approx(10_000 / 3_600_000)
    assert kpis["error_budget_left"].service == "code"
    assert kpis["error_budget_left"].measured.value == pytest.approx(50.0)


@given(st.lists(one_fact(), max_size=30))
def test_no_facts_raise(facts: list[Fact]) -> None:
    for each in headlines(facts, SERVICES, max((fact.start for fact in facts), default=NOW)):
        assert (each.measured.value is None) == bool(each.measured.reason) or each.measured.reason

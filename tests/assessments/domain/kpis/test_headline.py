"""Headline KPIs against values from outside and by hand, and their properties."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assessments.domain.kpis.cost import cost_per_1k_tokens, elasticity, resilience_premium
from assessments.domain.kpis.evolvability import change_fail_rate
from assessments.domain.kpis.observability import golden_signal_coverage
from assessments.domain.kpis.recoverability import Incident, mttr, objective_attainment
from assessments.domain.kpis.reliability import Breach, budget_left, service_mtbf
from assessments.domain.kpis.security import attack_success, false_alarms, integrity_detection
from portal.errors import Invalid

HALF_HOUR = 0.5


def breaches(*starts: float) -> list[Breach]:
    return [Breach(start, start + HALF_HOUR) for start in starts]


def test_the_gaps_between_three_breaches() -> None:
    # Ends 100.5 and 300.5, next starts 300 and 700: gaps 199.5 and 399.5, mean 299.5.
    found = service_mtbf(breaches(100, 300, 700), 2160)
    assert (found.value, found.count, found.unit) == (299.5, 3, "h")
    # Exact Poisson limits of 3 events: 0.618672 and 8.767273 (Garwood's table).
    assert found.low == pytest.approx(2160 / 8.767273, rel=1e-6)
    assert found.high == pytest.approx(2160 / 0.618672, rel=1e-5)


@pytest.mark.parametrize(("events", "upper"), [(0, 2.995732), (1, 4.743865), (2, 6.295794)])
def test_below_three_breaches_there_is_only_a_bound(events: int, upper: float) -> None:
    # One-sided 95 % Poisson limits of 0, 1, 2 events; 0 gives the rule of three, -ln 0.05.
    found = service_mtbf(breaches(*[100.0, 300.0][:events]), 720)
    assert found.value is None and found.high is None and found.reason == "too_few_breaches"
    assert found.low == pytest.approx(720 / upper, rel=1e-6)


def test_a_violation_under_300_seconds_is_no_breach() -> None:
    short = Breach(10, 10 + 299.9 / 3600)
    assert service_mtbf([short], 720).count == 0
    assert service_mtbf([Breach(10, 10 + 301 / 3600)], 720).count == 1
    assert service_mtbf([], 0).reason == "no_data"


@pytest.mark.parametrize(
    "bad",
    [
        [Breach(5, 4)],
        [Breach(0, 721)],
        [Breach(math.nan, 4)],
        [Breach(-1, 4)],
        [Breach(1, 5), Breach(4, 8)],
    ],
)
def test_impossible_breaches_are_refused_with_their_place(bad: list[Breach]) -> None:
    with pytest.raises(Invalid) as refused:
        service_mtbf(bad, 720)
    assert refused.value.place and refused.value.place.startswith("breaches")


def test_the_budget() -> None:
    # 998 of 1000 good at 0.995: 0.002 / 0.005 spent, 60 % left; 990 good: twice the budget, -100 %.
    assert budget_left(998, 1000, 0.995).value == pytest.approx(60)
    assert budget_left(990, 1000, 0.995).value == pytest.approx(-100)
    assert budget_left(0, 0, 0.995).reason == "no_data"
    with pytest.raises(Invalid):
        budget_left(1, 1, 1)
    with pytest.raises(Invalid):
        budget_left(2, 1, 0.5)


def test_the_worked_example_of_golden_signals() -> None:
    fresh = {"http": 10, "slo": 6, "log": 9, "metric": 10, "trace": 5}
    assert golden_signal_coverage(10, fresh).value == 80.0
    # Two services scaled to zero leave the denominator.
    assert golden_signal_coverage(12, fresh, scaled_to_zero=2).value == 80.0
    assert golden_signal_coverage(10, {}).value == 0
    assert golden_signal_coverage(3, {}, scaled_to_zero=3).reason == "no_data"


@pytest.mark.parametrize("fresh", [{"http": 11}, {"logs": 1}, {"log": -1}, {"log": 1.5}])
def test_impossible_signal_counts_are_refused(fresh: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        golden_signal_coverage(10, fresh)


def test_the_median_time_to_recover_and_its_exact_interval() -> None:
    # n = 9: binomial(9, 1/2) at 1 is 10/512 = 1.95 %, at 2 it is 9.0 %; so the 2nd and the 8th value.
    found = mttr([Incident(minutes) for minutes in (4, 7, 9, 12, 15, 21, 30, 44, 90)])
    assert (found.value, found.low, found.high, found.count) == (15, 7, 44, 9)
    assert mttr([Incident(10), Incident(20)]).value == 15
    assert mttr([Incident(10), Incident(20)]).low is None
    # n = 6 is the first with an interval: the smallest and the largest (2/64 = 3.1 % outside).
    six = mttr([Incident(minutes) for minutes in (1, 2, 3, 4, 5, 6)])
    assert (six.low, six.high) == (1, 6)
    assert mttr([Incident(minutes) for minutes in (1, 2, 3, 4, 5)]).low is None


def test_an_open_incident_stays_in_the_sample() -> None:
    settled = [Incident(10), Incident(20), Incident(30)]
    assert mttr([*settled, Incident(50, open_=True)]).value == 25
    early = mttr([Incident(10), Incident(15, open_=True), Incident(30)])
    assert (early.value, early.low, early.reason) == (None, 15, "still_open")
    assert mttr([]).reason == "no_data"


def test_objectives_that_are_missing_count_as_failed() -> None:
    assert objective_attainment(9, 10).value == 90
    assert objective_attainment(9, 10, without_objective=2).value == pytest.approx(75)
    with pytest.raises(Invalid):
        objective_attainment(11, 10, without_objective=5)


@pytest.mark.parametrize("kpi", [change_fail_rate, integrity_detection, false_alarms, attack_success])
def test_shares_with_wilsons_interval(kpi: Any) -> None:
    # Newcombe (1998), method 3: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611.
    found = kpi(81, 263)
    assert found.value == pytest.approx(30.798, abs=1e-3)
    assert (found.low, found.high) == (pytest.approx(25.53, abs=0.01), pytest.approx(36.62, abs=0.01))
    assert (kpi(0, 20).low, kpi(0, 20).high) == (pytest.approx(0, abs=1e-9), pytest.approx(16.11, abs=0.01))
    assert kpi(0, 0).value is None and kpi(0, 0).reason == "no_data"
    for part, whole in ((3, 2), (-1, 2), (1.5, 2), (math.inf, 2), (True, 2)):
        with pytest.raises(Invalid):
            kpi(part, whole)


def test_the_cost_of_tokens() -> None:
    # 8 GPUs at 2 USD/h and 4,000 tokens/s: 16 USD per 14.4 million tokens.
    assert cost_per_1k_tokens(16, 4000).value == pytest.approx(0.00111, abs=5e-6)
    assert cost_per_1k_tokens(16, 4000, other_usd_per_h=16).value == pytest.approx(0.00222, abs=5e-6)
    assert cost_per_1k_tokens(16, 0).reason == "no_tokens"


def test_elasticity_by_hand() -> None:
    # Twice the load at twice the cost is 1; at the same cost 0; load 100 to 200, cost 10 to 15: 0.4 / (2/3).
    assert elasticity(10, 20, 100, 200).value == pytest.approx(1)
    assert elasticity(10, 10, 100, 200).value == 0
    assert elasticity(10, 15, 100, 200).value == pytest.approx(0.6)
    assert elasticity(10, 15, 100, 105).reason == "load_too_flat"
    assert elasticity(0, 0, 100, 200).reason == "no_data"
    assert resilience_premium(130, 100).value == pytest.approx(30)
    assert resilience_premium(130, 0).reason == "no_data"


POSITIVE = st.floats(0.1, 1e6)


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE, st.floats(0.01, 100))
def test_elasticity_is_the_same_up_and_down_and_in_any_unit(
    cost_a: float, cost_b: float, load_a: float, load_b: float, unit: float
) -> None:
    up = elasticity(cost_a, cost_b, load_a, load_b)
    assume(up.value is not None)
    assert elasticity(cost_b, cost_a, load_b, load_a).value == pytest.approx(up.value)
    other = elasticity(cost_a * unit, cost_b * unit, load_a, load_b)
    assert other.value == pytest.approx(up.value, rel=1e-6, abs=1e-9)


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_share_lies_inside_its_interval(part: int, more: int) -> None:
    found = change_fail_rate(part, part + more)
    if found.value is not None:
        assert found.low is not None and found.high is not None
        assert -1e-9 <= found.low <= found.value + 1e-9 <= found.high + 2e-9 <= 100 + 3e-9


@given(st.lists(st.floats(0, 1000), max_size=20), POSITIVE)
def test_a_longer_watch_without_breaches_raises_the_bound(starts: list[float], extra: float) -> None:
    events = [Breach(each * 10, each * 10) for each in starts]
    shorter, longer = service_mtbf(events, 1e4), service_mtbf(events, 1e4 + extra)
    assert shorter.low is not None and longer.low is not None and longer.low > shorter.low


@given(st.lists(st.floats(0, 1e5), min_size=1, max_size=30))
def test_recovery_scales_and_ignores_order(minutes: list[float]) -> None:
    found = mttr([Incident(each) for each in minutes])
    again = mttr([Incident(each * 60) for each in reversed(minutes)])
    assert found.value is not None
    assert again.value == pytest.approx(found.value * 60)
    assert found.low is None or found.low <= found.value <= (found.high or 0)

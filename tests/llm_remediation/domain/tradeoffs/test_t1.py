"""T1: replicas against budget and accepted premium, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState, Severity
from llm_remediation.domain.tradeoffs.t1 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# 41,000 + 1,900 = 42,900 of 43,000; (33,000 + 1,900 - 30,000) / 30,000 = 16.33 %
MONEY: dict[str, float] = {
    "spend_month": 41_000,
    "replica_cost_month": 1_900,
    "budget_month": 43_000,
    "cost_with_resilience": 33_000,
    "cost_bare": 30_000,
    "accepted_premium": 20,
    "slo_miss_minutes_month": 60,
    "slo_miss_avoidable_month": 38,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.quiet),
        ({"budget_month": 42_900}, FindingState.quiet),  # exactly the budget
        ({"budget_month": 42_899}, FindingState.real),
        ({"accepted_premium": 16}, FindingState.real),
        ({"replica_cost_month": 3_000, "budget_month": 50_000}, FindingState.quiet),  # exactly 20 %
        ({"replica_cost_month": 3_001, "budget_month": 50_000}, FindingState.real),
        ({"budget_month": 40_000, "accepted_premium": None}, FindingState.real),  # one signal is enough
        ({"accepted_premium": None}, FindingState.not_measured),
        ({"budget_month": None}, FindingState.not_measured),
        ({"cost_bare": 0}, FindingState.not_measured),
    ],
)
def test_a_plan_with_a_replica(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("REL-05.L3", "SEC-01.L3", **MONEY | changes))
    assert found.state is state
    assert found.severity is (Severity.warn if state is FindingState.real else Severity.info)
    assert found.items == ("REL-05.L3",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_the_price_is_per_minute_avoided() -> None:
    found = only(RULE, situation("RCV-07.L4", **MONEY))
    assert prices(found) == {
        "cost_per_avoided_minute": (50.0, "USD/min"),  # 1,900 / 38
        "replica_cost": (1_900, "USD/month"),
    }
    assert found.measure("planned_spend") == 42_900
    assert found.threshold("planned_spend") == 43_000
    assert found.measure("premium") == pytest.approx(16.3333, abs=1e-4)
    assert found.threshold("premium") == 20


def test_no_more_minutes_are_avoided_than_are_missed() -> None:
    found = only(RULE, situation("REL-05.L3", **MONEY | {"slo_miss_minutes_month": 19}))
    assert prices(found)["cost_per_avoided_minute"] == (100.0, "USD/min")
    assert found.measure("slo_avoided") == 19
    none_missed = only(RULE, situation("REL-05.L3", **MONEY | {"slo_miss_minutes_month": 0}))
    assert "cost_per_avoided_minute" not in prices(none_missed)


def test_without_a_step_only_the_premium_of_today_counts() -> None:
    spent = MONEY | {"spend_month": 99_000}
    assert only(RULE, situation("SEC-01.L3", **spent)).state is FindingState.quiet
    dear = only(RULE, situation(**MONEY | {"accepted_premium": 9.9}))  # 3,000 / 30,000 = 10 %
    assert dear.state is FindingState.real
    assert dear.items == ()
    assert prices(dear) == {"redundancy_cost": (3_000, "USD/month")}
    assert only(RULE, situation(**MONEY | {"accepted_premium": 10})).state is FindingState.quiet


def test_what_is_missing_is_named() -> None:
    found = only(RULE, situation("REL-03.L3"))
    assert found.state is FindingState.not_measured
    assert set(found.missing) == {
        *("spend_month", "replica_cost_month", "budget_month"),
        *("cost_with_resilience", "cost_bare", "accepted_premium"),
    }
    assert only(RULE, situation("REL-05.L3", **MONEY | {"cost_bare": 0})).missing == ("cost_bare",)


@pytest.mark.parametrize(("level", "is_open"), [(2, False), (3, True), (4, True)])
def test_spot_needs_practice(level: int, is_open: bool) -> None:
    found = only(RULE, situation("REL-05.L3", levels={"COST-05": level}, **MONEY))
    spot = next(each for each in found.options if each.code == "spot_replica")
    assert spot.open is is_open
    assert all(each.open for each in found.options if each.needs is None)

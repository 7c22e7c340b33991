"""T2: growth of series and releases that break rules, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t2 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# 210,000 of 200,000: 5 %; 3 of 30 releases: 10 %
SERIES: dict[str, float] = {
    "series_active": 200_000,
    "series_planned": 210_000,
    "series_cost_month": 800,
    "releases_counted": 30,
    "releases_that_broke_rules": 3,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.quiet),
        ({"series_planned": 220_000}, FindingState.quiet),  # exactly 10 %
        ({"series_planned": 220_001}, FindingState.real),
        ({"series_planned": 150_000}, FindingState.quiet),  # fewer than today
        ({"releases_that_broke_rules": 6}, FindingState.quiet),  # exactly 20 %
        ({"releases_that_broke_rules": 7}, FindingState.real),
        ({"series_active": 0}, FindingState.not_measured),
        ({"releases_counted": None}, FindingState.not_measured),
        ({"releases_counted": 5, "releases_that_broke_rules": 1}, FindingState.quiet),
        ({"releases_counted": 4, "releases_that_broke_rules": 1}, FindingState.not_measured),
        ({"releases_counted": 30, "releases_that_broke_rules": 31}, FindingState.not_measured),
        ({"series_planned": 300_000, "releases_counted": None}, FindingState.real),
    ],
)
def test_a_plan_with_instrumentation(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("OBS-07.L3", "OBS-02.L3", **SERIES | changes))
    assert found.state is state
    assert found.items == ("OBS-07.L3",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_the_price_is_series_and_money() -> None:
    found = only(RULE, situation("OBS-01.L3", **SERIES | {"series_planned": 250_000}))
    assert found.measure("series_growth") == 25
    assert found.threshold("series_growth") == 10
    assert prices(found) == {"series_added": (50_000, "count"), "series_added_cost": (200, "USD/month")}


def test_without_a_step_only_broken_releases_count() -> None:
    grown = SERIES | {"series_planned": 900_000}
    assert only(RULE, situation(**grown)).state is FindingState.quiet
    broken = only(RULE, situation(**grown | {"releases_that_broke_rules": 9}))
    assert broken.state is FindingState.real
    assert broken.measure("releases_broken") == 30
    assert broken.price == ()

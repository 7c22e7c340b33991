"""T4: error budget against waiting changes, by hand and by service."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t4 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# Objective 99.5 %: 500 of 100,000 may fail; 400 did: 20 % of the budget is left.
SLO: dict[str, float] = {
    "slo_good": 99_600,
    "slo_total": 100_000,
    "slo_objective": 99.5,
    "slo_window_days": 28,
    "changes_queued": 3,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.real),
        ({"slo_good": 99_625}, FindingState.quiet),  # 375 of 500: exactly 25 % left
        ({"slo_good": 99_624}, FindingState.real),
        ({"slo_good": 99_000}, FindingState.real),  # overspent
        ({"changes_queued": 2}, FindingState.quiet),
        ({"changes_queued": 2, "slo_good": None}, FindingState.quiet),  # two changes decide it
        ({"slo_good": 100_000, "changes_queued": None}, FindingState.quiet),  # a full budget decides it
        ({"changes_queued": None}, FindingState.not_measured),
        ({"slo_objective": None}, FindingState.not_measured),
        ({"slo_objective": 100}, FindingState.not_measured),
        ({"slo_total": 0, "slo_good": 0}, FindingState.not_measured),
        ({"slo_good": 100_001}, FindingState.not_measured),
        ({"slo_window_days": None}, FindingState.real),  # only the price needs it
    ],
)
def test_a_budget(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("REL-01.L4", **SLO | changes))
    assert found.state is state
    assert found.items == ("REL-01.L4",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_days_left_at_the_rate_of_the_window() -> None:
    """80 % went in 28 days, so the last 20 % last 7."""
    found = only(RULE, situation(**SLO))
    assert found.measure("budget_left") == pytest.approx(20)
    assert prices(found)["budget_days_left"] == (pytest.approx(7), "d")
    assert prices(found)["changes_queued"] == (3, "count")
    gone = only(RULE, situation(**SLO | {"slo_good": 99_000}))
    assert prices(gone)["budget_days_left"] == (0, "d")
    untouched = only(RULE, situation(**SLO | {"slo_good": 100_000}))
    assert "budget_days_left" not in prices(untouched)


def test_each_service_has_its_own_budget() -> None:
    """The objective and the queue of the cluster count for all, the counts of another service never."""
    found = RULE.find(
        situation(
            of={
                "rag": {"slo_good": 99_600, "slo_total": 100_000},
                "chat": {"slo_good": 99_600, "slo_total": 100_000, "slo_objective": 99},
                "embed": {"slo_good": 99_600},
            },
            slo_objective=99.5,
            changes_queued=5,
        )
    )
    assert [(each.service, each.state) for each in found] == [
        ("chat", FindingState.quiet),  # 400 of 1,000 spent
        ("embed", FindingState.not_measured),
        ("rag", FindingState.real),
    ]
    assert found[1].missing == ("slo_total",)

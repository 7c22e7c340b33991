"""T8: a target for engine activity against the wait in the queue, by hand and by service."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t8 import RULE
from llm_remediation.domain.tradeoffs.waiting import wait_curve
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# 450 of 800 ms: 56.25 %
BUSY: dict[str, float] = {
    "engine_activity_target": 85,
    "engine_activity": 80,
    "queue_wait_p95_ms": 450,
    "ttft_target_ms": 800,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.real),
        ({"engine_activity_target": 70}, FindingState.quiet),  # exactly at both
        ({"engine_activity_target": 71}, FindingState.real),
        ({"queue_wait_p95_ms": 400}, FindingState.quiet),
        ({"queue_wait_p95_ms": 401}, FindingState.real),
        ({"engine_activity_target": 60, "queue_wait_p95_ms": None}, FindingState.quiet),
        ({"queue_wait_p95_ms": None}, FindingState.not_measured),
        ({"engine_activity_target": None}, FindingState.not_measured),
        ({"ttft_target_ms": 0}, FindingState.not_measured),
        ({"engine_activity": None}, FindingState.real),  # only the curve needs it
    ],
)
def test_utilisation(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("COST-03.L4", **BUSY | changes))
    assert found.state is state
    assert found.items == ("COST-03.L4",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_targets_of_the_cluster_count_for_a_service() -> None:
    found = RULE.find(
        situation(
            of={
                "chat": {"queue_wait_p95_ms": 450},
                "rag": {"queue_wait_p95_ms": 450, "ttft_target_ms": 2_000},
            },
            engine_activity_target=85,
            ttft_target_ms=800,
        )
    )
    assert [(each.service, each.state) for each in found] == [
        ("chat", FindingState.real),
        ("rag", FindingState.quiet),
    ]
    assert prices(found[0]) == {"queue_wait": (450, "ms")}


def test_the_curve_goes_through_today() -> None:
    """80 % is 4 : 1, 50 % is 1 : 1, 90 % is 9 : 1."""
    curve = wait_curve(80, 400, shown=(50, 80, 90))
    assert [(each.activity_percent, each.wait_ms) for each in curve] == [
        (50, pytest.approx(100)),
        (80, pytest.approx(400)),
        (90, pytest.approx(900)),
    ]


@pytest.mark.parametrize("activity", [0, 100, 101])
def test_such_a_point_fixes_no_curve(activity: float) -> None:
    assert wait_curve(activity, 400) == ()

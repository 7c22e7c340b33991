"""T5: the interval in use against Young's optimum, by hand and by job."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t5 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# Young: sqrt(2 * 50 * 3600) = 600 s
JOB: dict[str, float] = {
    "checkpoint_save_s": 50,
    "job_mtbf_h": 1,
    "checkpoint_interval_s": 600,
    "checkpoint_restart_s": 180,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.quiet),
        ({"checkpoint_interval_s": 750}, FindingState.quiet),  # exactly a quarter longer
        ({"checkpoint_interval_s": 751}, FindingState.real),
        ({"checkpoint_interval_s": 450}, FindingState.quiet),  # exactly a quarter shorter
        ({"checkpoint_interval_s": 449}, FindingState.real),
        ({"checkpoint_interval_s": 0}, FindingState.real),
        ({"checkpoint_interval_s": None}, FindingState.not_measured),
        ({"checkpoint_save_s": 0}, FindingState.not_measured),
        ({"job_mtbf_h": 0}, FindingState.not_measured),
        ({"checkpoint_interval_s": 9_999, "checkpoint_restart_s": None}, FindingState.real),
    ],
)
def test_a_job(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("RCV-03.L3", **JOB | changes))
    assert found.state is state
    assert found.items == ("RCV-03.L3",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_the_price_is_a_share_of_the_machine_time() -> None:
    """As in the test of the calculator: interval 550 s wastes 19.8685 %, 7.2847 % of it by saving."""
    found = only(RULE, situation(**JOB | {"checkpoint_interval_s": 550}))
    price = prices(found)
    assert price["waste"] == (pytest.approx(19.8685, abs=1e-3), "%")
    assert price["save_share"] == (pytest.approx(7.2847, abs=1e-3), "%")
    assert price["rework_share"] == (pytest.approx(12.5839, abs=1e-3), "%")
    assert price["waste_at_optimum"][0] <= price["waste"][0]
    assert found.measure("young_s") == 600
    assert found.measure("daly_s") == pytest.approx(567.1296, abs=1e-4)
    assert "waste" not in prices(only(RULE, situation(**JOB | {"checkpoint_restart_s": None})))


def test_each_job_has_its_own_failures() -> None:
    found = RULE.find(situation(of={"b": JOB, "a": JOB | {"checkpoint_interval_s": 1_800}}, job_mtbf_h=9))
    assert [(each.service, each.state) for each in found] == [
        ("", FindingState.not_measured),  # an MTBF and nothing else
        ("a", FindingState.real),
        ("b", FindingState.quiet),
    ]

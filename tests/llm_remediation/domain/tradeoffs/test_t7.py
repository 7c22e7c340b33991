"""T7: what a guard adds to latency and cost, by hand and by service."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t7 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# TTFT 850 ms with the guard's 50 ms: 50 / 800 = 6.25 %.
# Cost: (34 + 2) USD/h / (10,000 * 3600) tokens * 1000 = 0.001 USD, 0.00004 of it the guard's: 4.1667 %.
GUARD: dict[str, float] = {
    "ttft_p95_ms": 850,
    "guard_ttft_p95_ms": 50,
    "guard_usd_per_1k_tokens": 0.00004,
    "gpu_usd_per_h": 34,
    "other_usd_per_h": 2,
    "billable_tokens_per_s": 10_000,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.quiet),
        ({"ttft_p95_ms": 880, "guard_ttft_p95_ms": 80}, FindingState.quiet),  # exactly 10 %
        ({"ttft_p95_ms": 881, "guard_ttft_p95_ms": 81}, FindingState.real),
        # 1/21 of the cost is exactly 5 % of the rest: 21 USD/h, 21 tokens/s * 3600
        (
            {
                "gpu_usd_per_h": 21 * 3.6,
                "other_usd_per_h": 0,
                "billable_tokens_per_s": 1,
                "guard_usd_per_1k_tokens": 1,
            },
            FindingState.quiet,
        ),
        ({"guard_usd_per_1k_tokens": 0.00005}, FindingState.real),  # 0.05 / 0.95 = 5.26 %
        ({"guard_ttft_p95_ms": 0}, FindingState.quiet),
        ({"guard_ttft_p95_ms": None}, FindingState.not_measured),
        ({"guard_ttft_p95_ms": 850}, FindingState.not_measured),  # more than the whole
        ({"billable_tokens_per_s": 0}, FindingState.not_measured),
        ({"other_usd_per_h": None}, FindingState.not_measured),
        ({"guard_ttft_p95_ms": 400, "gpu_usd_per_h": None}, FindingState.real),
    ],
)
def test_a_guard(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("SEC-03.L3", **GUARD | changes))
    assert found.state is state
    assert found.items == ("SEC-03.L3",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_measures_and_price() -> None:
    found = only(RULE, situation(**GUARD))
    assert found.measure("guard_latency") == pytest.approx(6.25)
    assert found.measure("guard_cost") == pytest.approx(4.1667, abs=1e-4)
    assert found.measure("cost_per_1k_tokens") == pytest.approx(0.001)
    assert prices(found) == {"guard_ttft": (50, "ms"), "guard_usd": (0.00004, "USD/1k tokens")}


def test_each_service_has_its_own_guard() -> None:
    """A service without a guard's number is no finding; another service's latency stands in for none."""
    found = RULE.find(
        situation(
            of={
                "chat": GUARD | {"guard_ttft_p95_ms": 200},
                "rag": {"guard_ttft_p95_ms": 200},
                "embed": {"ttft_p95_ms": 40},
            }
        )
    )
    assert [(each.service, each.state) for each in found] == [
        ("chat", FindingState.real),
        ("rag", FindingState.not_measured),
    ]

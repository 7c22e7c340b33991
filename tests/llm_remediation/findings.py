"""Findings made by hand, so that tests of decisions do not hang on the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import Need
from llm_remediation.domain.tradeoffs.model import Amount, Effect, Finding, FindingState, Option, Situation

COST, REL = Dimension.COST, Dimension.REL


def found(**changes: Any) -> Finding:
    """T1 for the service chat: 120 of 100 USD, two options, one of them not open yet."""
    values: dict[str, Any] = {
        "rule": "T1",
        "dims": (REL, COST),
        "state": FindingState.real,
        "service": "chat",
        "items": ("REL-05.L3",),
        "measures": (Amount("planned_spend", 120.0, "USD/month"),),
        "thresholds": (Amount("planned_spend", 100.0, "USD/month"),),
        "price": (Amount("cost_per_avoided_minute", 4.5, "USD/min"),),
        "options": (
            Option("faster_cold_start", {COST: Effect.up, REL: Effect.down}),
            Option("spot_replica", {COST: Effect.up}, Need("COST-05", 3), open=False),
        ),
    }
    return Finding(**{**values, **changes})


def find(monkeypatch: Any, *results: Finding) -> list[Situation]:
    """Lets the rules find exactly `results`; returns the situations that they were asked about."""
    from llm_remediation import tradeoff_selectors

    asked: list[Situation] = []

    def answer(situation: Situation) -> tuple[Finding, ...]:
        asked.append(situation)
        return results

    double: Callable[[Situation], tuple[Finding, ...]] = answer
    monkeypatch.setattr(tradeoff_selectors, "findings", double)
    return asked

"""T6: prompts and answers in traces explain failures and leak."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from llm_remediation.domain.tradeoffs.model import (
    CLUSTER,
    Amount,
    Effect,
    Finding,
    Option,
    Situation,
    TradeoffRule,
)
from llm_remediation.domain.tradeoffs.signals import Derived, all_of, below, finding, over, plain

GUARD = "SEC-04"
LEAST_LEVEL = 3

CONTENT = plain("spans_with_content", "%")
RETENTION = plain("content_retention_days", "d")


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where spans hold content and tenants are not kept apart (SEC-04 below 3)."""
    level = situation.levels.get(GUARD)
    isolation = (
        Derived(None, (GUARD,))
        if level is None
        else Derived(Amount("isolation_level", float(level), "level"))
    )
    return (
        finding(
            RULE,
            situation,
            CLUSTER,
            all_of(over(CONTENT.of(situation), 0.0), below(isolation, LEAST_LEVEL)),
            price=(CONTENT.of(situation), RETENTION.of(situation)),
        ),
    )


RULE = TradeoffRule(
    id="T6",
    dims=(Dimension.OBS, Dimension.SEC),
    practices=("OBS-04",),
    numbers=("spans_with_content", "content_retention_days"),
    options=(
        Option("hash_only", {Dimension.SEC: Effect.up, Dimension.OBS: Effect.down}),
        Option("redaction_test", {Dimension.SEC: Effect.up}),
        Option("separate_store", {Dimension.SEC: Effect.up, Dimension.COST: Effect.down}),
    ),
    find=find,
)

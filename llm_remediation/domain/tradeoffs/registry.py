"""All rules in order, and what they find."""

from __future__ import annotations

from llm_remediation.domain.tradeoffs import t1, t2, t3, t4, t5, t6, t7, t8
from llm_remediation.domain.tradeoffs.model import Finding, Situation, TradeoffRule

RULES: tuple[TradeoffRule, ...] = tuple(each.RULE for each in (t1, t2, t3, t4, t5, t6, t7, t8))


def findings(situation: Situation) -> tuple[Finding, ...]:
    """What every rule says, in the order of the rules, then of the services."""
    return tuple(each for rule in RULES for each in rule.find(situation))

"""All rules in order, and what they find."""

from __future__ import annotations

from llm_remediation.domain.tradeoffs import t1, t2
from llm_remediation.domain.tradeoffs.model import Finding, Situation, TradeoffRule

RULES: tuple[TradeoffRule, ...] = (t1.RULE, t2.RULE)


def findings(situation: Situation) -> tuple[Finding, ...]:
    """What every rule says, in the order of the rules, then of the services."""
    return tuple(each for rule in RULES for each in rule.find(situation))

"""T1: more replicas raise reliability and cost."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from assessments.domain.kpis.cost import resilience_premium
from assessments.domain.matrix import Need
from llm_remediation.domain.tradeoffs.model import CLUSTER, Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import NEVER, Formula, any_of, finding, over, plain

SPEND = Formula(
    "planned_spend", "USD/month", ("spend_month", "replica_cost_month"), lambda now, more: now + more
)
BUDGET = plain("budget_month", "USD/month")
ACCEPTED = plain("accepted_premium", "%")
MISSED = plain("slo_miss_minutes_month", "min/month", code="slo_missed")
REPLICA = plain("replica_cost_month", "USD/month", code="replica_cost")
# Nobody can avoid more minutes than are missed.
AVOIDED = Formula("slo_avoided", "min/month", ("slo_miss_avoidable_month", "slo_miss_minutes_month"), min)
PER_MINUTE = Formula(
    "cost_per_avoided_minute",
    "USD/min",
    ("replica_cost_month", "slo_miss_avoidable_month", "slo_miss_minutes_month"),
    lambda cost, avoidable, missed: cost / min(avoidable, missed),
)
REDUNDANCY = Formula(
    "redundancy_cost", "USD/month", ("cost_with_resilience", "cost_bare"), lambda paid, bare: paid - bare
)


def _premium(paid: float, bare: float, more: float = 0.0) -> float:
    value = resilience_premium(paid + more, bare).value
    if value is None:
        raise ZeroDivisionError
    return value


PREMIUM = Formula("premium", "%", ("cost_with_resilience", "cost_bare"), _premium, blame=("cost_bare",))
PLANNED_PREMIUM = Formula(
    "premium",
    "%",
    ("cost_with_resilience", "cost_bare", "replica_cost_month"),
    _premium,
    blame=("cost_bare",),
)


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where the plan adds replicas beyond the budget, or redundancy costs more than was accepted.

    Without such a step the budget says nothing, and the premium is that of today.
    """
    planned = bool(situation.raised(RULE.practices))
    spend = over(SPEND.of(situation), BUDGET.of(situation)) if planned else NEVER
    premium = (PLANNED_PREMIUM if planned else PREMIUM).of(situation)
    return (
        finding(
            RULE,
            situation,
            CLUSTER,
            any_of(spend, over(premium, ACCEPTED.of(situation))),
            also=(MISSED.of(situation), AVOIDED.of(situation)),
            price=[each.of(situation) for each in ((PER_MINUTE, REPLICA) if planned else (REDUNDANCY,))],
        ),
    )


RULE = TradeoffRule(
    id="T1",
    dims=(Dimension.REL, Dimension.COST),
    practices=("REL-05", "RCV-07", "REL-03"),
    numbers=(
        *("spend_month", "replica_cost_month", "budget_month"),
        *("cost_with_resilience", "cost_bare", "accepted_premium"),
        *("slo_miss_minutes_month", "slo_miss_avoidable_month"),
    ),
    options=(
        Option("spot_replica", {Dimension.COST: Effect.up, Dimension.REL: Effect.down}, Need("COST-05", 3)),
        Option("smaller_fallback", {Dimension.COST: Effect.up, Dimension.RCV: Effect.up}),
        Option("faster_cold_start", {Dimension.COST: Effect.up, Dimension.RCV: Effect.up}),
    ),
    find=find,
)

"""T4: a spent error budget asks for a freeze while changes wait."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from assessments.domain.kpis.reliability import budget_left
from llm_remediation.domain.tradeoffs.model import Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import Formula, all_of, at_least, below, finding, plain

LEAST_BUDGET_PERCENT = 25.0
LEAST_QUEUED = 3

# Counts of a service and of the cluster do not mix; an objective may hold for all services.
COUNTS = ("slo_good", "slo_total")


def _left(good: float, total: float, objective: float) -> float:
    value = budget_left(good, total, objective / 100).value
    if value is None:
        raise ZeroDivisionError
    return value


def _days(good: float, total: float, objective: float, window: float) -> float:
    """Days until the budget is gone at the mean rate of the window; 0 where it is gone."""
    left = _left(good, total, objective)
    return max(0.0, left) / (100 - left) * window


BUDGET = Formula("budget_left", "%", (*COUNTS, "slo_objective"), _left, shared=("slo_objective",))
DAYS = Formula(
    "budget_days_left",
    "d",
    (*COUNTS, "slo_objective", "slo_window_days"),
    _days,
    shared=("slo_objective", "slo_window_days"),
)
QUEUED = plain("changes_queued", "count", shared=True)


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where little error budget is left and changes wait, by service."""
    return tuple(
        finding(
            RULE,
            situation,
            service,
            all_of(
                below(BUDGET.of(situation, service), LEAST_BUDGET_PERCENT),
                at_least(QUEUED.of(situation, service), LEAST_QUEUED),
            ),
            price=(DAYS.of(situation, service), QUEUED.of(situation, service)),
        )
        for service in situation.services(COUNTS)
    )


RULE = TradeoffRule(
    id="T4",
    dims=(Dimension.REL, Dimension.EVO),
    practices=("REL-01", "EVO-08"),
    numbers=(*COUNTS, "slo_objective", "slo_window_days", "changes_queued"),
    options=(
        Option("smaller_canary", {Dimension.REL: Effect.up, Dimension.EVO: Effect.up}),
        Option("ranked_queue", {Dimension.REL: Effect.up, Dimension.EVO: Effect.up}),
        Option("freeze", {Dimension.REL: Effect.up, Dimension.EVO: Effect.down}),
    ),
    find=find,
)

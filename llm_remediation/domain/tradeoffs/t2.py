"""T2: instrumentation shows more and has to be kept working through every release."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from llm_remediation.domain.tradeoffs.model import CLUSTER, Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import NEVER, Formula, any_of, finding, over, plain

MOST_GROWTH_PERCENT = 10.0
MOST_BROKEN_PERCENT = 20.0
LEAST_RELEASES = 5
"""With fewer, a single release that broke something is above 20 % already."""

GROWTH = Formula(
    "series_growth",
    "%",
    ("series_active", "series_planned"),
    lambda active, planned: 100 * (planned - active) / active,
    blame=("series_active",),
)


def _broken(counted: float, broken: float) -> float:
    if counted < LEAST_RELEASES or broken > counted:
        raise ValueError
    return 100 * broken / counted


BROKEN = Formula(
    "releases_broken",
    "%",
    ("releases_counted", "releases_that_broke_rules"),
    _broken,
    blame=("releases_counted",),
)
ADDED_COST = Formula(
    "series_added_cost",
    "USD/month",
    ("series_active", "series_planned", "series_cost_month"),
    lambda active, planned, cost: cost * (planned - active) / active,
)
ADDED = Formula(
    "series_added", "count", ("series_active", "series_planned"), lambda active, planned: planned - active
)


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where the plan grows the series too fast, or too many releases break what watches them."""
    planned = bool(situation.raised(RULE.practices))
    growth = over(GROWTH.of(situation), MOST_GROWTH_PERCENT) if planned else NEVER
    return (
        finding(
            RULE,
            situation,
            CLUSTER,
            any_of(growth, over(BROKEN.of(situation), MOST_BROKEN_PERCENT)),
            also=(plain("series_active", "count").of(situation),),
            price=(ADDED.of(situation), ADDED_COST.of(situation)) if planned else (),
        ),
    )


RULE = TradeoffRule(
    id="T2",
    dims=(Dimension.OBS, Dimension.EVO),
    practices=("OBS-01", "OBS-04", "OBS-07"),
    numbers=(
        *("series_active", "series_planned", "series_cost_month"),
        *("releases_counted", "releases_that_broke_rules"),
    ),
    options=(
        Option("one_catalogue", {Dimension.EVO: Effect.up}),
        Option("contract_test", {Dimension.EVO: Effect.up}),
        Option("auto_instrumentation", {Dimension.EVO: Effect.up, Dimension.COST: Effect.down}),
        Option("drop_unused", {Dimension.COST: Effect.up, Dimension.EVO: Effect.up}),
    ),
    find=find,
)

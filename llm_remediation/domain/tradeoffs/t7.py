"""T7: guards stop attacks and add latency and cost to every request."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from assessments.domain.kpis.cost import cost_per_1k_tokens
from llm_remediation.domain.tradeoffs.model import Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import Formula, any_of, finding, over, plain

MOST_LATENCY_PERCENT = 10.0
MOST_COST_PERCENT = 5.0

GUARD_MS, GUARD_USD = "guard_ttft_p95_ms", "guard_usd_per_1k_tokens"
COSTS = ("gpu_usd_per_h", "billable_tokens_per_s", "other_usd_per_h")


def _added(part: float, whole: float) -> float:
    """What a part adds, in percent of the whole without it."""
    if part >= whole:
        raise ValueError
    return 100 * part / (whole - part)


def _cost(gpu: float, tokens: float, other: float) -> float:
    value = cost_per_1k_tokens(gpu, tokens, other_usd_per_h=other).value
    if value is None:
        raise ZeroDivisionError
    return value


LATENCY = Formula("guard_latency", "%", (GUARD_MS, "ttft_p95_ms"), _added)
COST = Formula("guard_cost", "%", (GUARD_USD, *COSTS), lambda guard, *costs: _added(guard, _cost(*costs)))
TOTAL = Formula("cost_per_1k_tokens", "USD/1k tokens", COSTS, _cost, blame=("billable_tokens_per_s",))


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where a guard adds too much to the time to first token or to the cost of a token, by service.

    `ttft_p95_ms` and the costs are those of today, the guard's share in them.
    """
    return tuple(
        finding(
            RULE,
            situation,
            service,
            any_of(
                over(LATENCY.of(situation, service), MOST_LATENCY_PERCENT),
                over(COST.of(situation, service), MOST_COST_PERCENT),
            ),
            also=(plain("ttft_p95_ms", "ms").of(situation, service), TOTAL.of(situation, service)),
            price=(
                plain(GUARD_MS, "ms", code="guard_ttft").of(situation, service),
                plain(GUARD_USD, "USD/1k tokens", code="guard_usd").of(situation, service),
            ),
        )
        for service in situation.services((GUARD_MS, GUARD_USD))
    )


RULE = TradeoffRule(
    id="T7",
    dims=(Dimension.SEC, Dimension.COST),
    practices=("SEC-03", "SEC-06"),
    numbers=(GUARD_MS, "ttft_p95_ms", GUARD_USD, *COSTS),
    options=(
        Option("smaller_guard", {Dimension.COST: Effect.up, Dimension.SEC: Effect.down}),
        Option("async_check", {Dimension.COST: Effect.up, Dimension.SEC: Effect.down}),
        Option("per_tenant_policy", {Dimension.COST: Effect.up}),
    ),
    find=find,
)

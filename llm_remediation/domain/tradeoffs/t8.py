"""T8: busy engines cost little per token and let requests wait."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from llm_remediation.domain.tradeoffs.model import Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import Formula, all_of, finding, over, plain

MOST_TARGET_PERCENT = 70.0
MOST_WAIT_PERCENT = 50.0

WAIT = "queue_wait_p95_ms"

TARGET = plain("engine_activity_target", "%", shared=True)
WAIT_SHARE = Formula(
    "wait_share_of_ttft",
    "%",
    (WAIT, "ttft_target_ms"),
    lambda wait, target: 100 * wait / target,
    blame=("ttft_target_ms",),
    shared=("ttft_target_ms",),
)


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where engines are meant to be busy and requests already wait too long for them, by service."""
    return tuple(
        finding(
            RULE,
            situation,
            service,
            all_of(
                over(TARGET.of(situation, service), MOST_TARGET_PERCENT),
                over(WAIT_SHARE.of(situation, service), MOST_WAIT_PERCENT),
            ),
            also=(
                plain("engine_activity", "%").of(situation, service),
                plain("ttft_p95_ms", "ms").of(situation, service),
                plain("ttft_target_ms", "ms", shared=True).of(situation, service),
            ),
            price=(plain(WAIT, "ms", code="queue_wait").of(situation, service),),
        )
        for service in situation.services((WAIT, "engine_activity"))
    )


RULE = TradeoffRule(
    id="T8",
    dims=(Dimension.COST, Dimension.REL),
    practices=("COST-03", "COST-04"),
    numbers=("engine_activity_target", WAIT, "ttft_target_ms", "engine_activity", "ttft_p95_ms"),
    options=(
        Option("priority_classes", {Dimension.REL: Effect.up}),
        Option("admission_limit", {Dimension.REL: Effect.up}),
        Option("burst_pool", {Dimension.REL: Effect.up, Dimension.COST: Effect.down}),
    ),
    find=find,
)

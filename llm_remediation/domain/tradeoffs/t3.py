"""T3: crypto and approval protect a recovery and take time of it."""

from __future__ import annotations

from assessments.domain.dimensions import Dimension
from llm_remediation.domain.tradeoffs.model import CLUSTER, Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import Formula, any_of, finding, over, plain

MOST_SHARE_PERCENT = 30.0

PHASES = ("drill_verify_s", "drill_decrypt_s", "drill_authenticate_s", "drill_approve_s")

SHARE = Formula(
    "security_share_of_rto",
    "%",
    (*PHASES, "rto_s"),
    lambda verify, decrypt, authenticate, approve, rto: (
        100 * (verify + decrypt + authenticate + approve) / rto
    ),
    blame=("rto_s",),
)
SECONDS = Formula("security_seconds", "s", PHASES, lambda *phases: sum(phases))


def _rest(total: float, *phases: float) -> float:
    rest = total - sum(phases)
    if rest < 0:
        raise ValueError
    return rest


REST = Formula("drill_rest_s", "s", ("drill_total_s", *PHASES), _rest)


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where verify, decrypt, authenticate and approve took too much of the RTO in the last drill."""
    also = [plain(name, "s").of(situation) for name in (*PHASES, "drill_total_s", "rto_s")]
    return (
        finding(
            RULE,
            situation,
            CLUSTER,
            any_of(over(SHARE.of(situation), MOST_SHARE_PERCENT)),
            also=[*also, REST.of(situation)],
            price=[SECONDS.of(situation)],
        ),
    )


RULE = TradeoffRule(
    id="T3",
    dims=(Dimension.SEC, Dimension.RCV),
    practices=("SEC-01", "SEC-02", "SEC-08"),
    numbers=(*PHASES, "drill_total_s", "rto_s"),
    options=(
        Option("cache_digests", {Dimension.RCV: Effect.up}),
        Option("break_glass", {Dimension.RCV: Effect.up, Dimension.SEC: Effect.down}),
        Option("preapproved_repairs", {Dimension.RCV: Effect.up, Dimension.SEC: Effect.down}),
        Option("key_availability_test", {Dimension.RCV: Effect.up, Dimension.SEC: Effect.up}),
    ),
    find=find,
)

"""T5: saving often loses little to a failure and costs machine time."""

from __future__ import annotations

from collections.abc import Callable

from assessments.domain.dimensions import Dimension
from llm_remediation.domain.tradeoffs.checkpoint import Checkpointing, deviation
from llm_remediation.domain.tradeoffs.model import Effect, Finding, Option, Situation, TradeoffRule
from llm_remediation.domain.tradeoffs.signals import Formula, any_of, finding, over, plain

MOST_DEVIATION_PERCENT = 25.0
HOUR_S = 3600

# Intervals, saves and failures belong to one job: nothing stands in for another.
TIMES = ("checkpoint_save_s", "job_mtbf_h")
RESTART, INTERVAL = "checkpoint_restart_s", "checkpoint_interval_s"


def _deviation(save: float, mtbf: float, interval: float) -> float:
    return 100 * deviation(interval, Checkpointing(save, mtbf * HOUR_S).young_s)


def _waste(code: str, share: Callable[[Checkpointing, float], float]) -> Formula:
    def compute(save: float, mtbf: float, restart: float, interval: float) -> float:
        return 100 * share(Checkpointing(save, mtbf * HOUR_S, restart), interval)

    return Formula(code, "%", (*TIMES, RESTART, INTERVAL), compute)


DEVIATION = Formula("interval_deviation", "%", (*TIMES, INTERVAL), _deviation, blame=TIMES)
YOUNG = Formula("young_s", "s", TIMES, lambda save, mtbf: Checkpointing(save, mtbf * HOUR_S).young_s)
DALY = Formula("daly_s", "s", TIMES, lambda save, mtbf: Checkpointing(save, mtbf * HOUR_S).daly_s)
PRICES = (
    _waste("waste", lambda job, interval: job.waste(interval).total),
    _waste("save_share", lambda job, interval: job.waste(interval).save),
    _waste("rework_share", lambda job, interval: job.waste(interval).rework),
    _waste("waste_at_optimum", lambda job, _interval: job.waste(job.daly_s).total),
)


def find(situation: Situation) -> tuple[Finding, ...]:
    """Real where the interval in use lies far from Young's optimum, by job."""
    return tuple(_of(situation, service) for service in situation.services((*TIMES, INTERVAL)))


def _of(situation: Situation, service: str) -> Finding:
    known = (
        plain(INTERVAL, "s"),
        YOUNG,
        DALY,
        plain("checkpoint_save_s", "s"),
        plain("job_mtbf_h", "h"),
        plain(RESTART, "s"),
    )
    return finding(
        RULE,
        situation,
        service,
        any_of(over(DEVIATION.of(situation, service), MOST_DEVIATION_PERCENT)),
        also=[each.of(situation, service) for each in known],
        price=[each.of(situation, service) for each in PRICES],
    )


RULE = TradeoffRule(
    id="T5",
    dims=(Dimension.RCV, Dimension.COST),
    practices=("RCV-03",),
    numbers=(*TIMES, INTERVAL, RESTART),
    options=(
        Option("new_interval", {Dimension.COST: Effect.up}),
        Option("async_checkpoint", {Dimension.COST: Effect.up, Dimension.RCV: Effect.up}),
        Option("raise_mtbf", {Dimension.REL: Effect.up, Dimension.COST: Effect.up}),
    ),
    find=find,
)

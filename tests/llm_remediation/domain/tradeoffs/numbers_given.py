"""Situations from plain numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from assessments.domain.kpis.numbers import Reading
from llm_remediation.domain.tradeoffs.model import Finding, Rise, Situation, TradeoffRule

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)
START, END = AS_OF - timedelta(days=30), AS_OF - timedelta(days=1)


def situation(
    *steps: str,
    levels: dict[str, int] | None = None,
    of: dict[str, dict[str, float]] | None = None,
    **numbers: float | None,
) -> Situation:
    """A plan with `steps` (`REL-05.L3`), numbers of the cluster, and numbers of services (`of`)."""
    given = {("", name): value for name, value in numbers.items() if value is not None}
    for service, own in (of or {}).items():
        given |= {(service, name): value for name, value in own.items()}
    return Situation(
        rises=tuple(_rise(each) for each in steps),
        levels=levels or {},
        readings={
            (name, service): Reading(name, service, value, START, END)
            for (service, name), value in given.items()
        },
        as_of=AS_OF,
    )


def only(rule: TradeoffRule, given: Situation) -> Finding:
    """The one finding of a rule."""
    (found,) = rule.find(given)
    return found


def prices(found: Finding) -> dict[str, tuple[float, str]]:
    """Price by code: value and unit."""
    return {each.code: (each.value, each.unit) for each in found.price}


def _rise(step: str) -> Rise:
    practice, _dot, level = step.partition(".L")
    return Rise(practice, int(level) - 1, int(level), step)

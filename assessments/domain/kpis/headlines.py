"""The headline KPIs of a cluster, computed from its facts at a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from assessments.domain.kpis import cost, evolvability, observability, recoverability, reliability, security
from assessments.domain.kpis.facts import Fact, FactKind, ServiceScope
from assessments.domain.kpis.measured import Measured
from assessments.domain.kpis.numbers import MAX_AGE_DAYS, Reading, readings
from portal.errors import Invalid

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
Readings = Mapping[tuple[str, str], Reading]


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline KPI of a dimension; `service` is empty where it is about the whole cluster.

    `start` and `end` are the window of its numbers, None where there are none. Beside the reasons of the KPI
    functions `measured.reason` may be `windows_differ` (its numbers are about different windows) or
    `contradictory` (they cannot all be true).
    """

    dimension: str
    measured: Measured
    service: str = ""
    start: datetime | None = None
    end: datetime | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape; moments stay moments."""
        return {
            "dimension": self.dimension,
            "service": self.service or None,
            "start": self.start,
            "end": self.end,
            **self.measured.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class _Formula:
    """A KPI that is a function of numbers: the needed ones in order, the optional ones with their default."""

    dimension: str
    kpi: str
    unit: str
    needed: tuple[str, ...]
    function: Callable[..., Measured]
    optional: tuple[str, ...] = ()


def _coverage(services: float, services_scaled_to_zero: float = 0, **fresh: float) -> Measured:
    counts = {name.removeprefix("fresh_"): int(value) for name, value in fresh.items()}
    return observability.golden_signal_coverage(
        int(services), counts, scaled_to_zero=int(services_scaled_to_zero)
    )


def _attainment(inside: float, exercises: float, without_objective: float = 0) -> Measured:
    return recoverability.objective_attainment(int(inside), int(exercises), int(without_objective))


def _counted(function: Callable[[int, int], Measured]) -> Callable[[float, float], Measured]:
    return lambda part, whole: function(int(part), int(whole))


_COVERAGE = _Formula(
    "OBS",
    "golden_signal_coverage",
    "%",
    ("services_in_scope",),
    _coverage,
    ("services_scaled_to_zero", *(f"fresh_{name}" for name in observability.SIGNALS)),
)
_ATTAINMENT = _Formula(
    "RCV",
    "objective_attainment",
    "%",
    ("exercises_inside", "exercises"),
    _attainment,
    ("without_objective",),
)
_CHANGES = _Formula(
    "EVO", "change_fail_rate", "%", ("changes_failed", "changes"), _counted(evolvability.change_fail_rate)
)
_SECURITY = (
    _Formula(
        "SEC",
        "integrity_detection",
        "%",
        ("integrity_detected", "integrity_runs"),
        _counted(security.integrity_detection),
    ),
    _Formula("SEC", "false_alarms", "%", ("false_alarms", "null_faults"), _counted(security.false_alarms)),
    _Formula(
        "SEC",
        "attack_success",
        "%",
        ("attacks_successful", "attacks_replayed"),
        _counted(security.attack_success),
    ),
)
_UNIT_COST = _Formula(
    "COST",
    "cost_per_1k_tokens",
    "USD",
    ("gpu_usd_per_h", "billable_tokens_per_s"),
    cost.cost_per_1k_tokens,
    ("other_usd_per_h",),
)
_ELASTICITY = _Formula(
    "COST",
    "elasticity",
    "ratio",
    ("step_cost_before", "step_cost_after", "step_tokens_before", "step_tokens_after"),
    cost.elasticity,
)
_PREMIUM = _Formula(
    "COST", "resilience_premium", "%", ("cost_with_resilience", "cost_bare"), cost.resilience_premium
)
_BUDGET = _Formula(
    "REL",
    "error_budget_left",
    "%",
    ("slo_good", "slo_total", "slo_objective"),
    lambda good, total, objective: reliability.budget_left(good, total, objective / 100),
)


def headlines(
    facts: Iterable[Fact], services: Sequence[ServiceScope], as_of: datetime
) -> tuple[Headline, ...]:
    """All headline KPIs in the order of the dimensions, each with its value or why there is none.

    Numbers count as in `numbers.readings`; the numbers of one KPI must be about the same window. Incidents
    count when their alert lies in the last 90 days, breaches when they touch the window of `observed_h`,
    whose hours they are held against. Never raises for facts that a file may hold.
    """
    known = tuple(facts)
    found = readings(known, as_of)
    in_scope = [each for each in services if each.in_scope]
    return (
        _mtbf(known, found, in_scope),
        _worst(_BUDGET, found, in_scope),
        _compute(_COVERAGE, found),
        _mttr(known, as_of),
        _compute(_ATTAINMENT, found),
        _compute(_CHANGES, found),
        *(_compute(each, found) for each in _SECURITY),
        _largest(_UNIT_COST, found, in_scope),
        _compute(_ELASTICITY, found),
        _compute(_PREMIUM, found),
    )


def _compute(formula: _Formula, found: Readings, service: str = "") -> Headline:
    needed = [found.get((name, service)) for name in formula.needed]
    there = [each for each in needed if each is not None]
    if len(there) < len(needed):
        return _none(formula, "no_data", service)
    extra = {name: found[name, service] for name in formula.optional if (name, service) in found}
    window = (there[0].start, there[0].end)
    if any((each.start, each.end) != window for each in (*there, *extra.values())):
        return _none(formula, "windows_differ", service)
    try:
        measured = formula.function(
            *(each.value for each in there), **{name: each.value for name, each in extra.items()}
        )
    except Invalid:
        return _none(formula, "contradictory", service)
    return Headline(formula.dimension, measured, service, *window)


def _none(formula: _Formula, reason: str, service: str = "") -> Headline:
    return Headline(formula.dimension, Measured(formula.kpi, formula.unit, None, 0, reason=reason), service)


def _per_service(formula: _Formula, found: Readings, in_scope: Sequence[ServiceScope]) -> list[Headline]:
    """The KPI of each service for which its first number is known."""
    names = [each.name for each in in_scope if (formula.needed[0], each.name) in found]
    return [_compute(formula, found, name) for name in names]


def _worst(formula: _Formula, found: Readings, in_scope: Sequence[ServiceScope]) -> Headline:
    """That of the whole cluster, else the lowest of the services."""
    whole = _compute(formula, found)
    each = _per_service(formula, found, in_scope)
    if whole.measured.value is not None or not each:
        return whole
    return min(each, key=lambda one: (_or_inf(one.measured.value), one.service))


def _largest(formula: _Formula, found: Readings, in_scope: Sequence[ServiceScope]) -> Headline:
    """That of the whole cluster, else of the service that serves the most tokens."""
    whole = _compute(formula, found)
    each = _per_service(formula, found, in_scope)
    if whole.measured.value is not None or not each:
        return whole
    return min(each, key=lambda one: (one.measured.value is None, -one.measured.count, one.service))


def _or_inf(value: float | None) -> float:
    return float("inf") if value is None else value


def _mtbf(facts: Sequence[Fact], found: Readings, in_scope: Sequence[ServiceScope]) -> Headline:
    """Of the tier-1 services (else of all) the one with the most breaches; of equals the lowest value.

    One whose facts contradict each other counts as without breaches, so that it hides no other.
    """
    candidates = [each for each in in_scope if ("observed_h", each.name) in found]
    first = [each for each in candidates if each.tier == 1] or candidates
    rows = [_service_mtbf(facts, found["observed_h", each.name]) for each in first]
    if not rows:
        return Headline("REL", Measured("mtbf", "h", None, 0, reason="no_data"))
    return min(
        rows,
        key=lambda row: (
            -row.measured.count,
            _or_inf(row.measured.value),
            _or_inf(row.measured.low),
            row.service,
        ),
    )


def _service_mtbf(facts: Sequence[Fact], observed: Reading) -> Headline:
    """From the breaches inside the window of `observed_h`; several breaches at a time are one."""
    start, end = observed.start, observed.end
    spans = sorted(
        (max(fact.start, start), min(fact.end, end))
        for fact in facts
        if fact.kind is FactKind.breach
        and fact.service == observed.service
        and fact.end is not None
        and fact.start < end
        and fact.end > start
    )
    joined: list[tuple[datetime, datetime]] = []
    for begin, over in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(over, joined[-1][1]))
        else:
            joined.append((begin, over))
    breaches = [reliability.Breach((begin - start) / HOUR, (over - start) / HOUR) for begin, over in joined]
    try:
        measured = reliability.service_mtbf(breaches, observed.value, span_h=(end - start) / HOUR)
    except Invalid:
        measured = Measured("mtbf", "h", None, 0, reason="contradictory")
    return Headline("REL", measured, observed.service, start, end)


def _mttr(facts: Sequence[Fact], as_of: datetime) -> Headline:
    start = as_of - timedelta(days=MAX_AGE_DAYS)
    incidents = [
        recoverability.Incident(
            ((fact.end if ended and fact.end else as_of) - fact.start) / MINUTE, open_=not ended
        )
        for fact in facts
        if fact.kind is FactKind.incident and start <= fact.start <= as_of
        for ended in (fact.end is not None and fact.end <= as_of,)
    ]
    measured = recoverability.mttr(incidents)
    return Headline("RCV", measured, "", start, as_of) if incidents else Headline("RCV", measured)

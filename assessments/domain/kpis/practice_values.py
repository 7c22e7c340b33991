"""Measured KPI values of practices against their targets, and the level they suggest; nothing is set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from assessments.domain.kpis.facts import Fact, FactKind, Phase, ServiceScope
from assessments.domain.matrix import Condition, Kpi, KpiTarget, Matrix, Practice

FRESH_DAYS = 30
"""A value whose window ended longer ago says nothing about level 3."""
SHARE = 80.0
"""Percent of the in-scope services that level 3 asks for (general rule of the level)."""
PRESENT = 95.0
"""Percent of the samples that must be there (general rule of level 3)."""
SUGGESTED = 3
"""Levels 4 and 5 need runs and gates, which values alone do not show."""
RATIOS = frozenset({"REL-03", "REL-04", "RCV-04", "RCV-05", "RCV-07", "SEC-07"})
"""Percentages that set two measurements against each other (retention, share of the RTO): no part of a whole,
so above 100 % is possible."""
WINDOW_PART = 0.9
"""A calendar month counts for 30 days: a window covers this part of the asked days at least."""


class State(StrEnum):
    """Whether a target is reached; `unknown` is never a miss."""

    met = "met"
    missed = "missed"
    unknown = "unknown"


@dataclass(frozen=True, slots=True)
class Why:
    """A reason as a code with what it names.

    `met`, `missed`, `no_kpi`, `no_services`, `no_values`, `stale`, `window_short`, `coverage`, `presence`,
    `conditions`, `impossible`.
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        said = ", ".join(f"{key} {value}" for key, value in self.params.items())
        return f"{self.code} ({said})" if said else self.code


@dataclass(frozen=True, slots=True)
class Value:
    """The newest value of a service (empty: of the whole cluster); `part` n is the n-th second condition."""

    service: str
    part: int
    phase: Phase
    value: float
    unit: str
    present: float | None
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class TargetState:
    """A target of a level: `share` is the percentage of the asked services whose value reaches it."""

    level: int
    state: State
    why: Why
    share: float | None = None


@dataclass(frozen=True, slots=True)
class PracticeKpi:
    """What the facts say about a practice; `suggested` is 3 or None, `impossible` lists what cannot be."""

    practice: str
    values: tuple[Value, ...]
    targets: tuple[TargetState, ...]
    suggested: int | None
    why: Why
    impossible: tuple[Value, ...] = ()

    def target(self, level: int) -> TargetState | None:
        """The state of the target of a level, None where there is none."""
        return next((each for each in self.targets if each.level == level), None)

    def as_dict(self) -> dict[str, Any]:
        """JSON shape; moments stay moments."""
        return asdict(self)


def practice_kpis(
    matrix: Matrix, facts: Iterable[Fact], services: Sequence[ServiceScope], as_of: datetime
) -> Mapping[str, PracticeKpi]:
    """What is measured, by practice of the matrix; practices without any value are left out.

    A value of a service holds before that of the whole cluster, which stands for every service. Level 3 is
    suggested where at least 80 % of the in-scope services of the practice's kind have a value in normal
    operation that meets the target of level 3 and its conditions, over a window as long as the target asks
    (30 days unless it says otherwise), ended in the last 30 days, with at least 95 % of the samples. A value
    that cannot be suggests nothing.
    """
    grouped: dict[str, list[tuple[int, Fact]]] = {}
    for fact in facts:
        if fact.kind is FactKind.kpi and fact.end is not None and fact.end <= as_of:
            name, _slash, part = fact.name.partition("/")
            grouped.setdefault(name, []).append((int(part or 0), fact))
    found = {}
    for practice in matrix.practices:
        own = grouped.get(practice.id)
        if own:
            names = [each.name for each in services if each.in_scope and each.kind in practice.kinds]
            found[practice.id] = _of_practice(practice, own, names, as_of)
    return found


def _of_practice(
    practice: Practice, own: Sequence[tuple[int, Fact]], names: Sequence[str], as_of: datetime
) -> PracticeKpi:
    values = _newest(own, practice.kpi)
    if practice.kpi is None:
        return PracticeKpi(practice.id, values, (), None, Why("no_kpi"))
    targets = tuple(_target(each, practice.kpi, values, names, as_of) for each in practice.kpi.targets)
    impossible = tuple(each for each in values if each.part == 0 and _cannot_be(practice, each))
    third = next((each for each in targets if each.level == SUGGESTED), None)
    suggested, why = None, third.why if third else Why("no_kpi")
    if third and third.state is State.met:
        suggested, why = _suggestion(practice.kpi, values, names, as_of, third)
    if suggested and impossible:
        first = impossible[0]
        params = {"service": first.service, "value": first.value, "unit": first.unit}
        suggested, why = None, Why("impossible", params)
    return PracticeKpi(practice.id, values, targets, suggested, why, impossible)


def _newest(own: Sequence[tuple[int, Fact]], kpi: Kpi | None) -> tuple[Value, ...]:
    """Of each service, part, phase and unit the value whose window ends last, then starts last."""
    found: dict[tuple[str, int, str, str], Value] = {}
    default = kpi.unit if kpi else ""
    for part, fact in own:
        if fact.value is None or fact.end is None:
            continue
        unit = fact.unit or (default if part == 0 else "")
        value = Value(fact.service, part, fact.phase, fact.value, unit, fact.present, fact.start, fact.end)
        key = (fact.service, part, fact.phase.value, unit)
        before = found.get(key)
        if before is None or (value.end, value.start) >= (before.end, before.start):
            found[key] = value
    return tuple(found[key] for key in sorted(found))


def _target(
    target: KpiTarget, kpi: Kpi, values: Sequence[Value], names: Sequence[str], as_of: datetime
) -> TargetState:
    unit = target.unit or kpi.unit
    mine = [each for each in values if each.part == 0 and each.unit == unit]
    if target.level > SUGGESTED:
        # Runs answer these levels: their values count before those of normal operation.
        phase = Phase.fault if any(each.phase is Phase.fault for each in mine) else Phase.steady
        age = target.window_days or 90
    else:
        phase, age = Phase.steady, FRESH_DAYS
    main = _share(target, [each for each in mine if each.phase is phase], names, as_of, age)
    if main.state is not State.met or not target.also:
        return main
    if target.level != SUGGESTED:
        return TargetState(target.level, State.unknown, Why("conditions", {"count": len(target.also)}))
    for number, condition in enumerate(target.also, 1):
        beside = [
            each
            for each in values
            if each.part == number and each.phase is phase and each.unit in ("", condition.unit)
        ]
        state = _share(target, beside, names, as_of, age, condition)
        if state.state is not State.met:
            return TargetState(
                target.level, state.state, Why("conditions", {"number": number, "why": state.why.code})
            )
    return main


def _share(
    target: KpiTarget,
    values: Sequence[Value],
    names: Sequence[str],
    as_of: datetime,
    age: int,
    condition: Condition | None = None,
) -> TargetState:
    """Whether enough services reach the target; missed once the others cannot make it up."""
    asked = SHARE if target.level == SUGGESTED else 100.0
    if not values:
        return TargetState(target.level, State.unknown, Why("no_values"))
    held = _held(values, names)
    if not held:
        return TargetState(target.level, State.unknown, Why("no_services"))
    usable = [each for each in held if each is not None and _usable(each, target, as_of, age) is None]
    rule = condition or target
    reached = sum(_reaches(rule, each.value) for each in usable)
    share = 100 * reached / len(held)
    numbers = {"reached": reached, "covered": len(usable), "total": len(held)}
    if share >= asked:
        return TargetState(target.level, State.met, Why("met", numbers), share)
    if 100 * (len(held) - (len(usable) - reached)) / len(held) < asked:
        return TargetState(target.level, State.missed, Why("missed", numbers), share)
    troubles = [_usable(each, target, as_of, age) for each in held if each is not None]
    code = next((each for each in troubles if each), "coverage")
    return TargetState(target.level, State.unknown, Why(code, numbers), share)


def _held(values: Sequence[Value], names: Sequence[str]) -> list[Value | None]:
    """Of each asked service its value, else that of the cluster; only the latter where none has a service."""
    by_service = {each.service: each for each in values}
    scope = names if any(by_service) else [""]
    return [by_service.get(name) or by_service.get("") for name in scope]


def _usable(value: Value, target: KpiTarget, as_of: datetime, age: int) -> str | None:
    """None where the value may be held against the target, else the code of what is wrong with it."""
    if value.end < as_of - timedelta(days=age):
        return "stale"
    if target.level == SUGGESTED:
        asked = timedelta(days=WINDOW_PART * (target.window_days or FRESH_DAYS))
        if value.end - value.start < asked:
            return "window_short"
    return None


def _reaches(rule: KpiTarget | Condition, value: float) -> bool:
    """Whether a value meets a target or a condition. `measured` is met by any value."""
    match rule.op:
        case "measured":
            return True
        case ">=":
            return rule.value is not None and value >= rule.value
        case "<=":
            return rule.value is not None and value <= rule.value
        case "==":
            return value == rule.value
        case _:
            return rule.low is not None and rule.high is not None and rule.low <= value <= rule.high


def _suggestion(
    kpi: Kpi, values: Sequence[Value], names: Sequence[str], as_of: datetime, third: TargetState
) -> tuple[int | None, Why]:
    """Level 3, or None with what is missing: enough samples in the values that meet the target."""
    target = next(each for each in kpi.targets if each.level == SUGGESTED)
    unit = target.unit or kpi.unit
    held = _held(
        [each for each in values if each.part == 0 and each.phase is Phase.steady and each.unit == unit],
        names,
    )
    present = [
        each
        for each in held
        if each is not None
        and _usable(each, target, as_of, FRESH_DAYS) is None
        and _reaches(target, each.value)
        and each.present is not None
        and each.present >= PRESENT
    ]
    if 100 * len(present) < SHARE * len(held):
        return None, Why("presence", {"covered": len(present), "total": len(held)})
    return SUGGESTED, third.why


def _cannot_be(practice: Practice, value: Value) -> bool:
    """Below 0, or above 100 % of a whole.

    Differences and elasticities (`near`, `justified`) have no such bounds, `RATIOS` only the lower one; of a
    value in another unit than that of the KPI nothing is said.
    """
    kpi = practice.kpi
    if kpi is None or kpi.better not in ("up", "down") or value.unit != kpi.unit:
        return False
    return value.value < 0 or (kpi.unit == "%" and practice.id not in RATIOS and value.value > 100)

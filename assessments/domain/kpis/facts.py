"""What is known about a cluster in numbers: the facts behind KPIs, suggestions and trade-offs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FactKind(StrEnum):
    """What a fact says.

    `number`: a number of `numbers.NUMBERS` over `start` to `end`. `breach`: an SLO violation from `start` to
    `end`. `incident`: from the alert (`start`) until the SLO was met again (`end`; None while it is open).
    `kpi`: the value of a practice's KPI (`name` is `REL-04`) over `start` to `end`.
    """

    number = "number"
    breach = "breach"
    incident = "incident"
    kpi = "kpi"


class Phase(StrEnum):
    """When a KPI was measured: in normal operation, or inside the fault windows of runs."""

    steady = "steady"
    fault = "fault"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of one cluster; times are aware, `service` is empty where it is about the whole cluster.

    `value` is None for breaches and incidents. `present` is the percentage of samples that were there
    (None: not said). A newer fact with the same `key` replaces this one; nothing is deleted.
    """

    kind: FactKind
    name: str
    service: str
    start: datetime
    end: datetime | None
    value: float | None = None
    unit: str = ""
    phase: Phase = Phase.steady
    present: float | None = None
    note: str = ""

    @property
    def key(self) -> tuple[str, str, str, datetime, str]:
        """What makes two facts the same one: kind, name, service, start and phase."""
        return (self.kind.value, self.name, self.service, self.start, self.phase.value)


@dataclass(frozen=True, slots=True)
class ServiceScope:
    """A service of the cluster as facts see it; `kind` is `serve` or `train`, `tier` 1 to 3."""

    name: str
    kind: str
    tier: int
    in_scope: bool


def newest(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts without those that a later one of the iteration replaces, in order of their key."""
    kept = {fact.key: fact for fact in facts}
    return tuple(kept[key] for key in sorted(kept))

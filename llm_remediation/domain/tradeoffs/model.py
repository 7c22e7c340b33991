"""Values of a trade-off: what a rule looks at, what it finds, at what price, and the ways out.

Texts are codes here; `llm_remediation.tradeoff_words` has the words. Every amount is finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from assessments.domain.dimensions import Dimension
from assessments.domain.kpis.numbers import Reading
from assessments.domain.matrix import Need

CLUSTER = ""
"""The service of a finding about the whole cluster."""


class FindingState(StrEnum):
    """`real`: the numbers cross the threshold. `quiet`: they do not. `not_measured`: numbers lack."""

    real = "real"
    quiet = "quiet"
    not_measured = "not_measured"


class Severity(StrEnum):
    """`warn` for what is real, `info` for the rest. A trade-off never blocks."""

    info = "info"
    warn = "warn"


class Effect(StrEnum):
    """What an option does to a dimension."""

    up = "up"
    down = "down"


@dataclass(frozen=True, slots=True)
class Rise:
    """A step of the plan: a practice goes up; `item` is the id of the step (`REL-05.L3`)."""

    practice: str
    from_level: int
    to_level: int
    item: str


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit; `code` says what it is (`budget_left`) and is worded elsewhere."""

    code: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Option:
    """A way out; `open` says whether the practice it `needs` has its level today (True without a need)."""

    code: str
    effects: Mapping[Dimension, Effect]
    needs: Need | None = None
    open: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says about a service. Of the two `dims` the first gains, the second pays.

    `items` are the steps of the plan that cause it, in the order of the plan; empty where it stands without
    a plan. `measures` are what the numbers say, each compared with the threshold of the same code where
    there is one. `price` is what it costs, by the unit of the rule. `missing` names numbers that are not
    given, too old, or of no use (a divisor of 0), or a practice without a level; a finding that misses any
    is `not_measured`.
    """

    rule: str
    dims: tuple[Dimension, Dimension]
    state: FindingState
    service: str = CLUSTER
    items: tuple[str, ...] = ()
    measures: tuple[Amount, ...] = ()
    thresholds: tuple[Amount, ...] = ()
    price: tuple[Amount, ...] = ()
    options: tuple[Option, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        """How loudly to say it."""
        return Severity.warn if self.state is FindingState.real else Severity.info

    @property
    def falls(self) -> Dimension:
        """The dimension that pays."""
        return self.dims[1]

    @property
    def key(self) -> tuple[str, str]:
        """What a decision is about: the rule and the service."""
        return (self.rule, self.service)

    def measure(self, code: str) -> float | None:
        """The measured value of a code, None where it is not known."""
        return next((each.value for each in self.measures if each.code == code), None)

    def threshold(self, code: str) -> float | None:
        """The value with which the measure of a code is compared."""
        return next((each.value for each in self.thresholds if each.code == code), None)


@dataclass(frozen=True, slots=True)
class Situation:
    """What rules look at: steps of the plan, levels of today, numbers by (name, service), the moment."""

    rises: tuple[Rise, ...]
    levels: Mapping[str, int]
    readings: Mapping[tuple[str, str], Reading]
    as_of: datetime

    def number(self, name: str, service: str = CLUSTER, *, shared: bool = False) -> float | None:
        """The value of a number of exactly this service; with `shared` else that of the cluster.

        None where there is none, or one that is negative or not finite.
        """
        reading = self.readings.get((name, service))
        if reading is None and shared:
            reading = self.readings.get((name, CLUSTER))
        if reading is None or not math.isfinite(reading.value) or reading.value < 0:
            return None
        return float(reading.value)

    def services(self, names: Iterable[str]) -> tuple[str, ...]:
        """The services that have one of these numbers, in order; the whole cluster where none has."""
        wanted = set(names)
        return tuple(sorted({service for name, service in self.readings if name in wanted})) or (CLUSTER,)

    def raised(self, practices: Iterable[str]) -> tuple[str, ...]:
        """Ids of the steps that raise one of these practices, in the order of the plan."""
        wanted = set(practices)
        return tuple(each.item for each in self.rises if each.practice in wanted)

    def meets(self, need: Need) -> bool:
        """Whether a practice has its level today."""
        return self.levels.get(need.practice, 0) >= need.level


@dataclass(frozen=True, slots=True)
class TradeoffRule:
    """A rule: `find` gives one finding per service it has numbers for, at least one, and never raises.

    `numbers` are all it can use; `practices` those whose rise in a plan touches it. The first of `dims`
    gains, the second pays. `options` are its ways out.
    """

    id: str
    dims: tuple[Dimension, Dimension]
    practices: tuple[str, ...]
    numbers: tuple[str, ...]
    options: tuple[Option, ...]
    find: Callable[[Situation], tuple[Finding, ...]]

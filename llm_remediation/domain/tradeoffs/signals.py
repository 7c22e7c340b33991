"""How rules reason: amounts from numbers, signals against thresholds, and what several signals say together.

A number that is not there makes a signal unknown, not false. Signals join by Kleene's three-valued logic
(Kleene 1952, section 64): one crossed signal decides `any_of`, one quiet signal decides `all_of`, and what is
left undecided is `not_measured`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from llm_remediation.domain.tradeoffs.model import (
    CLUSTER,
    Amount,
    Finding,
    FindingState,
    Option,
    Situation,
    TradeoffRule,
)
from portal.errors import Invalid

SAME = 1e-9
"""Values closer than this (relative) are equal: a sum of decimals at its threshold has not crossed it."""


@dataclass(frozen=True, slots=True)
class Derived:
    """An amount that follows from numbers, or the names of those that are not there or of no use."""

    amount: Amount | None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Formula:
    """How an amount follows from the numbers `names`, in this order.

    `blame`: which of them are of no use where the result is undefined or not finite (default: all).
    `shared`: those for which the value of the whole cluster stands in for a service.
    """

    code: str
    unit: str
    names: tuple[str, ...]
    compute: Callable[..., float]
    blame: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def of(self, situation: Situation, service: str = CLUSTER) -> Derived:
        """The amount for a service."""
        found = {name: situation.number(name, service, shared=name in self.shared) for name in self.names}
        values = [value for value in found.values() if value is not None]
        if len(values) < len(found):
            return Derived(None, tuple(name for name, value in found.items() if value is None))
        try:
            result = float(self.compute(*values))
        except (ArithmeticError, ValueError, Invalid):
            result = math.nan
        if not math.isfinite(result):
            return Derived(None, self.blame or self.names)
        return Derived(Amount(self.code, result, self.unit))


def plain(name: str, unit: str, *, code: str = "", shared: bool = False) -> Formula:
    """A number as it is."""
    return Formula(code or name, unit, (name,), lambda value: value, shared=(name,) if shared else ())


@dataclass(frozen=True, slots=True)
class Signal:
    """One condition: what was measured, its threshold, and whether it is crossed (None: not known)."""

    measured: Amount | None
    threshold: Amount | None
    crossed: bool | None
    missing: tuple[str, ...] = ()


NEVER = Signal(None, None, False)
"""A condition that cannot hold, whatever the numbers."""


def over(measured: Derived, limit: float | Derived) -> Signal:
    """Crossed above the limit; exactly at it is not."""
    return _signal(measured, limit, lambda value, most: value > most and not _same(value, most))


def below(measured: Derived, limit: float) -> Signal:
    """Crossed below the limit; exactly at it is not."""
    return _signal(measured, limit, lambda value, least: value < least and not _same(value, least))


def at_least(measured: Derived, limit: float) -> Signal:
    """Crossed at the limit and above."""
    return _signal(measured, limit, lambda value, least: value >= least or _same(value, least))


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=SAME)


def _signal(measured: Derived, limit: float | Derived, crossed: Callable[[float, float], bool]) -> Signal:
    known = limit if isinstance(limit, Derived) else Derived(Amount("", limit, ""))
    missing = _unique((*measured.missing, *known.missing))
    if measured.amount is None or known.amount is None:
        return Signal(measured.amount, None, None, missing)
    threshold = replace(measured.amount, value=known.amount.value)
    return Signal(measured.amount, threshold, crossed(measured.amount.value, threshold.value))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What several signals say together."""

    state: FindingState
    signals: tuple[Signal, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """What would have to be known to decide; empty where it is decided."""
        if self.state is not FindingState.not_measured:
            return ()
        return _unique(name for each in self.signals for name in each.missing)


def any_of(*signals: Signal) -> Verdict:
    """Real as soon as one is crossed; quiet only when all are known not to be."""
    return Verdict(_joined([each.crossed for each in signals], decisive=True), signals)


def all_of(*signals: Signal) -> Verdict:
    """Quiet as soon as one is not crossed; real only when all are."""
    return Verdict(_joined([each.crossed for each in signals], decisive=False), signals)


def _joined(crossed: Sequence[bool | None], *, decisive: bool) -> FindingState:
    if decisive in crossed:
        said = decisive
    elif None in crossed:
        return FindingState.not_measured
    else:
        said = not decisive
    return FindingState.real if said else FindingState.quiet


def finding(
    rule: TradeoffRule,
    situation: Situation,
    service: str,
    verdict: Verdict,
    *,
    also: Iterable[Derived] = (),
    price: Iterable[Derived] = (),
) -> Finding:
    """What a rule says about a service; `also` are further measures, unknown ones are left out."""
    amounts = [each.measured for each in verdict.signals] + [each.amount for each in also]
    return Finding(
        rule=rule.id,
        dims=rule.dims,
        state=verdict.state,
        service=service,
        items=situation.raised(rule.practices),
        measures=tuple(each for each in amounts if each is not None),
        thresholds=tuple(each.threshold for each in verdict.signals if each.threshold is not None),
        price=tuple(each.amount for each in price if each.amount is not None),
        options=tuple(_as_of(each, situation) for each in rule.options),
        missing=verdict.missing,
    )


def _as_of(option: Option, situation: Situation) -> Option:
    return option if option.needs is None else replace(option, open=situation.meets(option.needs))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))

"""The trade-offs of a report: what was decided at which price, what waits, what nobody has measured."""

from __future__ import annotations

from typing import Literal, TypedDict

DecisionMark = Literal["stands", "expired", "outgrown", "gone"]
OpenMark = Literal["open", "expired", "outgrown", "withdrawn"]


class NamedNumber(TypedDict):
    """A number as text, with its unit."""

    name: str
    value: str


class WayOut(TypedDict):
    """An option in words, and what it needs first (empty: nothing)."""

    text: str
    need: str


class DecidedRow(TypedDict):
    """The newest decision on a rule and a service that was not withdrawn.

    `what` is the chosen option in words, else empty. `seen`, `beside` and `price` come from the numbers that
    were kept with it: a sentence with each value beside its threshold, the other values, and what it costs.
    `mark`: it stands; its last day `until` has passed; the plan has gained a step that it did not know; or
    the numbers no longer name its service. `real`: the numbers of today cross a threshold. `service`: empty
    for the whole cluster, here and below.
    """

    rule: str
    title: str
    service: str
    tension: str
    kind: Literal["option", "accepted", "dismissed"]
    what: str
    seen: str
    beside: list[NamedNumber]
    price: str
    owner: str
    decided_by: str
    decided_on: str
    until: str | None
    mark: DecisionMark
    real: bool
    reason: str


class OpenRow(TypedDict):
    """A trade-off that numbers make real and that waits for a decision; `options` are the ways out.

    `mark` says why although somebody may have decided.
    """

    rule: str
    title: str
    service: str
    tension: str
    seen: str
    beside: list[NamedNumber]
    price: str
    options: list[WayOut]
    mark: OpenMark


class RuleRow(TypedDict):
    """A rule on which nothing is to decide, with the services it is about."""

    rule: str
    title: str
    services: list[str]


class TradeoffsPart(TypedDict):
    """The trade-offs of the newest roadmap, as its page shows them at the moment of the report.

    `decided` has those that no longer stand too. What is not measured or shows no conflict today is in
    `unmeasured` and `quiet`, unless a decision on it stands.
    """

    roadmap: str
    decided: list[DecidedRow]
    open: list[OpenRow]
    unmeasured: list[RuleRow]
    quiet: list[RuleRow]

"""The trade-offs of a report: the cards of the newest roadmap and its decisions, in words.

A decision speaks from the numbers that were kept with it, everything else from those of the moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Literal

from llm_remediation import snapshots, tradeoff_selectors, tradeoff_words
from llm_remediation.domain.tradeoffs.model import Finding, FindingState
from llm_remediation.domain.tradeoffs.standing import Standing
from llm_remediation.selectors import Detail
from llm_remediation.tradeoff_selectors import Card, Tradeoffs
from portal.reports import tradeoff_schema as schema

DECIDED_MARKS: dict[Standing, schema.DecisionMark] = {
    Standing.decided: "stands",
    Standing.expired: "expired",
    Standing.outgrown: "outgrown",
}
OPEN_MARKS: dict[Standing, schema.OpenMark] = {
    Standing.open: "open",
    Standing.expired: "expired",
    Standing.outgrown: "outgrown",
    Standing.withdrawn: "withdrawn",
}


def part(detail: Detail | None, *, as_of: datetime) -> schema.TradeoffsPart | None:
    """The trade-offs of a roadmap at a moment; None without a roadmap."""
    if detail is None:
        return None
    found = tradeoff_selectors.of_detail(detail, as_of=as_of)
    return schema.TradeoffsPart(
        roadmap=detail.roadmap.name,
        decided=[*_decided(found.cards), *_gone(found)],
        open=[_open(each) for each in found.waiting],
        unmeasured=_undecided(found.cards, FindingState.not_measured),
        quiet=_undecided(found.cards, FindingState.quiet),
    )


def _decided(cards: Iterable[Card]) -> list[schema.DecidedRow]:
    return [
        _row(card.newest, DECIDED_MARKS[card.standing], real=card.finding.state is FindingState.real)
        for card in cards
        if card.newest is not None and card.standing in DECIDED_MARKS
    ]


def _gone(found: Tradeoffs) -> list[schema.DecidedRow]:
    """The newest decisions on services that the numbers no longer name, by rule and service."""
    newest: dict[tuple[str, str], Any] = {}
    for row in found.past:
        key = (row.rule, row.service)
        if key not in newest or newest[key].version < row.version:
            newest[key] = row
    kept = [newest[key] for key in sorted(newest) if newest[key].withdrawn_at is None]
    return [_row(each, "gone", real=False) for each in kept]


def _row(decision: Any, mark: schema.DecisionMark, *, real: bool) -> schema.DecidedRow:
    seen = snapshots.finding(decision.seen)
    kind: Literal["option", "accepted", "dismissed"] = decision.kind
    return schema.DecidedRow(
        rule=decision.rule,
        title=tradeoff_words.title(decision.rule),
        service=decision.service,
        tension=tradeoff_words.tension(seen),
        kind=kind,
        what=tradeoff_words.option(decision.rule, decision.option) if decision.option else "",
        seen=tradeoff_words.sentence(seen),
        beside=_beside(seen),
        price=tradeoff_words.price(seen),
        owner=str(decision.owner) if decision.owner else "",
        decided_by=str(decision.decided_by),
        decided_on=decision.decided_at.astimezone(UTC).date().isoformat(),
        until=decision.expires_on.isoformat() if decision.expires_on else None,
        mark=mark,
        real=real,
        reason=decision.reason,
    )


def _open(card: Card) -> schema.OpenRow:
    finding = card.finding
    return schema.OpenRow(
        rule=finding.rule,
        title=tradeoff_words.title(finding.rule),
        service=finding.service,
        tension=tradeoff_words.tension(finding),
        seen=tradeoff_words.sentence(finding),
        beside=_beside(finding),
        price=tradeoff_words.price(finding),
        options=[
            schema.WayOut(text=tradeoff_words.option(finding.rule, each.code), need=tradeoff_words.need(each))
            for each in finding.options
        ],
        mark=OPEN_MARKS[card.standing],
    )


def _beside(finding: Finding) -> list[schema.NamedNumber]:
    """What was measured and stands in no sentence, since no threshold is about it."""
    compared = {each.code for each in finding.thresholds}
    named = zip(finding.measures, tradeoff_words.measures(finding), strict=True)
    return [
        schema.NamedNumber(name=name, value=value)
        for each, (name, value) in named
        if each.code not in compared
    ]


def _undecided(cards: Iterable[Card], state: FindingState) -> list[schema.RuleRow]:
    services: dict[str, list[str]] = {}
    for card in cards:
        if card.finding.state is state and card.standing is not Standing.decided:
            services.setdefault(card.finding.rule, []).append(card.finding.service)
    return [
        schema.RuleRow(rule=rule, title=tradeoff_words.title(rule), services=found)
        for rule, found in services.items()
    ]

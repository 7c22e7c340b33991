"""Trade-offs of the roadmap page in words: cards, chips on steps, falls of the balance, what to measure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from assessments.domain.dimensions import Dimension
from frontend.templatetags.ui import moment_text
from llm_remediation import tradeoff_words, words
from llm_remediation.domain.tradeoffs.balance import Bar, balance
from llm_remediation.domain.tradeoffs.model import CLUSTER, Amount, Finding, FindingState
from llm_remediation.domain.tradeoffs.standing import Standing
from llm_remediation.forms import DecisionForm
from llm_remediation.models import DecisionKind, TradeoffDecision
from llm_remediation.tradeoff_number_words import amount, name
from llm_remediation.tradeoff_selectors import Card, Tradeoffs
from llm_remediation.views import tradeoff_charts


@dataclass(frozen=True, slots=True)
class Attempt:
    """A decision that was refused: what was typed, and why; `theirs` and `mine` are set for a conflict."""

    rule: str
    service: str
    message: str = ""
    form: DecisionForm | None = None
    theirs: str = ""
    mine: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return (self.rule, self.service)


@dataclass(frozen=True, slots=True)
class Chip:
    """What a step costs, with the id of its card; `kind` is real, decided or unmeasured."""

    text: str
    target: str
    kind: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """A way out; `effects` are (dimension, up or down)."""

    code: str
    text: str
    effects: list[tuple[str, str]]
    need: str
    open: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision in words, with the numbers that were seen then."""

    row: TradeoffDecision
    what: str
    seen: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A finding with everything its card shows."""

    card: Card
    key: str
    title: str
    tension: str
    service: str
    sentence: str
    prices: list[tuple[str, str]]
    measures: list[tuple[str, str]]
    steps: list[tuple[str, str]]
    options: list[OptionRow]
    note: str
    figure: tradeoff_charts.Figure | None
    decision: DecisionRow | None
    history: list[DecisionRow]
    forms: Mapping[str, DecisionForm] = field(default_factory=dict)
    attempt: Attempt | None = None

    @property
    def decided(self) -> bool:
        """Whether its newest decision stands."""
        return self.card.standing is Standing.decided


@dataclass(frozen=True, slots=True)
class Missing:
    """A finding whose numbers lack."""

    key: str
    finding: Finding
    title: str
    service: str
    chip: str
    steps: list[tuple[str, str]]
    numbers: list[str]


@dataclass(frozen=True, slots=True)
class Section:
    """The trade-offs of the page. `attempt`: what was refused and has no card to be shown at."""

    waiting: list[CardRow]
    decided: list[CardRow]
    touched: list[Missing]
    untouched: list[Missing]
    quiet: list[CardRow]
    past: list[DecisionRow]
    attempt: Attempt | None = None


def key(finding: Finding) -> str:
    """The id of a card: the service may hold any character, an id may not."""
    if finding.service == CLUSTER:
        return f"tradeoff-{finding.rule}"
    return f"tradeoff-{finding.rule}-{hashlib.sha256(finding.service.encode()).hexdigest()[:10]}"


def section(found: Tradeoffs, *, members: list[Any], may_edit: bool, attempt: Attempt | None) -> Section:
    """All trade-offs of a roadmap, sorted by what a person has to do."""
    places = {step.candidate.id: f"item-{step.item.pk}" for step in found.detail.steps if step.item}
    standing = [each for each in found.cards if each.standing is Standing.decided]
    rest = [each for each in found.cards if each not in standing and not each.waits]

    def row(card: Card) -> CardRow:
        mine = attempt if attempt and attempt.key == card.finding.key else None
        return card_row(card, places, members=members if may_edit else None, attempt=mine)

    cards = [row(each) for each in (*found.waiting, *standing)]
    missing = [
        _missing(each.finding, places) for each in rest if each.finding.state is FindingState.not_measured
    ]
    return Section(
        waiting=cards[: len(found.waiting)],
        decided=cards[len(found.waiting) :],
        touched=[each for each in missing if each.steps],
        untouched=[each for each in missing if not each.steps],
        quiet=[row(each) for each in rest if each.finding.state is FindingState.quiet],
        past=[_decision(each) for each in found.past],
        attempt=None if any(each.attempt and each.forms for each in cards) else attempt,
    )


def card_row(
    card: Card, places: Mapping[str, str], *, members: list[Any] | None, attempt: Attempt | None = None
) -> CardRow:
    """A finding in words; without `members` nobody decides here."""
    finding, newest = card.finding, card.newest
    real = finding.state is FindingState.real
    return CardRow(
        card=card,
        key=key(finding),
        title=tradeoff_words.title(finding.rule),
        tension=tradeoff_words.tension(finding),
        service=_service(finding),
        sentence=tradeoff_words.sentence(finding),
        prices=_named(finding.price),
        measures=_named(finding.measures),
        steps=_steps(finding, places),
        options=_options(card),
        note=_note(card),
        figure=tradeoff_charts.figure(finding, key(finding)) if real else None,
        decision=_decision(newest) if newest else None,
        history=[_decision(each) for each in card.history[1:]],
        forms={} if members is None or not real else _forms(card, members, attempt),
        attempt=attempt,
    )


def decision_form(card: Card, kind: str, members: list[Any], data: Any = None) -> DecisionForm:
    """The form of a kind of decision on a card."""
    return DecisionForm(
        data,
        kind=kind,
        key=key(card.finding),
        options=[each.code for each in card.finding.options],
        members=members,
        today=card.today,
    )


def chips(found: Tradeoffs) -> dict[str, list[Chip]]:
    """By step: what it costs, or may cost where nobody has measured."""
    made: dict[str, list[Chip]] = {}
    for card in found.cards:
        for step in card.finding.items:
            if text := tradeoff_words.chip(card.finding):
                made.setdefault(step, []).append(_chip(card, text))
    return made


def judged(found: Tradeoffs) -> dict[str, set[Dimension]]:
    """By step: the dimensions about which a rule says something, if only that numbers lack."""
    made: dict[str, set[Dimension]] = {}
    for card in found.cards:
        for step in card.finding.items:
            made.setdefault(step, set()).add(card.finding.falls)
    return made


def bars(found: Tradeoffs) -> dict[Dimension, Bar]:
    """Every dimension with the findings that it pays for."""
    rows = found.detail.dimensions
    now = {each.dimension: each.before for each in rows}
    planned = {each.dimension: each.after for each in rows}
    return {each.dimension: each for each in balance(now, planned, [card.finding for card in found.cards])}


def fall(finding: Finding) -> Chip:
    """What a dimension pays, as the balance shows it."""
    title = tradeoff_words.title(finding.rule)
    note = title if finding.items else _("%(title)s · stands today, without the plan") % {"title": title}
    paid = amount(finding.price[0]) if finding.price else _("measured")
    return Chip(_of_service(finding, paid), key(finding), "real", note)


def _chip(card: Card, text: str) -> Chip:
    finding = card.finding
    text = _of_service(finding, text)
    if finding.state is FindingState.not_measured and card.standing is not Standing.decided:
        return Chip(text, key(finding), "unmeasured")
    if card.standing is Standing.decided:
        return Chip(_("%(cost)s · decided") % {"cost": text}, key(finding), "decided")
    return Chip(text, key(finding), "real")


def _of_service(finding: Finding, text: str) -> str:
    return text if finding.service == CLUSTER else f"{text} · {finding.service}"


def _service(finding: Finding) -> str:
    return finding.service or _("whole cluster")


def _steps(finding: Finding, places: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(words.step(each), places[each]) for each in finding.items if each in places]


def _options(card: Card) -> list[OptionRow]:
    finding = card.finding
    newest = card.newest if card.standing is Standing.decided else None
    return [
        OptionRow(
            code=each.code,
            text=tradeoff_words.option(finding.rule, each.code),
            effects=[(dimension.value, effect.value) for dimension, effect in each.effects.items()],
            need=tradeoff_words.need(each),
            open=each.open,
            chosen=newest is not None and newest.option == each.code,
        )
        for each in finding.options
    ]


def _note(card: Card) -> str:
    """Why a card is open although somebody decided on it."""
    newest = card.newest
    if newest is None:
        return ""
    if card.standing is Standing.expired and newest.expires_on:
        return _("It was accepted until %(date)s. That day has passed, so it is open again.") % {
            "date": newest.expires_on.isoformat()
        }
    if card.standing is Standing.outgrown:
        return _("The plan has gained a step since it was decided, so it is open again.")
    if card.standing is Standing.withdrawn and newest.withdrawn_at:
        return _("%(person)s withdrew the decision on %(moment)s, so it is open again.") % {
            "person": newest.withdrawn_by,
            "moment": moment_text(newest.withdrawn_at),
        }
    return ""


def _forms(card: Card, members: list[Any], attempt: Attempt | None) -> dict[str, DecisionForm]:
    made = {str(kind.value): decision_form(card, kind.value, members) for kind in DecisionKind}
    if attempt and attempt.form:
        made[attempt.form.kind.value] = attempt.form
    return made


def _decision(row: TradeoffDecision) -> DecisionRow:
    what = str(row.get_kind_display())
    if row.kind == DecisionKind.OPTION:
        what = tradeoff_words.option(row.rule, row.option)
    numbers = (*row.seen.get("measures", ()), *row.seen.get("price", ()))
    return DecisionRow(row, what, _named(Amount(**each) for each in numbers))


def _named(amounts: Iterable[Amount]) -> list[tuple[str, str]]:
    return [(name(each.code), amount(each)) for each in amounts]


def _missing(finding: Finding, places: Mapping[str, str]) -> Missing:
    return Missing(
        key=key(finding),
        finding=finding,
        title=tradeoff_words.title(finding.rule),
        service=_service(finding),
        chip=tradeoff_words.chip(finding),
        steps=_steps(finding, places),
        numbers=[name(each) for each in finding.missing],
    )

"""The plan of a move as a page shows it: what somebody can decide, what is archived, what is carried over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assessments import selectors
from assessments.domain.matrix import Clause, Matrix, Practice
from assessments.domain.migration import Outcome, Result
from assessments.models import AnswerHead
from assessments.services.matrix_migrations import Preview
from assessments.views.difference_rows import Line, text_lines
from assessments.views.worksheet import language

# Reasons that a choice can change: another target, or "what was said still holds".
_REROUTED = {"practice_gone", "dropped", "renamed", "merged", "merge_conflict", "source_unanswered", "split"}
_CONFIRMABLE = {"practice_reworded", "now_has_clauses", "no_clauses_now"}


@dataclass(frozen=True, slots=True)
class ClauseChoice:
    """A clause whose words differ: does the tick still hold?"""

    old: str
    new: str
    ticked: bool
    confirmed: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer about which somebody can decide, with everything needed to do so.

    `default` says what happens without a choice: `map` (as it was typed), `same` (the same id), `nowhere`.
    """

    outcome: Outcome
    title: str
    head: AnswerHead
    options: tuple[tuple[str, str], ...]
    chosen: str
    default: str
    question: tuple[Line, ...]
    confirmable: bool
    confirmed: bool
    clauses: tuple[ClauseChoice, ...]
    new_clauses: tuple[tuple[str, str], ...]


def plan_context(found: Preview, asked: Any) -> dict[str, Any]:
    """What the template needs of a plan; `asked` has the choices of the form."""
    profile = selectors.profile_of(found.assessment)
    before = selectors.matrix(found.assessment.matrix_version_id).narrowed(profile)
    after = selectors.matrix(found.to).narrowed(profile)
    heads = selectors.heads(found.assessment)
    touched = set(found.mapping.practices) | {each.partition(".")[0] for each in found.mapping.confirmed}
    lang = language()
    decided: list[Choice] = []
    rest: dict[str, list[dict[str, Any]]] = {"archived": [], "mapped": []}
    for each in found.plan.outcomes:
        can = each.practice in before and (each.reason in _REROUTED or each.result is Result.needs_answer)
        if can or (each.practice in touched and each.practice in before and each.result is Result.mapped):
            decided.append(_choice(found, asked, each, before, after, heads[each.practice]))
        if each.result is not Result.needs_answer:
            title = before.practice(each.practice).title.in_language(lang) if each.practice in before else ""
            row = {"outcome": each, "title": title, "head": heads[each.practice]}
            rest[each.result.value].append(row)
    answered = {name for each in found.plan.outcomes for name in each.targets}
    return {
        "decided": decided,
        "archived": rest["archived"],
        "mapped": rest["mapped"],
        "counts": found.plan.counts(),
        "new": [
            (each, after.practice(each).title.in_language(lang))
            for each in found.plan.unanswered
            if each not in answered
        ],
    }


def _choice(
    found: Preview, asked: Any, outcome: Outcome, before: Matrix, after: Matrix, head: AnswerHead
) -> Choice:
    old = before.practice(outcome.practice)
    target = after.practice(outcome.targets[0]) if outcome.targets else None
    confirmed = found.mapping.confirmed
    typed = old.id in found.mapping.practices and old.id not in asked.goes
    clauses = tuple(_clauses(found, old, after, head)) if outcome.targets else ()
    seen = {each.new for each in clauses}
    texts = {each.id: each for name in outcome.targets for each in after.practice(name).clauses}
    question: tuple[Line, ...] = ()
    if target is not None and target.question != old.question:
        question = text_lines(old.question, target.question)
    return Choice(
        outcome=outcome,
        title=old.title.in_language(language()),
        head=head,
        options=tuple(_options(old, before, after)),
        chosen=asked.goes.get(old.id, ""),
        default="map" if typed else "same" if old.id in after else "nowhere",
        question=question,
        confirmable=outcome.reason in _CONFIRMABLE or old.id in confirmed,
        confirmed=old.id in confirmed,
        clauses=clauses,
        new_clauses=tuple(
            (each, texts[each].text.in_language(language()))
            for each in outcome.clauses
            if each in texts and each not in seen
        ),
    )


def _options(old: Practice, before: Matrix, after: Matrix) -> Iterator[tuple[str, str]]:
    """Where an answer can go: practices that are new first, then the others."""
    lang = language()
    for fresh in (True, False):
        for each in after.practices:
            if (each.id not in before) is fresh and each.id != old.id:
                yield each.id, f"{each.id} · {each.title.in_language(lang)}"


def _clauses(found: Preview, old: Practice, after: Matrix, head: AnswerHead) -> Iterator[ClauseChoice]:
    texts: dict[str, Clause] = {each.id: each for practice in after.practices for each in practice.clauses}
    own = {each.id: each for each in old.clauses}
    response = head.response
    for before, new in found.plan.reworded:
        if before not in own or new not in texts:
            continue
        clause = own[before]
        ticks = response.clauses
        ticked = before in ticks if ticks is not None else clause.level <= (response.level or 0)
        yield ClauseChoice(
            old=before,
            new=new,
            ticked=ticked,
            confirmed=before in found.mapping.confirmed,
            lines=text_lines(clause.text, texts[new].text),
        )

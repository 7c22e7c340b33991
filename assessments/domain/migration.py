"""Planning how answers move from one matrix to another; nothing is lost, and nothing is claimed unseen.

Every old answer ends in exactly one of three lists:

- **mapped**: the new version knows what the answer says, and its level does not depend on anything that
  nobody has looked at;
- **needs answer**: it depends on such a thing (a clause that is new or reads otherwise, a practice that asks
  something else); what can be kept is offered as a start. An answer that is split needs an answer as long as
  one of its parts does; the parts that are known are written;
- **archived**: the new version does not ask it.

A clause keeps its tick where its words are the same. Where they differ, somebody must confirm in the map that
the tick still holds; until then nobody has looked at the clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from assessments.domain.matrix import Matrix, Practice, Profile, Scope
from assessments.domain.matrix_diff import match_clauses
from assessments.domain.migration_map import MapProblem, MigrationMap, check_map
from assessments.domain.migration_state import OldAnswer, Said, State, combine, state_of


class Result(StrEnum):
    """What becomes of an old answer."""

    mapped = "mapped"
    needs_answer = "needs_answer"
    archived = "archived"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One old answer, where it goes and why.

    `reason` is a code: mapped `same`, `renamed`, `merged`, `split`, `confirmed`; needs answer `clause_added`,
    `clause_reworded`, `practice_reworded`, `now_has_clauses`, `no_clauses_now`, `merge_conflict`,
    `source_unanswered`; archived `dropped`, `practice_gone`, `not_asked`, `taken_back`, `empty`,
    `not_in_matrix`.
    `notes` are codes that change nothing: `clause_removed`, `clause_renamed`, `kpi_changed`.
    """

    practice: str
    result: Result
    reason: str
    targets: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON form; `clauses` are those that nobody has looked at."""
        return {
            "practice": self.practice,
            "result": self.result.value,
            "reason": self.reason,
            "targets": list(self.targets),
            "clauses": list(self.clauses),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer to a practice of the new matrix, or the start of one; `sources` are the old practices.

    Exactly one of `level`, `clauses`, `na_reason` and `unsure` is set.
    """

    practice: str
    sources: tuple[str, ...]
    level: int | None = None
    clauses: tuple[str, ...] | None = None
    na_reason: str = ""
    na_text: str = ""
    unsure: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "practice": self.practice,
            "sources": list(self.sources),
            "level": self.level,
            "clauses": None if self.clauses is None else list(self.clauses),
            "na_reason": self.na_reason or None,
            "na_text": self.na_text,
            "unsure": self.unsure,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole migration: one outcome per old answer, what is written, what is offered, what stays open.

    `unanswered` are practices that the new version asks and for which nothing is written or offered.
    `clause_map` says for every old clause where it goes ("" = nowhere). With `problems` the map is not used
    as it was meant, and the plan must not be applied.
    """

    before: str
    after: str
    outcomes: tuple[Outcome, ...]
    answers: tuple[NewAnswer, ...]
    suggestions: tuple[NewAnswer, ...]
    unanswered: tuple[str, ...]
    targets: Mapping[str, tuple[str, ...]]
    clause_map: Mapping[str, str]
    reworded: tuple[tuple[str, str], ...]
    problems: tuple[MapProblem, ...]

    def listed(self, result: Result | str) -> tuple[Outcome, ...]:
        """The outcomes of one list, in the order of the old matrix."""
        return tuple(each for each in self.outcomes if each.result == result)

    def counts(self) -> dict[str, int]:
        """How many old answers are in each list."""
        return {each.value: len(self.listed(each)) for each in Result}

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "before": self.before,
            "after": self.after,
            "counts": self.counts(),
            "outcomes": [each.as_dict() for each in self.outcomes],
            "answers": [each.as_dict() for each in self.answers],
            "suggestions": [each.as_dict() for each in self.suggestions],
            "unanswered": list(self.unanswered),
            "reworded": [{"before": old, "after": new} for old, new in self.reworded],
            "problems": [each.as_dict() for each in self.problems],
        }


@dataclass(slots=True)
class _Planner:
    before: Matrix
    after: Matrix
    map: MigrationMap
    old: dict[str, OldAnswer]
    asked: frozenset[str]
    targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    clause_map: dict[str, str] = field(default_factory=dict)

    def route(self) -> None:
        """Where every old practice and clause goes: the map, or else the same id and the same words."""
        on_purpose = set(self.map.clauses.values())
        for practice in self.before.practices:
            default = (practice.id,) if practice.id in self.after else ()
            # An id that another practice was mapped to on purpose is not taken as "the same".
            if practice.id not in self.map.practices and practice.id in self.map.taken():
                default = ()
            self.targets[practice.id] = self.map.practices.get(practice.id, default)
            new = [each for name in self.targets[practice.id] for each in self.after.practice(name).clauses]
            matched = match_clauses(
                [each for each in practice.clauses if each.id not in self.map.clauses],
                [each for each in new if each.id not in on_purpose],
            )
            for clause in practice.clauses:
                said = self.map.clauses.get(clause.id)
                known = said == "" or any(each.id == said for each in new)
                self.clause_map[clause.id] = (
                    said if said is not None and known else matched.get(clause.id, "")
                )

    def sources(self, name: str) -> list[Practice]:
        """The old practices that go to a new one, in the order of the old matrix."""
        return [each for each in self.before.practices if name in self.targets[each.id]]

    def state(self, name: str) -> State:
        """What the old answers together say about a new practice."""
        new = self.after.practice(name)
        sources = self.sources(name)
        same_rules = self.before.level_scale == self.after.level_scale
        confirmed = self.map.confirmed
        said = [
            state_of(each, self.old.get(each.id), new, self.clause_map, confirmed, same_rules=same_rules)
            for each in sources
        ]
        return combine(new, said)


def plan(
    before: Matrix,
    after: Matrix,
    answers: Iterable[OldAnswer],
    mapping: MigrationMap | None = None,
    *,
    profile: Profile | None = None,
    scope: Scope | str = Scope.full,
) -> Plan:
    """Plan the move of `answers` (at most one per practice counts: the last) from one matrix to another.

    Never raises for valid matrices: what is wrong with the map is listed in `problems` and not used.
    Clauses that the profile hides do not count on either side.
    """
    before, after = before.narrowed(profile), after.narrowed(profile)
    usable, problems = check_map(mapping or MigrationMap(), before, after)
    old = {each.practice: each for each in answers}
    asked = frozenset(each.id for each in after.in_scope(scope, profile))
    planner = _Planner(before, after, usable, old, asked)
    planner.route()
    concerned = {name for each in old for name in planner.targets.get(each, ())}
    states = {name: planner.state(name) for name in sorted(concerned & asked)}
    position = {each.id: nth for nth, each in enumerate(before.practices)}
    ordered = sorted(
        old.values(), key=lambda each: (position.get(each.practice, len(position)), each.practice)
    )
    outcomes = tuple(_outcome(planner, each, states) for each in ordered)
    waiting = {name for name, state in states.items() if state.unknown}
    new = {name: _new_answer(planner, name, state) for name, state in states.items()}
    made = [each for each in new.values() if each is not None]
    order = {each.id: nth for nth, each in enumerate(after.practices)}
    made.sort(key=lambda each: order[each.practice])
    return Plan(
        before=before.sha256,
        after=after.sha256,
        outcomes=outcomes,
        answers=tuple(each for each in made if each.practice not in waiting),
        suggestions=tuple(each for each in made if each.practice in waiting),
        unanswered=tuple(
            each.id for each in after.practices if each.id in asked and new.get(each.id) is None
        ),
        targets=dict(planner.targets),
        clause_map=dict(planner.clause_map),
        reworded=tuple(_reworded(planner)),
        problems=problems,
    )


def _outcome(planner: _Planner, answer: OldAnswer, states: Mapping[str, State]) -> Outcome:
    name = answer.practice
    if name not in planner.before:
        return Outcome(name, Result.archived, "not_in_matrix")
    targets = planner.targets[name]
    if answer.silent:
        return Outcome(name, Result.archived, "taken_back" if answer.cleared else "empty", targets)
    if not targets:
        reason = "dropped" if name in planner.map.practices else "practice_gone"
        return Outcome(name, Result.archived, reason)
    shown = tuple(each for each in targets if each in planner.asked)
    if not shown:
        return Outcome(name, Result.archived, "not_asked", targets)
    notes = _notes(planner, name, shown)
    for each in shown:
        state = states[each]
        if state.unknown:
            return Outcome(name, Result.needs_answer, state.unknown, shown, state.open_clauses, notes)
    return Outcome(name, Result.mapped, _how(planner, name, shown), shown, (), notes)


def _how(planner: _Planner, name: str, targets: Sequence[str]) -> str:
    if len(targets) > 1:
        return "split"
    if len([each for each in planner.sources(targets[0]) if each.id in planner.old]) > 1:
        return "merged"
    if targets[0] != name:
        return "renamed"
    own = {name, *(each.id for each in planner.before.practice(name).clauses)}
    return "confirmed" if own & planner.map.confirmed else "same"


def _notes(planner: _Planner, name: str, targets: Sequence[str]) -> tuple[str, ...]:
    old = planner.before.practice(name)
    found = []
    if any(not planner.clause_map[each.id] for each in old.clauses):
        found.append("clause_removed")
    moved = [planner.clause_map[each.id] for each in old.clauses]
    if any(new and new != each.id for new, each in zip(moved, old.clauses, strict=True)):
        found.append("clause_renamed")
    if any(planner.after.practice(each).kpi != old.kpi for each in targets):
        found.append("kpi_changed")
    return tuple(found)


def _reworded(planner: _Planner) -> Iterable[tuple[str, str]]:
    """Pairs of old and new clause whose words differ: what the map may confirm."""
    texts = {each.id: each.text for practice in planner.after.practices for each in practice.clauses}
    for practice in planner.before.practices:
        for clause in practice.clauses:
            new = planner.clause_map[clause.id]
            if new and texts[new] != clause.text:
                yield clause.id, new


def _new_answer(planner: _Planner, name: str, state: State) -> NewAnswer | None:
    """The answer that a state gives, or what can be offered; None where there is nothing to offer."""
    sources = tuple(each.id for each in planner.sources(name) if each.id in planner.old)
    if state.said is Said.na:
        return NewAnswer(name, sources, na_reason=state.na_reason, na_text=state.na_text)
    if state.said is Said.unsure:
        return NewAnswer(name, sources, unsure=True)
    if state.said is Said.level:
        return NewAnswer(name, sources, level=state.level)
    if state.said is Said.clauses:
        return NewAnswer(name, sources, clauses=state.ticked)
    return None

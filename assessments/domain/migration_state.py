"""What old answers say about one practice of a new matrix: fact by fact, with what nobody has looked at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from assessments.domain.matrix import HIGHEST_LEVEL, Practice


@dataclass(frozen=True, slots=True)
class OldAnswer:
    """An answer as it is stored.

    Where several are set, the first of these counts: cleared, not applicable, don't know, clauses, level.
    """

    practice: str
    level: int | None = None
    clauses: frozenset[str] | None = None
    na_reason: str = ""
    na_text: str = ""
    unsure: bool = False
    cleared: bool = False

    @property
    def silent(self) -> bool:
        """Whether it says nothing: taken back, or never filled in."""
        said = self.na_reason or self.unsure or self.clauses is not None or self.level is not None
        return self.cleared or not said


class Said(StrEnum):
    """What kind of thing an answer says."""

    nothing = "nothing"
    na = "na"
    unsure = "unsure"
    level = "level"
    clauses = "clauses"


@dataclass(frozen=True, slots=True)
class Part:
    """What one old answer says about a new practice.

    `ticks` holds the new clauses that the old practice speaks of: ticked, not ticked, or None where its words
    differ unconfirmed. `open` is the reason why the whole part is not known, or empty.
    """

    said: Said
    level: int = 0
    ticks: Mapping[str, bool | None] = field(default_factory=dict)
    na_reason: str = ""
    na_text: str = ""
    open: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a new practice. `unknown` is why its level is open, `open_clauses` what to look at."""

    said: Said
    level: int | None = None
    ticked: tuple[str, ...] = ()
    na_reason: str = ""
    na_text: str = ""
    unknown: str = ""
    open_clauses: tuple[str, ...] = ()


def reached(practice: Practice, ticked: Collection[str]) -> int:
    """The highest level whose clauses, and all of the levels below, are ticked."""
    level = 0
    for wanted in range(1, HIGHEST_LEVEL + 1):
        clauses = practice.clauses_at(wanted)
        if not clauses or any(each.id not in ticked for each in clauses):
            break
        level = wanted
    return level


def state_of(
    old: Practice,
    answer: OldAnswer | None,
    new: Practice,
    clause_map: Mapping[str, str],
    confirmed: Collection[str],
    *,
    same_rules: bool = True,
) -> Part:
    """What the answer to `old` says about `new`.

    `same_rules`: the general rules of the levels read the same; a practice without clauses is rated by them.
    """
    own = {each.id for each in new.clauses}
    heard = [each for each in old.clauses if clause_map.get(each.id) in own]
    silent = {clause_map[each.id]: None for each in heard}
    held = old.id in confirmed
    if answer is None or answer.silent:
        return Part(Said.nothing, ticks=silent)
    if answer.na_reason:
        open_ = "" if held or old.question == new.question else "practice_reworded"
        return Part(Said.na, na_reason=answer.na_reason, na_text=answer.na_text, open=open_)
    if answer.unsure:
        return Part(Said.unsure, ticks=silent)
    ticked = _ticked(old, answer)
    if ticked is None:
        return _from_level(old, answer, new, held=held, same_rules=same_rules)
    if not new.clauses:
        return Part(Said.level, level=reached(old, ticked), open="" if held else "no_clauses_now")
    texts = {each.id: each.text for each in new.clauses}
    ticks: dict[str, bool | None] = {}
    for each in heard:
        target = clause_map[each.id]
        known = each.text == texts[target] or each.id in confirmed
        value = each.id in ticked if known else None
        # Two old clauses for a new one: both must hold, and both must be known.
        before = ticks.get(target, True)
        ticks[target] = None if value is None or before is None else value and before
    return Part(Said.clauses, ticks=ticks)


def _ticked(old: Practice, answer: OldAnswer) -> frozenset[str] | None:
    """The ticked clauses; a level means all of them up to it. None where only a level is known."""
    if not old.clauses:
        return None
    if answer.clauses is not None:
        return answer.clauses
    return frozenset(each.id for each in old.clauses if each.level <= (answer.level or 0))


def _from_level(old: Practice, answer: OldAnswer, new: Practice, *, held: bool, same_rules: bool) -> Part:
    level = answer.level or 0
    if new.clauses:
        if not held:
            return Part(Said.clauses, ticks={each.id: None for each in new.clauses}, open="now_has_clauses")
        return Part(Said.clauses, ticks={each.id: each.level <= level for each in new.clauses})
    same = old.question == new.question and same_rules
    return Part(Said.level, level=level, open="" if held or same else "practice_reworded")


def combine(new: Practice, parts: Sequence[Part]) -> State:
    """What the parts together say; one part is the usual case, several are a merge."""
    given = [each for each in parts if each.said is not Said.nothing]
    kinds = {each.said for each in given}
    if not given:
        return State(Said.nothing)
    if kinds == {Said.unsure}:
        return State(Said.unsure)
    if Said.na in kinds:
        return _not_applicable(parts, given)
    if not new.clauses:
        return _by_level(parts, [each for each in given if each.said is Said.level])
    return _by_clauses(new, parts)


def _not_applicable(parts: Sequence[Part], given: Sequence[Part]) -> State:
    first = given[0]
    if len({(each.said, each.na_reason) for each in given}) > 1:
        return State(Said.nothing, unknown="merge_conflict")
    open_ = next((each.open for each in given if each.open), "")
    if len(given) < len(parts):
        open_ = "source_unanswered"
    return State(Said.na, na_reason=first.na_reason, na_text=first.na_text, unknown=open_)


def _by_level(parts: Sequence[Part], given: Sequence[Part]) -> State:
    levels = {each.level for each in given}
    open_ = next((each.open for each in given if each.open), "")
    if len(levels) > 1:
        open_ = "merge_conflict"
    elif len(given) < len(parts):
        open_ = "source_unanswered"
    return State(Said.level, level=min(levels, default=0), unknown=open_)


def _by_clauses(new: Practice, parts: Sequence[Part]) -> State:
    """Known clause by clause; the level is known where clauses nobody looked at cannot change it."""
    ticked: list[str] = []
    reasons: dict[str, str] = {}
    for clause in new.clauses:
        heard = [(each, each.ticks[clause.id]) for each in parts if clause.id in each.ticks]
        unheard = next((each for each, value in heard if value is None), None)
        if not heard:
            reasons[clause.id] = "clause_added"
        elif unheard is not None:
            quiet = unheard.said in (Said.nothing, Said.unsure)
            reasons[clause.id] = unheard.open or ("source_unanswered" if quiet else "clause_reworded")
        elif all(value for _part, value in heard):
            ticked.append(clause.id)
    highest = reached(new, {*ticked, *reasons})
    if reached(new, ticked) == highest:
        return State(Said.clauses, ticked=tuple(ticked))
    matter = tuple(each.id for each in new.clauses if each.id in reasons and each.level <= highest)
    return State(Said.clauses, ticked=tuple(ticked), unknown=reasons[matter[0]], open_clauses=matter)

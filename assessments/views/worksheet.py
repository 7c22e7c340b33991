"""What the questionnaire pages show: one row per asked practice, with its state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from assessments import selectors
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import HIGHEST_LEVEL, Clause, Matrix, Practice
from assessments.domain.scorecard import PracticeScore
from assessments.domain.scoring import Scorecard
from assessments.models import AnswerHead, Assessment, Evidence


def language() -> str:
    """The active language code."""
    return get_language() or "en"


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """A clause as a tick box."""

    id: str
    letter: str
    level: int
    text: str
    evidence: str
    ticked: bool
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelCard:
    """One level: its name, and its clauses or (not worded yet) its general rule."""

    level: int
    name: str
    rule: str
    clauses: tuple[ClauseRow, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A practice with its answer and score."""

    practice: Practice
    title: str
    question: str
    head: AnswerHead | None
    score: PracticeScore
    evidence: tuple[Evidence, ...]

    @property
    def state(self) -> str:
        """answered, na, unsure or unanswered."""
        return self.score.state

    @property
    def answer_level(self) -> int | None:
        """The level the answer itself claims."""
        return self.score.claimed


@dataclass(frozen=True, slots=True)
class Group:
    """A dimension and its rows."""

    dimension: Dimension
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Worksheet:
    """The asked practices of an assessment in order, with the scorecard they belong to."""

    assessment: Assessment
    matrix: Matrix
    card: Scorecard
    groups: tuple[Group, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(row for group in self.groups for row in group.rows)

    def count(self, state: str) -> int:
        """How many rows are in a state."""
        return sum(row.state == state for row in self.rows)

    @property
    def progress(self) -> dict[str, int]:
        """Counts for the progress line; `left` are unanswered and don't know."""
        counts = {state: self.count(state) for state in ("answered", "na", "unsure", "unanswered")}
        return {**counts, "total": len(self.rows), "left": counts["unanswered"] + counts["unsure"]}


def worksheet(one: Assessment) -> Worksheet:
    """Read everything the questionnaire needs, with four queries."""
    source = selectors.report_source(one.organisation, one.pk)
    lang = language()
    evidence: dict[str, list[Evidence]] = {}
    for item in source.evidence:
        evidence.setdefault(item.practice, []).append(item)
    asked = source.matrix.in_scope(one.scope, source.profile)
    rows = [
        Row(
            practice=practice,
            title=practice.title.in_language(lang),
            question=practice.question.in_language(lang),
            head=source.heads.get(practice.id),
            score=source.card.practices[practice.id],
            evidence=tuple(evidence.get(practice.id, ())),
        )
        for practice in asked
    ]
    groups = tuple(
        Group(dimension, tuple(row for row in rows if row.practice.dimension == dimension))
        for dimension in Dimension
    )
    return Worksheet(
        source.assessment, source.matrix, source.card, tuple(group for group in groups if group.rows)
    )


def next_practice(sheet: Worksheet, after: str | None = None) -> str | None:
    """The first practice without an answer after `after` (then from the start); None when all have one."""
    ids = [row.practice.id for row in sheet.rows]
    start = ids.index(after) + 1 if after in ids else 0
    ordered = [*sheet.rows[start:], *sheet.rows[:start]]
    for row in ordered:
        if row.state == "unanswered" and row.practice.id != after:
            return row.practice.id
    return None


def level_cards(matrix: Matrix, practice: Practice, head: AnswerHead | None) -> tuple[LevelCard, ...]:
    """Levels 0 to 5 with their clauses, ticked as answered."""
    lang = language()
    ticked = set(head.response.clauses or ()) if head else set()
    scale = {rule.level: rule for rule in matrix.level_scale}

    def clause_row(clause: Clause) -> ClauseRow:
        return ClauseRow(
            id=clause.id,
            letter=clause.id.rsplit(".", 1)[-1],
            level=clause.level,
            text=clause.text.in_language(lang),
            evidence=clause.evidence.value,
            ticked=clause.id in ticked,
            tags=tuple(sorted(clause.tags)),
        )

    return tuple(
        LevelCard(
            level=level,
            name=scale[level].name.in_language(lang),
            rule=scale[level].rule.in_language(lang),
            clauses=tuple(clause_row(each) for each in practice.clauses_at(level)),
        )
        for level in range(HIGHEST_LEVEL + 1)
    )


def clause_texts(practice: Practice, ids: Any) -> list[tuple[str, str]]:
    """(id, text) of the named clauses in the active language."""
    lang = language()
    wanted = set(ids)
    return [(each.id, each.text.in_language(lang)) for each in practice.clauses if each.id in wanted]

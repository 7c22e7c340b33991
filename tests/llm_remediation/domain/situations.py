"""A small questionnaire (four practices per dimension) and answers to it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from assessments.domain.answers import Answer, EvidenceItem, NaReason
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import (
    AnsweredBy,
    Clause,
    EffortStep,
    EvidenceKind,
    Matrix,
    Need,
    Practice,
    Profile,
    Scope,
)
from assessments.domain.texts import Text
from llm_remediation.domain.planned import Situation

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)
DRILL = Text("restore drill", "恢复演练")

# REL-01 passes level 2 only with OBS-01 at 3, which passes level 2 only with EVO-01 at 2.
NEEDS = {"REL-01": (Need("OBS-01", 3),), "OBS-01": (Need("EVO-01", 2),), "SEC-01": (Need("COST-02", 2),)}
WEIGHTS = {"REL-02": 2.0, "OBS-01": 0.5}
TAGS = {"COST-02": frozenset({"spot"})}


def text(words: str) -> Text:
    return Text(words, words)


def practice(dimension: Dimension, number: int) -> Practice:
    name = f"{dimension.value}-0{number}"
    worded = name == "RCV-01"
    clauses = tuple(
        Clause(f"{name}.L{level}.a", name, level, text("a fact"), EvidenceKind(f"E{level}"))
        for level in range(1, 6)
    )
    return Practice(
        id=name,
        dimension=dimension,
        core=number == 1,
        worded=worded,
        title=text(name),
        question=text(name),
        clauses=clauses if worded else (),
        answers_by=(
            AnsweredBy("F14", None, ("RCV-01.L4.a", "RCV-01.L5.a") if worded else ()),
            AnsweredBy(None, DRILL, ("RCV-01.L2.a",) if worded else ()),
        )
        if dimension is Dimension.RCV
        else (),
        needs=NEEDS.get(name, ()),
        tension=((Dimension.COST, "-"),) if name == "REL-02" else (),
        tags=TAGS.get(name, frozenset()),
        effort=(EffortStep(3, 2.0, 4.0, 8.0, 10.0),) if name == "REL-02" else (),
        weight=WEIGHTS.get(name, 1.0),
    )


MATRIX = Matrix(
    version="test",
    sha256="0" * 64,
    practices=tuple(practice(dimension, number) for dimension in Dimension for number in (1, 2, 3, 4)),
    quick_scan=tuple(f"{dimension.value}-01" for dimension in Dimension),
    quick_swaps_train={},
    level_scale=(),
)
PRACTICES = tuple(each.id for each in MATRIX.practices)
EVERYTHING = Profile(frozenset({"serve", "train"}), frozenset({"spot"}))


def evidence(level: int, days_old: int = 1) -> EvidenceItem:
    """Evidence that carries the level."""
    return EvidenceItem(EvidenceKind(f"E{level}"), AS_OF - timedelta(days=days_old))


def answer(name: str, level: int, proven: int | None = None) -> Answer:
    """The practice claimed at a level and proven up to `proven` (default: all of it)."""
    shown = level if proven is None else proven
    return Answer(name, level=level, evidence=(evidence(shown),) if shown else ())


def not_applicable(name: str) -> Answer:
    return Answer(name, na_reason=NaReason.out_of_scope)


def situation(
    levels: dict[str, int] | None = None,
    others: Iterable[Answer] = (),
    *,
    profile: Profile | None = EVERYTHING,
    scope: Scope = Scope.full,
    rest: int | None = 3,
) -> Situation:
    """All practices at level `rest` (None: unanswered) unless `levels` or `others` say otherwise."""
    own = {each.practice: each for each in others}
    wanted = {name: rest for name in PRACTICES if rest is not None} | (levels or {})
    answers = tuple(answer(name, level) for name, level in wanted.items() if name not in own)
    return Situation(MATRIX, (*answers, *own.values()), AS_OF, profile, scope)

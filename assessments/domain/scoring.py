"""The one place where scores are made. Rules and examples: docs/guide/scoring.md."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from assessments.domain.answers import Answer, Confidence, EvidenceItem
from assessments.domain.dimensions import Dimension
from assessments.domain.evidence import View, best_ceiling, ceiling_of, is_expired, is_future
from assessments.domain.matrix import HIGHEST_LEVEL, Clause, Matrix, Practice, Profile, Scope
from assessments.domain.scorecard import (
    ONE_RESPONDENT,
    DimensionScore,
    Overall,
    PracticeScore,
    Scorecard,
    XrayWarning,
)
from assessments.domain.xray import NO_FACTS, XrayFacts, too_many_na, warnings

__all__ = ["DimensionScore", "Overall", "PracticeScore", "Scorecard", "XrayWarning", "score"]

# Percentages, compared in whole numbers so that 7 of 10 and 8 of 10 are exactly enough.
LEAST_ANSWERED_PERCENT = 70
LEVEL_PERCENT = 80


def score(
    matrix: Matrix,
    answers: Iterable[Answer],
    *,
    profile: Profile | None = None,
    scope: Scope | str = Scope.full,
    as_of: datetime,
    facts: XrayFacts = NO_FACTS,
) -> Scorecard:
    """Score the answers as they stand at `as_of` (time zone aware).

    Only practices of the scope that the profile shows count; answers to others are named in the warnings.
    Without a profile everything applies. The order of the answers is irrelevant. `facts` feed warnings only.
    Raises ValueError for an unknown practice, two answers to one practice, or a naive `as_of`.
    """
    if as_of.tzinfo is None:
        raise ValueError("as_of needs a time zone")
    by_id = _by_practice(matrix, answers)
    asked = matrix.in_scope(scope, profile)
    practices = {each.id: _practice(each, by_id.get(each.id), as_of) for each in asked}
    core = frozenset(matrix.core_for(profile))
    dimensions = {
        dimension: _dimension(
            dimension, [each for each in asked if each.dimension is dimension], practices, core
        )
        for dimension in Dimension
    }
    return Scorecard(
        matrix_version=matrix.version,
        matrix_sha256=matrix.sha256,
        as_of=as_of,
        scope=Scope(scope),
        profile=profile,
        overall=_overall(dimensions, practices),
        dimensions=dimensions,
        practices=practices,
        warnings=warnings(matrix, by_id, practices, profile=profile, as_of=as_of, facts=facts),
    )


def _by_practice(matrix: Matrix, answers: Iterable[Answer]) -> dict[str, Answer]:
    by_id: dict[str, Answer] = {}
    for answer in answers:
        if answer.practice not in matrix:
            raise ValueError(f"unknown practice {answer.practice!r}")
        if answer.practice in by_id:
            raise ValueError(f"two answers to {answer.practice}")
        by_id[answer.practice] = answer
    return by_id


# -- one practice -----------------------------------------------------------------------------------------


def claimed_level(practice: Practice, answer: Answer) -> int:
    """The highest L such that every clause of levels 1 to L is ticked, or the level that was given."""
    if answer.clauses is None:
        return answer.level or 0
    reached = 0
    for level in range(1, HIGHEST_LEVEL + 1):
        clauses = practice.clauses_at(level)
        if not clauses or any(each.id not in answer.clauses for each in clauses):
            break
        reached = level
    return reached


def is_answered(answer: Answer) -> bool:
    """Whether the answer gives a level: not "not applicable", not "don't know", not empty."""
    return _state(answer) == "answered"


def _state(answer: Answer | None) -> str:
    if answer is None:
        return "unanswered"
    if answer.na_reason is not None:
        return "na"
    if answer.unsure:
        return "unsure"
    return "answered" if answer.clauses is not None or answer.level is not None else "unanswered"


def _practice(practice: Practice, answer: Answer | None, as_of: datetime) -> PracticeScore:
    state = _state(answer)
    items = answer.evidence if answer else ()
    ceiling = best_ceiling(items, as_of, View.current)
    claimed = demonstrated = current = None
    reason = state
    if answer is not None and state == "answered":
        claimed = claimed_level(practice, answer)
        demonstrated = min(claimed, best_ceiling(items, as_of, View.demonstrated))
        current = min(claimed, ceiling)
        reason = _reason(claimed, demonstrated, current, items, as_of)
    missing = [] if state == "na" else _missing(practice, answer, claimed or 0)
    return PracticeScore(
        practice=practice.id,
        state=state,
        claimed=claimed,
        demonstrated=demonstrated,
        current=current,
        reason=reason,
        next_missing=tuple(each.id for each in missing if each.level == (claimed or 0) + 1),
        ceiling=ceiling,
        declared_ceiling=best_ceiling(items, as_of, View.claimed),
        expired=tuple(each for each in items if not is_future(each, as_of) and is_expired(each, as_of)),
        missing=tuple(each.id for each in missing),
        confidence=answer.confidence if answer is not None and state == "answered" else None,
    )


def _missing(practice: Practice, answer: Answer | None, claimed: int) -> list[Clause]:
    """The unticked clauses above the claimed level; none at level 5 and where nothing is worded."""
    ticked = (answer.clauses if answer else None) or frozenset()
    return [each for each in practice.clauses if each.level > claimed and each.id not in ticked]


def _reason(
    claimed: int, demonstrated: int, current: int, items: Sequence[EvidenceItem], as_of: datetime
) -> str:
    """What holds the current level where it is: the claim itself, or the evidence and how.

    `claimed` · `expired_E4` (it was shown once) · `not_verified` (nobody but the author vouches for
    evidence that would carry further) · `no_evidence` · `ceiling_E2` (the best that counts now).
    """
    if current == claimed:
        return "claimed"
    past = [each for each in items if not is_future(each, as_of)]
    if current < demonstrated:
        return f"expired_{_strongest([each for each in past if is_expired(each, as_of)]).kind}"
    live = [each for each in past if not is_expired(each, as_of)]
    if not live:
        return "no_evidence"
    if any(ceiling_of(each, View.claimed) > current for each in live):
        return "not_verified"
    return f"ceiling_{_strongest(live).kind}"


def _strongest(items: Sequence[EvidenceItem]) -> EvidenceItem:
    return max(items, key=lambda each: (ceiling_of(each, View.demonstrated), each.kind))


# -- one dimension ----------------------------------------------------------------------------------------


def enough(part: int, whole: int, percent: int) -> bool:
    """Whether `part` is at least that percentage of `whole`, without rounding; nothing of nothing is."""
    return part * 100 >= percent * whole


def _dimension(
    dimension: Dimension,
    asked: Sequence[Practice],
    scores: Mapping[str, PracticeScore],
    core: frozenset[str],
) -> DimensionScore:
    answered = [each for each in asked if scores[each.id].state == "answered"]
    states = [scores[each.id].state for each in asked]
    applicable = len(asked) - states.count("na")
    if not applicable:
        status = "empty"
    else:
        status = "ok" if enough(len(answered), applicable, LEAST_ANSWERED_PERCENT) else "incomplete"

    def mean(view: str) -> float | None:
        if status != "ok":
            return None
        # fsum is exact, so neither order nor number of equal terms can move the result.
        total = math.fsum(each.weight * getattr(scores[each.id], view) for each in answered)
        return total / math.fsum(each.weight for each in answered)

    return DimensionScore(
        dimension=dimension,
        status=status,
        score=mean("current"),
        claimed=mean("claimed"),
        demonstrated=mean("demonstrated"),
        level=_level([scores[each.id] for each in answered], core) if status == "ok" else None,
        answered=len(answered),
        applicable=applicable,
        not_applicable=states.count("na"),
        unsure=states.count("unsure"),
        completeness=len(answered) / applicable if applicable else 1.0,
        interval=None,
        interval_reason=ONE_RESPONDENT,
        weakest_practice=_weakest_practice(answered, scores),
    )


def _level(scores: Sequence[PracticeScore], core: frozenset[str]) -> int:
    """The highest L that at least 80 % of the answered practices reach and no core one misses by 2 or more.

    "Core" are the quick scan practices of the profile; one that is not answered has no say.
    """
    for level in range(HIGHEST_LEVEL, 0, -1):
        reached = sum((each.current or 0) >= level for each in scores)
        low_core = any((each.current or 0) < level - 1 for each in scores if each.practice in core)
        if enough(reached, len(scores), LEVEL_PERCENT) and not low_core:
            return level
    return 0


def _weakest_practice(answered: Sequence[Practice], scores: Mapping[str, PracticeScore]) -> str | None:
    """The answered practice with the lowest current level; of equals the one that comes first."""
    return min(answered, key=lambda each: scores[each.id].current or 0).id if answered else None


# -- everything -------------------------------------------------------------------------------------------


def _confidence(scores: Mapping[str, PracticeScore]) -> tuple[int, int, int, int, int]:
    """How many answered practices were answered with confidence 1, 2, 3, 4 and 5; the rest said nothing."""
    stated = [each.confidence for each in scores.values()]
    one, two, three, four, five = (stated.count(each) for each in Confidence)
    return one, two, three, four, five


def _overall(dimensions: Mapping[Dimension, DimensionScore], scores: Mapping[str, PracticeScore]) -> Overall:
    """Mean of the dimensions in which anything applies.

    There is a number only where every one of them has one: otherwise a weak dimension could be hidden by
    leaving it unanswered.
    """
    applying = [each for each in dimensions.values() if each.status != "empty"]
    answered = sum(each.answered for each in applying)
    applicable = sum(each.applicable for each in applying)
    not_applicable = sum(each.not_applicable for each in dimensions.values())
    shown = applicable + not_applicable
    if not applying:
        status = "empty"
    elif all(each.status == "ok" for each in applying):
        # Each dimension has 70 % answered, so their sum has, too.
        status = "ok"
    else:
        status = "incomplete"

    def mean(view: str) -> float | None:
        if status != "ok":
            return None
        return math.fsum(getattr(each, view) for each in applying) / len(applying)

    return Overall(
        status=status,
        score=mean("score"),
        claimed=mean("claimed"),
        demonstrated=mean("demonstrated"),
        # min keeps the first of equals: ties go by the order of the dimensions.
        weakest=min(applying, key=lambda each: each.score or 0.0).dimension if status == "ok" else None,
        completeness=answered / applicable if applicable else 1.0,
        na_share=not_applicable / shown if shown else 0.0,
        confidence=_confidence(scores),
        na_warning=too_many_na(not_applicable, shown),
        interval=None,
        interval_reason=ONE_RESPONDENT,
    )

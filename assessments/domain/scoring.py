"""The one place where scores are made. Rules and examples: docs/guide/scoring.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from assessments.domain.answers import Answer, EvidenceItem
from assessments.domain.dimensions import Dimension
from assessments.domain.evidence import (
    CEILINGS,
    View,
    best_ceiling,
    ceiling_of,
    is_expired,
    is_future,
)
from assessments.domain.matrix import HIGHEST_LEVEL, Matrix, Practice, Profile, Scope
from assessments.domain.scorecard import (
    ONE_RESPONDENT,
    DimensionScore,
    Overall,
    PracticeScore,
    Scorecard,
    XrayWarning,
)

__all__ = ["DimensionScore", "Overall", "PracticeScore", "Scorecard", "XrayWarning", "score"]

LEAST_COMPLETENESS = 0.70
LEVEL_SHARE = 0.80
MOST_NA_SHARE = 0.15
# Sums of levels are exact; a share like 8/10 is compared with room for one rounding.
_EPSILON = 1e-9


def score(
    matrix: Matrix,
    answers: Iterable[Answer],
    *,
    profile: Profile | None = None,
    scope: Scope | str = Scope.full,
    as_of: datetime,
) -> Scorecard:
    """Score the answers at a moment (time zone aware).

    Answers to practices that the scope or the profile leaves out change nothing; one that the profile hides
    is named in the warnings. Without a profile every practice applies. The order of the answers is
    irrelevant. Raises KeyError for an unknown practice and ValueError for two answers to one practice.
    """
    if as_of.tzinfo is None:
        raise ValueError("as_of needs a time zone")
    scope = Scope(scope)
    by_id: dict[str, Answer] = {}
    for answer in answers:
        matrix.practice(answer.practice)
        if answer.practice in by_id:
            raise ValueError(f"two answers to {answer.practice}")
        by_id[answer.practice] = answer
    asked = matrix.in_scope(scope, profile)
    practices = {each.id: _practice(each, by_id.get(each.id), as_of) for each in asked}
    core = frozenset(matrix.core_for(profile))
    dimensions = {
        dimension: _dimension(
            dimension, [each for each in asked if each.dimension == dimension], practices, core
        )
        for dimension in Dimension
    }
    return Scorecard(
        matrix_version=matrix.version,
        matrix_sha256=matrix.sha256,
        as_of=as_of,
        scope=scope,
        profile=profile,
        overall=_overall(dimensions),
        dimensions=dimensions,
        practices=practices,
        warnings=_warnings(matrix, by_id, asked, practices, profile),
    )


# -- one practice -----------------------------------------------------------------------------------------


def claimed_level(practice: Practice, answer: Answer) -> int:
    """The highest L such that every clause of 1 to L is ticked; the given level where one was given."""
    if answer.clauses is None:
        return answer.level or 0
    reached = 0
    for level in range(1, HIGHEST_LEVEL + 1):
        clauses = practice.clauses_at(level)
        if not clauses or any(each.id not in answer.clauses for each in clauses):
            break
        reached = level
    return reached


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
    declared = best_ceiling(items, as_of, View.claimed)
    expired = tuple(each for each in items if not is_future(each, as_of) and is_expired(each, as_of))
    if answer is None or state != "answered":
        return PracticeScore(
            practice.id,
            state,
            None,
            None,
            None,
            state,
            _missing(practice, answer),
            ceiling,
            declared,
            expired,
        )
    claimed = claimed_level(practice, answer)
    demonstrated = min(claimed, best_ceiling(items, as_of, View.demonstrated))
    current = min(claimed, ceiling)
    return PracticeScore(
        practice=practice.id,
        state=state,
        claimed=claimed,
        demonstrated=demonstrated,
        current=current,
        reason=_reason(claimed, demonstrated, current, items, as_of),
        next_missing=_missing(practice, answer),
        ceiling=ceiling,
        declared_ceiling=declared,
        expired=expired,
    )


def _missing(practice: Practice, answer: Answer | None) -> tuple[str, ...]:
    """The unticked clauses of the first level that is not met."""
    ticked = answer.clauses if answer and answer.clauses is not None else frozenset()
    start = 1
    if answer and answer.clauses is None and answer.level is not None:
        start = answer.level + 1
    for level in range(start, HIGHEST_LEVEL + 1):
        missing = tuple(each.id for each in practice.clauses_at(level) if each.id not in ticked)
        if missing:
            return missing
    return ()


def _reason(
    claimed: int, demonstrated: int, current: int, items: Sequence[EvidenceItem], as_of: datetime
) -> str:
    """Why the current level is what it is, as a code."""
    if current == claimed:
        return "claimed"
    past = [each for each in items if not is_future(each, as_of)]
    if not past:
        return "no_evidence"
    if current < demonstrated:
        best = max(
            (each for each in past if is_expired(each, as_of)),
            key=lambda each: (ceiling_of(each, View.demonstrated), each.kind),
        )
        return f"expired_{best.kind.value}"
    if any(not each.verified and CEILINGS[each.kind] > current for each in past):
        return "not_verified"
    live = [each for each in past if not is_expired(each, as_of)]
    if not live:
        return "no_evidence"
    best = max(live, key=lambda each: (ceiling_of(each, View.current), each.kind))
    return f"ceiling_{best.kind.value}"


# -- one dimension ----------------------------------------------------------------------------------------


def _dimension(
    dimension: Dimension,
    asked: Sequence[Practice],
    scores: dict[str, PracticeScore],
    core: frozenset[str],
) -> DimensionScore:
    answered = [each for each in asked if scores[each.id].state == "answered"]
    not_applicable = sum(scores[each.id].state == "na" for each in asked)
    unsure = sum(scores[each.id].state == "unsure" for each in asked)
    applicable = len(asked) - not_applicable
    completeness = len(answered) / applicable if applicable else 0.0
    if not applicable:
        status = "empty"
    else:
        status = "ok" if completeness + _EPSILON >= LEAST_COMPLETENESS else "incomplete"

    def mean(view: str) -> float | None:
        weight = sum(each.weight for each in answered)
        if status != "ok" or weight <= 0:
            return None
        total = sum(each.weight * (getattr(scores[each.id], view) or 0) for each in answered)
        return float(total / weight)

    return DimensionScore(
        dimension=dimension,
        status=status,
        score=mean("current"),
        claimed=mean("claimed"),
        demonstrated=mean("demonstrated"),
        level=_level([scores[each.id] for each in answered], core) if status == "ok" else None,
        answered=len(answered),
        applicable=applicable,
        not_applicable=not_applicable,
        unsure=unsure,
        completeness=completeness,
        interval=None,
        interval_reason=ONE_RESPONDENT,
        weakest_practice=_weakest_practice(answered, scores),
    )


def _level(scores: Sequence[PracticeScore], core: frozenset[str]) -> int:
    """The highest L with at least 80 % of the practices at L or more and no core practice below L - 1."""
    for level in range(HIGHEST_LEVEL, 0, -1):
        reached = sum((each.current or 0) >= level for each in scores)
        if reached + _EPSILON < LEVEL_SHARE * len(scores):
            continue
        if all((each.current or 0) >= level - 1 for each in scores if each.practice in core):
            return level
    return 0


def _weakest_practice(answered: Sequence[Practice], scores: dict[str, PracticeScore]) -> str | None:
    """The lowest current level; of equals the one that comes first in the matrix."""
    if not answered:
        return None
    return min(answered, key=lambda each: scores[each.id].current or 0).id


# -- everything -------------------------------------------------------------------------------------------


def _overall(dimensions: dict[Dimension, DimensionScore]) -> Overall:
    """Mean of the dimensions that apply; a dimension in which nothing applies leaves the mean."""
    applying = [each for each in dimensions.values() if each.status != "empty"]
    answered = sum(each.answered for each in applying)
    applicable = sum(each.applicable for each in applying)
    not_applicable = sum(each.not_applicable for each in dimensions.values())
    completeness = answered / applicable if applicable else 0.0
    shown = applicable + not_applicable
    na_share = not_applicable / shown if shown else 0.0
    complete = (
        bool(applying)
        and completeness + _EPSILON >= LEAST_COMPLETENESS
        and all(each.status == "ok" for each in applying)
    )

    def mean(view: str) -> float | None:
        values = [getattr(each, view) for each in applying]
        return float(sum(values) / len(values)) if complete else None

    scored = [each for each in applying if each.score is not None]
    weakest = min(scored, key=lambda each: each.score or 0.0).dimension if scored else None
    return Overall(
        status="complete" if complete else "incomplete",
        score=mean("score"),
        claimed=mean("claimed"),
        demonstrated=mean("demonstrated"),
        weakest=weakest,
        completeness=completeness,
        na_share=na_share,
        na_warning=na_share > MOST_NA_SHARE + _EPSILON,
        interval=None,
        interval_reason=ONE_RESPONDENT,
    )


def _warnings(
    matrix: Matrix,
    answers: dict[str, Answer],
    asked: Sequence[Practice],
    scores: dict[str, PracticeScore],
    profile: Profile | None,
) -> tuple[XrayWarning, ...]:
    found: list[XrayWarning] = []
    for practice_id in sorted(answers):
        if not matrix.practice(practice_id).shown_to(profile):
            found.append(
                XrayWarning("hidden_by_profile", practice_id, "The profile hides this practice; ignored.")
            )
    for practice in asked:
        one = scores[practice.id]
        if one.claimed is None:
            continue
        found.extend(_needs_warnings(practice, one, scores))
        kinds = {each.kind for each in answers[practice.id].evidence}
        if one.claimed >= 4 and not any(CEILINGS[kind] >= 4 for kind in kinds):
            found.append(
                XrayWarning(
                    "no_run",
                    practice.id,
                    f"Level {one.claimed} is claimed without an experiment.",
                    level=one.claimed,
                )
            )
    return tuple(found)


def _needs_warnings(
    practice: Practice, one: PracticeScore, scores: dict[str, PracticeScore]
) -> Iterable[XrayWarning]:
    """A claim of level 3 or more on top of a prerequisite that is answered lower is unlikely."""
    if (one.claimed or 0) < 3:
        return
    for need in practice.needs:
        other = scores.get(need.practice)
        # Hidden or not applicable counts as satisfied; nothing is said about what nobody answered yet.
        if other is None or other.claimed is None or other.claimed >= need.level:
            continue
        yield XrayWarning(
            "needs_unmet",
            practice.id,
            f"Level {one.claimed} is unlikely while {need.practice} is below {need.level}.",
            other=need.practice,
            level=need.level,
        )

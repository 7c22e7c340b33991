"""The planner on the questionnaire that ships: every prerequisite shows up, and the numbers agree."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from assessments.domain.answers import Answer, EvidenceItem, Profile, Scope
from assessments.domain.matrix import EvidenceKind, Matrix
from assessments.domain.shipped import v2_3
from llm_remediation.domain.candidates import candidates
from llm_remediation.domain.effort import Rates
from llm_remediation.domain.model import EstimateSource, WaveBudget
from llm_remediation.domain.planned import Situation
from llm_remediation.domain.roadmap import plan

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)
BUDGETS = [WaveBudget(days=30, gpu_hours=60), WaveBudget(days=40), WaveBudget(days=40, money=60_000)]


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return v2_3()


def at_levels(
    matrix: Matrix, *levels: int, scope: Scope = Scope.full, kinds: str = "serve train"
) -> Situation:
    """All practices answered, the levels repeated in the order of the matrix, each fully proven."""
    answers = tuple(
        Answer(
            each.id,
            level=(level := levels[index % len(levels)]),
            evidence=(EvidenceItem(EvidenceKind(f"E{level}"), AS_OF),),
        )
        for index, each in enumerate(matrix.practices)
    )
    return Situation(matrix, answers, AS_OF, Profile(frozenset(kinds.split())), scope)


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("kinds", ["serve train", "serve", "train"])
def test_the_score_after_the_plan_is_todays_plus_the_gain(matrix: Matrix, scope: Scope, kinds: str) -> None:
    where = at_levels(matrix, 1, 2, 0, 2, 3, scope=scope, kinds=kinds)
    found = plan(candidates(where, rates=Rates(800, 3)), BUDGETS, explain_seconds=0)
    after, today = where.card_at(found.levels).overall.score, where.today.overall.score
    assert found.chosen and after is not None and today is not None
    assert math.isclose(after, today + found.totals.gain, abs_tol=1e-9)


def test_every_practice_can_reach_level_three_with_what_it_needs(matrix: Matrix) -> None:
    """From nothing, with open budgets, all goes in, and each `needs` is an edge between two waves."""
    where = at_levels(matrix, 0)
    steps = {each.id: each for each in candidates(where)}
    assert all(each.estimate is EstimateSource.MATRIX for each in steps.values())
    found = plan(list(steps.values()), [WaveBudget()] * 12, explain_seconds=0)
    assert {each.id for each in found.chosen} == set(steps)
    shown = {each.id for each in matrix.in_scope(Scope.full, where.profile)}
    for practice in matrix.practices:
        wanted = {f"{need.practice}.L{need.level}" for need in practice.needs if need.practice in shown}
        if practice.id in shown:
            assert wanted <= set(steps[f"{practice.id}.L3"].needs)

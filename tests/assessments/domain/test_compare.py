"""Two scorecards side by side."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from scipy import stats

from assessments.domain.answers import Answer, EvidenceItem, Profile
from assessments.domain.compare import compare_cards
from assessments.domain.dimensions import Dimension
from assessments.domain.matrix import EvidenceKind, Matrix
from assessments.domain.scorecard import Scorecard
from assessments.domain.scoring import score
from assessments.domain.shipped import v2_3
from tests.assessments.domain.small_matrix import small_matrix

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)


def card(levels: dict[Dimension, list[int]], default: int = 2, *, matrix: Matrix | None = None) -> Scorecard:
    matrix = matrix or v2_3()
    answers = []
    for dimension in Dimension:
        asked = matrix.by_dimension(dimension)
        values = levels.get(dimension, [default] * len(asked))
        answers += [
            Answer(each.id, level=level, evidence=(EvidenceItem(EvidenceKind.E5, AS_OF),))
            for each, level in zip(asked, values, strict=True)
        ]
    return score(matrix, answers, as_of=AS_OF)


def test_differences_are_a_minus_b_and_the_test_is_exact() -> None:
    """Levels 4 against 1 in all 8 practices: D = 1, and of 2**8 = 256 swaps 2 are as far apart."""
    found = compare_cards(card({Dimension.SEC: [4] * 8}), card({Dimension.SEC: [1] * 8}))
    by_dimension = {each.dimension: each for each in found.dimensions}
    sec = by_dimension[Dimension.SEC]
    assert (sec.a, sec.b, sec.difference) == (4.0, 1.0, 3.0)
    assert sec.statistic == 1.0
    assert sec.p_value == pytest.approx(2 / 256, rel=1e-12)
    assert sec.adjusted == pytest.approx(6 * 2 / 256, rel=1e-12)
    assert sec.method == "exact"
    assert sec.clear
    assert (sec.interval, sec.interval_reason) == (None, "one respondent")
    assert by_dimension[Dimension.REL].difference == 0.0
    assert by_dimension[Dimension.REL].p_value == 1.0
    assert not by_dimension[Dimension.REL].clear
    assert found.overall is not None
    assert found.overall.difference == pytest.approx(0.5)


def test_d_agrees_with_scipy() -> None:
    a, b = [0, 1, 1, 2, 3, 3, 4, 5], [1, 2, 2, 3, 3, 4, 4, 5]
    found = compare_cards(card({Dimension.OBS: a}), card({Dimension.OBS: b}))
    obs = next(each for each in found.dimensions if each.dimension is Dimension.OBS)
    assert obs.statistic == pytest.approx(stats.ks_2samp(a, b).statistic)


def test_swapping_the_sides_only_turns_the_sign() -> None:
    a, b = card({Dimension.EVO: [1, 2, 3, 4, 5, 0, 1, 2]}), card({Dimension.RCV: [3] * 8})
    there = {each.dimension: each for each in compare_cards(a, b).dimensions}
    back = {each.dimension: each for each in compare_cards(b, a).dimensions}
    for dimension in Dimension:
        assert there[dimension].difference == -(back[dimension].difference or 0.0)
        assert there[dimension].p_value == back[dimension].p_value


def test_alpha_decides_what_is_clear() -> None:
    sides = card({Dimension.SEC: [4] * 8}), card({Dimension.SEC: [1] * 8})
    sec = next(
        each for each in compare_cards(*sides, alpha=0.0001).dimensions if each.dimension is Dimension.SEC
    )
    assert not sec.clear
    with pytest.raises(ValueError, match="alpha"):
        compare_cards(*sides, alpha=1.5)


def test_the_guard_refuses_other_questions_and_other_scopes() -> None:
    a = card({})
    other = compare_cards(a, card({}, matrix=small_matrix()))
    assert other.refused == "matrix"
    assert (other.dimensions, other.overall) == ((), None)
    quick = score(v2_3(), [], scope="quick", as_of=AS_OF)
    assert compare_cards(a, quick).refused == "scope"


def test_the_guard_names_other_profiles_and_times() -> None:
    a = card({})
    profile = Profile(frozenset({"serve"}))
    b = score(v2_3(), [], profile=profile, as_of=AS_OF - timedelta(days=200))
    found = compare_cards(a, b)
    assert found.refused is None
    assert [each.code for each in found.mismatches] == ["profile", "time"]


def test_without_answers_there_is_no_number() -> None:
    found = compare_cards(card({}), score(v2_3(), [], as_of=AS_OF))
    assert all(each.difference is None and each.p_value is None for each in found.dimensions)
    assert found.overall is not None
    assert found.overall.difference is None
    assert "rank" not in str(found.as_dict())

"""Comparison of scorecards: exact test, Holm, the guard, and never a rank."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.answers import Answer
from assessments.domain.compare import Side, compare_cards, compare_sides
from assessments.domain.matrix import Profile
from assessments.domain.scoring import Scorecard, score
from assessments.domain.shipped import v2_3

NOW = datetime(2026, 12, 2, tzinfo=UTC)
IDS = [practice.id for practice in v2_3().practices]


def card(levels: dict[str, int], **changes: Any) -> Scorecard:
    """A card in which the current level of a practice is what `levels` says (0 or 1 need no evidence)."""
    answers = [Answer(practice=key, level=value) for key, value in levels.items()]
    return score(v2_3(), answers, **{"as_of": NOW, **changes})


def permutation_p(left: list[int], right: list[int]) -> float:
    """By enumeration: the share of relabelings whose D is at least the observed."""
    pooled = left + right

    def distance(chosen: tuple[int, ...]) -> int:
        inside = [pooled[i] for i in chosen]
        outside = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        return max(
            abs(sum(v <= x for v in inside) * len(outside) - sum(v <= x for v in outside) * len(inside))
            for x in pooled
        )

    observed = distance(tuple(range(len(left))))
    every = [distance(chosen) for chosen in combinations(range(len(pooled)), len(left))]
    return sum(d >= observed for d in every) / len(every)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=8, max_size=8))
def test_p_is_the_exact_one_and_the_difference_that_of_the_scores(pairs: list[tuple[int, int]]) -> None:
    rel = [each for each in IDS if each.startswith("REL")]
    a = card({key: pair[0] for key, pair in zip(rel, pairs, strict=True)})
    b = card({key: pair[1] for key, pair in zip(rel, pairs, strict=True)})
    found = compare_cards(a, b)
    row = next(each for each in found.dimensions if each.dimension == "REL")
    expected = permutation_p([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    assert row.p_value is not None and abs(row.p_value - expected) < 1e-12
    assert row.difference is not None
    assert abs(row.difference - sum(p[0] - p[1] for p in pairs) / 8) < 1e-4
    assert row.adjusted == row.p_value  # one tested dimension: Holm changes nothing
    assert row.shared == 8 and row.interval is None and row.interval_reason


def test_identical_cards_show_no_difference() -> None:
    one = card({key: index % 2 for index, key in enumerate(IDS)})
    found = compare_cards(one, one)
    assert all(row.difference == 0 and row.p_value == 1 and not row.clear for row in found.dimensions)


def test_swapping_sides_changes_only_the_sign() -> None:
    a, b = card(dict.fromkeys(IDS, 0)), card(dict.fromkeys(IDS, 1))
    forth = {row.dimension: row for row in compare_cards(a, b).dimensions}
    back = {row.dimension: row for row in compare_cards(b, a).dimensions}
    for key, row in forth.items():
        assert row.difference == -(back[key].difference or 0)
        assert row.p_value == back[key].p_value


def test_holm_makes_no_p_smaller_and_keeps_the_largest_difference_first() -> None:
    a = card(dict.fromkeys(IDS, 1))
    b = card({key: int(not key.startswith(("REL", "OBS"))) for key in IDS})
    rows = compare_cards(a, b).dimensions
    assert all((row.adjusted or 0) >= (row.p_value or 0) for row in rows)
    gaps = [abs(row.difference or 0) for row in rows]
    assert gaps == sorted(gaps, reverse=True)
    assert {row.dimension for row in rows if row.clear} == {"REL", "OBS"}


def test_the_guard_refuses_what_means_different_things() -> None:
    full = card(dict.fromkeys(IDS, 1))
    quick = card({}, scope="quick")
    assert compare_cards(full, quick).refused == "scope"
    other = Side("other", {**full.as_dict(), "matrix": {"version": "2.4", "sha256": "0" * 64}})
    assert compare_sides(Side("a", full.as_dict()), other).refused == "matrix"
    assert compare_cards(full, quick).dimensions == ()


def test_the_guard_warns_about_profile_and_time() -> None:
    a = card({}, profile=Profile(frozenset({"serve"})))
    b = card({}, profile=Profile(frozenset({"serve", "train"})), as_of=NOW + timedelta(days=91))
    found = compare_cards(a, b)
    assert [each.code for each in found.mismatches] == ["profile", "time"]
    assert found.refused is None
    near = replace(b, as_of=NOW + timedelta(days=90), profile=a.profile)
    assert compare_cards(a, near).mismatches == ()


def test_too_few_shared_practices_give_no_test() -> None:
    found = compare_cards(card({"REL-01": 1}), card({"REL-01": 0, "REL-02": 1}))
    row = next(each for each in found.dimensions if each.dimension == "REL")
    assert (row.p_value, row.statistic, row.adjusted, row.shared) == (None, None, None, 1)

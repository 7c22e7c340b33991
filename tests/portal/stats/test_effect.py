"""Effect sizes by their definitions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.stats.effect import cliffs_delta, mean_difference

VALUES = st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=20)


@given(VALUES, VALUES)
def test_cliffs_delta_counts_pairs(a: list[float], b: list[float]) -> None:
    pairs = sum((x > y) - (x < y) for x in a for y in b)
    assert cliffs_delta(a, b) == pairs / (len(a) * len(b))
    assert cliffs_delta(b, a) == -cliffs_delta(a, b)
    assert cliffs_delta([math.atan(x) for x in a], [math.atan(x) for x in b]) == cliffs_delta(a, b)


@given(VALUES, VALUES)
def test_mean_difference_is_antisymmetric_and_orderless(a: list[float], b: list[float]) -> None:
    assert mean_difference(a, b) == -mean_difference(b, a)
    assert mean_difference(a[::-1], sorted(b)) == mean_difference(a, b)


def test_extremes() -> None:
    assert cliffs_delta([4, 5], [1, 2, 3]) == 1.0
    assert cliffs_delta([2, 2], [2, 2]) == 0.0
    assert mean_difference([1.0, 2.0, 6.0], [1.0]) == pytest.approx(2.0)

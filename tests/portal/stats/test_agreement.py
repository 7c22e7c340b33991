"""Agreement of raters against values worked out by hand, and its properties."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.errors import Invalid
from portal.stats.agreement import agreement, gwet_ac2, weighted_kappa

NONE = math.nan
# Four units, two raters, levels 0 to 5: (0,0) (2,3) (5,5) (3,1).
FOUR = [[0, 0], [2, 3], [5, 5], [3, 1]]


def test_kappa_of_four_units_by_hand() -> None:
    # Observed squared distance: (0 + 1 + 0 + 4) / 4 = 5/4.
    # Expected, all 16 combinations of {0,2,5,3} and {0,3,5,1}:
    # 0: 0 9 25 1 = 35; 2: 4 1 9 1 = 15; 5: 25 4 0 16 = 45; 3: 9 0 4 4 = 17; sum 112, mean 7.
    assert weighted_kappa(FOUR, 6) == pytest.approx(float(1 - Fraction(5, 4) / 7))


def test_ac2_of_four_units_by_hand() -> None:
    # Agreement of the pairs: 1, 1 - 1/25, 1, 1 - 4/25; mean 95/100.
    # Shares of the levels over both raters: 0: 2/8, 1: 1/8, 2: 1/8, 3: 2/8, 4: 0, 5: 2/8;
    # sum of pi (1 - pi) = 3 * (1/4)(3/4) + 2 * (1/8)(7/8) = 36/64 + 14/64 = 50/64.
    # T_w = 36 - sum of (k-l)^2 / 25 = 36 - 210/25 = 27.6; chance = 27.6 / 30 * 50/64 = 0.71875.
    assert gwet_ac2(FOUR, 6) == pytest.approx(float((Fraction(95, 100) - Fraction(23, 32)) / Fraction(9, 32)))


def test_two_categories_are_cohens_kappa_of_a_textbook_table() -> None:
    # 20 yes/yes, 15 no/no, 5 and 10 mixed: agreement 35/50, chance 1/2, kappa 2/5.
    rows = [[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 10 + [[0, 0]] * 15
    assert weighted_kappa(rows, 2) == pytest.approx(0.4)
    # AC1: yes in 25 + 30 of 100 ratings, chance 2 * 0.55 * 0.45 = 0.495; (0.7 - 0.495) / 0.505.
    assert gwet_ac2(rows, 2) == pytest.approx(0.205 / 0.505)


def test_three_raters_with_gaps_by_hand() -> None:
    # Pairs: 1-2 over units 1, 2: (1,1) (2,4): observed 4/2 = 2; expected of {1,2} x {1,4}: (0+9+1+4)/4 = 3.5.
    # 1-3 over units 1, 3: (1,2) (0,0): observed 1/2; expected of {1,0} x {2,0}: (1+1+4+0)/4 = 1.5.
    # 2-3 over unit 1: (1,2): observed 1, expected 1: kappa 0.
    rows = [[1, 1, 2], [2, 4, NONE], [0, NONE, 0], [NONE, 3, NONE]]
    expected = ((1 - 2 / 3.5) + (1 - 0.5 / 1.5) + 0) / 3
    assert weighted_kappa(rows, 6) == pytest.approx(expected)
    found = agreement(rows, 6, resamples=50)
    # Pairs: 1-1, 1-2, 1-2, 2-4, 0-0: two equal, four within one.
    assert (found.units, found.pairs, found.exact, found.near) == (3, 5, 0.4, 0.8)


def test_where_all_ratings_are_equal_kappa_is_undefined_and_ac2_is_one() -> None:
    found = agreement([[3, 3]] * 5, 6, resamples=50)
    assert found.kappa is None and found.kappa_interval is None
    assert (found.exact, found.near, found.ac2) == (1.0, 1.0, 1.0)


def test_nothing_in_common() -> None:
    found = agreement([[1, NONE], [NONE, 2]], 6, resamples=50)
    assert (found.units, found.pairs, found.exact, found.kappa, found.ac2) == (0, 0, None, None, None)


@pytest.mark.parametrize("rows", [[[1], [2]], [[1, 6]], [[1, -1]], [[1, 1.5]], [1, 2]])
def test_what_is_no_table_of_ratings_is_refused(rows: object) -> None:
    with pytest.raises(Invalid):
        agreement(rows, 6)  # type: ignore[arg-type]


LEVELS = st.integers(0, 5)
TABLES = st.lists(st.tuples(LEVELS, LEVELS, LEVELS), min_size=2, max_size=12)


@given(TABLES, st.permutations([0, 1, 2]), st.randoms(use_true_random=False))
def test_neither_the_order_of_raters_nor_of_units_matters(
    rows: list[tuple[int, int, int]], columns: list[int], random: object
) -> None:
    table = np.array(rows, dtype=float)
    other = np.array(sorted(rows), dtype=float)[:, columns]
    for statistic in (weighted_kappa, gwet_ac2):
        one, two = statistic(table, 6), statistic(other, 6)
        assert one == pytest.approx(two, nan_ok=True)
        assert math.isnan(one) or one <= 1 + 1e-12


@given(TABLES)
def test_turning_the_scale_round_changes_nothing(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows, dtype=float)
    assert weighted_kappa(table, 6) == pytest.approx(weighted_kappa(5 - table, 6), nan_ok=True)
    assert gwet_ac2(table, 6) == pytest.approx(gwet_ac2(5 - table, 6))


@given(st.lists(LEVELS, min_size=2, max_size=12))
def test_raters_who_say_the_same_agree_wholly(levels: list[int]) -> None:
    found = agreement([[each, each] for each in levels], 6, resamples=20)
    assert (found.exact, found.near) == (1, 1)
    assert found.kappa in (None, 1.0) and found.ac2 == pytest.approx(1)

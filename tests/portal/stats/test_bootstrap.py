"""Intervals against R, scipy and simulated coverage."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from portal.errors import Invalid, Refused
from portal.stats import bootstrap
from portal.stats.bootstrap import Totals, difference_interval, mean_interval, ratio_interval

SMALL = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=11)
ANY = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=30)
CITY_U = [138, 93, 61, 179, 48, 37, 29, 23, 30, 2]
CITY_X = [143, 104, 69, 260, 75, 63, 50, 48, 111, 50]
AIRCONDIT = [3, 5, 7, 18, 43, 85, 91, 98, 100, 130, 230, 487]


def test_bca_of_a_mean_is_that_of_r() -> None:
    """R boot 1.3-28, 99,999 resamples: 56.75 to 224.92; simulation leaves about 1.5 %."""
    found = mean_interval(AIRCONDIT, resamples=99_999)
    assert found.method == "bca"
    assert found.low == pytest.approx(56.75, rel=0.015)
    assert found.high == pytest.approx(224.92, rel=0.015)


def test_bca_of_a_ratio_is_that_of_r(monkeypatch: pytest.MonkeyPatch) -> None:
    """boot::city, 99,999 resamples: 1.2524 to 2.1169. Ten units would get t, so the rule is lowered."""
    monkeypatch.setattr(bootstrap, "BCA_UNITS", 2)
    totals = Totals(np.asarray(CITY_X, float), np.asarray(CITY_U, float))
    assert totals.ratio == pytest.approx(1.5203125, abs=1e-12)
    low, high, _ = ratio_interval(totals, level=0.95, resamples=99_999, seed=1)
    assert low == pytest.approx(1.2524, rel=0.015)
    assert high == pytest.approx(2.1169, rel=0.015)


def test_welch_and_paired_t_of_r(shared_data: Path) -> None:
    """R: t.test(extra ~ group, sleep) and the paired one."""
    sleep = json.loads((shared_data / "reference" / "r_samples.json").read_text())["sleep"]
    welch = difference_interval(sleep["a"], sleep["b"])
    assert (welch.low, welch.high) == pytest.approx((-3.3654832, 0.2054832), abs=1e-7)
    assert welch.method == "welch_t"
    people = [str(i) for i in range(10)]
    paired = difference_interval(sleep["a"], sleep["b"], units=people * 2)
    assert (paired.low, paired.high) == pytest.approx((-2.4598858, -0.7001142), abs=1e-7)
    assert paired.method == "t"


@settings(deadline=None)
@given(SMALL, SMALL)
def test_small_samples_equal_scipy(a: list[float], b: list[float]) -> None:
    if len(set(a)) == 1 or len(set(b)) == 1:
        return
    theirs = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.9)
    ours = difference_interval(a, b, level=0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9, abs=1e-9)
    single = stats.ttest_1samp(a, 0).confidence_interval(0.95)
    mine = mean_interval(a)
    assert (mine.low, mine.high) == pytest.approx((single.low, single.high), rel=1e-9, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(ANY, ANY)
def test_mirror_order_shift_and_scale(a: list[float], b: list[float]) -> None:
    found = difference_interval(a, b, resamples=199)
    swapped = difference_interval(b[::-1], a[::-1], resamples=199)
    assert (swapped.low, swapped.high) == (-found.high, -found.low)
    moved = difference_interval([4 * x + 64 for x in a], [4 * x + 64 for x in b], resamples=199)
    assert (moved.low, moved.high) == pytest.approx((4 * found.low, 4 * found.high), rel=1e-9, abs=1e-9)
    assert found.low <= found.high


def test_same_seed_same_numbers() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 40))
    assert difference_interval(a, b, seed=5) == difference_interval(a, b, seed=5)
    assert difference_interval(a, b, seed=5) != difference_interval(a, b, seed=6)


def test_rule_of_twelve_units() -> None:
    rng = np.random.default_rng(1)
    assert mean_interval(rng.normal(size=11)).method == "t"
    assert mean_interval(rng.normal(size=12)).method == "bca"
    assert difference_interval(rng.normal(size=11), rng.normal(size=50)).method == "welch_t"
    assert difference_interval(rng.normal(size=12), rng.normal(size=50)).method == "bca"
    grouped = mean_interval(rng.normal(size=100), units=[f"p{i % 10}" for i in range(100)])
    assert (grouped.method, grouped.units) == ("t", (10,))


def test_equal_units_are_their_means() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(8, 5)), rng.normal(size=(7, 5))
    labels = [f"a{i}" for i in range(8) for _ in range(5)] + [f"b{i}" for i in range(7) for _ in range(5)]
    by_units = difference_interval(a.ravel(), b.ravel(), units=labels)
    by_means = difference_interval(a.mean(axis=1), b.mean(axis=1))
    assert (by_units.low, by_units.high) == pytest.approx((by_means.low, by_means.high), rel=1e-12)


@pytest.mark.parametrize("size", [8, 12, 24])
def test_coverage_of_a_likert_mean(size: int) -> None:
    """3,000 runs: t at 8 covers .94, BCa at 12 .92, at 24 .94; the band is three standard errors of 600.

    Every run has its own seed: one seed draws the same units each time and shifts all runs alike.
    """
    rng = np.random.default_rng(size)
    shares = np.asarray([0.1, 0.2, 0.3, 0.25, 0.15])
    truth = float(shares @ np.arange(1, 6))
    covered = 0
    for run in range(600):
        values = rng.choice(np.arange(1.0, 6.0), size=size, p=shares)
        found = mean_interval(values, resamples=499, seed=run)
        covered += found.low <= truth <= found.high
    assert 0.89 <= covered / 600 <= 0.975


def test_coverage_of_a_difference_of_people() -> None:
    """14 people with 6 correlated answers each on either side; by answers it would cover far too little."""
    rng = np.random.default_rng(3)
    labels = [f"p{i // 6}" for i in range(168)]
    by_people = by_answers = 0
    for run in range(300):
        values = np.repeat(rng.normal(size=28), 6) + rng.normal(size=168)
        one = difference_interval(values[:84], values[84:], units=labels, resamples=399, seed=run)
        two = difference_interval(values[:84], values[84:], resamples=399, seed=run)
        by_people += one.low <= 0.0 <= one.high
        by_answers += two.low <= 0.0 <= two.high
    assert 0.90 <= by_people / 300 <= 0.985
    assert by_answers / 300 < 0.8


@pytest.mark.parametrize("size", [2, 20])
def test_data_without_spread(size: int) -> None:
    same = difference_interval([3.0] * size, [3.0] * size)
    assert (same.low, same.high, same.method) == (0.0, 0.0, "degenerate")
    apart = difference_interval([0.1] * size, [0.3] * size)
    assert (apart.low, apart.high) == pytest.approx((-0.2, -0.2))
    one = mean_interval([0.1] * size)
    assert (one.low, one.high) == pytest.approx((0.1, 0.1))
    half = difference_interval([3.0] * size, [float(i) for i in range(size)])
    assert half.low < 3.0 - (size - 1) / 2 < half.high


@pytest.mark.parametrize("scale", [1e-150, 1e99])
def test_extreme_magnitudes(scale: float) -> None:
    rng = np.random.default_rng(4)
    a, b = rng.uniform(size=(2, 20))
    plain, scaled = difference_interval(a, b), difference_interval(a * scale, b * scale)
    assert (scaled.low / scale, scaled.high / scale) == pytest.approx((plain.low, plain.high), rel=1e-9)


def test_refusals() -> None:
    with pytest.raises(Refused) as caught:
        mean_interval([1.0, 2.0, 3.0], units=["one", "one", "one"])
    assert caught.value.code == "too_few_units"
    with pytest.raises(Refused, match="units"):
        difference_interval([1.0, 2.0], [3.0, 4.0], units=["p", "p", "q", "q"])
    with pytest.raises(Invalid):
        mean_interval([1.0, 2.0], units=["p"])

"""The exact test against R, published tables and enumeration; the permutation against the exact test."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.errors import Invalid
from portal.stats import ks
from portal.stats.ks import exact_tail, two_sample, two_sample_exact, two_sample_permutation

LIKERT = st.lists(st.integers(0, 4), min_size=2, max_size=5)
NUMBERS = st.lists(st.integers(-30, 30).map(float), min_size=2, max_size=25)
FOUR = [2] * 3 + [3] * 4 + [5] * 5 + [6] * 4


def repeated(*pairs: tuple[int, int]) -> list[int]:
    return [value for value, times in pairs for _ in range(times)]


def shifted(size: int, steps: int) -> tuple[list[float], list[float]]:
    """Two samples without ties whose D is steps / size."""
    return [float(i) for i in range(size)], [i + steps - 0.5 for i in range(size)]


def enumerated(a: list[int], b: list[int]) -> Fraction:
    """The definition: the share of all relabelings whose D is at least the observed."""

    def distance(left: list[int], right: list[int]) -> Fraction:
        return max(
            abs(
                Fraction(sum(v <= x for v in left), len(left))
                - Fraction(sum(v <= x for v in right), len(right))
            )
            for x in pooled
        )

    pooled = a + b
    goal = distance(a, b)
    deals = list(combinations(range(len(pooled)), len(a)))
    reached = 0
    for chosen in deals:
        left = [pooled[i] for i in chosen]
        right = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        reached += distance(left, right) >= goal
    return Fraction(reached, len(deals))


def test_every_sample_of_r(shared_data: Path) -> None:
    samples: dict[str, Any] = json.loads((shared_data / "reference" / "r_samples.json").read_text())
    seen = 0
    for name, sample in samples.items():
        if "p_exact" in sample:
            result = two_sample_exact(sample["a"], sample["b"])
            assert result.statistic == pytest.approx(sample["D"], abs=1e-12), name
            assert result.p_value == pytest.approx(sample["p_exact"], abs=1e-12), name
            seen += 1
    assert seen >= 8


@pytest.mark.parametrize(
    ("a", "b", "statistic", "p_value"),
    [
        (FOUR, [value + 1 for value in FOUR], 0.3125, 0.1982098833734952),
        (
            repeated((2, 3), (3, 4), (5, 10), (6, 4)),
            repeated((3, 10), (4, 2), (6, 10), (7, 4)),
            0.3479853480,
            0.03521772711686799,
        ),
        (
            [6, 7, 9, 13, 19, 21, 22, 23, 24],
            [10, 11, 12, 16, 20, 27, 28, 32, 44, 54],
            0.5,
            0.105577085453247,
        ),
        ([0, 2, 3, 4, 5, 6, 7, 8, 9, 12], [1, 10, 11, *range(13, 19)], None, 0.0027495724090154106),
        ([2, 4, 6, *range(8, 14)], [0, 1, 3, 5, 7], None, 0.085914085914085896),
        ([4, *range(6, 12)], [0, 1, 2, 3, 5], None, 0.015151515151515027),
    ],
)
def test_published_values(a: list[float], b: list[float], statistic: float | None, p_value: float) -> None:
    """R 4.2.2 (ties) and the test suite of Apache Commons Math, after R 3.2.0 (no ties)."""
    result = two_sample_exact(a, b)
    assert result.p_value == pytest.approx(p_value, abs=1e-12)
    if statistic is not None:
        assert result.statistic == pytest.approx(statistic, abs=1e-10)


@pytest.mark.parametrize(
    ("n", "m", "d", "beyond"),
    [
        (4, 6, Fraction(5, 6), 0.009524),
        (4, 7, Fraction(17, 28), 0.121212),
        (6, 7, Fraction(29, 42), 0.038462),
        (4, 10, Fraction(7, 10), 0.045954),
        (5, 15, Fraction(11, 15), 0.008772),
        (9, 10, Fraction(31, 45), 0.007036),
        (7, 10, Fraction(43, 70), 0.036096),
    ],
)
def test_rohatgi_table_9(n: int, m: int, d: Fraction, beyond: float) -> None:
    sizes = np.ones(n + m, dtype=np.int64)
    assert exact_tail(sizes, n, m, int(d * n * m) + 1) == pytest.approx(beyond, abs=5e-7)


@pytest.mark.parametrize(
    ("size", "at_05", "at_01"), [(60, 15, 18), (120, 22, 26), (240, 30, 36), (1000, 61, 73)]
)
def test_smallest_d_that_rejects(size: int, at_05: int, at_01: int) -> None:
    for steps, alpha in ((at_05, 0.05), (at_01, 0.01)):
        assert two_sample_exact(*shifted(size, steps)).p_value <= alpha
        assert two_sample_exact(*shifted(size, steps - 1)).p_value > alpha


def test_p_values_at_240() -> None:
    assert two_sample_exact(*shifted(240, 30)).p_value == pytest.approx(0.04694, abs=5e-6)
    assert two_sample_exact(*shifted(240, 36)).p_value == pytest.approx(0.00895, abs=5e-6)


@settings(max_examples=60, deadline=None)
@given(LIKERT, LIKERT)
def test_equals_the_definition_under_ties(a: list[int], b: list[int]) -> None:
    assert two_sample_exact(a, b).p_value == pytest.approx(float(enumerated(a, b)), rel=1e-12)


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_symmetric_and_only_order_counts(a: list[float], b: list[float]) -> None:
    result = two_sample_exact(a, b)
    swapped = two_sample_exact(b, a)
    assert swapped.p_value == pytest.approx(result.p_value, rel=1e-12)
    assert swapped.statistic == result.statistic
    assert 0.0 < result.p_value <= 1.0
    assert two_sample_exact(a[::-1], sorted(b)) == result
    for transform in (lambda x: x + 1000.0, lambda x: x**3, math.atan):
        assert two_sample_exact([transform(x) for x in a], [transform(x) for x in b]) == result
    mirrored = two_sample_exact([-x for x in a], [-x for x in b])
    assert mirrored.p_value == pytest.approx(result.p_value, rel=1e-12)


@pytest.mark.parametrize("size", [20, 100, 500])
def test_tiny_p_values_keep_their_digits(size: int) -> None:
    result = two_sample_exact(range(size), range(size, 2 * size))
    assert result.statistic == 1.0
    assert result.p_value == pytest.approx(2 / math.comb(2 * size, size), rel=1e-11, abs=0)


def test_p_is_never_zero() -> None:
    assert two_sample_exact(range(1000), range(1000, 2000)).p_value > 0.0


def test_identical_constants() -> None:
    result = two_sample_exact([3, 3, 3], [3.0, 3.0])
    assert (result.statistic, result.p_value) == (0.0, 1.0)


def test_equal_d_compares_equal_though_floats_do_not() -> None:
    """1/3 - 0 and 2/3 - 1/3 differ as floats; as integers both are the same distance (MATH-1245)."""
    a, b = [0.0, 1.0, 4.0], [2.0, 3.0, 5.0]
    assert two_sample_exact(a, b).p_value == pytest.approx(float(enumerated([0, 1, 4], [2, 3, 5])), rel=1e-14)


def test_beyond_the_limit_the_asymptotic_value_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """D = 39/102 - 18/100; R's asymptotic p for that D."""
    monkeypatch.setattr(ks, "EXACT_STEPS", 100)
    result = two_sample([0.0] * 39 + [1.0] * 63, [0.0] * 18 + [1.0] * 82)
    assert result.method == "asymptotic"
    assert result.statistic == pytest.approx(0.202352941176471, abs=1e-14)
    assert result.p_value == pytest.approx(0.0319983962391632, abs=1e-12)


def test_large_samples_choose_by_themselves() -> None:
    assert two_sample(*shifted(240, 20)).method == "exact"
    large = np.arange(30_000.0)
    assert two_sample(large, large + 0.5).method == "asymptotic"


@pytest.mark.parametrize(
    ("a", "place"), [([1.0], "a"), ([], "a"), ([1.0, math.nan], "a[1]"), ([1.0, 2.0, math.inf], "a[2]")]
)
def test_bad_values_are_named(a: list[float], place: str) -> None:
    with pytest.raises(Invalid) as caught:
        two_sample_exact(a, [1.0, 2.0])
    assert caught.value.place == place


@pytest.mark.parametrize("values", ["likert", "continuous"])
def test_permutation_of_values_agrees_with_the_exact_p(values: str) -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=40), rng.normal(0.5, 1, size=55)
    if values == "likert":
        a, b = np.clip(np.round(a + 3), 1, 5), np.clip(np.round(b + 3), 1, 5)
    exact = two_sample_exact(a, b).p_value
    result = two_sample_permutation(a, b, resamples=9999, seed=1)
    assert abs(result.p_value - exact) < 4 * math.sqrt(exact * (1 - exact) / 9999) + 1e-4
    assert result == two_sample_permutation(a[::-1], b[::-1], resamples=9999, seed=1)
    assert result.p_value == two_sample_permutation(b, a, resamples=9999, seed=1).p_value


def test_total_separation_has_the_smallest_p_a_permutation_can_give() -> None:
    assert two_sample_permutation(range(60), range(60, 120), resamples=999, seed=0).p_value == 1 / 1000

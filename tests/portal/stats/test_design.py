"""The unit of exchange: right units keep the size of the test, wrong ones do not, and refusals say why."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.errors import Invalid, Refused
from portal.stats.autocorrelation import integrated_time
from portal.stats.design import Exchange, Reason, plan
from portal.stats.ks import tie_groups, two_sample_permutation

RUNS = 200


def autoregressive(rng: np.random.Generator, phi: float, size: int) -> np.ndarray:
    noise = rng.normal(size=size + 200)
    series = np.empty_like(noise)
    last = 0.0
    for index, shock in enumerate(noise):
        last = phi * last + shock
        series[index] = last
    return series[200:]


def reached(left: list[float], right: list[float], n: int, m: int, goal: int) -> bool:
    """D* >= D as exact fractions."""
    groups = tie_groups(np.asarray(left), np.asarray(right))
    return groups.distance * n * m >= goal * groups.n * groups.m


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3), min_size=6, max_size=6),
    st.integers(0, 100),
)
def test_units_agree_with_enumeration(units: list[list[int]], seed: int) -> None:
    """Six units of unequal size, three to each sample: all 20 deals against 4,000 drawn ones."""
    samples = [[float(x) for unit in part for x in unit] for part in (units[:3], units[3:])]
    if min(len(part) for part in samples) < 2:
        return
    goal = tie_groups(np.asarray(samples[0]), np.asarray(samples[1])).distance
    hits = 0
    for chosen in combinations(range(6), 3):
        parts: list[list[float]] = [[], []]
        for index, unit in enumerate(units):
            parts[index not in chosen].extend(float(x) for x in unit)
        hits += reached(parts[0], parts[1], len(samples[0]), len(samples[1]), goal)
    labels = [f"u{index}" for index, unit in enumerate(units) for _ in unit]
    drawn = two_sample_permutation(*samples, units=labels, resamples=4000, seed=seed).p_value
    assert drawn == pytest.approx(hits / 20, abs=0.04)


def test_pairs_agree_with_enumeration() -> None:
    a, b = [1.0, 2.0, 2.0, 5.0, 4.0, 3.0], [2.0, 3.0, 2.0, 6.0, 6.0, 5.0]
    goal = tie_groups(np.asarray(a), np.asarray(b)).distance
    hits = 0
    for swaps in product((False, True), repeat=6):
        left = [y if swap else x for x, y, swap in zip(a, b, swaps, strict=True)]
        right = [x if swap else y for x, y, swap in zip(a, b, swaps, strict=True)]
        hits += reached(left, right, 6, 6, goal)
    result = two_sample_permutation(a, b, units=[*"abcdef", *"abcdef"], resamples=9999, seed=0)
    assert result.exchange is Exchange.PAIR
    assert result.units == 6
    assert result.p_value == pytest.approx(hits / 64, abs=0.02)


def test_order_of_values_and_of_the_two_samples_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, 30).astype(float), rng.integers(0, 5, 40).astype(float)
    units = [f"r{i // 5}" for i in range(70)]
    strata = ["x" if i % 10 < 5 else "y" for i in range(70)]
    result = two_sample_permutation(a, b, units=units, strata=strata, seed=4)
    turned = two_sample_permutation(
        a[::-1], b, units=units[:30][::-1] + units[30:], strata=strata[:30][::-1] + strata[30:], seed=4
    )
    swapped = two_sample_permutation(
        b, a, units=units[30:] + units[:30], strata=strata[30:] + strata[:30], seed=4
    )
    assert turned == result
    assert swapped.p_value == result.p_value
    assert two_sample_permutation(a, b, strata=strata).p_value == (
        two_sample_permutation(b, a, strata=strata[30:] + strata[:30]).p_value
    )


def test_respondents_not_answers_keep_the_size() -> None:
    """24 people with 10 answers each and no difference: by answers the test errs in a third of cases."""
    rng = np.random.default_rng(11)
    by_answer = by_person = 0
    labels = [f"p{i // 10}" for i in range(480)]
    for _ in range(RUNS):
        people = rng.normal(size=48)
        answers = np.clip(np.round(3 + np.repeat(people, 10) + rng.normal(size=480)), 1, 5)
        a, b = answers[:240], answers[240:]
        by_answer += two_sample_permutation(a, b, resamples=99).p_value <= 0.05
        by_person += two_sample_permutation(a, b, units=labels, resamples=99).p_value <= 0.05
    assert by_answer / RUNS > 0.2
    assert by_person / RUNS < 0.1


def test_team_mix_alone_is_no_difference_inside_strata() -> None:
    rng = np.random.default_rng(12)
    strata = ["young"] * 180 + ["old"] * 60 + ["young"] * 60 + ["old"] * 180
    shift = np.asarray([0.0 if label == "young" else 2.0 for label in strata])
    plain = stratified = 0
    for _ in range(RUNS):
        values = np.round(rng.normal(size=480) + shift)
        a, b = values[:240], values[240:]
        plain += two_sample_permutation(a, b, resamples=99).p_value <= 0.05
        stratified += two_sample_permutation(a, b, strata=strata, resamples=99).p_value <= 0.05
    assert plain / RUNS > 0.95
    assert stratified / RUNS < 0.1


def test_blocks_keep_the_size_of_autocorrelated_windows() -> None:
    rng = np.random.default_rng(13)
    by_value = by_block = tested = 0
    for _ in range(RUNS):
        a, b = autoregressive(rng, 0.6, 240), autoregressive(rng, 0.6, 240)
        by_value += two_sample_permutation(a, b, resamples=99).p_value <= 0.05
        try:
            by_block += two_sample_permutation(a, b, block="auto", resamples=99).p_value <= 0.05
            tested += 1
        except Refused as refusal:
            assert refusal.code == "too_autocorrelated"
    assert by_value / RUNS > 0.18
    assert tested > 0.8 * RUNS
    assert by_block / tested < 0.1


def test_a_long_memory_is_refused_with_the_length_it_needs() -> None:
    rng = np.random.default_rng(14)
    found = plan(autoregressive(rng, 0.95, 240), autoregressive(rng, 0.95, 240), block="auto")
    assert isinstance(found, Reason)
    assert found.code == "too_autocorrelated"
    assert int(found.values["needed"]) > 240
    assert f"needs {found.values['needed']} samples" in found.message


def test_blocks_are_whole_and_a_shift_is_found() -> None:
    rng = np.random.default_rng(15)
    a, b = autoregressive(rng, 0.3, 247), autoregressive(rng, 0.3, 251) + 1.0
    result = two_sample_permutation(a, b, block="auto")
    assert result.exchange is Exchange.BLOCK
    assert result.block is not None
    assert result.units == 247 // result.block + 251 // result.block
    assert result.p_value < 0.01
    found = plan(a, b, block=20)
    assert not isinstance(found, Reason)
    sizes = np.concatenate((np.bincount(found.unit_a), np.bincount(found.unit_b - found.unit_b[0])))
    assert sizes.min() >= 20
    assert sizes.max() <= 21


@pytest.mark.parametrize(("phi", "truth"), [(0.0, 1.0), (0.5, 3.0), (0.8, 9.0)])
def test_integrated_time_of_ar1(phi: float, truth: float) -> None:
    series = autoregressive(np.random.default_rng(16), phi, 40_000)
    assert integrated_time(series) == pytest.approx(truth, rel=0.15)
    assert integrated_time(series * 7 + 1e6) == pytest.approx(integrated_time(series), rel=1e-6)


def test_integrated_time_of_odd_series() -> None:
    assert integrated_time(np.full(50, 0.1)) == 1.0
    assert integrated_time(np.asarray([1.0, 2.0])) == 1.0
    assert integrated_time(np.asarray([1.0, -1.0] * 50)) == 1.0
    assert integrated_time(np.arange(100.0)) > 15


A, B = np.asarray([1.0, 2.0, 3.0]), np.asarray([2.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("design", "code"),
    [
        ({"units": ["p", "p", "q", "q", "r", "r"]}, "units_partly_shared"),
        ({"units": ["p", "p", "q", "p", "q", "q"]}, "unequal_pairs"),
        ({"units": ["p", "p", "q", "r", "r", "s"], "strata": [*"xyxxxx"]}, "unit_in_two_strata"),
        ({"strata": [*"xxxyyy"]}, "no_common_stratum"),
        ({"block": "auto"}, "too_autocorrelated"),
        ({"block": 3}, "too_few_blocks"),
    ],
)
def test_designs_without_an_answer(design: dict[str, object], code: str) -> None:
    found = plan(A, B, **design)  # type: ignore[arg-type]
    assert isinstance(found, Reason)
    assert found.code == code
    with pytest.raises(Refused) as caught:
        two_sample_permutation(A, B, **design)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_a_block_shorter_than_the_memory_is_refused() -> None:
    rng = np.random.default_rng(17)
    found = plan(autoregressive(rng, 0.9, 1000), autoregressive(rng, 0.9, 1000), block=10)
    assert isinstance(found, Reason)
    assert found.code == "block_too_short"


@pytest.mark.parametrize(
    ("design", "code"),
    [
        ({"units": ["p"]}, "wrong_length"),
        ({"strata": ["p"] * 7}, "wrong_length"),
        ({"block": 2, "units": ["p"] * 6}, "block_with_labels"),
        ({"block": 0}, "bad_block"),
        ({"block": True}, "bad_block"),
    ],
)
def test_wrong_input(design: dict[str, object], code: str) -> None:
    with pytest.raises(Invalid) as caught:
        plan(A, B, **design)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_units_of_one_value_are_independent_values() -> None:
    found = plan(A, B, units=list("abcdef"))
    assert not isinstance(found, Reason)
    assert found.exchange is Exchange.VALUE

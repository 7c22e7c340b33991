"""The whole comparison: which test is chosen, what is refused, what stays the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.errors import Invalid
from portal.stats import compare, ks
from portal.stats.compare import compare_levels, compare_samples
from portal.stats.design import Exchange
from portal.stats.ks import two_sample_exact

VALUES = st.lists(st.integers(0, 5).map(float), min_size=2, max_size=20)


@settings(max_examples=50, deadline=None)
@given(VALUES, VALUES)
def test_independent_values_get_the_exact_test_and_mirror(a: list[float], b: list[float]) -> None:
    found = compare_samples(a, b, resamples=199)
    swapped = compare_samples(b[::-1], a, resamples=199)
    exact = two_sample_exact(a, b)
    assert found.refused is None
    assert found.ks == exact
    assert found.n == (len(a), len(b))
    assert swapped.difference == -found.difference
    assert swapped.cliffs_delta == -found.cliffs_delta
    assert found.interval is not None and swapped.interval is not None
    assert (swapped.interval.low, swapped.interval.high) == (-found.interval.high, -found.interval.low)


def test_identical_constants_work() -> None:
    shape = compare_samples([3, 3, 3], [3, 3]).as_dict()
    assert shape["ks"]["p_value"] == 1.0
    assert shape["effect"] == {"difference": 0.0, "cliffs_delta": 0.0}
    assert shape["interval"] == [0.0, 0.0]
    assert shape["interval_method"] == "degenerate"
    assert shape["refused"] is None


def test_units_and_strata_choose_the_permutation() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(1, 6, 60), rng.integers(1, 6, 60)
    units = [f"u{i // 5}" for i in range(120)]
    strata = ["x" if i // 5 % 2 else "y" for i in range(120)]
    found = compare_samples(a, b, units=units, strata=strata)
    assert found.ks is not None
    assert (found.ks.method, found.ks.exchange) == ("permutation", Exchange.UNIT)
    assert (found.ks.units, found.ks.strata) == (24, 2)
    assert found.interval is not None
    assert found.interval.units == (12, 12)
    assert found.interval.method == "bca"
    assert found == compare_samples(a, b, units=units, strata=strata)
    assert found != compare_samples(a, b, units=units, strata=strata, seed=1)


def test_the_difference_inside_strata() -> None:
    """Both strata differ by 1; the mix makes the plain difference 3."""
    a, b = [1.0, 5.0, 5.0, 5.0], [0.0, 0.0, 0.0, 4.0]
    found = compare_samples(a, b, strata=["lo", "hi", "hi", "hi", "lo", "lo", "lo", "hi"], alpha=0.4)
    assert found.difference == 3.0
    assert found.stratified_difference == 1.0


@pytest.mark.parametrize(("each", "refused"), [(2, True), (3, True), (4, False)])
def test_too_few_units_to_ever_reject(each: int, refused: bool) -> None:
    """2 / C(2u, u): .333, .1, .0286."""
    units = [f"u{i // 2}" for i in range(4 * each)]
    found = compare_samples(range(2 * each), range(50, 50 + 2 * each), units=units)
    assert (found.ks is None) == refused
    if refused:
        assert found.refused is not None
        assert found.refused.code == "too_few_units"
        assert found.cliffs_delta == -1.0
        assert found.interval is not None


def test_one_unit_has_no_interval() -> None:
    found = compare_samples([1, 2], [3, 4], units=["p", "p", "q", "q"]).as_dict()
    assert (found["ks"], found["interval"]) == (None, None)
    assert found["refused_code"] == "too_few_units"
    assert "2 units" in found["interval_refused"]


def test_refused_designs_keep_the_effect() -> None:
    series = np.cumsum(np.random.default_rng(1).normal(size=200))
    found = compare_samples(series, series + 1, block="auto").as_dict()
    assert found["ks"] is None
    assert found["refused_code"] == "too_autocorrelated"
    assert f"needs {found['refused_values']['needed']} samples" in found["refused"]
    assert found["effect"]["difference"] == pytest.approx(-1.0)
    assert found["interval"] is None


def test_large_tied_samples_are_permuted_until_resamples_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ks, "EXACT_STEPS", 100)
    rng = np.random.default_rng(2)
    a, b = rng.integers(1, 6, (2, 200))
    near = compare.compare_samples(a, b).ks
    assert near is not None
    assert near.method == "permutation"
    assert near.p_value == pytest.approx(two_sample_exact(a, b).p_value, abs=0.06)
    far = compare.compare_samples(a, b + 3).ks
    assert far is not None
    assert far.method == "asymptotic"
    assert two_sample_exact(a, b + 3).p_value <= far.p_value < 1 / 1001


def test_levels_are_paired_by_practice_and_have_no_interval() -> None:
    a = {f"REL-0{i}": float(i % 5) for i in range(1, 9)} | {"SEC-01": 3.0}
    b = {f"REL-0{i}": float(i % 5) + 1 for i in range(1, 9)} | {"OBS-01": 3.0}
    found = compare_levels(a, b)
    assert found.ks is not None
    assert found.ks.exchange is Exchange.PAIR
    assert found.difference == -1.0
    assert found.interval is None
    shape = found.as_dict()
    assert shape["pairing"] == {
        "by": "practice",
        "pairs": 8,
        "only_in_a": ["SEC-01"],
        "only_in_b": ["OBS-01"],
    }
    assert "not a sample" in shape["interval_refused"]
    with pytest.raises(Invalid, match="1 practices"):
        compare_levels({"REL-01": 1.0, "SEC-01": 2.0}, {"REL-01": 1.0})


@pytest.mark.parametrize(
    ("settings_", "place"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"alpha": 0.6}, "alpha"),
        ({"resamples": 10}, "resamples"),
        ({"resamples": 10**6}, "resamples"),
        ({"resamples": 99, "alpha": 0.001}, "resamples"),
        ({"seed": -1}, "seed"),
    ],
)
def test_settings_that_cannot_work(settings_: dict[str, float], place: str) -> None:
    with pytest.raises(Invalid) as caught:
        compare_samples([1, 2], [3, 4], **settings_)  # type: ignore[arg-type]
    assert caught.value.place == place

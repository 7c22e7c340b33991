"""Adjusted p-values against R's p.adjust, the 1995 paper and scipy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from portal.errors import Invalid
from portal.stats.multiplicity import benjamini_hochberg, holm

P = st.lists(st.floats(0, 1), min_size=1, max_size=30)
# Benjamini & Hochberg 1995, section 4: at .05 their procedure rejects four, Bonferroni-type ones three.
PAPER = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
PAPER += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]


def test_values_of_r() -> None:
    """p.adjust(c(.01, .02, .03, .04, .05)) and p.adjust(c(.01, .04, .03)), holm and BH."""
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx((0.05, 0.08, 0.09, 0.09, 0.09))
    assert benjamini_hochberg([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx((0.05,) * 5)
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.04, 0.04))


def test_the_paper_of_1995() -> None:
    assert sum(p <= 0.05 for p in benjamini_hochberg(PAPER)) == 4
    assert sum(p <= 0.05 for p in holm(PAPER)) == 3


@given(P)
def test_benjamini_hochberg_equals_scipy(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(tuple(stats.false_discovery_control(p)), rel=1e-12)


@given(P)
def test_monotone_and_indifferent_to_order(p: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p)
        assert all(raw <= new <= 1.0 for raw, new in zip(p, adjusted, strict=True))
        ranked = sorted(zip(p, adjusted, strict=True))
        assert [new for _, new in ranked] == sorted(adjusted)
        assert adjust(p[::-1]) == adjusted[::-1]
    assert all(h >= b for h, b in zip(holm(p), benjamini_hochberg(p), strict=True))


@given(P, st.integers(0, 29), st.floats(0, 1))
def test_holm_never_falls_when_a_p_rises(p: list[float], index: int, share: float) -> None:
    raised = list(p)
    raised[index % len(p)] += (1 - raised[index % len(p)]) * share
    raised = [min(1.0, value) for value in raised]
    assert all(new >= old - 1e-15 for old, new in zip(holm(p), holm(raised), strict=True))


def test_nothing_and_nonsense() -> None:
    assert holm([]) == ()
    assert benjamini_hochberg([]) == ()
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(Invalid) as caught:
            holm([0.5, bad])
        assert caught.value.place == "pvalues[1]"

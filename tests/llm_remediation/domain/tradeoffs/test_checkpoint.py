"""Young, Daly and the waste of an interval: published values, values by hand, properties."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import lambertw

from llm_remediation.domain.tradeoffs.checkpoint import LONGEST_S, Checkpointing, deviation
from portal.errors import Invalid

MINUTE, HOUR = 60.0, 3600.0
SECONDS = st.floats(1.0, 1e7)


@pytest.mark.parametrize(("mtbf", "shown"), [(24 * HOUR, "117"), (6 * HOUR, "57"), (15 * MINUTE, "9.1")])
def test_daly_as_published(mtbf: float, shown: str) -> None:
    """Daly 2006, figures 3 to 5: save 5 min, restart 10 min."""
    minutes = Checkpointing(5 * MINUTE, mtbf, 10 * MINUTE).daly_s / MINUTE
    assert f"{minutes:.{1 if '.' in shown else 0}f}" == shown


def test_young_by_hand() -> None:
    assert Checkpointing(50, HOUR).young_s == 600  # sqrt(2 * 50 * 3600) = sqrt(360000)
    assert Checkpointing(5 * MINUTE, 24 * HOUR).young_s == 120 * MINUTE  # sqrt(2 * 5 * 1440) = 120


def test_daly_by_hand() -> None:
    """x = 50 / 7200 = 1 / 144: 600 (1 + 1/36 + 1/1296) - 50 = 567.1296."""
    assert Checkpointing(50, HOUR).daly_s == pytest.approx(567.12963, abs=1e-5)


def test_a_save_of_two_mtbfs_gives_the_mtbf() -> None:
    assert Checkpointing(2 * HOUR, HOUR).daly_s == HOUR
    assert Checkpointing(9 * HOUR, HOUR).daly_s == HOUR
    # Just below: M (2 (1 + 1/3 + 1/9) - 2) = 8/9 M.
    assert Checkpointing(2 * HOUR * (1 - 1e-12), HOUR).daly_s == pytest.approx(HOUR * 8 / 9)


def test_waste_by_hand() -> None:
    """save 50 s, M 3600 s, restart 180 s, interval 550 s.

    x = 600 / 3600 = 1/6; exp(1/6) - 1 = 0.18136041; exp(-0.05) = 0.95122942.
    useful = 550 / 3600 * 0.95122942 / 0.18136041 = 0.801315; save = 0.801315 * 50 / 550 = 0.072847.
    """
    waste = Checkpointing(50, HOUR, 180).waste(550)
    assert waste.save == pytest.approx(0.072847, abs=1e-6)
    assert waste.rework == pytest.approx(1 - 0.801315 - 0.072847, abs=1e-6)
    assert waste.total == pytest.approx(0.198685, abs=1e-6)


def test_waste_as_simulated() -> None:
    """20,000 periods with failures drawn from an exponential distribution, restarts that fail among them."""
    save, mtbf, restart, interval = 50.0, 1000.0, 180.0, 300.0
    draw = random.Random(20261202)
    clock = 0.0
    for _period in range(20_000):
        while (until := draw.expovariate(1 / mtbf)) < interval + save:
            clock += until
            while (again := draw.expovariate(1 / mtbf)) < restart:
                clock += again
            clock += restart
        clock += interval + save
    useful = 20_000 * interval / clock
    assert Checkpointing(save, mtbf, restart).waste(interval).total == pytest.approx(1 - useful, abs=0.005)


def test_without_failures_only_saving_costs() -> None:
    waste = Checkpointing(60, LONGEST_S).waste(540)
    assert waste.save == pytest.approx(0.1, rel=1e-6)
    assert waste.rework == pytest.approx(0, abs=1e-6)


def test_a_job_that_never_gets_through_wastes_everything() -> None:
    waste = Checkpointing(1, 1).waste(1e6)
    assert waste.total == 1
    assert waste.save == 0


@given(SECONDS, SECONDS, SECONDS)
def test_daly_wastes_no_more_than_its_neighbours(save: float, mtbf: float, restart: float) -> None:
    """A quarter to either side: the approximation stays closer to the true optimum than that."""
    job = Checkpointing(save, mtbf, restart)
    best = job.waste(job.daly_s).total
    assert best <= job.waste(job.daly_s * 0.75).total + 1e-12
    assert best <= job.waste(job.daly_s * 1.25).total + 1e-12


@given(SECONDS, st.floats(1e-4, 1.9))
def test_daly_is_close_to_the_exact_optimum(mtbf: float, ratio: float) -> None:
    """Exact: M (1 + W0(-exp(-1 - save / M))), where the derivative of the waste is 0 (Lambert's W)."""
    exact = mtbf * (1 + float(lambertw(-math.exp(-1 - ratio)).real))
    assert Checkpointing(ratio * mtbf, mtbf).daly_s == pytest.approx(exact, rel=0.07)


@given(SECONDS, SECONDS, st.floats(0, 1e7), SECONDS)
def test_shares_are_shares(save: float, mtbf: float, restart: float, interval: float) -> None:
    waste = Checkpointing(save, mtbf, restart).waste(interval)
    assert 0 <= waste.save <= 1
    assert 0 <= waste.rework <= 1
    assert waste.total <= 1 + 1e-12


@given(SECONDS, SECONDS, SECONDS)
def test_the_curve_holds_optimum_and_interval_in_use(save: float, mtbf: float, interval: float) -> None:
    job = Checkpointing(save, mtbf)
    curve = job.curve(interval)
    assert [each.interval_s for each in curve] == sorted(each.interval_s for each in curve)
    for marked in (interval, job.daly_s):
        assert curve[0].interval_s <= marked * (1 + 1e-9)
        assert curve[-1].interval_s >= marked * (1 - 1e-9)
    assert min(each.waste.total for each in curve) >= job.waste(job.daly_s).total - 0.01


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, 1e11, True])
@pytest.mark.parametrize("place", ["save_s", "mtbf_s"])
def test_bad_times_are_refused(place: str, bad: float) -> None:
    with pytest.raises(Invalid) as refused:
        Checkpointing(**{"save_s": 1.0, "mtbf_s": 1.0, place: bad})
    assert refused.value.place == place
    with pytest.raises(Invalid):
        Checkpointing(1.0, 1.0).waste(bad)


def test_deviation() -> None:
    assert deviation(750, 600) == 0.25
    assert deviation(450, 600) == 0.25

"""Two-sample Kolmogorov-Smirnov test that is right under ties, and its permutation form.

The statistic is compared as the integer max |m A - n B| = max |N A - n s| over the ends of tie groups
(A, B: values of a, b up to there; s = A + B; N = n + m), because equal D as floats need not compare
equal (Apache Commons Math issue MATH-1245).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from portal.errors import Refused
from portal.stats.design import Design, Exchange, Floats, Ints, Reason, check_values, plan
from portal.stats.permutation import enumerable, tail_count

EXACT_STEPS = 20_000
EXACT_CELLS = 250_000_000
"""An exact p-value beyond these would take longer than about half a second."""


@dataclass(frozen=True, slots=True)
class KsResult:
    """D, its p-value, how it was found ("exact", "asymptotic", "permutation") and what was exchanged."""

    statistic: float
    p_value: float
    method: str
    n: int
    m: int
    exchange: Exchange = Exchange.VALUE
    units: int | None = None
    strata: int | None = None
    block: int | None = None
    resamples: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape; fields that do not apply are left out."""
        extra = {
            "units": self.units,
            "strata": self.strata,
            "block": self.block,
            "resamples": self.resamples,
        }
        return {
            "statistic": self.statistic,
            "p_value": self.p_value,
            "method": self.method,
            "exchange": str(self.exchange),
            **{key: value for key, value in extra.items() if value is not None},
        }


@dataclass(frozen=True, slots=True)
class TieGroups:
    """Pooled sample by distinct value, ascending: `sizes` and `in_a`, both (k,)."""

    sizes: Ints
    in_a: Ints
    n: int
    m: int

    @property
    def distance(self) -> int:
        """The integer statistic; D = distance / (n m)."""
        ends = np.cumsum(self.sizes)
        return int(np.abs((self.n + self.m) * np.cumsum(self.in_a) - self.n * ends).max())

    @property
    def statistic(self) -> float:
        return self.distance / (self.n * self.m)

    @property
    def ties(self) -> bool:
        return bool(np.any(self.sizes > 1))


def tie_groups(a: Floats, b: Floats) -> TieGroups:
    """Group the pooled values; equal floats are ties (so are 0.0 and -0.0)."""
    _, inverse, sizes = np.unique(np.concatenate((a, b)), return_inverse=True, return_counts=True)
    in_a = np.bincount(inverse[: a.size], minlength=sizes.size)
    return TieGroups(sizes.astype(np.int64), in_a.astype(np.int64), a.size, b.size)


def two_sample_exact(
    a: Sequence[float] | npt.NDArray[np.float64], b: Sequence[float] | npt.NDArray[np.float64]
) -> KsResult:
    """Exact conditional p-value given the tie pattern (Schröer & Trenkler 1995, doi
    10.1016/0167-9473(94)00040-P): the share of all C(N, n) relabelings whose D is at least the observed.

    `a` (n,), `b` (m,): at least 2 finite values each, independent ones. Any size, but see `two_sample`:
    O(N min(n, m)). The p-value is a sum of positive terms, so tiny ones keep their relative accuracy;
    it is never 0 (below the smallest normal float it is that float). Raises Invalid on bad values.
    """
    groups = tie_groups(check_values(a, "a"), check_values(b, "b"))
    return _result(groups, _exact_p(groups), "exact")


def two_sample(
    a: Sequence[float] | npt.NDArray[np.float64], b: Sequence[float] | npt.NDArray[np.float64]
) -> KsResult:
    """`two_sample_exact` while that is affordable, else Kolmogorov's limit; `method` says which.

    The limit, K(D sqrt(n m / N)), knows nothing of ties and is then too timid (too large a p).
    """
    groups = tie_groups(check_values(a, "a"), check_values(b, "b"))
    if exact_is_affordable(groups):
        return _result(groups, _exact_p(groups), "exact")
    scaled = groups.statistic * math.sqrt(groups.n * groups.m / (groups.n + groups.m))
    return _result(groups, max(float(special.kolmogorov(scaled)), sys.float_info.min), "asymptotic")


def two_sample_permutation(
    a: Sequence[float] | npt.NDArray[np.float64],
    b: Sequence[float] | npt.NDArray[np.float64],
    *,
    units: Sequence[str] | None = None,
    strata: Sequence[str] | None = None,
    block: int | Literal["auto"] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> KsResult:
    """Monte Carlo permutation test of D, p = (1 + #{D* >= D}) / (resamples + 1), never 0.

    `units`, `strata`: labels for a then b. Whole units (respondents, teams) change sample, only inside
    their stratum; a unit seen in both samples swaps its two parts; `block` cuts both series (in time
    order) into blocks that are shuffled, "auto" takes the length from the autocorrelation.
    Raises Invalid on bad input and Refused (code and reason) where the design allows no test.
    """
    left, right = check_values(a, "a"), check_values(b, "b")
    design = plan(left, right, units=units, strata=strata, block=block)
    if isinstance(design, Reason):
        raise Refused(design.code, design.message, extra=design.values)
    return permutation_result(left, right, design, resamples=resamples, seed=seed)


def permutation_result(a: Floats, b: Floats, design: Design, *, resamples: int, seed: int) -> KsResult:
    """The permutation test of checked values under a design that is already made."""
    groups = tie_groups(a, b)
    reached = tail_count(a, b, design, resamples=resamples, seed=seed)
    grouped = design.exchange is not Exchange.VALUE
    every = enumerable(design)
    return KsResult(
        groups.statistic,
        reached / 2**design.stratum.size if every else (1 + reached) / (resamples + 1),
        "exact" if every else "permutation",
        groups.n,
        groups.m,
        exchange=design.exchange,
        units=int(design.stratum.size) if grouped else None,
        strata=design.strata if design.strata > 1 else None,
        block=design.block,
        resamples=None if every else resamples,
    )


def exact_is_affordable(groups: TieGroups) -> bool:
    """True when the lattice band of the exact p-value is small enough to walk."""
    total = groups.n + groups.m
    if total > EXACT_STEPS:
        return False
    band = 2 * groups.distance // total + 2
    widths = np.minimum(min(groups.n, groups.m) + 1, band + groups.sizes)
    return int((groups.sizes * widths).sum()) <= EXACT_CELLS


def _result(groups: TieGroups, p_value: float, method: str) -> KsResult:
    return KsResult(groups.statistic, min(1.0, p_value), method, groups.n, groups.m)


def exact_tail(sizes: Ints, n: int, m: int, distance: int) -> float:
    """P(max |m A - n B| >= distance) over all relabelings, seen at the ends of tie groups of `sizes` (k,).

    Walks the lattice from (0, 0) to (n, m). State: i of the smaller sample among the first s pooled
    values; the next is of that sample with probability (n - i) / (N - s). Paths that hit are removed and
    their mass summed, instead of taking 1 - P(no hit), which cancels to 0 for small p. Only the band
    |N i - n s| < distance stays alive.
    """
    if distance <= 0:
        return 1.0
    n, m = sorted((n, m))
    total = n + m
    taken = np.arange(n + 1, dtype=np.float64)
    left_here = n - taken
    mass = np.zeros(n + 2)
    mass[0] = 1.0
    low = high = step = 0
    hit = 0.0
    for size in sizes.tolist():
        for drawn in range(step, step + size):
            live = mass[low : high + 1]
            moved = live * left_here[low : high + 1]
            live *= taken[low : high + 1] + (m - drawn)
            high = min(high + 1, n)
            mass[low + 1 : low + 1 + moved.size] += moved
            mass[low : high + 1] /= total - drawn
        step += size
        first = max(low, (n * step - distance) // total + 1)
        last = min(high, -((-n * step - distance) // total) - 1)
        hit += float(mass[low:first].sum()) + float(mass[last + 1 : high + 1].sum())
        mass[low:first] = 0.0
        mass[last + 1 : high + 1] = 0.0
        if first > last:
            break
        low, high = first, last
    return hit


def _exact_p(groups: TieGroups) -> float:
    return max(exact_tail(groups.sizes, groups.n, groups.m, groups.distance), sys.float_info.min)

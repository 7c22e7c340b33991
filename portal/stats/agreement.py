"""How far raters agree on ordered categories: weighted kappa, Gwet's AC2, exact and near agreement.

Ratings are a table of units (rows) by raters (columns); a missing rating is NaN. Weights are quadratic:
w(k, l) = 1 - ((k - l) / (q - 1))^2 over q categories, so a miss by one of six levels costs 1/25.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from portal.errors import Invalid

Floats = npt.NDArray[np.float64]
NEAR = 1
"""Levels apart that still count as near."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all raters over all units.

    `units` are those with at least 2 ratings, `pairs` their pairs of ratings. `exact` and `near` (at most
    one category apart) are shares of the pairs; `kappa` and `ac2` are None where they are undefined (no
    pairs, or every rating the same for kappa). The intervals are 95 % percentile bootstraps over units.
    """

    units: int
    pairs: int
    exact: float | None
    near: float | None
    kappa: float | None
    kappa_interval: tuple[float, float] | None
    ac2: float | None
    ac2_interval: tuple[float, float] | None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape."""
        return asdict(self)


def agreement(ratings: npt.ArrayLike, categories: int, *, resamples: int = 2000, seed: int = 0) -> Agreement:
    """Agreement of `ratings` (n units, r raters) with whole numbers 0 … categories - 1 or NaN.

    Raises Invalid for another shape, fewer than 2 raters or categories, or a rating out of range. Same
    seed, same numbers.
    """
    table = _checked(ratings, categories)
    same, close, pairs = _shares(table)
    return Agreement(
        units=int(((~np.isnan(table)).sum(axis=1) >= 2).sum()),
        pairs=pairs,
        exact=same,
        near=close,
        kappa=_defined(weighted_kappa(table, categories)),
        kappa_interval=_interval(table, lambda rows: weighted_kappa(rows, categories), resamples, seed),
        ac2=_defined(gwet_ac2(table, categories)),
        ac2_interval=_interval(table, lambda rows: gwet_ac2(rows, categories), resamples, seed),
    )


def weighted_kappa(ratings: npt.ArrayLike, categories: int) -> float:
    """Quadratic-weighted kappa: Cohen (1968) for two raters, the mean over all pairs (Light 1971) for more.

    Each pair is computed over the units that both rated. NaN where no pair has a defined value: nothing in
    common, or no disagreement possible by chance (both used one and the same category only).
    """
    table = _checked(ratings, categories)
    values = []
    for one, two in combinations(range(table.shape[1]), 2):
        both = ~np.isnan(table[:, one]) & ~np.isnan(table[:, two])
        if both.any():
            values.append(_cohen(table[both, one], table[both, two], categories))
    known = [each for each in values if not math.isnan(each)]
    return math.fsum(known) / len(known) if known else math.nan


def _cohen(left: Floats, right: Floats, categories: int) -> float:
    """1 - observed / expected squared distance; the factor of the weights cancels."""
    observed = float(np.mean((left - right) ** 2))
    levels = np.arange(categories)
    shares = [np.bincount(each.astype(int), minlength=categories) / each.size for each in (left, right)]
    distance = (levels[:, None] - levels[None, :]) ** 2
    expected = float(shares[0] @ distance @ shares[1])
    return math.nan if expected == 0 else 1 - observed / expected


def gwet_ac2(ratings: npt.ArrayLike, categories: int) -> float:
    """Gwet's AC2 with quadratic weights for any number of raters and missing ratings.

    Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), section 5: p_a over units with 2 ratings or
    more, p_e = T_w / (q (q - 1)) * sum pi_k (1 - pi_k) with pi over all rated units and T_w the sum of all
    weights. Stays near the observed agreement where kappa collapses because most ratings are equal. NaN
    where no unit has 2 ratings.
    """
    table = _checked(ratings, categories)
    levels = np.arange(categories)
    counts = np.stack([(table == level).sum(axis=1) for level in levels], axis=1).astype(float)
    rated = counts.sum(axis=1)
    several = rated >= 2
    if not several.any():
        return math.nan
    weights = 1 - ((levels[:, None] - levels[None, :]) / (categories - 1)) ** 2
    n, r = counts[several], rated[several]
    observed = float(np.mean((n * (n @ weights - 1)).sum(axis=1) / (r * (r - 1))))
    some = rated >= 1
    shares = (counts[some] / rated[some, None]).mean(axis=0)
    chance = float(weights.sum() / (categories * (categories - 1)) * (shares * (1 - shares)).sum())
    return (observed - chance) / (1 - chance)


def _shares(table: Floats) -> tuple[float | None, float | None, int]:
    """Share of equal pairs, share of pairs at most one apart, number of pairs."""
    distances: list[Floats] = []
    for one, two in combinations(range(table.shape[1]), 2):
        gap = np.abs(table[:, one] - table[:, two])
        distances.append(gap[~np.isnan(gap)])
    found = np.concatenate(distances)
    if not found.size:
        return None, None, 0
    return float(np.mean(found == 0)), float(np.mean(found <= NEAR)), int(found.size)


def _interval(
    table: Floats, statistic: Callable[[Floats], float], resamples: int, seed: int
) -> tuple[float, float] | None:
    """95 % percentile bootstrap over units; None where fewer than half of the resamples are defined."""
    usable = table[(~np.isnan(table)).sum(axis=1) >= 2]
    if usable.shape[0] < 2:
        return None
    random = np.random.default_rng(seed)
    drawn = random.integers(0, usable.shape[0], size=(resamples, usable.shape[0]))
    values = np.array([statistic(usable[rows]) for rows in drawn])
    values = values[~np.isnan(values)]
    if values.size * 2 < resamples:
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def _checked(ratings: npt.ArrayLike | Sequence[Sequence[float]], categories: int) -> Floats:
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise Invalid("ratings_shape", "ratings are units by at least 2 raters", place="ratings")
    if categories < 2:
        raise Invalid("categories", "agreement needs at least 2 categories", place="categories")
    known = table[~np.isnan(table)]
    if known.size and (np.any(known != np.round(known)) or known.min() < 0 or known.max() >= categories):
        raise Invalid(
            "rating_range", f"ratings are whole numbers from 0 to {categories - 1}", place="ratings"
        )
    return table

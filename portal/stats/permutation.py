"""Random relabelings of a design and how often they reach the observed KS distance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from portal.stats.design import Design, Exchange, Floats, Ints

CHUNK_CELLS = 2_000_000
"""Relabelings are made in chunks of about this many numbers, so memory stays flat."""


ENUMERATED_PAIRS = 12
"""Up to so many pairs all 2**pairs swaps are looked at, so that p has no Monte Carlo error."""


def enumerable(design: Design) -> bool:
    """Whether all relabelings of the design are few enough to look at every one."""
    return design.exchange is Exchange.PAIR and design.stratum.size <= ENUMERATED_PAIRS


def tail_count(a: Floats, b: Floats, design: Design, *, resamples: int, seed: int) -> int:
    """How many of `resamples` relabelings (of all, where `enumerable`) have D* >= D. Same seed, same count.

    When units have different sizes the sample sizes change with the labels, so distances are compared
    as exact fractions: distance* / (n* m*) >= distance / (n m).
    """
    pooled = np.concatenate((a, b))
    values, group, sizes = np.unique(pooled, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    total = pooled.size
    rng = np.random.default_rng(seed)
    observed = np.cumsum(np.bincount(group[: a.size], minlength=values.size))[np.newaxis, :]
    goal_distance, goal_size = _distances(observed.astype(np.int64), ends, total)
    if design.exchange is Exchange.VALUE:
        draws = _relabel_values(group, sizes, design, rng=rng, resamples=resamples)
    else:
        draws = _relabel_units(group, ends, design, rng=rng, resamples=resamples)
    reached = 0
    for cumulative in draws:
        distance, size = _distances(cumulative, ends, total)
        # Python integers: the products can pass 2**63.
        reached += sum(d * goal_size[0] >= goal_distance[0] * s for d, s in zip(distance, size, strict=True))
    return reached


def _distances(cumulative: Ints, ends: Ints, total: int) -> tuple[list[int], list[int]]:
    """Per row of cumulative counts of a (r, k): max |N A - n s| and n m."""
    n = cumulative[:, -1]
    distance = np.abs(total * cumulative - n[:, np.newaxis] * ends).max(axis=1)
    return distance.tolist(), (n * (total - n)).tolist()


def _chunks(resamples: int, width: int) -> Iterator[int]:
    rows = max(1, CHUNK_CELLS // max(1, width))
    for start in range(0, resamples, rows):
        yield min(rows, resamples - start)


def _relabel_values(
    group: Ints, sizes: Ints, design: Design, *, rng: np.random.Generator, resamples: int
) -> Iterator[Ints]:
    """Values as units: per stratum, the counts by distinct value are multivariate hypergeometric.

    The sample whose counts come first in order is drawn, so swapping a and b changes nothing.
    """
    stratum = np.empty(group.size, dtype=np.int64)
    stratum[: design.unit_a.size] = design.stratum[design.unit_a]
    stratum[design.unit_a.size :] = design.stratum[design.unit_b]
    n = design.unit_a.size
    deals = [np.bincount(part, minlength=design.strata).tolist() for part in (stratum[:n], stratum[n:])]
    deal = min(deals, key=lambda counts: (sum(counts), counts))
    colours = [np.bincount(group[stratum == s], minlength=sizes.size) for s in range(design.strata)]
    method: Literal["marginals", "count"] = "marginals" if sizes.size * 20 < group.size else "count"
    for rows in _chunks(resamples, sizes.size):
        drawn = np.zeros((rows, sizes.size), dtype=np.int64)
        for colour, count in zip(colours, deal, strict=True):
            drawn += rng.multivariate_hypergeometric(colour, count, size=rows, method=method)
        yield np.cumsum(drawn, axis=1)


def _relabel_units(
    group: Ints, ends: Ints, design: Design, *, rng: np.random.Generator, resamples: int
) -> Iterator[Ints]:
    """Whole units change sample inside their stratum; pairs swap their two halves."""
    order = np.argsort(group, kind="stable")
    units = design.stratum.size
    if design.exchange is Exchange.PAIR:
        cell = np.concatenate((design.unit_a, design.unit_b + units))[order]
    else:
        cell = np.concatenate((design.unit_a, design.unit_b))[order]
    if enumerable(design):
        batches: Iterator[npt.NDArray[np.bool_]] = iter((_every_swap(units),))
    else:
        batches = (_labels(design, rng, rows) for rows in _chunks(resamples, group.size))
    for labels in batches:
        yield np.cumsum(labels[:, cell], axis=1, dtype=np.int64)[:, ends - 1]


def _every_swap(pairs: int) -> npt.NDArray[np.bool_]:
    """(2**pairs, 2 pairs): every way to keep or swap the two halves of each pair."""
    kept = (np.arange(2**pairs)[:, np.newaxis] >> np.arange(pairs)) & 1 == 0
    return np.concatenate((kept, ~kept), axis=1)


def _labels(design: Design, rng: np.random.Generator, rows: int) -> npt.NDArray[np.bool_]:
    """(rows, cells): True where the cell goes to sample a."""
    units = design.stratum.size
    if design.exchange is Exchange.PAIR:
        kept = rng.integers(0, 2, size=(rows, units), dtype=np.int8).astype(np.bool_)
        return np.concatenate((kept, ~kept), axis=1)
    labels = np.tile(design.in_a, (rows, 1))
    for stratum in range(design.strata):
        where = np.nonzero(design.stratum == stratum)[0]
        labels[:, where] = rng.permuted(labels[:, where], axis=1)
    return labels

"""Sizes of a difference, to be shown beside every p-value."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def mean_difference(
    a: Sequence[float] | npt.NDArray[np.float64], b: Sequence[float] | npt.NDArray[np.float64]
) -> float:
    """mean(a) - mean(b), in the unit of the values. Exactly rounded sums, so order cannot matter."""
    return math.fsum(a) / len(a) - math.fsum(b) / len(b)


def cliffs_delta(
    a: Sequence[float] | npt.NDArray[np.float64], b: Sequence[float] | npt.NDArray[np.float64]
) -> float:
    """P(A > B) - P(A < B) over all pairs, -1 to 1, 0 = no tendency.

    Cliff 1993, doi 10.1037/0033-2909.114.3.494. Only ranks count: any increasing transform of the values
    leaves it alone. O((n + m) log m).
    """
    left = np.asarray(a, dtype=np.float64)
    right = np.sort(np.asarray(b, dtype=np.float64))
    below = int(np.searchsorted(right, left, side="left").sum())
    above = int(left.size * right.size) - int(np.searchsorted(right, left, side="right").sum())
    return (below - above) / (left.size * right.size)

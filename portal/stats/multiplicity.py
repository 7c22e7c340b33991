"""Adjusted p-values when many comparisons are made at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from portal.errors import Invalid


def holm(pvalues: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down adjustment, in the given order; controls the family-wise error rate.

    Adjusted p(i) = max over j <= i of (m - j + 1) * p(j), at most 1 (Holm 1979; as R `p.adjust`).
    Raises Invalid when a value is not in [0, 1].
    """
    p, order = _sorted(pvalues)
    steps = np.maximum.accumulate(p * np.arange(p.size, 0, -1))
    return _unsorted(steps, order)


def benjamini_hochberg(pvalues: Sequence[float]) -> tuple[float, ...]:
    """Benjamini-Hochberg step-up adjustment, in the given order; controls the false discovery rate.

    Adjusted p(i) = min over j >= i of m / j * p(j), at most 1 (Benjamini & Hochberg 1995; as R
    `p.adjust`). Raises Invalid when a value is not in [0, 1].
    """
    p, order = _sorted(pvalues)
    # The factor first: it is exactly 1 for the largest p, so no adjusted value falls below its own.
    scaled = p * (p.size / np.arange(1, p.size + 1))
    return _unsorted(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _sorted(pvalues: Sequence[float]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp]]:
    p = np.asarray(pvalues, dtype=np.float64)
    for index, value in enumerate(p):
        if not 0.0 <= value <= 1.0:
            raise Invalid("not_a_probability", f"{value} is not a p-value", place=f"pvalues[{index}]")
    order = np.argsort(p, kind="stable")
    return p[order], order


def _unsorted(adjusted: npt.NDArray[np.float64], order: npt.NDArray[np.intp]) -> tuple[float, ...]:
    result = np.empty_like(adjusted)
    result[order] = np.minimum(adjusted, 1.0)
    return tuple(float(value) for value in result)

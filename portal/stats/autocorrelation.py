"""How long a series remembers itself: decides the block length of a block permutation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

WINDOW = 5.0
"""Sokal's window: stop the sum at the first lag >= 5 integrated times."""


def integrated_time(values: npt.NDArray[np.float64]) -> float:
    """Integrated autocorrelation time in samples, at least 1 (1 = no memory).

    `values`: shape (n,), finite, in time order. tau = 1 + 2 * sum of rho(k), summed to the first lag
    k >= 5 tau (Sokal 1997, "Monte Carlo methods in statistical mechanics", section 3). Estimating the
    mean from the same n points lowers every rho by about tau / n; that is added back once, because a
    tau that is too small means blocks that are too short and a test that rejects too often.
    For AR(1) with coefficient phi the truth is (1 + phi) / (1 - phi). The value of that formula at the
    first lag (with Kendall's correction of its bias) is a lower limit of the result: in a short series
    the windowed sum alone is so noisy that the series that pass as calm would be the underestimated ones.
    """
    n = values.size
    centred = values - values.mean()
    largest = float(np.abs(centred).max(initial=0.0))
    if n < 3 or largest <= 1e-12 * float(np.abs(values).max()):
        return 1.0
    spectrum = np.fft.rfft(centred / largest, 2 * n)
    covariance = np.fft.irfft(spectrum * np.conj(spectrum), 2 * n)[:n]
    rho = covariance / covariance[0]
    tau = _windowed(rho)
    corrected = _windowed(np.concatenate(([1.0], rho[1:] + min(tau / n, 0.1))))
    first = min(float(rho[1]) + (1.0 + 4.0 * max(float(rho[1]), 0.0)) / n, 1.0 - 1.0 / n)
    return max(1.0, corrected, (1.0 + first) / (1.0 - first))


def _windowed(rho: npt.NDArray[np.float64]) -> float:
    """1 + 2 * sum of rho(1..k) at the first k >= WINDOW * tau(k); the last lag when there is none."""
    taus = 2.0 * np.cumsum(rho) - 1.0
    stops = np.nonzero(np.arange(taus.size) >= WINDOW * taus)[0]
    return float(taus[stops[0]] if stops.size else taus[-1])

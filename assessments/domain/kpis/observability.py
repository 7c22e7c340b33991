"""OBS: which share of the five golden signals of the in-scope services is fresh."""

from __future__ import annotations

from collections.abc import Mapping

from assessments.domain.kpis.measured import Measured, count
from portal.errors import Invalid

SIGNALS = ("http", "slo", "log", "metric", "trace")


def golden_signal_coverage(services: int, fresh: Mapping[str, int], *, scaled_to_zero: int = 0) -> Measured:
    """C = (1/5) x sum of n_k / N x 100 over HTTP, SLO, log, metric, trace (matrix, OBS-01).

    `services` are in scope, `scaled_to_zero` of them ran nothing that day and leave N; `fresh[k]` counts the
    others whose newest sample of signal k is at most 300 s old. A signal that is not named counts as 0. No
    interval: all services are counted, none is drawn. Raises Invalid for unknown signals and counts above N.
    """
    total = count(services, "services") - count(scaled_to_zero, "scaled_to_zero", most=services)
    unknown = sorted(set(fresh) - set(SIGNALS))
    if unknown:
        known = ", ".join(SIGNALS)
        raise Invalid("kpi_signal", f"{unknown[0]!r} is not one of {known}", place=f"fresh.{unknown[0]}")
    counts = [count(fresh.get(name, 0), f"fresh.{name}", most=total) for name in SIGNALS]
    if not total:
        return Measured("golden_signal_coverage", "%", None, 0, reason="no_data")
    value = 100 * sum(counts) / (len(SIGNALS) * total)
    return Measured("golden_signal_coverage", "%", value, total, method="census")

"""COST: what 1,000 tokens cost, how cost follows load, and what redundancy is paid for."""

from __future__ import annotations

from assessments.domain.kpis.measured import Measured, number

LEAST_LOAD_CHANGE = 0.1
"""Below a tenth of a change in load the quotient of two small numbers says nothing."""


def cost_per_1k_tokens(
    gpu_usd_per_h: float, tokens_per_s: float, *, other_usd_per_h: float = 0.0
) -> Measured:
    """1000 x (GPU + share of CPU, storage, network cost per hour) / billable tokens per hour (COST-01).

    `tokens_per_s` are billable tokens: the weights of prompt and generated tokens are already in them.
    """
    cost = number(gpu_usd_per_h, "gpu_usd_per_h") + number(other_usd_per_h, "other_usd_per_h")
    tokens = number(tokens_per_s, "tokens_per_s") * 3600
    if tokens == 0:
        return Measured("cost_per_1k_tokens", "USD", None, 0, reason="no_tokens")
    return Measured("cost_per_1k_tokens", "USD", 1000 * cost / tokens, int(tokens))


def elasticity(cost_before: float, cost_after: float, tokens_before: float, tokens_after: float) -> Measured:
    """e = (change of cost / cost) / (change of tokens / tokens) over a load step, up or down (COST-04).

    1 follows the load, 0 does not move. Changes are relative to the mean of both sides (arc elasticity), so
    the step up and the step down of the same two points give the same number. None where load changed by
    less than a tenth (`load_too_flat`).
    """
    cost = _relative(number(cost_before, "cost_before"), number(cost_after, "cost_after"))
    load = _relative(number(tokens_before, "tokens_before"), number(tokens_after, "tokens_after"))
    if cost is None or load is None:
        return Measured("elasticity", "ratio", None, 0, reason="no_data")
    if abs(load) < LEAST_LOAD_CHANGE:
        return Measured("elasticity", "ratio", None, 2, reason="load_too_flat")
    return Measured("elasticity", "ratio", cost / load, 2)


def _relative(before: float, after: float) -> float | None:
    middle = (before + after) / 2
    return None if middle == 0 else (after - before) / middle


def resilience_premium(cost_with: float, cost_bare: float) -> Measured:
    """(cost with redundancy, checkpoints and headroom - cost at bare capacity) / the latter, in percent."""
    paid, bare = number(cost_with, "cost_with"), number(cost_bare, "cost_bare")
    if bare == 0:
        return Measured("resilience_premium", "%", None, 0, reason="no_data")
    return Measured("resilience_premium", "%", 100 * (paid - bare) / bare, 1)

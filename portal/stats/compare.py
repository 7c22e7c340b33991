"""Compare two samples: the right test, the size of the difference, its interval, or why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from portal.errors import Invalid, Refused
from portal.stats.bootstrap import Interval, interval_under
from portal.stats.design import Design, Exchange, Floats, Reason, check_values, label_indices, plan
from portal.stats.effect import cliffs_delta, mean_difference
from portal.stats.ks import KsResult, exact_is_affordable, permutation_result, tie_groups, two_sample

CENSUS = Reason(
    "census",
    "one answer for each practice: the practices are all there are, not a sample, so no interval exists",
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """By what two files were matched, how many pairs that gave, and what found no partner."""

    by: str
    pairs: int
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """JSON shape."""
        return {
            "by": self.by,
            "pairs": self.pairs,
            "only_in_a": list(self.only_in_a),
            "only_in_b": list(self.only_in_b),
        }


@dataclass(frozen=True, slots=True)
class SampleComparison:
    """Difference is a - b. `ks` is None exactly when `refused` says why. `interval` is None when
    `interval_refused` says why. `stratified_difference`: the difference inside the strata, averaged."""

    ks: KsResult | None
    difference: float
    cliffs_delta: float
    interval: Interval | None
    n: tuple[int, int]
    refused: Reason | None = None
    interval_refused: Reason | None = None
    stratified_difference: float | None = None
    pairing: Pairing | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON shape of the `compare` command."""
        effect: dict[str, float] = {"difference": self.difference, "cliffs_delta": self.cliffs_delta}
        if self.stratified_difference is not None:
            effect["stratified_difference"] = self.stratified_difference
        interval = self.interval
        return {
            "ks": self.ks.as_dict() if self.ks else None,
            "effect": effect,
            "interval": [interval.low, interval.high] if interval else None,
            "interval_method": interval.method if interval else None,
            "interval_level": interval.level if interval else None,
            "interval_refused": self.interval_refused.message if self.interval_refused else None,
            "n": list(self.n),
            "pairing": self.pairing.as_dict() if self.pairing else None,
            "refused": self.refused.message if self.refused else None,
            "refused_code": self.refused.code if self.refused else None,
            "refused_values": dict(self.refused.values) if self.refused else None,
        }


def compare_samples(  # noqa: PLR0913 - the design has three parts, the Monte Carlo two
    a: Sequence[float] | npt.NDArray[np.float64],
    b: Sequence[float] | npt.NDArray[np.float64],
    *,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    units: Sequence[str] | None = None,
    strata: Sequence[str] | None = None,
    block: int | Literal["auto"] | None = None,
) -> SampleComparison:
    """KS test in the right unit, effect sizes, and the 1 - alpha interval of mean(a) - mean(b).

    `a` (n,), `b` (m,), at least 2 finite values each, in time order only if `block` is given. `units`,
    `strata`: labels for a then b; a unit label that occurs in both samples makes the data paired.
    Independent values get the exact conditional test; everything else a permutation of its units.
    A statistical refusal (too few units, too autocorrelated, ...) is a result: `ks` None, `refused` set.
    Raises Invalid on bad values, lengths or settings.
    """
    left, right = check_values(a, "a"), check_values(b, "b")
    check_settings(alpha=alpha, resamples=resamples, seed=seed)
    design = plan(left, right, units=units, strata=strata, block=block)
    effect = SampleComparison(
        None,
        mean_difference(left, right),
        cliffs_delta(left, right),
        None,
        (left.size, right.size),
        stratified_difference=None if strata is None else _stratified_difference(left, right, strata),
    )
    if isinstance(design, Reason):
        return replace(effect, refused=design, interval_refused=design)
    refused = _without_power(design, alpha)
    ks = None if refused else _test(left, right, design, resamples=resamples, seed=seed)
    try:
        interval = interval_under(left, right, design, level=1.0 - alpha, resamples=resamples, seed=seed)
    except Refused as error:
        no_interval = Reason(error.code, error.message)
        return replace(effect, ks=ks, refused=refused, interval_refused=no_interval)
    return replace(effect, ks=ks, refused=refused, interval=interval)


def compare_levels(
    a: Mapping[str, float],
    b: Mapping[str, float],
    *,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
) -> SampleComparison:
    """Compare two scorecards by practice: `a`, `b` map practice id to level; only common ids count.

    Paired: a relabeling swaps the two levels of a practice. No interval: the practices of a matrix are a
    census, not a sample. Raises Invalid("too_few_pairs") for fewer than 2 common ids.
    """
    common = sorted(a.keys() & b.keys())
    if len(common) < 2:
        raise Invalid("too_few_pairs", f"{len(common)} practices have a level in both; 2 are needed")
    result = compare_samples(
        [a[key] for key in common],
        [b[key] for key in common],
        alpha=alpha,
        resamples=resamples,
        seed=seed,
        units=[*common, *common],
    )
    pairing = Pairing(
        "practice", len(common), tuple(sorted(a.keys() - b.keys())), tuple(sorted(b.keys() - a.keys()))
    )
    return replace(result, interval=None, interval_refused=CENSUS, pairing=pairing)


def check_settings(*, alpha: float, resamples: int, seed: int) -> None:
    """Raises Invalid for settings under which no result could be trusted or reached."""
    if not 0.0 < alpha <= 0.5:
        raise Invalid("bad_alpha", f"{alpha} is not above 0 and at most 0.5", place="alpha")
    if not 99 <= resamples <= 100_000:
        raise Invalid("bad_resamples", f"{resamples} is not between 99 and 100000", place="resamples")
    if 1.0 / (resamples + 1) > alpha:
        message = f"{resamples} resamples cannot give a p-value of {alpha} or less"
        raise Invalid("bad_resamples", message, place="resamples")
    if not 0 <= seed < 2**64:
        raise Invalid("bad_seed", f"{seed} is not between 0 and 2**64 - 1", place="seed")


def _without_power(design: Design, alpha: float) -> Reason | None:
    """A permutation test that could not reject whatever the data say nothing when it does not."""
    if design.exchange is Exchange.VALUE and design.strata == 1:
        return None
    smallest = design.smallest_p()
    if smallest <= alpha:
        return None
    inside = int(design.in_a.sum())
    counts = (
        f"{design.stratum.size} pairs"
        if design.exchange is Exchange.PAIR
        else f"{inside} and {design.stratum.size - inside} units"
    )
    return Reason(
        "too_few_units",
        f"too few units: with {counts} no p-value below {smallest:.3g} is possible (alpha {alpha:g})",
        {"units": int(design.stratum.size), "smallest_p": smallest, "alpha": alpha},
    )


def _test(a: Floats, b: Floats, design: Design, *, resamples: int, seed: int) -> KsResult:
    if design.exchange is not Exchange.VALUE or design.strata > 1:
        return permutation_result(a, b, design, resamples=resamples, seed=seed)
    groups = tie_groups(a, b)
    if exact_is_affordable(groups) or not groups.ties:
        return two_sample(a, b)
    # Too large for the exact walk, and tied: the limit is only an upper bound of the exact p-value, so it
    # serves where the permutation has run out of resamples and cannot tell small from tiny.
    bound = two_sample(a, b)
    found = permutation_result(a, b, design, resamples=resamples, seed=seed)
    floor = found.p_value <= 1.0 / (resamples + 1)
    return bound if floor and bound.p_value < found.p_value else found


def _stratified_difference(a: Floats, b: Floats, strata: Sequence[str]) -> float | None:
    """Mean over strata of mean(a) - mean(b), weighted by n m / (n + m) as in Cochran-Mantel-Haenszel."""
    stratum = label_indices(strata)
    weights, weighted = 0.0, 0.0
    for index in range(int(stratum.max()) + 1):
        part_a, part_b = a[stratum[: a.size] == index], b[stratum[a.size :] == index]
        if part_a.size and part_b.size:
            weight = part_a.size * part_b.size / (part_a.size + part_b.size)
            weights += weight
            weighted += weight * mean_difference(part_a, part_b)
    return weighted / weights if weights else None

"""What may be exchanged under "there is no difference", and when that cannot be said.

The unit matters more than the test: 24 people with 10 answers each are 24 units, not 240; a metric
window is a few blocks, not its samples; teams of another mix are compared inside each kind of team.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

import numpy as np
import numpy.typing as npt

from portal.errors import Invalid
from portal.stats.autocorrelation import integrated_time

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MIN_BLOCKS = 6
"""Fewest blocks a window: below, even a correct length leaves too little to shuffle."""
BLOCK_TIMES = 3.0
"""Length of an automatic block in integrated autocorrelation times, at least ..."""
MOST_BLOCKS = 10
"""... and this many blocks at most: the estimate of that time is noisy, so blocks are never shorter than
they need be; ten a window cost little power (t with 18 degrees of freedom: 2.10 instead of 1.96)."""
SHORTEST_BLOCK_TIMES = 2.0
"""A block that a person asks for may not be shorter than this."""
LARGEST = 1e100
"""Larger magnitudes would overflow once squared; nothing measured is that large."""


class Exchange(StrEnum):
    """What is shuffled between the two samples."""

    VALUE = "value"
    UNIT = "unit"
    PAIR = "pair"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a test is refused: `code` for machines and translations, `values` to fill into their text."""

    code: str
    message: str
    values: Mapping[str, float | int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Design:
    """Units of exchange. `unit_a` (n,) and `unit_b` (m,) index each value's unit, `stratum` (units,)
    each unit's stratum. In a paired design both samples share their units."""

    exchange: Exchange
    unit_a: Ints
    unit_b: Ints
    stratum: Ints
    strata: int = 1
    block: int | None = None
    autocorrelation_time: float | None = None

    @property
    def in_a(self) -> npt.NDArray[np.bool_]:
        """(units,): True where the unit holds values of a."""
        flags = np.zeros(self.stratum.size, dtype=np.bool_)
        flags[self.unit_a] = True
        return flags

    def log_arrangements(self) -> float:
        """log of how many ways the units can be dealt to the two samples, keeping each stratum's counts."""
        if self.exchange is Exchange.PAIR:
            return self.stratum.size * math.log(2.0)
        inside = np.bincount(self.stratum[self.in_a], minlength=self.strata)
        sizes = np.bincount(self.stratum, minlength=self.strata)
        return sum(_log_comb(int(total), int(part)) for total, part in zip(sizes, inside, strict=True))

    def smallest_p(self) -> float:
        """The smallest p-value a permutation test can reach: mirrored deals give the same statistic."""
        inside = np.bincount(self.stratum[self.in_a], minlength=self.strata)
        sizes = np.bincount(self.stratum, minlength=self.strata)
        mirrored = self.exchange is Exchange.PAIR or bool(np.all(2 * inside == sizes))
        return min(1.0, (2.0 if mirrored else 1.0) * math.exp(-self.log_arrangements()))


def check_values(values: Sequence[float] | Floats, place: str) -> Floats:
    """A flat float array. Raises Invalid (with the index) for fewer than 2 or not finite values."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size < 2:
        raise Invalid("too_few_values", "a sample needs at least 2 values", place=place)
    bad = np.nonzero(~(np.abs(array) <= LARGEST))[0]
    if bad.size:
        index = int(bad[0])
        raise Invalid("not_finite", f"{array[index]} is not a usable number", place=f"{place}[{index}]")
    return array


def plan(
    a: Floats,
    b: Floats,
    *,
    units: Sequence[str] | None = None,
    strata: Sequence[str] | None = None,
    block: int | Literal["auto"] | None = None,
) -> Design | Reason:
    """Decide what is exchanged. `units` and `strata` label the values of a, then those of b.

    A label of `units` that occurs in both samples is one unit seen twice: such data are paired.
    Raises Invalid for wrong lengths and for `block` together with labels; gives a Reason where the
    question has no sound answer.
    """
    n, m = a.size, b.size
    for name, labels in (("units", units), ("strata", strata)):
        if labels is not None and len(labels) != n + m:
            raise Invalid("wrong_length", f"{len(labels)} labels for {n} + {m} values", place=name)
    if block is not None:
        if units is not None or strata is not None:
            raise Invalid(
                "block_with_labels", "blocks cannot be combined with units or strata", place="block"
            )
        return _plan_blocks(a, b, block)
    group = label_indices(strata) if strata is not None else np.zeros(n + m, dtype=np.int64)
    found = (
        Design(Exchange.VALUE, np.arange(n), np.arange(n, n + m), group, strata=int(group.max()) + 1)
        if units is None
        else _plan_units(label_indices(units), group, n)
    )
    if isinstance(found, Reason) or strata is None or found.exchange is Exchange.PAIR:
        return found
    inside = np.bincount(found.stratum[found.in_a], minlength=found.strata)
    outside = np.bincount(found.stratum[~found.in_a], minlength=found.strata)
    if not np.any((inside > 0) & (outside > 0)):
        return Reason(
            "no_common_stratum", "no stratum holds values of both samples: nothing can be exchanged"
        )
    return found


def _plan_units(unit: Ints, group: Ints, n: int) -> Design | Reason:
    count = int(unit.max()) + 1
    of_unit = np.zeros(count, dtype=np.int64)
    of_unit[unit] = group
    if np.any(of_unit[unit] != group):
        return Reason("unit_in_two_strata", "a unit lies in more than one stratum")
    sizes_a, sizes_b = (np.bincount(part, minlength=count) for part in (unit[:n], unit[n:]))
    shared = int(np.count_nonzero((sizes_a > 0) & (sizes_b > 0)))
    strata = int(group.max()) + 1
    if shared == 0:
        alone = count == unit.size
        exchange = Exchange.VALUE if alone else Exchange.UNIT
        return Design(exchange, unit[:n], unit[n:], of_unit, strata=strata)
    if shared < count:
        return Reason(
            "units_partly_shared",
            f"{shared} of {count} units are in both samples: give only those (paired) or none of them",
            {"shared": shared, "units": count},
        )
    if np.any(sizes_a != sizes_b):
        return Reason(
            "unequal_pairs", "a unit that is in both samples needs the same number of values in each"
        )
    return Design(Exchange.PAIR, unit[:n], unit[n:], of_unit, strata=strata)


def _plan_blocks(a: Floats, b: Floats, block: int | Literal["auto"]) -> Design | Reason:
    if block != "auto" and (isinstance(block, bool) or block < 1):
        raise Invalid("bad_block", f"a block of {block} values is not possible", place="block")
    tau = max(integrated_time(a), integrated_time(b))
    shorter = min(a.size, b.size)
    length = max(math.ceil(BLOCK_TIMES * tau), shorter // MOST_BLOCKS) if block == "auto" else block
    if shorter < MIN_BLOCKS * length:
        need = MIN_BLOCKS * length
        code = "too_autocorrelated" if block == "auto" else "too_few_blocks"
        cause = "too autocorrelated" if block == "auto" else "too few blocks"
        return Reason(
            code,
            f"{cause}: needs {need} samples in each window, the shorter one has {shorter}",
            {"needed": need, "have": shorter, "block": length, "autocorrelation_time": round(tau, 3)},
        )
    if block != "auto" and length > 1 and length < SHORTEST_BLOCK_TIMES * tau:
        need = math.ceil(SHORTEST_BLOCK_TIMES * tau)
        return Reason(
            "block_too_short",
            f"a block of {length} is shorter than the series remembers itself: it needs {need} or more",
            {"block": length, "needed_block": need, "autocorrelation_time": round(tau, 3)},
        )
    unit_a, unit_b = _blocks(a.size, length), _blocks(b.size, length)
    unit_b += unit_a[-1] + 1
    return Design(
        Exchange.BLOCK,
        unit_a,
        unit_b,
        np.zeros(int(unit_b[-1]) + 1, dtype=np.int64),
        block=length,
        autocorrelation_time=tau,
    )


def _blocks(size: int, length: int) -> Ints:
    """Block index of each value: size // length blocks, all of `length` or a little more."""
    count = size // length
    return np.arange(size, dtype=np.int64) * count // size


def label_indices(labels: Sequence[str]) -> Ints:
    """Labels to 0..k-1 in the labels' own order, so that the order of the values cannot matter."""
    rank = {label: index for index, label in enumerate(sorted({str(label) for label in labels}))}
    return np.asarray([rank[str(label)] for label in labels], dtype=np.int64)


def _log_comb(total: int, part: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(part + 1) - math.lgamma(total - part + 1)

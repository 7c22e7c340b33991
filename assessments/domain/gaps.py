"""What lies between the current levels and the levels that are wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assessments.domain.matrix import HIGHEST_LEVEL, Matrix
from assessments.domain.scorecard import Scorecard

DEFAULT_TARGET = 3


@dataclass(frozen=True, slots=True)
class Gap:
    """One practice below its target: where it stands now, what is unticked up to the target, and why.

    `missing_clauses` is empty where the claim reaches the target and only evidence is missing (`reason`
    then says which), and where the practice is not worded.
    """

    practice: str
    from_level: int
    to_level: int
    missing_clauses: tuple[str, ...]
    reason: str


def gaps(
    matrix: Matrix,
    card: Scorecard,
    targets: Mapping[str, int] | None = None,
    default_target: int = DEFAULT_TARGET,
) -> tuple[Gap, ...]:
    """The answered practices whose current level is below the target, widest gap first, then matrix order.

    `targets` holds levels (0 to 5) by practice id, others get `default_target`. What is not answered is
    unknown, not a gap. Raises ValueError for a target out of range or for an unknown practice.
    """
    wanted = dict(targets or {})
    for name, level in wanted.items():
        if name not in matrix:
            raise ValueError(f"unknown practice {name!r}")
        _check(level)
    _check(default_target)
    found = []
    for practice in matrix.practices:
        one = card.practices.get(practice.id)
        target = wanted.get(practice.id, default_target)
        if one is None or one.current is None or one.current >= target:
            continue
        below = {clause.id for clause in practice.clauses if clause.level <= target}
        missing = tuple(each for each in one.missing if each in below)
        found.append(Gap(practice.id, one.current, target, missing, one.reason))
    return tuple(sorted(found, key=lambda gap: gap.from_level - gap.to_level))


def _check(level: int) -> None:
    if not 0 <= level <= HIGHEST_LEVEL:
        raise ValueError(f"target {level} is not from 0 to {HIGHEST_LEVEL}")

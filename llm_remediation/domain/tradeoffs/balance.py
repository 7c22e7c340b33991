"""The balance of a plan: every dimension now and planned, and what presses it down, measured or not.

A planned level comes from `score`. What a dimension pays is shown in the unit in which it was measured (USD,
seconds, milliseconds): nobody has measured how many levels a dollar is, so no level is taken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assessments.domain.dimensions import Dimension
from llm_remediation.domain.tradeoffs.model import Finding, FindingState


@dataclass(frozen=True, slots=True)
class Bar:
    """A dimension: score (0 to 5, None: too few answers) now and planned.

    `falls`: findings that are real and that it pays for. `may_fall`: those of steps in the plan whose
    numbers are missing.
    """

    dimension: Dimension
    now: float | None
    planned: float | None
    falls: tuple[Finding, ...] = ()
    may_fall: tuple[Finding, ...] = ()

    @property
    def change(self) -> float | None:
        """How far the plan raises the score."""
        return None if self.now is None or self.planned is None else self.planned - self.now


def balance(
    now: Mapping[Dimension, float | None],
    planned: Mapping[Dimension, float | None],
    findings: Iterable[Finding],
) -> tuple[Bar, ...]:
    """The six bars in the order of the dimensions."""
    all_of_them = tuple(findings)
    return tuple(
        Bar(
            each,
            now.get(each),
            planned.get(each),
            falls=tuple(one for one in all_of_them if one.falls is each and one.state is FindingState.real),
            may_fall=tuple(one for one in all_of_them if one.falls is each and _may(one)),
        )
        for each in Dimension
    )


def _may(finding: Finding) -> bool:
    return finding.state is FindingState.not_measured and bool(finding.items)

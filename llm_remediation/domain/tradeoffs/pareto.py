"""Which steps are worth their money: cost per month against SLO minutes saved, and the efficient frontier."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from assessments.domain.kpis.measured import number


@dataclass(frozen=True, slots=True)
class Choice:
    """A step by its id; money per month (negative: it saves money), minutes of SLO miss saved per month.

    Raises Invalid for a number that is not finite, and for fewer than 0 minutes.
    """

    id: str
    cost_month: float
    minutes_saved: float

    def __post_init__(self) -> None:
        number(self.cost_month, "cost_month", least=-math.inf)
        number(self.minutes_saved, "minutes_saved")

    def dominates(self, other: Choice) -> bool:
        """No dearer, saves no less, and better in one of the two."""
        return (
            self.cost_month <= other.cost_month
            and self.minutes_saved >= other.minutes_saved
            and (self.cost_month, self.minutes_saved) != (other.cost_month, other.minutes_saved)
        )


@dataclass(frozen=True, slots=True)
class Placed:
    """A choice, and the one of the frontier that dominates it (None: it is on the frontier)."""

    choice: Choice
    dominated_by: Choice | None


def placed(choices: Iterable[Choice]) -> tuple[Placed, ...]:
    """Every choice in order of cost, each with what dominates it.

    Of several that dominate a choice the one that saves most is named, then the cheapest, then by id.
    """
    ordered = sorted(choices, key=lambda each: (each.cost_month, -each.minutes_saved, each.id))
    best: Choice | None = None
    found = []
    for each in ordered:
        # Cheaper or equal ones come first, so the best saver so far dominates whatever is dominated.
        by = best if best is not None and best.dominates(each) else None
        found.append(Placed(each, by))
        if best is None or each.minutes_saved > best.minutes_saved:
            best = each
    return tuple(found)


def frontier(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices that none dominates, cheapest first."""
    return tuple(each.choice for each in placed(choices) if each.dominated_by is None)

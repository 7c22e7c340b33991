"""How far evidence carries: the ceiling of each kind, how long it lasts, and the best ceiling of a set.

Source of the numbers: the level scale of matrix V2.3 (see docs/guide/scoring.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from assessments.domain.matrix import EvidenceKind

CEILINGS: dict[EvidenceKind, int] = {
    EvidenceKind.E0: 1,
    EvidenceKind.E1: 1,
    EvidenceKind.E2: 2,
    EvidenceKind.E3: 3,
    EvidenceKind.E4: 4,
    EvidenceKind.E5: 5,
}
NO_EVIDENCE_CEILING = 1
# Evidence that only its author vouches for carries no further than a written rule does.
UNVERIFIED_CEILING = 2
# Days after which evidence no longer speaks for the present; a bare statement (E0) has nothing to lose.
EXPIRY_DAYS: dict[EvidenceKind, int | None] = {
    EvidenceKind.E0: None,
    EvidenceKind.E1: 365,
    EvidenceKind.E2: 180,
    EvidenceKind.E3: 30,
    EvidenceKind.E4: 90,
    EvidenceKind.E5: 180,
}


class View(StrEnum):
    """Which evidence is believed.

    `claimed`: all of it, at the value of its kind, verified or not. `demonstrated`: verified evidence at full
    value, whatever its age. `current`: the same, but only evidence that has not expired.
    """

    claimed = "claimed"
    demonstrated = "demonstrated"
    current = "current"


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One piece of evidence: its kind, the moment it speaks for (time zone aware), and who vouches for it.

    `clause` names the clause that it shows; it still counts for the practice as a whole.
    """

    kind: EvidenceKind
    effective_at: datetime
    verified: bool = True
    clause: str | None = None
    source: str = ""


def age_days(item: EvidenceItem, as_of: datetime) -> int:
    """Whole calendar days (UTC) from the evidence to `as_of`; negative where the evidence is later."""
    return (as_of.astimezone(UTC).date() - item.effective_at.astimezone(UTC).date()).days


def is_future(item: EvidenceItem, as_of: datetime) -> bool:
    """Evidence dated after `as_of` does not exist yet at `as_of`."""
    return item.effective_at > as_of


def is_expired(item: EvidenceItem, as_of: datetime) -> bool:
    """Whether the evidence is too old at `as_of`; the whole boundary day (UTC) still counts."""
    days = EXPIRY_DAYS[item.kind]
    return days is not None and age_days(item, as_of) > days


def ceiling_of(item: EvidenceItem, view: View) -> int:
    """The level up to which this item alone lets a claim stand, in one view, age aside."""
    ceiling = CEILINGS[item.kind]
    if item.verified or view is View.claimed:
        return ceiling
    return min(ceiling, UNVERIFIED_CEILING)


def best_ceiling(items: Iterable[EvidenceItem], as_of: datetime, view: View) -> int:
    """The highest ceiling among the items that count in that view at `as_of`; 1 where none does."""
    ceilings = [
        ceiling_of(item, view)
        for item in items
        if not is_future(item, as_of) and not (view is View.current and is_expired(item, as_of))
    ]
    return max(ceilings, default=NO_EVIDENCE_CEILING)

"""Whether a decision on a trade-off still stands, and until when one may be accepted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

LONGEST_ACCEPTANCE_DAYS = 365


class Standing(StrEnum):
    """How a trade-off stands: only `decided` takes its card away.

    `open`: nobody has decided. `expired`: accepted until a day that has passed. `outgrown`: the plan has
    gained a step that the decision did not know. `withdrawn`: the newest decision was taken back.
    """

    open = "open"
    decided = "decided"
    expired = "expired"
    outgrown = "outgrown"
    withdrawn = "withdrawn"


@dataclass(frozen=True, slots=True)
class Decided:
    """What counts of the newest decision; `expires_on` is the last day on which it holds (None: no end)."""

    steps: Collection[str]
    expires_on: date | None = None
    withdrawn: bool = False


def standing(steps: Collection[str], newest: Decided | None, today: date) -> Standing:
    """How a finding about `steps` stands on the day `today`, given the newest decision on it."""
    if newest is None:
        return Standing.open
    if newest.withdrawn:
        return Standing.withdrawn
    if newest.expires_on is not None and newest.expires_on < today:
        return Standing.expired
    return Standing.decided if set(steps) <= set(newest.steps) else Standing.outgrown


def latest_expiry(today: date) -> date:
    """The last day until which a trade-off may be accepted on the day `today`."""
    return today + timedelta(days=LONGEST_ACCEPTANCE_DAYS)

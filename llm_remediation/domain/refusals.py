"""Refusals of the planner: bad input with its code and its place, worded again by the views."""

from __future__ import annotations

import math
from decimal import Decimal

from portal.errors import Invalid

# Larger than any real budget, small enough that sums of thousandths stay exact in a double.
LARGEST_QUANTITY = 1e9


class BadPlanInput(Invalid, ValueError):
    """An input of the planner that breaks a rule; `place` names it (`budgets[1].days`)."""


def checked_quantity(value: object, place: str, largest: float = LARGEST_QUANTITY) -> float:
    """`value` as a float, refused unless it is a finite number from 0 to `largest`.

    Raises:
        BadPlanInput: `not_a_number`, `negative` or `too_large`, with `place`.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise BadPlanInput(
            "not_a_number", f"{place} must be a number, got {type(value).__name__}", place=place
        )
    number = float(value)
    if not math.isfinite(number):
        raise BadPlanInput("not_a_number", f"{place} must be a finite number, got {number}", place=place)
    if number < 0:
        raise BadPlanInput("negative", f"{place} must not be negative, got {number:g}", place=place)
    if number > largest:
        raise BadPlanInput("too_large", f"{place} must be at most {largest:g}", place=place)
    return number

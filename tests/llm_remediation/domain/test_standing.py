"""Whether a decision on a trade-off stands: the day of its end, steps it did not know, withdrawal."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm_remediation.domain.tradeoffs.standing import Decided, Standing, latest_expiry, standing

STEPS = ("REL-05.L3", "RCV-07.L3")
TODAY = date(2027, 2, 28)


@pytest.mark.parametrize(
    ("newest", "expected"),
    [
        (None, Standing.open),
        (Decided(STEPS), Standing.decided),
        (Decided(STEPS, date(2027, 3, 1)), Standing.decided),
        (Decided(STEPS, date(2027, 2, 28)), Standing.decided),  # the last day still counts
        (Decided(STEPS, date(2027, 2, 27)), Standing.expired),
        (Decided(STEPS[:1]), Standing.outgrown),
        (Decided(STEPS[:1], date(2027, 2, 27)), Standing.expired),
        (Decided((*STEPS, "REL-03.L3")), Standing.decided),  # a step was dropped since
        (Decided(STEPS, date(2027, 3, 1), withdrawn=True), Standing.withdrawn),
        (Decided(STEPS, date(2027, 2, 27), withdrawn=True), Standing.withdrawn),
    ],
)
def test_standing(newest: Decided | None, expected: Standing) -> None:
    assert standing(STEPS, newest, TODAY) is expected


def test_a_year_at_most() -> None:
    assert latest_expiry(date(2026, 12, 2)) == date(2027, 12, 2)
    assert latest_expiry(date(2027, 12, 2)) == date(2028, 12, 1)  # over a 29 February


@given(st.dates(date(2020, 1, 1), date(2090, 1, 1)), st.dates(date(2020, 1, 1), date(2090, 1, 1)))
def test_an_acceptance_never_revives(today: date, end: date) -> None:
    """Once expired, expired on every later day."""
    if standing(STEPS, Decided(STEPS, end), today) is Standing.expired:
        later = date.fromordinal(today.toordinal() + 1)
        assert standing(STEPS, Decided(STEPS, end), later) is Standing.expired

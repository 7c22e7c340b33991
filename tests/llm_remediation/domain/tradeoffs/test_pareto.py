"""The frontier of cost against minutes saved."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm_remediation.domain.tradeoffs.pareto import Choice, frontier, placed
from portal.errors import Invalid

CHOICES = st.lists(
    st.builds(
        Choice,
        id=st.sampled_from("abcdefgh"),
        cost_month=st.integers(-3, 6).map(float),
        minutes_saved=st.integers(0, 6).map(float),
    ),
    max_size=12,
)


def test_by_hand() -> None:
    """b costs as a and saves less; d costs more than c and saves as much; e saves most."""
    a, b = Choice("a", 100, 10), Choice("b", 100, 8)
    c, d = Choice("c", 300, 20), Choice("d", 350, 20)
    e, f = Choice("e", 900, 30), Choice("f", 400, 9)
    assert [(each.choice.id, each.dominated_by) for each in placed([f, e, d, c, b, a])] == [
        ("a", None),
        ("b", a),
        ("c", None),
        ("d", c),
        ("f", c),
        ("e", None),
    ]
    assert frontier([f, e, d, c, b, a]) == (a, c, e)


def test_equal_ones_dominate_nobody() -> None:
    a, b = Choice("a", 100, 10), Choice("b", 100, 10)
    assert frontier([b, a]) == (a, b)


def test_nothing_and_one() -> None:
    assert placed([]) == ()
    assert frontier([Choice("a", 0, 0)]) == (Choice("a", 0, 0),)


@given(CHOICES)
def test_the_frontier_is_what_none_dominates(choices: list[Choice]) -> None:
    for each in placed(choices):
        dominators = [other for other in choices if other.dominates(each.choice)]
        assert (each.dominated_by is None) == (not dominators)
        if each.dominated_by is not None:
            assert each.dominated_by in dominators
            assert each.dominated_by in frontier(choices)
    assert len(placed(choices)) == len(choices)


def test_what_saves_money_is_cheaper_than_what_costs_nothing() -> None:
    saves, free = Choice("a", -50, 5), Choice("b", 0, 5)
    assert saves.dominates(free) and frontier([free, saves]) == (saves,)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_bad_numbers_are_refused(bad: float) -> None:
    with pytest.raises(Invalid):
        Choice("a", bad, 1)
    with pytest.raises(Invalid):
        Choice("a", 1, -1)
    with pytest.raises(Invalid):
        Choice("a", 1, bad)

"""The test behind a comparison, against plain enumeration of every swap."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.answers import Answer
from assessments.domain.compare import compare_cards
from assessments.domain.scorecard import Scorecard
from assessments.domain.scoring import score
from assessments.domain.shipped import v2_3
from portal.stats.compare import compare_levels

NOW = datetime(2026, 12, 2, tzinfo=UTC)
REL = [practice.id for practice in v2_3().practices if practice.id.startswith("REL")]


def card(levels: dict[str, int]) -> Scorecard:
    """A card whose current levels are `levels` (0 or 1 need no evidence)."""
    return score(v2_3(), [Answer(practice=key, level=value) for key, value in levels.items()], as_of=NOW)


def swap_p(left: list[int], right: list[int]) -> float:
    """The share of swaps inside practices whose D is at least the observed."""

    def distance(a: list[int], b: list[int]) -> int:
        return max(abs(sum(v <= x for v in a) - sum(v <= x for v in b)) for x in {*a, *b})

    observed = distance(left, right)
    every = []
    for swaps in product((False, True), repeat=len(left)):
        a = [r if swap else q for q, r, swap in zip(left, right, swaps, strict=True)]
        b = [q if swap else r for q, r, swap in zip(left, right, swaps, strict=True)]
        every.append(distance(a, b))
    return sum(d >= observed for d in every) / len(every)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=6, max_size=8))
def test_p_is_the_exact_one_and_the_difference_that_of_the_levels(pairs: list[tuple[int, int]]) -> None:
    a = {key: pair[0] for key, pair in zip(REL, pairs, strict=False)}
    b = {key: pair[1] for key, pair in zip(REL, pairs, strict=False)}
    row = next(each for each in compare_cards(card(a), card(b)).dimensions if each.dimension == "REL")
    assert row.p_value == swap_p([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    assert row.method == "exact"
    assert row.adjusted == row.p_value  # one tested dimension: Holm changes nothing
    assert row.interval is None and row.interval_reason
    assert row.difference is not None
    assert abs(row.difference - sum(p[0] - p[1] for p in pairs) / len(pairs)) < 1e-4


def test_page_and_command_share_one_function() -> None:
    """Overall, over more pairs than can be enumerated: the same seed gives the same p."""
    ids = [practice.id for practice in v2_3().practices]
    a = {key: index % 2 for index, key in enumerate(ids)}
    b = {key: int(index % 3 == 0) for index, key in enumerate(ids)}
    overall = compare_cards(card(a), card(b)).overall
    command = compare_levels({k: float(v) for k, v in a.items()}, {k: float(v) for k, v in b.items()})
    assert overall is not None and command.ks is not None
    assert (overall.statistic, overall.p_value) == (command.ks.statistic, command.ks.p_value)


def test_holm_makes_no_p_smaller_and_the_largest_difference_comes_first() -> None:
    ids = [practice.id for practice in v2_3().practices]
    a = card(dict.fromkeys(ids, 1))
    b = card({key: int(not key.startswith(("REL", "OBS"))) for key in ids})
    rows = compare_cards(a, b).dimensions
    assert all((row.adjusted or 0) >= (row.p_value or 0) for row in rows)
    gaps = [abs(row.difference or 0) for row in rows]
    assert gaps == sorted(gaps, reverse=True)
    assert {row.dimension for row in rows if row.clear} == {"REL", "OBS"}


def test_five_shared_practices_are_too_few_for_a_test() -> None:
    five = dict.fromkeys(REL[:5], 1)
    row = next(
        each
        for each in compare_cards(card(five), card(dict.fromkeys(REL[:5], 0))).dimensions
        if each.dimension == "REL"
    )
    assert (row.statistic, row.p_value, row.adjusted, row.shared) == (None, None, None, 5)

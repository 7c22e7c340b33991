"""What holds for every rule, whatever the numbers."""

from __future__ import annotations

import math
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from assessments.domain.dimensions import Dimension
from assessments.domain.kpis.numbers import NUMBERS, Reading
from assessments.domain.shipped import v2_3
from llm_remediation.domain import tradeoffs
from llm_remediation.domain.tradeoffs.balance import balance
from llm_remediation.domain.tradeoffs.model import FindingState, Rise, Severity, Situation
from llm_remediation.domain.tradeoffs.registry import RULES, findings
from tests.llm_remediation.domain.tradeoffs.numbers_given import AS_OF, END, START, situation

USED = sorted({name for rule in RULES for name in rule.numbers})
PRACTICES = sorted({name for rule in RULES for name in rule.practices} | {"COST-05", "SEC-04", "EVO-01"})
VALUES = st.one_of(
    st.sampled_from([0.0, 1e-300, 1e-9, 1.0, 100.0, 1e9, 1e300, 1.7e308, -1.0, math.inf, math.nan]),
    st.floats(0, 1e6),
    st.integers(0, 10**6).map(float),
)
READINGS = st.dictionaries(
    st.tuples(st.sampled_from(USED), st.sampled_from(["", "", "chat", "train"])), VALUES, max_size=40
).map(lambda given: {key: Reading(*key, value, START, END) for key, value in given.items()})
FULL = st.fixed_dictionaries({(name, ""): VALUES for name in USED}).map(
    lambda given: {key: Reading(*key, value, START, END) for key, value in given.items()}
)
SITUATIONS = st.builds(
    Situation,
    rises=st.lists(
        st.builds(lambda name, level: Rise(name, level - 1, level, f"{name}.L{level}"),
                  st.sampled_from(PRACTICES), st.integers(1, 5)),
        max_size=6,
    ).map(tuple),
    levels=st.dictionaries(st.sampled_from(PRACTICES), st.integers(0, 5)),
    readings=st.one_of(READINGS, FULL),
    as_of=st.just(AS_OF),
)  # fmt: skip


def test_the_rules_are_t1_to_t8() -> None:
    assert [rule.id for rule in RULES] == [f"T{index}" for index in range(1, 9)]
    files = {path.stem for path in Path(str(tradeoffs.__path__[0])).glob("t[0-9]*.py")}
    assert files == {rule.id.lower() for rule in RULES}


def test_rules_use_the_numbers_that_name_them() -> None:
    for rule in RULES:
        named = {each.name for each in NUMBERS.values() if rule.id in each.used_by}
        assert set(rule.numbers) == named, rule.id


def test_practices_and_needs_are_of_the_shipped_matrix() -> None:
    """A rule or an option that names a practice names one that exists."""
    known = {each.id: each for each in v2_3().practices}
    for rule in RULES:
        assert set(rule.practices) <= set(known)
        for option in rule.options:
            assert option.effects
            assert option.needs is None or option.needs.practice in known


def test_each_rule_has_ways_out_for_the_dimension_that_pays() -> None:
    for rule in RULES:
        assert 2 <= len(rule.options) <= 4
        assert len({each.code for each in rule.options}) == len(rule.options)
        assert any(each.effects.get(rule.dims[1]) == "up" for each in rule.options), rule.id


def test_without_numbers_nothing_is_real() -> None:
    found = findings(situation("REL-05.L3"))
    assert [each.rule for each in found] == [rule.id for rule in RULES]
    assert {each.state for each in found} == {FindingState.not_measured}


@given(SITUATIONS)
def test_no_numbers_raise_and_none_are_made_up(given: Situation) -> None:
    found = findings(given)
    assert {each.rule for each in found} == {rule.id for rule in RULES}
    assert len({each.key for each in found}) == len(found)
    for each in found:
        assert bool(each.missing) == (each.state is FindingState.not_measured)
        assert (each.severity is Severity.warn) == (each.state is FindingState.real)
        assert set(each.items) <= {rise.item for rise in given.rises}
        for amount in (*each.measures, *each.thresholds, *each.price):
            assert math.isfinite(amount.value)
        for threshold in each.thresholds:
            assert each.measure(threshold.code) is not None
        for option in each.options:
            met = option.needs is None or given.levels.get(option.needs.practice, 0) >= option.needs.level
            assert option.open is met


@given(SITUATIONS, st.sampled_from(USED))
def test_a_number_taken_away_makes_nothing_real(given: Situation, name: str) -> None:
    """Less knowledge may blur what was real or quiet, and never turns one into the other."""
    less = Situation(
        given.rises,
        given.levels,
        {key: value for key, value in given.readings.items() if key[0] != name},
        given.as_of,
    )
    before = {each.key: each.state for each in findings(given)}
    for each in findings(less):
        if each.state is not FindingState.not_measured and each.key in before:
            assert before[each.key] is each.state


def test_the_balance_names_falls_in_the_unit_of_their_rule() -> None:
    now: dict[Dimension, float | None] = dict.fromkeys(Dimension, 2.0) | {Dimension.OBS: None}
    planned: dict[Dimension, float | None] = {**now, Dimension.REL: 2.5}
    plan = situation(
        "REL-05.L3",
        "OBS-01.L3",
        spend_month=100,
        replica_cost_month=20,
        budget_month=110,
        drill_verify_s=1,
    )
    bars = balance(now, planned, findings(plan))
    assert [each.dimension for each in bars] == list(Dimension)
    by = {each.dimension: each for each in bars}
    assert by[Dimension.REL].change == 0.5
    assert by[Dimension.OBS].change is None
    (fall,) = by[Dimension.COST].falls
    assert [(each.code, each.value) for each in fall.price] == [("replica_cost", 20)]
    assert by[Dimension.COST].may_fall == ()  # T5 and T7 have no step in the plan
    assert [each.rule for each in by[Dimension.EVO].may_fall] == ["T2"]
    assert by[Dimension.RCV].falls == by[Dimension.RCV].may_fall == ()

"""Which reading of a number holds today."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from assessments.domain.kpis.facts import Fact, FactKind, newest
from assessments.domain.kpis.numbers import NUMBERS, readings

NOW = datetime(2026, 12, 2, 12, tzinfo=UTC)


def number(value: float, *, days_ago: float = 1, name: str = "rto_s", service: str = "") -> Fact:
    end = NOW - timedelta(days=days_ago)
    unit = NUMBERS[name].unit if name in NUMBERS else "s"
    return Fact(FactKind.number, name, service, end - timedelta(days=30), end, value, unit)


def test_the_window_that_ends_last_holds_whatever_the_order() -> None:
    old, new = number(600, days_ago=40), number(900, days_ago=2)
    for order in ([old, new], [new, old]):
        assert readings(order, NOW)["rto_s", ""].value == 900


def test_a_number_older_than_90_days_or_of_tomorrow_says_nothing() -> None:
    assert readings([number(1, days_ago=90)], NOW)["rto_s", ""].value == 1
    assert readings([number(1, days_ago=90.01)], NOW) == {}
    assert readings([number(1, days_ago=-1)], NOW) == {}


def test_unknown_names_are_left_out_and_services_are_kept_apart() -> None:
    facts = [number(1, name="no_such"), number(2, name="ttft_p95_ms", service="chat"), number(3)]
    assert {key: each.value for key, each in readings(facts, NOW).items()} == {
        ("ttft_p95_ms", "chat"): 2,
        ("rto_s", ""): 3,
    }


def test_a_later_fact_with_the_same_key_replaces_the_earlier() -> None:
    assert [fact.value for fact in newest([number(1), number(2), number(3, days_ago=5)])] == [3, 2]


def test_every_number_is_named_once_and_is_used_by_something() -> None:
    assert all(each.used_by and each.unit and each.name == name for name, each in NUMBERS.items())

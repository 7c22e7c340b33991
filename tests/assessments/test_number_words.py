"""Every number, KPI and reason has a name in both languages, and quantities read as written here."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from assessments import kpi_words, number_words
from assessments.domain.kpis.facts import FactKind, Phase
from assessments.domain.kpis.headlines import headlines
from assessments.domain.kpis.measured import Measured
from assessments.domain.kpis.numbers import NUMBERS
from assessments.domain.kpis.practice_values import State, Why
from assessments.domain.shipped import v2_3

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)
CHINESE = re.compile("[\u4e00-\u9fff]")
BOTH = ("MTTR", "KPI")


def test_codes_and_words_are_the_same() -> None:
    assert list(number_words.NUMBERS) == list(NUMBERS)
    kpis = [each.measured.kpi for each in headlines((), (), AS_OF)]
    assert list(number_words.KPIS) == kpis
    used = {use for each in NUMBERS.values() for use in each.used_by}
    assert used <= {*number_words.KPIS, *number_words.TRADEOFFS}
    assert set(number_words.TRADEOFFS) <= used
    assert set(kpi_words.STATES) == set(State)
    assert set(kpi_words.PHASES) == set(Phase)
    assert set(kpi_words.KINDS) == set(FactKind)


@pytest.mark.parametrize(
    "table",
    [
        number_words.NUMBERS,
        number_words.KPIS,
        number_words.TRADEOFFS,
        kpi_words.REASONS,
        kpi_words.STATES,
        kpi_words.PHASES,
        kpi_words.KINDS,
        kpi_words.WHYS,
        kpi_words.WHOLE,
    ],
)
def test_every_text_is_there_in_both_languages(table: dict[str, Any]) -> None:
    for words in table.values():
        with translation.override("en"):
            assert not CHINESE.search(str(words))
        with translation.override("zh-hans"):
            assert CHINESE.search(str(words)) or str(words) in BOTH, str(words)


def test_every_unit_of_numbers_and_kpis_is_known() -> None:
    units = {each.unit for each in NUMBERS.values()}
    for practice in v2_3().practices:
        if practice.kpi:
            units |= {practice.kpi.unit, *(each.unit or practice.kpi.unit for each in practice.kpi.targets)}
    assert units - {"%"} <= {*number_words.UNITS, *number_words.BARE}
    with translation.override("en"):
        for unit in units - number_words.BARE:
            assert re.fullmatch("1.+", number_words.quantity(1, unit))


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0, "count", "0"),
        (1234567, "count", "1,234,567"),
        (91.4444, "h", "91.4 h"),
        (0.001038, "USD", "0.00104 USD"),
        (-3.5, "%", "−3.5\u202f%"),
        (1.1249, "ratio", "1.12"),
        (7, "widgets", "7 widgets"),
    ],
)
def test_quantities(value: float, unit: str, shown: str) -> None:
    with translation.override("en"):
        assert number_words.quantity(value, unit) == shown


def test_spans_hold_their_unit_once() -> None:
    with translation.override("en"):
        assert number_words.span(84, 97.4, "%") == "84.0–97.4\u202f%"
        assert number_words.span(7, 7, "min") == "7 min"
    with translation.override("zh-hans"):
        assert number_words.span(5, 30, "count per 1000 injected") == "每注入1,000次5–30次"


def test_measured_values_bounds_and_gaps() -> None:
    share = Measured("change_fail_rate", "%", 7.5, 40, low=2.58, high=19.86)
    bound = Measured("mtbf", "h", None, 1, low=455.2, reason="too_few_breaches")
    nothing = Measured("mtbf", "h", None, 0, reason="no_data")
    with translation.override("en"):
        assert (kpi_words.measured(share), kpi_words.interval(share)) == ("7.5\u202f%", "2.58 to 19.86")
        assert kpi_words.counted(share) == "40 changes"
        assert (kpi_words.measured(bound), kpi_words.interval(bound)) == ("at least 455 h", "")
        assert kpi_words.counted(bound) == "1 breach"
        assert (kpi_words.measured(nothing), kpi_words.counted(nothing)) == ("—", "")


@pytest.mark.parametrize(
    ("why", "whole", "said"),
    [
        (Why("met", {"reached": 3, "covered": 4, "total": 4}), False, "reach the target: 3 of 4."),
        (Why("missed", {"reached": 0, "covered": 1, "total": 1}), True, "cluster misses the target."),
        (Why("presence", {"covered": 1, "total": 4}), False, "95\u202f% of its samples: 1 of 4."),
        (Why("presence", {"covered": 0, "total": 1}), True, "at least 95\u202f% of its samples."),
        (Why("conditions", {"number": 2, "why": "missed"}), False, "Condition 2 beside the value is missed."),
        (
            Why("conditions", {"number": 1, "why": "stale"}),
            False,
            "Condition 1 beside the value is not shown",
        ),
        (Why("conditions", {"count": 1}), False, "which only runs can show."),
        (Why("impossible", {"service": "", "value": 130.0, "unit": "%"}), False, "130\u202f% cannot be."),
        (Why("no_services"), True, "No service in scope"),
    ],
)
def test_reasons_are_sentences(why: Why, whole: bool, said: str) -> None:
    with translation.override("en"):
        assert said in kpi_words.why(why, whole=whole)
    with translation.override("zh-hans"):
        assert CHINESE.search(kpi_words.why(why, whole=whole))

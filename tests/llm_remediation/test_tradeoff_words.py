"""Every rule speaks both languages, with its numbers in the words."""

from __future__ import annotations

import re

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from llm_remediation import tradeoff_number_words, tradeoff_words
from llm_remediation.domain.tradeoffs.model import Amount, Finding, FindingState
from llm_remediation.domain.tradeoffs.registry import RULES, findings
from llm_remediation.tradeoff_number_words import amount, apart
from tests.llm_remediation.domain.tradeoffs.numbers_given import situation

# Numbers that make every rule real and every measure and price known.
CHANGES: dict[str, float] = {
    **{"spend_month": 42_900, "budget_month": 42_900.5, "cost_bare": 0.5, "accepted_premium": 20},
    **{"slo_miss_avoidable_month": 38, "slo_miss_minutes_month": 60, "series_planned": 2},
    **{"releases_counted": 30, "releases_that_broke_rules": 7, "rto_s": 10, "drill_total_s": 9},
    **{"slo_good": 996, "slo_total": 1000, "slo_objective": 99.5, "changes_queued": 4},
    **{"ttft_p95_ms": 10, "guard_ttft_p95_ms": 4, "guard_usd_per_1k_tokens": 0.1},
    **{"engine_activity_target": 85, "queue_wait_p95_ms": 9, "ttft_target_ms": 10},
}
REAL = situation(
    *("REL-05.L3", "OBS-01.L3", "OBS-04.L3", "SEC-02.L3"),
    levels={"SEC-04": 2},
    **{name: 1.0 for rule in RULES for name in rule.numbers} | CHANGES,
)
EVERY = findings(REAL)
CHINESE = re.compile(r"[一-鿿]")


def both(finding: Finding) -> list[tuple[str, str]]:
    """Everything a page says about a finding, in English and Chinese."""
    said = []
    for language in ("en", "zh-hans"):
        with translation.override(language):
            said.append(
                [
                    tradeoff_words.title(finding.rule),
                    tradeoff_words.state(finding),
                    tradeoff_words.sentence(finding),
                    tradeoff_words.price(finding),
                    tradeoff_words.tension(finding),
                    *(tradeoff_words.option(finding.rule, each.code) for each in finding.options),
                    *(tradeoff_words.need(each) for each in finding.options),
                    *(": ".join(each) for each in tradeoff_words.measures(finding)),
                    tradeoff_words.chip(finding),
                ]
            )
    return list(zip(*said, strict=True))


def test_the_numbers_of_this_test_make_every_rule_real() -> None:
    assert [(each.rule, each.state) for each in EVERY] == [(rule.id, FindingState.real) for rule in RULES]


@pytest.mark.parametrize("finding", [*EVERY, *findings(situation("REL-05.L3"))], ids=lambda each: each.rule)
def test_every_text_is_there_in_both_languages(finding: Finding) -> None:
    for english, chinese in both(finding):
        assert not CHINESE.search(english)
        assert bool(english) == bool(chinese)
        assert not english or CHINESE.search(chinese), english
        for text in (english, chinese):
            assert "%(" not in text and "None" not in text
        assert sorted(re.findall(r"\d[\d,.]*\d|\d", english)) == sorted(
            re.findall(r"\d[\d,.]*\d|\d", chinese)
        )


def test_codes_and_words_are_the_same() -> None:
    assert set(tradeoff_words.TITLES) == {rule.id for rule in RULES}
    assert {rule: set(texts) for rule, texts in tradeoff_words.OPTIONS.items()} == {
        rule.id: {each.code for each in rule.options} for rule in RULES
    }
    assert set(tradeoff_words.SIGNALS) == {one.code for each in EVERY for one in each.thresholds}
    used = {one.code for each in EVERY for one in (*each.measures, *each.price)}
    named = set(tradeoff_number_words.NUMBERS) | set(tradeoff_number_words.DERIVED)
    assert used - named == set()
    assert set(tradeoff_number_words.NUMBERS) >= {name for rule in RULES for name in rule.numbers}
    assert set(tradeoff_number_words.DERIVED) - {"redundancy_cost"} <= used
    units = {one.unit for each in EVERY for one in (*each.measures, *each.price)}
    assert units - {"%"} - tradeoff_number_words.BARE <= set(tradeoff_number_words.UNITS)


def test_what_is_missing_is_named() -> None:
    (t6,) = (each for each in findings(situation("OBS-04.L3", spans_with_content=2)) if each.rule == "T6")
    with translation.override("en"):
        assert tradeoff_words.sentence(t6).endswith(" Not measured: the level of SEC-04.")
        assert tradeoff_words.chip(t6) == "may cost SEC (not measured)"


def test_a_sentence_holds_value_and_threshold() -> None:
    with translation.override("en"):
        assert tradeoff_words.sentence(EVERY[0]).startswith(
            "With the plan 42,901 USD/month are spent; the budget is 42,900 USD/month."
        )
        assert tradeoff_words.chip(EVERY[2]) == "costs RCV: 4 s"
    with translation.override("zh-hans"):
        assert tradeoff_words.sentence(EVERY[2]) == (
            "上次演练中，校验、解密、认证和审批占用了RTO的40\u202f%，阈值为30\u202f%。"
        )


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (1900.0, "USD/month", "1,900 USD/month"),
        (16.3333, "%", "16.3\u202f%"),
        (0.00004, "USD/1k tokens", "0.00004 USD per 1,000 tokens"),
        (0.0, "%", "0\u202f%"),
        (1.5, "h", "1.5 h"),
        (3.0, "count", "3"),
    ],
)
def test_amounts(value: float, unit: str, shown: str) -> None:
    with translation.override("en"):
        assert amount(Amount("x", value, unit)) == shown


@given(st.floats(0.01, 1e6), st.floats(0.01, 1e6))
def test_what_differs_reads_differently(one: float, other: float) -> None:
    """Down to a millionth."""
    with translation.override("en"):
        first, second = apart(Amount("x", one, "%"), Amount("x", other, "%"))
    if abs(one - other) > 2e-6:
        assert first != second

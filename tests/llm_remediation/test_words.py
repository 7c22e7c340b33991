"""Every code of the planner has words in both languages, with its numbers in them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

from assessments.domain.matrix import EvidenceKind
from assessments.domain.texts import Text
from llm_remediation import words
from llm_remediation.domain import reasons as documented
from llm_remediation.domain.model import BlastRadius, ClosingMethod, ClosingTest, Reason

STEPS = ["OBS-02.L2", "OBS-02.L3"]
LEFT = {"wave": 0, "resource": "days", "needed": 8.0, "left": 2.5}
SHORT = {"wave": 1, "resource": "gpu_hours", "needed": 64.0, "budget": 10.0}
CAPPED = {"wave": 2, "resource": "blast_radius", "radius": "high", "cap": "low"}
PRICE = {"loss": 0.0357, "displaces": ["REL-01.L2"]}

# One case per code: its parameters as the domain documents them, and what the words must contain.
CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "gain": ({"gain": 0.0238, "weakest": True}, ["0.024"]),
    "assumes": ({"practice": "OBS-02", "level": 3}, ["OBS-02", "3"]),
    "prerequisite": ({"needed_by": STEPS}, ["OBS-02 → 2", "OBS-02 → 3"]),
    "unlocks": ({"candidates": STEPS}, ["OBS-02 → 2"]),
    "prerequisite_unanswered": ({"practice": "REL-04", "level": 2}, ["REL-04", "2"]),
    "exceeds_largest_wave": ({"resource": "days", "needed": 12.0, "largest": 10}, ["12", "10"]),
    "fits_no_wave": ({"waves": [SHORT, CAPPED], "from_wave": 1}, ["64", "10"]),
    "blast_radius_capped": ({"radius": "high", "cap": "low"}, []),
    "too_few_waves": ({"waves": 3, "waves_needed": 4}, ["3", "4"]),
    "cannot_fit_with_prerequisites": (
        {
            "candidates": STEPS,
            "totals": [{"resource": "money", "needed": 12000.0, "all_waves": 9000.5}],
        },
        ["OBS-02 → 2", "12000", "9000.50", "USD"],
    ),
    "prerequisite_left_out": ({"candidates": STEPS, "possible": True, **PRICE}, ["OBS-02 → 3"]),
    "only_as_prerequisite": ({"needed_by": STEPS}, ["OBS-02 → 2"]),
    "no_gain": ({}, []),
    "outbid": ({"waves": [LEFT], **PRICE}, ["2.5", "8"]),
    "waits_too_long": ({"wave": 1, **PRICE}, []),
    "found_no_time": ({}, []),
}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("gain", {"gain": 0.0238, "weakest": False}),
    ("fits_no_wave", {"waves": [SHORT]}),
    ("fits_no_wave", {"waves": [CAPPED]}),
    ("cannot_fit_with_prerequisites", {"candidates": STEPS, "totals": []}),
    ("prerequisite_left_out", {"candidates": STEPS, "possible": False}),
    ("outbid", {"waves": [LEFT, SHORT]}),
]


def codes() -> set[str]:
    """The codes that the domain documents, and those it makes."""
    listed = set(re.findall(r"^- `(\w+)`", str(documented.__doc__), re.M))
    with open(str(documented.__file__), encoding="utf-8") as source:
        made = set(re.findall(r'Reason\(\s*"(\w+)"', source.read()))
    assert made <= listed
    return listed


def test_every_code_has_words_and_a_case() -> None:
    assert set(words.REASONS) == codes() == set(CASES)


@pytest.mark.parametrize("code", sorted(CASES))
def test_reasons_are_worded_in_both_languages(code: str) -> None:
    parameters, wanted = CASES[code]
    reason = Reason(code, parameters)
    with translation.override("en"):
        english = words.reason(reason, "USD")
    with translation.override("zh-hans"):
        chinese = words.reason(reason, "USD")
    assert not re.search(r"[一-鿿]", english)
    assert re.search(r"[一-鿿]", chinese), f"{code} is not translated"
    english, chinese = english.replace(",", ""), chinese.replace(",", "")  # grouping differs by language
    for piece in wanted:
        assert piece in english and piece in chinese
    for text in (english, chinese):
        assert "%(" not in text and "{" not in text and "None" not in text
    assert sorted(re.findall(r"\d+", english)) == sorted(re.findall(r"\d+", chinese))


@pytest.mark.parametrize(("code", "parameters"), VARIANTS)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_variants_are_worded_too(code: str, parameters: dict[str, Any], language: str) -> None:
    with translation.override(language):
        text = words.sentence([Reason(code, parameters)], "USD")
    assert text.endswith("。" if language == "zh-hans" else ".")
    assert bool(re.search(r"[一-鿿]", text)) == (language == "zh-hans")


def test_the_price_of_a_step_that_was_left_out() -> None:
    with translation.override("en"):
        assert words.price([Reason("outbid", {"waves": [LEFT], **PRICE})]) == (
            "A plan with it would lose 0.036 of weighted gain and drop REL-01 → 2."
        )
        equal = words.price([Reason("outbid", {"waves": [LEFT], "loss": 0.0, "displaces": []})])
        assert equal == "A plan with it is as good, but costs no less."
        assert words.price([Reason("no_gain")]) == ""


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_waves_radii_and_closing_tests(language: str) -> None:
    tests = [
        ClosingTest(ClosingMethod.FAULT, EvidenceKind.E4, faults=("F14", "F11"), clauses=("REL-04.L4.a",)),
        ClosingTest(ClosingMethod.DRILL, EvidenceKind.E2, drills=(Text("restore drill", "恢复演练"),)),
        ClosingTest(ClosingMethod.EVIDENCE, EvidenceKind.E3),
    ]
    with translation.override(language):
        found = [words.wave(index) for index in range(5)]
        found += [words.radius(each.value) for each in BlastRadius] + [words.radius(None)]
        found += [words.closing_test(each) for each in tests]
    assert len(set(found[:5])) == 5
    for text in found:
        assert bool(re.search(r"[一-鿿]", text)) == (language == "zh-hans"), text


def test_amounts_have_as_few_decimals_as_they_need() -> None:
    with translation.override("en"):
        assert words.amount("days", 12.0, "USD") == "12 d"
        assert words.amount("days", 0.1 + 0.2, "USD") == "0.3 d"
        assert words.amount("gpu_hours", 2.25, "USD") == "2.25 GPU-h"
        assert words.amount("money", 8200.0, "CNY") == "8,200\u202fCNY"
        assert words.amount("money", 8200.5, "CNY") == "8,200.50\u202fCNY"

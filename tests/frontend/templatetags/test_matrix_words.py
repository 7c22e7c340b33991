"""Every code the domain can send has words, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.utils import translation

from assessments.domain.answers import NaReason
from assessments.domain.matrix import KpiTarget
from assessments.domain.scorecard import XrayWarning
from frontend.templatetags import matrix as words

DOMAIN = Path(__file__).resolve().parents[3] / "assessments" / "domain"


def test_every_xray_code_has_words() -> None:
    source = (DOMAIN / "xray.py").read_text("utf-8")
    codes = set(re.findall(r"`([a-z_]+)`", source.split("Codes:")[1].split('"""')[0]))
    assert codes == set(words.WARNINGS)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_word_is_a_bare_code(language: str) -> None:
    with translation.override(language):
        for reason in NaReason:
            assert words.na_reason(reason.value) != reason.value
        for code in ("claimed", "no_evidence", "not_verified", "na", "unsure", "unanswered", "expired_E4"):
            assert words.score_reason(code) != code
        for code in words.WARNINGS:
            shown = words.warning_words(XrayWarning(code, "REL-01", "own message", other="OBS-02", level=3))
            assert shown and "%(" not in shown


def test_a_target_for_every_case_does_not_speak_of_at_least_100_percent() -> None:
    whole = KpiTarget(4, ">=", 90, "%", 90, share=100)
    most = KpiTarget(4, ">=", 90, "%", 90, share=95)
    assert words.kpi_target(whole) == "≥ 90 % · in every case · over 90 d"
    assert words.kpi_target(most) == "≥ 90 % · in ≥ 95 % of the cases · over 90 d"

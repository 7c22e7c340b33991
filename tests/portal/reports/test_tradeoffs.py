"""The page "Decisions and their price" and the KPIs beside the scores, as they stand in the PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from pypdf import PdfReader

from .conftest import LANGUAGES, SAMPLE

TITLE = {"en": "Decisions and their price", "zh-hans": "决定及其代价"}


def pages(pdf: bytes) -> list[str]:
    """The text of every page without spaces: extraction decides freely where it puts some."""
    return [re.sub(r"\s+", "", page.extract_text()) for page in PdfReader(io.BytesIO(pdf)).pages]


def has(text: str, *parts: str) -> None:
    for part in parts:
        assert re.sub(r"\s+", "", part) in text, part


@pytest.fixture
def bare(small: dict[str, Any], sample: dict[str, Any]) -> dict[str, Any]:
    """A short report with the trade-offs of the sample."""
    return {**small, "tradeoffs": sample["tradeoffs"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_comes_after_the_roadmap_with_every_number(pdfs: dict[str, bytes], language: str) -> None:
    found = pages(pdfs[language])
    heading = re.sub(r"\s+", "", f"5 {TITLE[language]}")
    (start,) = (index for index, text in enumerate(found) if heading in text and index > 1)
    roadmap = {"en": "4Roadmap", "zh-hans": "4路线图"}[language]
    assert [index < start for index, text in enumerate(found) if roadmap in text and index > 1] == [True]
    text = "".join(found[start : start + 2])
    part = SAMPLE["tradeoffs"]
    for row in (*part["decided"], *part["open"]):
        has(text, row["rule"], row["title"], row["tension"], row["seen"], row["price"])
        for each in row["beside"]:
            has(text, each["name"], each["value"])
    for row in part["decided"]:
        has(text, row["owner"], row["decided_by"], row["decided_on"], row["until"] or "", row["reason"])
        has(text, row["what"])
    for row in part["open"]:
        has(text, *(each["text"] for each in row["options"]))
    for row in (*part["unmeasured"], *part["quiet"]):
        has(text, f"{row['rule']} {row['title']}")


@pytest.mark.parametrize(
    ("language", "expired", "whole"),
    [("en", "▲ expired", "whole cluster"), ("zh-hans", "▲ 已过期", "整个集群")],
)
def test_what_has_expired_says_so_in_words_and_only_there(
    language: str, expired: str, whole: str, typeset: Callable[..., bytes], bare: dict[str, Any]
) -> None:
    assert [row["mark"] for row in bare["tradeoffs"]["decided"]] == ["stands", "expired", "stands"]
    text = "".join(pages(typeset(bare, language)))
    assert text.count(expired.replace(" ", "")) == 1
    has(text, whole)
    for row in bare["tradeoffs"]["decided"]:
        row["mark"] = "stands"
    assert expired.replace(" ", "") not in "".join(pages(typeset(bare, language)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mark", ["outgrown", "gone", "withdrawn", "unreal", "dismissed"])
def test_every_mark_and_kind_has_its_words(
    mark: str, language: str, typeset: Callable[..., bytes], bare: dict[str, Any]
) -> None:
    part = bare["tradeoffs"]
    before = len("".join(pages(typeset(bare, language))))
    if mark == "withdrawn":
        part["open"][1]["mark"] = mark
    elif mark == "unreal":
        part["decided"][0]["real"] = False
    elif mark == "dismissed":
        part["decided"][0] |= {"kind": mark, "owner": "", "until": None}
        has("".join(pages(typeset(bare, language))), {"en": "Dismissed as wrong"}.get(language, "判定有误"))
        return
    else:
        part["decided"][0]["mark"] = mark
    assert len("".join(pages(typeset(bare, language)))) > before + 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_nothing_decided_it_says_what_is_known(
    language: str, typeset: Callable[..., bytes], bare: dict[str, Any]
) -> None:
    said = {"en": ("waits for a decision", "not the same as no price", "no trade-off was looked at")}.get(
        language, ("没有等待决定的取舍", "并不等于没有代价", "没有查看任何取舍")
    )
    part = bare["tradeoffs"]
    part |= {"decided": [], "open": []}
    shown = []
    for each in (part, {**part, "quiet": []}, None):
        shown.append("".join(pages(typeset({**bare, "tradeoffs": each}, language))))
    for index, text in enumerate(shown):
        assert [re.sub(r"\s+", "", one) in text for one in said] == [index == n for n in range(3)]
        has(text, TITLE[language])
    has(shown[1], *(f"{row['rule']} {row['title']}" for row in part["unmeasured"]))


def test_a_long_reason_goes_on_over_pages_and_nothing_leaves_them(
    typeset: Callable[..., bytes], bare: dict[str, Any]
) -> None:
    lines = [f"line {number:04d}" for number in range(150)]
    reasons = ("word" * 500, "\n".join(lines), "理由很长。" * 400)
    for row, reason in zip(bare["tradeoffs"]["decided"], reasons, strict=True):
        row |= {"reason": reason, "owner": "o" * 200, "service": "s" * 120}
    bare["tradeoffs"]["open"][0]["service"] = "s" * 120
    pdf = typeset(bare)
    has("".join(re.sub(r"华北-B·.*?\d+/\d+", "", each) for each in pages(pdf)), reasons[0])
    assert sum("line" in each for each in pages(pdf)) >= 2
    has("".join(pages(pdf)), *lines)
    for page in PdfReader(io.BytesIO(pdf)).pages[1:]:
        ends: list[float] = []
        page.extract_text(visitor_text=lambda text, cm, tm, font, size, ends=ends: ends.append(tm[4] + cm[4]))
        assert max(ends, default=0) < float(page.mediabox.width)


@pytest.mark.parametrize("language", LANGUAGES)
def test_kpis_stand_on_the_page_of_the_scores(pdfs: dict[str, bytes], language: str) -> None:
    text = pages(pdfs[language])[2]
    assert len(SAMPLE["kpis"]) == 12
    assert {row["dimension"] for row in SAMPLE["kpis"]} == {row["code"] for row in SAMPLE["dimensions"]}
    for row in SAMPLE["kpis"]:
        if row["why"]:
            has(text, f"{row['name']}{row['service']}{row['why']}")
        else:
            has(text, f"{row['name']}{row['service']}{row['value']}{row['counted']}{row['interval']}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bound_and_unknown_kpis_are_said_in_words(
    language: str, typeset: Callable[..., bytes], small: dict[str, Any], sample: dict[str, Any]
) -> None:
    unknown = {"value": "—", "interval": "", "counted": "", "why": "W.", "start": None, "end": None}
    small["kpis"] = [{**row, **unknown} for row in sample["kpis"]]
    text = pages(typeset(small, language))[2]
    has(text, {"en": "None of the 12 headline KPIs has a value. W."}.get(language, "12个主要KPI均无数值。W."))
    assert re.sub(r"\s+", "", small["kpis"][0]["name"]) not in text
    small["kpis"][0] |= {"value": "at least 310 h"}
    has(pages(typeset(small, language))[2], "at least 310 h W.", small["kpis"][5]["name"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_queued_before_these_parts_existed_is_typeset(
    language: str, typeset: Callable[..., bytes], small: dict[str, Any]
) -> None:
    old = {key: value for key, value in small.items() if key not in ("kpis", "tradeoffs")}
    has("".join(pages(typeset(old, language))), TITLE[language])

"""The sentences of the executive page say what the tables say, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from portal.reports import sentences


@pytest.fixture(params=["en", "zh-hans"])
def language(request: pytest.FixtureRequest) -> Any:
    with translation.override(request.param):
        yield request.param


def test_the_verdict_names_score_and_weakest_dimension(sample: dict[str, Any], language: str) -> None:
    found = sentences.verdict("华北-B", sample["overall"], sample["dimensions"])
    assert "华北-B" in found.verdict and "2.69" in found.verdict
    assert "可恢复性" in found.verdict and "1.86" in found.verdict
    assert "2.81" in found.detail


def test_without_over_claims_the_detail_says_so(sample: dict[str, Any]) -> None:
    sample["overall"]["claimed"] = sample["overall"]["score"]
    found = sentences.verdict("A", sample["overall"], sample["dimensions"])
    assert found.detail == "Evidence that is valid today carries what the answers claim."


def test_an_unfinished_assessment_gets_counts_and_no_score(sample: dict[str, Any], language: str) -> None:
    overall = sample["overall"] | {"status": "incomplete", "score": None, "answered": 5, "applicable": 12}
    sample["dimensions"][2]["status"] = "incomplete"
    found = sentences.verdict("华东-T", overall, sample["dimensions"])
    assert "5" in found.verdict and "12" in found.verdict and "2.69" not in found.verdict
    assert sample["dimensions"][2]["name"] in found.detail and "70" in found.detail
    assert sample["dimensions"][0]["name"] not in found.detail


def test_nothing_applies(sample: dict[str, Any]) -> None:
    overall = sample["overall"] | {"status": "empty", "score": None, "applicable": 0}
    assert "no practice applies" in sentences.verdict("A", overall, []).verdict


def practice(name: str, current: int, *, core: bool = False, claimed: int | None = None) -> dict[str, Any]:
    return {
        "id": name,
        "dimension": name.split("-")[0],
        "title": f"title of {name}",
        "core": core,
        "state": "answered",
        "current": current,
        "claimed": current if claimed is None else claimed,
        "reason": "" if claimed is None else "Best evidence is E2",
        "evidence": [],
    }


def test_weak_points_are_lowest_first_then_weakest_dimension_then_core() -> None:
    rows: Any = [
        practice("REL-01", 2, core=True),
        practice("REL-02", 1),
        practice("RCV-01", 2),
        practice("RCV-02", 2, core=True),
        {**practice("SEC-01", 0), "state": "na", "current": None},
        practice("SEC-02", 5),
    ]
    found = sentences.weak_points(rows, {"REL-02": "It matters."}, "RCV")
    assert [each["id"] for each in found] == ["REL-02", "RCV-02", "RCV-01"]
    assert found[0]["text"] == "Level 1 of 5. It matters."


def test_an_over_claim_is_said_in_its_weak_point() -> None:
    rows: Any = [practice("RCV-03", 2, claimed=4)]
    assert sentences.weak_points(rows, {}, None)[0]["text"] == (
        "Level 2 of 5, claimed 4: Best evidence is E2."
    )


def test_decisions_add_up_to_the_roadmap(sample: dict[str, Any], language: str) -> None:
    road = sample["roadmap"]
    found = sentences.decisions(road)
    assert len(found) == 3
    assert sum(each["money"] for each in found) == pytest.approx(road["money"])
    assert sum(each["days"] for each in found) == pytest.approx(road["days"])
    assert sum(each["gain"] for each in found) == pytest.approx(road["gain"])
    assert all(each["currency"] == "USD" for each in found)
    assert str(len(road["waves"][0]["items"])) in found[0]["title"]
    assert sentences.decisions(None) == []


def test_confidence_counts_answers_and_evidence(sample: dict[str, Any]) -> None:
    practices, mix = sample["practices"], sample["executive"]["mix"]
    found = sentences.confidence(sample["overall"], practices, mix)
    assert found[0] == "44 of 46 applicable practices are answered (96\u202f%)."
    valid = [each for row in practices for each in row["evidence"] if each["state"] == "valid"]
    assert found[1].startswith(f"{len(valid)} pieces of valid evidence")
    over = [row for row in practices if (row["claimed"] or 0) > (row["current"] or 0)]
    assert any(line.startswith(f"{len(over)} practices are claimed higher") for line in found)
    assert "One respondent" in found[-1]


def test_no_evidence_is_said(sample: dict[str, Any]) -> None:
    found = sentences.confidence(sample["overall"], [], [])
    assert "no valid evidence" in found[1]


@pytest.mark.parametrize(
    ("value", "p", "clear", "words"),
    [
        (None, None, False, "Not rated on one side."),
        (0.0049, 0.5, False, "No difference."),
        (0.9, 0.01, True, "A is higher than B by 0.90; the levels are distributed differently."),
        (-0.4, 0.6, False, "B is higher than A by 0.40: no clear difference (7 practices)."),
        (0.4, None, False, "A is higher than B by 0.40; too few shared practices (7)."),
    ],
)
def test_a_difference_is_never_a_rank(value: float | None, p: float | None, clear: bool, words: str) -> None:
    assert sentences.difference("A", "B", value, p=p, clear=clear, shared=7) == words

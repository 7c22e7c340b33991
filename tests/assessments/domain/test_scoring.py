"""Scores worked out by hand."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessments.domain.answers import Answer, EvidenceItem, NaReason
from assessments.domain.dimensions import Dimension
from assessments.domain.loader import load_documents
from assessments.domain.matrix import EvidenceKind, Matrix, Profile
from assessments.domain.scorecard import PracticeScore, Scorecard
from assessments.domain.scoring import score
from assessments.domain.shipped import v2_3
from tests.assessments.domain.small_matrix import small_matrix, texts, trees

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)


def proof(kind: str, days: int = 1, *, verified: bool = True) -> EvidenceItem:
    return EvidenceItem(EvidenceKind(kind), AS_OF - timedelta(days=days), verified)


def at(practice: str, level: int) -> Answer:
    """A claim that is fully shown now."""
    return Answer(practice, level=level, evidence=(proof("E5"),))


def na(practice: str) -> Answer:
    return Answer(practice, na_reason=NaReason.out_of_scope)


def everywhere(matrix: Matrix, level: int, **other: int) -> list[Answer]:
    return [at(each.id, other.get(each.id.replace("-", "_"), level)) for each in matrix.practices]


def of(matrix: Matrix, *answers: Answer, **options: Any) -> Scorecard:
    return score(matrix, answers, as_of=AS_OF, **options)


def one(answer: Answer) -> PracticeScore:
    return of(small_matrix(), answer).practices[answer.practice]


# -- one practice -----------------------------------------------------------------------------------------


def ticks(*names: str) -> frozenset[str]:
    return frozenset(f"REL-01.{name}" for name in names)


@pytest.mark.parametrize(
    ("ticked", "claimed", "missing"),
    [
        ((), 0, ["L1.a"]),
        (("L1.a",), 1, ["L2.a", "L2.b"]),
        (("L1.a", "L2.b"), 1, ["L2.a"]),
        (("L1.a", "L2.a", "L2.b"), 2, ["L3.a", "L3.b"]),
        (("L2.a", "L2.b", "L3.a", "L3.b"), 0, ["L1.a"]),
        (("L1.a", "L2.a", "L2.b", "L3.a", "L4.a", "L4.b", "L5.a", "L5.b"), 2, ["L3.b"]),
    ],
)
def test_the_claim_is_the_highest_level_without_a_gap_below(
    ticked: tuple[str, ...], claimed: int, missing: list[str]
) -> None:
    result = one(Answer("REL-01", clauses=ticks(*ticked)))
    assert result.claimed == claimed
    assert result.next_missing == tuple(f"REL-01.{name}" for name in missing)
    assert result.state == "answered"


def test_all_clauses_give_5_and_nothing_is_missing() -> None:
    every = frozenset(each.id for each in small_matrix().practice("REL-01").clauses)
    result = one(Answer("REL-01", clauses=every, evidence=(proof("E5"),)))
    assert (result.claimed, result.demonstrated, result.current) == (5, 5, 5)
    assert (result.next_missing, result.missing, result.reason) == ((), (), "claimed")


def test_a_level_alone_misses_the_clauses_above_it() -> None:
    assert one(Answer("REL-01", level=3)).next_missing == ("REL-01.L4.a", "REL-01.L4.b")
    assert one(Answer("REL-02", level=3)).next_missing == ()


@pytest.mark.parametrize(
    ("claimed", "items", "demonstrated", "current", "reason"),
    [
        (4, [], 1, 1, "no_evidence"),
        (1, [], 1, 1, "claimed"),
        (0, [proof("E5")], 0, 0, "claimed"),
        (4, [proof("E0")], 1, 1, "ceiling_E0"),
        (4, [proof("E1")], 1, 1, "ceiling_E1"),
        (4, [proof("E2")], 2, 2, "ceiling_E2"),
        (4, [proof("E2"), proof("E3")], 3, 3, "ceiling_E3"),
        (4, [proof("E4", 90)], 4, 4, "claimed"),
        (4, [proof("E4", 91)], 4, 1, "expired_E4"),
        (4, [proof("E4", 91), proof("E2", 3)], 4, 2, "expired_E4"),
        (3, [proof("E5", 181), proof("E4", 91)], 3, 1, "expired_E5"),
        (4, [proof("E4", verified=False)], 2, 2, "not_verified"),
        (4, [proof("E4", 91, verified=False)], 2, 1, "expired_E4"),
        (4, [proof("E3"), proof("E4", verified=False)], 3, 3, "not_verified"),
        (2, [proof("E5", verified=False)], 2, 2, "claimed"),
        (4, [proof("E5", -1)], 1, 1, "no_evidence"),
    ],
)
def test_what_evidence_leaves_of_a_claim(
    claimed: int, items: list[EvidenceItem], demonstrated: int, current: int, reason: str
) -> None:
    result = one(Answer("REL-02", level=claimed, evidence=tuple(items)))
    assert (result.claimed, result.demonstrated, result.current) == (claimed, demonstrated, current)
    assert result.reason == reason


def test_evidence_for_one_clause_carries_the_whole_practice() -> None:
    item = EvidenceItem(EvidenceKind.E4, AS_OF, clause="REL-01.L2.a")
    assert one(Answer("REL-01", level=4, evidence=(item,))).current == 4


def test_declared_evidence_lifts_only_the_claimed_view() -> None:
    result = one(Answer("REL-02", level=4, evidence=(proof("E4", verified=False),)))
    assert (result.declared_ceiling, result.ceiling) == (4, 2)


def test_expired_evidence_is_listed() -> None:
    result = one(Answer("REL-02", level=4, evidence=(proof("E4", 91), proof("E3", 5), proof("E5", -1))))
    assert [each.kind for each in result.expired] == [EvidenceKind.E4]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Answer("REL-02", na_reason=NaReason.other, na_text="none here"), "na"),
        (Answer("REL-02", unsure=True), "unsure"),
        (Answer("REL-02"), "unanswered"),
        (Answer("REL-02", evidence=(proof("E5"),)), "unanswered"),
    ],
)
def test_what_is_no_level_has_none(answer: Answer, state: str) -> None:
    result = one(answer)
    assert (result.state, result.reason) == (state, state)
    assert (result.claimed, result.demonstrated, result.current) == (None, None, None)


# -- dimensions and overall -------------------------------------------------------------------------------


def test_the_dimension_is_the_mean_of_its_answered_practices() -> None:
    card = of(small_matrix(), *everywhere(small_matrix(), 3, REL_01=4, REL_02=1))
    assert card.dimensions[Dimension.REL].score == 2.5
    assert card.overall.score == pytest.approx((2.5 + 5 * 3) / 6)
    assert card.overall.weakest is Dimension.REL
    assert card.dimensions[Dimension.REL].weakest_practice == "REL-02"


def test_weights_count() -> None:
    tree = trees()
    tree["reliability.yaml"]["practices"][0]["weight"] = 3
    matrix = load_documents(texts(tree))
    card = of(matrix, *everywhere(matrix, 3, REL_01=4, REL_02=2))
    assert card.dimensions[Dimension.REL].score == (3 * 4 + 2) / 4


def test_ties_for_the_weakest_go_by_the_order_of_the_dimensions() -> None:
    matrix = small_matrix()
    assert of(matrix, *everywhere(matrix, 2)).overall.weakest is Dimension.REL
    tied = everywhere(matrix, 2, REL_01=3, OBS_01=3, RCV_01=1, COST_02=1)
    assert of(matrix, *tied).overall.weakest is Dimension.RCV


def answered(matrix: Matrix, count: int, level: int = 2) -> list[Answer]:
    """All practices but only the first `count` of REL."""
    rel = [each.id for each in matrix.by_dimension(Dimension.REL)]
    return [at(each.id, level) for each in matrix.practices if each.id not in rel[count:]]


@pytest.mark.parametrize(("count", "status"), [(6, "ok"), (5, "incomplete"), (0, "incomplete")])
def test_below_70_percent_of_a_dimension_there_is_no_number(count: int, status: str) -> None:
    """6 of 8 is 75 %, 5 of 8 is 62.5 %; the whole has no number either, or the gap would be hidden."""
    card = of(v2_3(), *answered(v2_3(), count))
    rel = card.dimensions[Dimension.REL]
    assert (rel.status, rel.completeness) == (status, count / 8)
    assert card.overall.status == status
    if status == "incomplete":
        assert (rel.score, rel.claimed, rel.demonstrated, rel.level) == (None, None, None, None)
        assert (card.overall.score, card.overall.weakest) == (None, None)
        assert card.dimensions[Dimension.OBS].score == 2.0
    else:
        assert card.overall.score == 2.0


def test_exactly_70_percent_is_enough() -> None:
    """7 of 10, where 7 / 10 as a float is below 0.7 plus rounding."""
    tree = trees()
    for file in ("reliability.yaml",):
        for number in range(3, 11):
            extra = json.loads(json.dumps(tree[file]["practices"][1]))
            extra["id"] = f"REL-{number:02d}"
            tree[file]["practices"].append(extra)
            tree["matrix.yaml"]["practices"].append({"id": extra["id"], "core": False})
    matrix = load_documents(texts(tree))
    assert of(matrix, *answered(matrix, 7)).overall.status == "ok"
    assert of(matrix, *answered(matrix, 6)).overall.status == "incomplete"
    # 80 % of 10 is 8, exactly.
    names = [each.id for each in matrix.by_dimension(Dimension.REL)]
    rest = [each for each in answered(matrix, 10, 3) if each.practice not in names]
    levels = [*[at(name, 3) for name in names[:8]], *[at(name, 1) for name in names[8:]]]
    assert of(matrix, *rest, *levels).dimensions[Dimension.REL].level == 3
    levels[7] = at(names[7], 1)
    assert of(matrix, *rest, *levels).dimensions[Dimension.REL].level == 1


def test_unsure_and_unanswered_leave_the_mean_and_lower_completeness() -> None:
    matrix = v2_3()
    answers = answered(matrix, 6)
    answers.append(Answer("REL-07", unsure=True))
    rel = of(matrix, *answers).dimensions[Dimension.REL]
    assert (rel.score, rel.answered, rel.applicable, rel.unsure) == (2.0, 6, 8, 1)
    assert rel.completeness == 0.75


def test_not_applicable_leaves_both_sides() -> None:
    matrix = v2_3()
    answers = [*answered(matrix, 5), na("REL-06"), na("REL-07")]
    rel = of(matrix, *answers).dimensions[Dimension.REL]
    assert (rel.answered, rel.applicable, rel.not_applicable, rel.status) == (5, 6, 2, "ok")


def test_a_dimension_in_which_nothing_applies_leaves_the_mean() -> None:
    matrix = small_matrix()
    answers = [each for each in everywhere(matrix, 2, COST_01=4) if not each.practice.startswith("REL")]
    card = of(matrix, *answers, na("REL-01"), na("REL-02"))
    assert card.dimensions[Dimension.REL].status == "empty"
    assert card.dimensions[Dimension.REL].score is None
    assert card.overall.score == pytest.approx((4 * 2 + 3) / 5)
    assert card.overall.status == "ok"


def test_where_nothing_applies_at_all_there_is_no_score() -> None:
    matrix = small_matrix()
    card = of(matrix, *[na(each.id) for each in matrix.practices])
    assert (card.overall.status, card.overall.score, card.overall.weakest) == ("empty", None, None)
    assert card.overall.na_share == 1.0


def test_no_answers_at_all() -> None:
    card = of(v2_3())
    assert (card.overall.status, card.overall.score, card.overall.completeness) == ("incomplete", None, 0.0)
    assert card.warnings == ()


@pytest.mark.parametrize(
    ("levels", "level"),
    [
        ([3, 3, 3, 3, 3, 3, 3, 3], 3),
        ([3, 3, 3, 3, 3, 3, 3, 0], 3),  # 7 of 8 is 87.5 %
        ([3, 3, 3, 3, 3, 3, 2, 2], 2),  # 6 of 8 is 75 %
        ([1, 3, 3, 3, 3, 3, 3, 3], 2),  # the core practice is 2 below
        ([2, 4, 4, 4, 4, 4, 4, 4], 3),  # the core practice allows 3
        ([0, 5, 5, 5, 5, 5, 5, 5], 1),
        ([0, 0, 0, 0, 0, 0, 0, 0], 0),
        ([5, 5, 5, 5, 5, 5, 5, 5], 5),
    ],
)
def test_the_level_of_a_dimension(levels: list[int], level: int) -> None:
    """OBS-01 (first) and OBS-05 are core."""
    names = [each.id for each in v2_3().by_dimension(Dimension.OBS)]
    answers = [at(name, value) for name, value in zip(names, levels, strict=True)]
    assert of(v2_3(), *answers).dimensions[Dimension.OBS].level == level


def test_scores_use_the_current_view_and_show_the_others() -> None:
    matrix = small_matrix()
    answers = [
        Answer(each.id, level=4, evidence=(proof("E4", 91), proof("E3", 2))) for each in matrix.practices
    ]
    overall = of(matrix, *answers).overall
    assert (overall.claimed, overall.demonstrated, overall.score) == (4.0, 4.0, 3.0)
    assert (overall.interval, overall.interval_reason) == (None, "one respondent")


# -- scope and profile ------------------------------------------------------------------------------------


def test_the_quick_scan_has_a_denominator_of_12() -> None:
    card = of(v2_3(), *everywhere(v2_3(), 2), scope="quick")
    assert sum(each.applicable for each in card.dimensions.values()) == 12
    assert len(card.practices) == 12
    assert card.overall.score == 2.0
    assert sum(each.code == "outside_scope" for each in card.warnings) == 36


def test_a_training_only_profile_gets_the_other_core_practices() -> None:
    card = of(v2_3(), scope="quick", profile=Profile(frozenset({"train"})))
    wanted = "REL-01 REL-06 OBS-01 OBS-05 RCV-01 RCV-03 EVO-04 EVO-07 SEC-01 SEC-08 COST-02 COST-03"
    assert " ".join(card.practices) == wanted


def test_an_answer_that_the_profile_hides_is_ignored_with_a_warning() -> None:
    profile = Profile(frozenset({"train"}))
    card = of(v2_3(), at("REL-03", 5), profile=profile)
    assert "REL-03" not in card.practices
    assert [(each.code, each.practice) for each in card.warnings] == [("hidden_by_profile", "REL-03")]


# -- warnings ---------------------------------------------------------------------------------------------


def codes(card: Scorecard) -> list[tuple[str, str | None]]:
    return [(each.code, each.other) for each in card.warnings]


def needing(level: int) -> Matrix:
    tree = trees()
    tree["reliability.yaml"]["practices"][1]["needs"] = [{"practice": "OBS-02", "level": level}]
    tree["observability.yaml"]["practices"][1]["for"] = ["serve"]
    return load_documents(texts(tree))


@pytest.mark.parametrize(
    ("claimed", "other", "expected"),
    [
        (3, at("OBS-02", 1), [("needs_unmet", "OBS-02")]),
        (3, at("OBS-02", 2), []),
        (2, at("OBS-02", 0), []),
        (3, Answer("OBS-02", unsure=True), [("needs_unanswered", "OBS-02")]),
        (3, na("OBS-02"), []),
    ],
)
def test_an_unmet_prerequisite_warns_and_changes_nothing(
    claimed: int, other: Answer, expected: list[tuple[str, str]]
) -> None:
    card = of(needing(2), at("REL-02", claimed), other)
    assert codes(card) == expected
    assert card.practices["REL-02"].current == claimed


def test_a_hidden_prerequisite_counts_as_satisfied() -> None:
    assert codes(of(needing(2), at("REL-02", 5), profile=Profile(frozenset({"train"})))) == []


def test_high_claims_without_runs_are_looked_at() -> None:
    matrix = small_matrix()
    assert codes(of(matrix, Answer("REL-02", level=4, evidence=(proof("E3"),)))) == [("no_run", None)]
    assert codes(of(matrix, Answer("REL-02", level=4, evidence=(proof("E4", verified=False),)))) == []
    assert codes(of(matrix, Answer("REL-02", level=5, evidence=(proof("E4"),)))) == [("no_automation", None)]
    assert codes(of(matrix, Answer("REL-02", level=3))) == []


def test_evidence_from_the_future_is_named() -> None:
    card = of(small_matrix(), Answer("REL-02", level=1, evidence=(proof("E2", -3),)))
    assert codes(card) == [("future_evidence", None)]


def test_many_not_applicable_answers_warn() -> None:
    """7 of 48 is 14.6 %, 8 of 48 is 16.7 %."""
    names = [each.id for each in v2_3().practices]
    assert not of(v2_3(), *[na(name) for name in names[:7]]).overall.na_warning
    card = of(v2_3(), *[na(name) for name in names[:8]])
    assert card.overall.na_warning
    assert codes(card) == [("na_share", None)]


# -- misuse and JSON --------------------------------------------------------------------------------------


def test_misuse_is_refused() -> None:
    matrix = small_matrix()
    with pytest.raises(ValueError, match="time zone"):
        score(matrix, [], as_of=datetime(2026, 12, 2))
    with pytest.raises(ValueError, match="REL-99"):
        of(matrix, at("REL-99", 1))
    with pytest.raises(ValueError, match="two answers"):
        of(matrix, at("REL-01", 1), at("REL-01", 1))


def test_numbers_are_rounded_only_in_the_json() -> None:
    matrix = small_matrix()
    card = of(matrix, *everywhere(matrix, 1, REL_01=2, OBS_01=2, OBS_02=2))
    assert card.overall.score == pytest.approx(7.5 / 6, abs=1e-15)
    as_json = json.loads(json.dumps(card.as_dict(), allow_nan=False))
    assert as_json["overall"]["score"] == 1.25
    third = of(matrix, *everywhere(matrix, 1, REL_01=2, REL_02=2)).as_dict()
    assert third["overall"]["score"] == 1.1667
    assert third["as_of"] == "2026-12-02T00:00:00Z"
    assert set(third["overall"]) >= {"status", "score", "weakest", "completeness"}
    assert set(third["dimensions"]["REL"]) >= {
        "score",
        "interval",
        "level",
        "answered",
        "applicable",
        "status",
    }
    assert set(third["practices"]["REL-01"]) >= {"claimed", "demonstrated", "current", "reason"}

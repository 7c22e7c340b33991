"""Raters side by side: levels from ticks, pairs, disputed applicability, the clauses that divide them."""

from __future__ import annotations

import pytest

from assessments.domain.answers import Answer, NaReason
from assessments.domain.problems import AnswerErrors
from assessments.domain.ratings import Rating, compare_ratings, parse_rating
from tests.assessments.domain.small_matrix import small_matrix

MATRIX = small_matrix()


def rating(rater: str, dossier: str, *answers: Answer) -> Rating:
    return Rating(rater, dossier, answers)


def ticked(*clauses: str) -> Answer:
    return Answer("REL-01", clauses=frozenset(f"REL-01.{each}" for each in clauses))


def test_two_raters_by_hand() -> None:
    found = compare_ratings(
        MATRIX,
        [
            rating("li", "A", ticked("L1.a", "L2.a", "L2.b"), Answer("OBS-02", level=4)),
            rating("wu", "A", ticked("L1.a", "L2.a"), Answer("OBS-02", level=4)),
            rating("li", "B", Answer("REL-01", level=0), Answer("OBS-02", na_reason=NaReason.out_of_scope)),
            rating("wu", "B", Answer("REL-01", level=3), Answer("OBS-02", level=2)),
        ],
        resamples=50,
    )
    # Pairs: 2-1, 4-4, 0-3 and one that disputes whether the practice applies.
    assert (found.pairs, found.state_pairs, found.exact, found.near) == (4, 1, 0.25, 0.5)
    assert (found.overall.units, found.overall.pairs) == (3, 3)
    # Observed (1 + 0 + 9) / 3; expected of {2,4,0} x {1,4,3}: (1+4+1 + 9+0+1 + 1+16+9) / 9 = 42/9.
    assert found.overall.kappa == pytest.approx(1 - (10 / 3) / (42 / 9))
    assert found.practices["REL-01"].levels == {"A": {"li": 2, "wu": 1}, "B": {"li": 0, "wu": 3}}
    assert found.practices["REL-01"].clauses == {"A": {"REL-01.L2.b": ["li"]}}
    assert found.practices["REL-01"].reword and found.practices["OBS-02"].reword
    assert found.as_dict()["reword"] == ["REL-01", "OBS-02"]


def test_dont_know_and_no_answer_are_gaps_not_disagreement() -> None:
    found = compare_ratings(
        MATRIX,
        [
            rating("li", "A", Answer("REL-02", level=1), Answer("OBS-02", unsure=True)),
            rating("wu", "A", Answer("REL-02", level=1), Answer("OBS-02", level=5)),
            rating("mo", "A", Answer("OBS-02", level=5)),
        ],
        resamples=50,
    )
    assert (found.pairs, found.exact) == (2, 1.0)
    assert found.practices["OBS-02"].levels == {"A": {"wu": 5, "mo": 5}}
    assert found.practices["SEC-01"].exact is None and not found.practices["SEC-01"].reword


def test_one_rater_and_a_dossier_rated_twice_are_refused() -> None:
    one = rating("li", "A", Answer("REL-02", level=1))
    with pytest.raises(ValueError, match="2 raters"):
        compare_ratings(MATRIX, [one])
    with pytest.raises(ValueError, match="twice"):
        compare_ratings(MATRIX, [one, one, rating("wu", "A")])


def test_files_as_lists_and_as_mappings() -> None:
    assert parse_rating([{"practice": "REL-02", "level": 1}], MATRIX, name="li").rater == "li"
    raw = {
        "rater": "wu",
        "dossier": "A",
        "profile": {"kinds": ["serve"]},
        "answers": [{"practice": "REL-02", "level": 1}],
    }
    read = parse_rating(raw, MATRIX, name="file")
    assert (read.rater, read.dossier, len(read.answers)) == ("wu", "A", 1)
    assert read.profile is not None


def test_every_problem_of_a_file_comes_at_once() -> None:
    raw = {"rater": 3, "profile": {"kinds": ["fly"]}, "answers": [{"practice": "REL-99", "level": 1}]}
    with pytest.raises(AnswerErrors) as caught:
        parse_rating(raw, MATRIX, name="file")
    text = str(caught.value)
    assert "rater" in text and "profile.kinds[0]" in text and "answers[0].practice" in text


def test_clauses_are_compared_one_by_one() -> None:
    """Of the clauses of REL-01 both tick 2, both leave the rest but one, which li alone ticks."""
    found = compare_ratings(
        MATRIX,
        [
            rating("li", "A", ticked("L1.a", "L2.a", "L2.b"), Answer("OBS-02", level=4)),
            rating("wu", "A", ticked("L1.a", "L2.a"), Answer("OBS-02", level=4)),
        ],
        resamples=50,
    )
    count = len(MATRIX.practice("REL-01").clauses)
    # Cohen: observed (n - 1) / n; by chance 3/n x 2/n ticked and (n - 3)/n x (n - 2)/n not.
    chance = (3 * 2 + (count - 3) * (count - 2)) / count**2
    assert found.clauses == count
    assert found.ticks_exact == pytest.approx((count - 1) / count)
    assert found.ticks_kappa == pytest.approx(((count - 1) / count - chance) / (1 - chance))
    assert found.as_dict()["clauses"] == {
        "units": count,
        "kappa": found.ticks_kappa,
        "exact": found.ticks_exact,
    }


def test_clauses_of_practices_that_one_rater_left_out_are_not_compared() -> None:
    found = compare_ratings(
        MATRIX,
        [
            rating("li", "A", ticked("L1.a")),
            rating("wu", "A", Answer("REL-01", na_reason=NaReason.out_of_scope)),
        ],
        resamples=50,
    )
    assert (found.clauses, found.ticks_kappa, found.ticks_exact) == (0, None, None)

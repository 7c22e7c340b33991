"""Gaps between the current levels and the targets."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assessments.domain.answers import Answer, EvidenceItem
from assessments.domain.gaps import Gap, gaps
from assessments.domain.matrix import EvidenceKind
from assessments.domain.scorecard import Scorecard
from assessments.domain.scoring import score
from tests.assessments.domain.small_matrix import small_matrix

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)
FULL = (EvidenceItem(EvidenceKind.E5, AS_OF),)


def card(*answers: Answer) -> Scorecard:
    return score(small_matrix(), answers, as_of=AS_OF)


def test_what_is_below_its_target_is_a_gap_with_the_missing_clauses() -> None:
    ticked = frozenset({"REL-01.L1.a", "REL-01.L2.b", "REL-01.L3.a"})
    found = gaps(small_matrix(), card(Answer("REL-01", clauses=ticked, evidence=FULL)))
    assert found == (Gap("REL-01", 1, 3, ("REL-01.L2.a", "REL-01.L3.b"), "claimed"),)


def test_where_only_evidence_is_missing_no_clause_is() -> None:
    [gap] = gaps(small_matrix(), card(Answer("REL-01", level=3)))
    assert (gap.from_level, gap.to_level, gap.missing_clauses, gap.reason) == (1, 3, (), "no_evidence")


def test_what_is_not_answered_is_unknown_and_no_gap() -> None:
    answers = (Answer("REL-01", unsure=True), Answer("REL-02"), Answer("OBS-01", level=3, evidence=FULL))
    assert gaps(small_matrix(), card(*answers)) == ()


def test_the_widest_gap_comes_first_and_targets_can_be_set_per_practice() -> None:
    answers = [Answer(name, level=2, evidence=FULL) for name in ("REL-01", "OBS-01", "SEC-01")]
    found = gaps(small_matrix(), card(*answers), {"OBS-01": 5, "SEC-01": 0})
    assert [(each.practice, each.to_level) for each in found] == [("OBS-01", 5), ("REL-01", 3)]


def test_bad_targets_are_refused() -> None:
    with pytest.raises(ValueError, match="6"):
        gaps(small_matrix(), card(), {"REL-01": 6})
    with pytest.raises(ValueError, match="unknown"):
        gaps(small_matrix(), card(), {"REL-09": 3})
    with pytest.raises(ValueError, match="-1"):
        gaps(small_matrix(), card(), default_target=-1)

"""X-ray: what contradicts itself is named, and what does not is left alone. Scores never move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from assessments.domain.answers import Answer, Confidence, EvidenceItem, parse_answers
from assessments.domain.kpis.facts import Phase
from assessments.domain.kpis.practice_values import PracticeKpi, State, TargetState, Value, Why
from assessments.domain.matrix import EvidenceKind
from assessments.domain.problems import AnswerErrors
from assessments.domain.scoring import Scorecard, score
from assessments.domain.xray import Twin, XrayFacts
from tests.assessments.domain.small_matrix import small_matrix

NOW = datetime(2026, 12, 2, tzinfo=UTC)
MATRIX = small_matrix()


def ticked(*letters: str, sure: Confidence | None = None, evidence: tuple[EvidenceItem, ...] = ()) -> Answer:
    """An answer to REL-01; `ticked("1a", "2a")` ticks L1.a and L2.a."""
    clauses = frozenset(f"REL-01.L{each[0]}.{each[1]}" for each in letters)
    return Answer("REL-01", clauses=clauses, confidence=sure, evidence=evidence)


def item(kind: str, clause: str | None = None, *, days: int = 1) -> EvidenceItem:
    return EvidenceItem(EvidenceKind(kind), NOW - timedelta(days=days), True, clause, "")


def card(answer: Answer, facts: XrayFacts | None = None) -> Scorecard:
    return score(MATRIX, [answer], as_of=NOW, facts=facts or XrayFacts())


def found(answer: Answer, facts: XrayFacts | None = None) -> dict[str, tuple[str | None, int | None]]:
    return {each.code: (each.other, each.level) for each in card(answer, facts).warnings}


TO_THREE = ("1a", "2a", "2b", "3a", "3b")


@pytest.mark.parametrize("sure", list(Confidence))
def test_a_high_claim_on_hearsay_is_named(sure: Confidence) -> None:
    codes = found(ticked(*TO_THREE, sure=sure, evidence=(item("E3"),)))
    assert ("low_confidence" in codes) == (sure <= 2)
    assert "low_confidence" not in found(ticked("1a", sure=sure, evidence=(item("E1"),)))


def test_said_to_be_shown_but_nothing_is_attached() -> None:
    assert "confidence_unbacked" in found(ticked("1a", sure=Confidence.shown))
    assert "confidence_unbacked" not in found(ticked("1a", sure=Confidence.shown, evidence=(item("E1"),)))
    later = item("E1", days=-1)
    assert "confidence_unbacked" in found(ticked("1a", sure=Confidence.shown, evidence=(later,)))
    assert "confidence_unbacked" not in found(ticked("1a", sure=Confidence.looked_up))


def test_ticks_above_a_gap_are_named_and_the_next_level_alone_is_not() -> None:
    assert found(ticked("1a", "2a", "3a"))["gap_in_ticks"] == ("REL-01.L3.a", 2)
    assert "gap_in_ticks" not in found(ticked("1a", "2a"))
    assert found(ticked("2a"))["gap_in_ticks"] == ("REL-01.L2.a", 1)


def test_evidence_for_a_clause_that_is_not_ticked() -> None:
    shown = (item("E2", "REL-01.L2.b"), item("E2", "REL-01.L2.b"))
    assert found(ticked("1a", "2a", evidence=shown))["evidence_unticked"] == ("REL-01.L2.b", None)
    codes = [each.code for each in card(ticked("1a", "2a", evidence=shown)).warnings]
    assert codes.count("evidence_unticked") == 1
    assert "evidence_unticked" not in found(ticked("1a", "2a", "2b", evidence=shown))
    # A level given directly ticks nothing, so nothing can be missing.
    assert "evidence_unticked" not in found(Answer("REL-01", level=1, evidence=shown))


@pytest.mark.parametrize(("level", "named"), [(0, True), (1, True), (2, False), (4, False), (5, True)])
def test_the_same_evidence_at_another_cluster(level: int, *, named: bool) -> None:
    facts = XrayFacts(twins={"REL-01": (Twin("B", level),), "OBS-01": (Twin("C", 0),)})
    codes = found(ticked(*TO_THREE), facts)
    assert ("twin_differs" in codes) == named
    if named:
        assert codes["twin_differs"] == ("B", level)


def test_facts_and_confidence_never_move_a_score() -> None:
    plain = card(ticked(*TO_THREE, evidence=(item("E3"),)))
    odd = card(
        ticked(*TO_THREE, sure=Confidence.guess, evidence=(item("E3"),)),
        XrayFacts(twins={"REL-01": (Twin("B", 0),)}),
    )
    assert plain.overall.score == odd.overall.score
    assert plain.practices["REL-01"].current == odd.practices["REL-01"].current == 3
    assert odd.overall.confidence == (1, 0, 0, 0, 0) and plain.overall.confidence == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("value", [0, 6, 2.5, "3", True])
def test_a_confidence_out_of_range_is_refused_with_its_place(value: object) -> None:
    with pytest.raises(AnswerErrors) as caught:
        parse_answers([{"practice": "REL-02", "level": 1, "confidence": value}], MATRIX)
    assert "answers[0].confidence" in str(caught.value)


def measured(missed: int, *, impossible: bool = False) -> XrayFacts:
    """Measured values of REL-01 that miss the target of one level (0: of none)."""
    value = Value("", 0, Phase.steady, 101.0, "%", None, NOW - timedelta(days=30), NOW)
    targets = tuple(
        TargetState(level, State.missed if level == missed else State.met, Why("met")) for level in (3, 4, 5)
    )
    kpi = PracticeKpi("REL-01", (value,), targets, None, Why("met"), (value,) if impossible else ())
    return XrayFacts(kpis={"REL-01": kpi})


def test_a_claim_whose_target_the_measured_values_miss() -> None:
    to_three = ticked(*TO_THREE)
    assert found(to_three, measured(3))["kpi_misses"] == (None, 3)
    assert "kpi_misses" not in found(to_three, measured(4))
    assert "kpi_misses" not in found(to_three, measured(0))
    assert "kpi_misses" not in found(ticked("1a", "2a", "2b"), measured(3))
    assert card(to_three, measured(3)).overall == card(to_three).overall


def test_a_measured_value_that_cannot_be() -> None:
    assert found(ticked("1a"), measured(0, impossible=True))["kpi_impossible"] == ("101 %", None)
    assert "kpi_impossible" not in found(ticked("1a"), measured(0))

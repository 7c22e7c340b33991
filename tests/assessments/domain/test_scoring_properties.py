"""What must hold for any answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.answers import Answer, EvidenceItem, NaReason, Profile
from assessments.domain.matrix import EvidenceKind, Scope
from assessments.domain.scorecard import Scorecard
from assessments.domain.scoring import score
from assessments.domain.shipped import v2_3

AS_OF = datetime(2026, 12, 2, 9, 30, tzinfo=UTC)
MATRIX = v2_3()
IDS = [each.id for each in MATRIX.practices]
WORDED = [each for each in MATRIX.practices if each.worded]

evidence = st.builds(
    EvidenceItem,
    kind=st.sampled_from(EvidenceKind),
    effective_at=st.integers(-2, 400).map(lambda days: AS_OF - timedelta(days=days, hours=days % 24)),
    verified=st.booleans(),
)


@st.composite
def answer(draw: st.DrawFn, name: str) -> Answer:
    items = tuple(draw(st.lists(evidence, max_size=3)))
    kind = draw(st.sampled_from(["level", "level", "level", "clauses", "clauses", "na", "unsure", "nothing"]))
    if kind == "clauses" and MATRIX.practice(name).clauses:
        ids = [each.id for each in MATRIX.practice(name).clauses]
        missing = draw(st.sets(st.sampled_from(ids), max_size=3))
        return Answer(name, clauses=frozenset(ids) - missing, evidence=items)
    if kind == "na":
        return Answer(name, na_reason=draw(st.sampled_from(NaReason)), evidence=items)
    if kind == "nothing":
        return Answer(name, evidence=items)
    if kind == "unsure":
        return Answer(name, unsure=True, evidence=items)
    return Answer(name, level=draw(st.integers(0, 5)), evidence=items)


@st.composite
def answer_lists(draw: st.DrawFn) -> list[Answer]:
    left_out = draw(st.sets(st.sampled_from(IDS), max_size=20))
    return [draw(answer(name)) for name in IDS if name not in left_out]


profiles = st.none() | st.builds(
    Profile,
    kinds=st.sampled_from([frozenset({"serve"}), frozenset({"train"}), frozenset({"serve", "train"})]),
    tags=st.frozensets(st.sampled_from(["moe", "lora", "rag", "multi-tenant", "spot"])),
)


def card(answers: list[Answer], as_of: datetime = AS_OF) -> Scorecard:
    return score(MATRIX, answers, as_of=as_of)


@settings(max_examples=80, deadline=None)
@given(answer_lists(), profiles, st.sampled_from(Scope))
def test_numbers_stay_in_their_range_and_the_views_are_ordered(
    answers: list[Answer], profile: Profile | None, scope: Scope
) -> None:
    found = score(MATRIX, answers, profile=profile, scope=scope, as_of=AS_OF)
    for one in found.practices.values():
        if one.claimed is not None and one.demonstrated is not None and one.current is not None:
            assert 0 <= one.current <= one.demonstrated <= one.claimed <= 5
            assert one.ceiling <= one.declared_ceiling
            assert (one.reason == "claimed") == (one.current == one.claimed)
    for each in found.dimensions.values():
        assert 0 <= each.completeness <= 1
        assert each.answered <= each.applicable
        if each.score is not None and each.demonstrated is not None and each.claimed is not None:
            assert 0 <= each.score <= each.demonstrated <= each.claimed <= 5
            assert each.level is not None
            assert each.answered * 10 >= each.applicable * 7
    scores = [each.score for each in found.dimensions.values() if each.status == "ok"]
    if found.overall.score is not None:
        assert min(s for s in scores if s is not None) <= found.overall.score + 1e-12
        assert found.overall.weakest is not None
        assert found.dimensions[found.overall.weakest].score == min(s for s in scores if s is not None)
    assert (found.overall.score is None) == (found.overall.status != "ok")
    found.as_dict()


@settings(max_examples=40, deadline=None)
@given(answer_lists(), st.randoms(use_true_random=False))
def test_the_order_of_the_answers_is_irrelevant(answers: list[Answer], random: object) -> None:
    shuffled = list(answers)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert card(shuffled).as_dict() == card(answers).as_dict()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_ticking_a_clause_never_lowers_a_level(data: st.DataObject) -> None:
    practice = data.draw(st.sampled_from(WORDED))
    ids = [each.id for each in practice.clauses]
    few = data.draw(st.frozensets(st.sampled_from(ids)))
    more = few | data.draw(st.frozensets(st.sampled_from(ids)))
    items = tuple(data.draw(st.lists(evidence, max_size=2)))
    low = card([Answer(practice.id, clauses=few, evidence=items)]).practices[practice.id]
    high = card([Answer(practice.id, clauses=more, evidence=items)]).practices[practice.id]
    for view in ("claimed", "demonstrated", "current"):
        assert getattr(low, view) <= getattr(high, view)
    assert not set(high.next_missing) & more


@settings(max_examples=40, deadline=None)
@given(answer_lists(), st.data())
def test_not_applicable_is_neutral(answers: list[Answer], data: st.DataObject) -> None:
    """A practice that is not applicable gives the same numbers as a matrix without it."""
    name = data.draw(st.sampled_from(IDS))
    with_na = [each for each in answers if each.practice != name]
    with_na.append(Answer(name, na_reason=NaReason.out_of_scope))
    smaller = replace(MATRIX, practices=tuple(each for each in MATRIX.practices if each.id != name))
    without = score(smaller, [each for each in answers if each.practice != name], as_of=AS_OF)
    found = card(with_na)
    assert found.overall.score == without.overall.score
    assert found.overall.completeness == without.overall.completeness
    assert found.overall.weakest == without.overall.weakest
    for dimension, each in found.dimensions.items():
        other = without.dimensions[dimension]
        assert (each.score, each.level, each.answered, each.applicable, each.status) == (
            other.score,
            other.level,
            other.answered,
            other.applicable,
            other.status,
        )


@settings(max_examples=60, deadline=None)
@given(answer_lists(), st.data())
def test_more_evidence_never_lowers_anything(answers: list[Answer], data: st.DataObject) -> None:
    before = card(answers)
    index = data.draw(st.integers(0, len(answers) - 1))
    item = data.draw(evidence)
    more = list(answers)
    more[index] = replace(more[index], evidence=(*more[index].evidence, item))
    after = card(more)
    for name, one in before.practices.items():
        for view in ("claimed", "demonstrated", "current"):
            low, high = getattr(one, view), getattr(after.practices[name], view)
            assert (low is None) == (high is None)
            assert low is None or low <= high
    if before.overall.score is not None:
        assert after.overall.score is not None
        assert before.overall.score <= after.overall.score


@settings(max_examples=60, deadline=None)
@given(answer_lists(), st.data())
def test_verifying_never_lowers_anything(answers: list[Answer], data: st.DataObject) -> None:
    verified = [
        replace(each, evidence=tuple(replace(item, verified=True) for item in each.evidence))
        for each in answers
    ]
    before, after = card(answers), card(verified)
    for name, one in before.practices.items():
        assert one.current is None or one.current <= (after.practices[name].current or 0)
        assert one.claimed == after.practices[name].claimed


@settings(max_examples=40, deadline=None)
@given(answer_lists(), st.integers(0, 500))
def test_time_alone_never_raises_a_current_level_of_past_evidence(answers: list[Answer], days: int) -> None:
    past = [
        replace(each, evidence=tuple(item for item in each.evidence if item.effective_at <= AS_OF))
        for each in answers
    ]
    now, later = card(past), card(past, AS_OF + timedelta(days=days))
    for name, one in now.practices.items():
        other = later.practices[name]
        assert one.current is None or (other.current or 0) <= one.current
        assert one.demonstrated == other.demonstrated

"""Moving answers to another matrix: by hand for each reason, and what must hold for any of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.answers import Answer, Profile
from assessments.domain.matrix import Clause, EvidenceKind, Matrix, Practice
from assessments.domain.migration import Outcome, Plan, Result, plan
from assessments.domain.migration_map import MigrationMap, parse_map
from assessments.domain.migration_state import OldAnswer
from assessments.domain.scoring import claimed_level
from assessments.domain.texts import Text
from tests.assessments.domain.small_matrix import small_matrix

BASE = small_matrix()
IDS = [each.id for each in BASE.practices]


def with_practices(*practices: Practice, without: tuple[str, ...] = (), matrix: Matrix = BASE) -> Matrix:
    """The matrix with practices put in the place of those with the same id, or added."""
    new = {each.id: each for each in practices}
    kept = [new.pop(each.id, each) for each in matrix.practices if each.id not in without]
    return replace(matrix, practices=(*kept, *new.values()), sha256="b" * 64)


def edited(name: str, change: Any) -> Practice:
    """A practice with its clauses changed by `change`, lettered anew."""
    practice = BASE.practice(name)
    return lettered(replace(practice, clauses=tuple(change(list(practice.clauses)))))


def lettered(practice: Practice) -> Practice:
    counts: dict[int, int] = {}
    made = []
    for each in sorted(practice.clauses, key=lambda clause: clause.level):
        nth = counts.get(each.level, 0)
        counts[each.level] = nth + 1
        made.append(replace(each, id=f"{practice.id}.L{each.level}.{'abcdefgh'[nth]}", practice=practice.id))
    return replace(practice, clauses=tuple(made))


def ticks(level: int, *but: str, practice: str = "REL-01") -> OldAnswer:
    """Everything ticked up to a level, without some."""
    clauses = {each.id for each in BASE.practice(practice).clauses if each.level <= level}
    return OldAnswer(practice, clauses=frozenset(clauses - set(but)))


def only(found: Plan) -> Outcome:
    (outcome,) = found.outcomes
    return outcome


def reworded(*ids: str) -> Practice:
    def change(clauses: list[Clause]) -> list[Clause]:
        return [replace(c, text=Text(f"New {c.id}", "新")) if c.id in ids else c for c in clauses]

    return edited("REL-01", change)


def test_the_same_matrix_keeps_every_answer() -> None:
    answers = [ticks(3, "REL-01.L3.b"), OldAnswer("OBS-02", level=4), OldAnswer("SEC-02", unsure=True)]
    answers.append(OldAnswer("RCV-02", na_reason="other", na_text="No training"))
    found = plan(BASE, BASE, answers)
    assert {each.reason for each in found.outcomes} == {"same"}
    by_id = {each.practice: each for each in found.answers}
    assert frozenset(by_id["REL-01"].clauses or ()) == answers[0].clauses
    assert by_id["OBS-02"].level == 4
    assert by_id["SEC-02"].unsure
    assert (by_id["RCV-02"].na_reason, by_id["RCV-02"].na_text) == ("other", "No training")
    assert found.counts() == {"mapped": 4, "needs_answer": 0, "archived": 0}
    assert len(found.unanswered) == 8


def test_a_new_clause_below_the_level_must_be_looked_at() -> None:
    extra = Clause("", "REL-01", 2, Text("Extra", "另"), EvidenceKind.E2)
    after = with_practices(edited("REL-01", lambda clauses: [*clauses, extra]))
    found = plan(BASE, after, [ticks(3)])
    assert (only(found).result, only(found).reason) == ("needs_answer", "clause_added")
    assert only(found).clauses == ("REL-01.L2.c",)
    assert found.answers == ()
    assert "REL-01.L3.b" in (found.suggestions[0].clauses or ())


def test_a_new_clause_above_the_level_changes_nothing() -> None:
    extra = Clause("", "REL-01", 4, Text("Extra", "另"), EvidenceKind.E4)
    after = with_practices(edited("REL-01", lambda clauses: [*clauses, extra]))
    found = plan(BASE, after, [ticks(2)])
    assert (only(found).result, only(found).reason) == ("mapped", "same")


def test_a_reworded_clause_waits_until_somebody_confirms_it() -> None:
    after = with_practices(reworded("REL-01.L2.a"))
    found = plan(BASE, after, [ticks(3)])
    assert (only(found).reason, only(found).clauses) == ("clause_reworded", ("REL-01.L2.a",))
    assert found.reworded == (("REL-01.L2.a", "REL-01.L2.a"),)
    held = plan(BASE, after, [ticks(3)], MigrationMap(confirmed=frozenset({"REL-01.L2.a"})))
    assert (only(held).result, only(held).reason) == ("mapped", "confirmed")
    assert frozenset(held.answers[0].clauses or ()) == ticks(3).clauses


def test_a_reworded_clause_that_was_not_ticked_may_be_met_now() -> None:
    after = with_practices(reworded("REL-01.L2.a"))
    assert only(plan(BASE, after, [ticks(3, "REL-01.L2.a")])).reason == "clause_reworded"
    # Another clause of the level is not met either way, so the level stays 1.
    other = ticks(3, "REL-01.L2.a", "REL-01.L2.b")
    assert only(plan(BASE, after, [other])).result is Result.mapped


def test_a_clause_that_moves_up_a_letter_keeps_its_own_tick() -> None:
    after = with_practices(edited("REL-01", lambda clauses: [c for c in clauses if c.id != "REL-01.L3.a"]))
    found = plan(BASE, after, [ticks(3, "REL-01.L3.a")])
    assert only(found).result is Result.mapped
    assert only(found).notes == ("clause_removed", "clause_renamed")
    assert "REL-01.L3.a" in (found.answers[0].clauses or ())
    lost = plan(BASE, after, [ticks(3, "REL-01.L3.b")])
    assert "REL-01.L3.a" not in (lost.answers[0].clauses or ())


def test_practices_that_go() -> None:
    after = with_practices(without=("REL-01",))
    assert only(plan(BASE, after, [ticks(3)])).reason == "practice_gone"
    dropped = plan(BASE, BASE, [ticks(3)], MigrationMap({"REL-01": ()}))
    assert (only(dropped).result, only(dropped).reason) == ("archived", "dropped")
    assert only(plan(BASE, BASE, [OldAnswer("REL-01", cleared=True)])).reason == "taken_back"
    assert only(plan(BASE, BASE, [OldAnswer("XXX-09", level=1)])).reason == "not_in_matrix"
    assert only(plan(BASE, BASE, [OldAnswer("REL-02", level=1)], scope="quick")).reason == "not_asked"


def test_a_renamed_practice_takes_its_ticks_along() -> None:
    moved = lettered(replace(BASE.practice("REL-01"), id="REL-07"))
    after = with_practices(moved, without=("REL-01",))
    found = plan(BASE, after, [ticks(3)], MigrationMap({"REL-01": ("REL-07",)}))
    assert (only(found).reason, only(found).targets) == ("renamed", ("REL-07",))
    expected = {each.replace("REL-01", "REL-07") for each in ticks(3).clauses or ()}
    assert set(found.answers[0].clauses or ()) == expected


def test_merged_practices_speak_for_their_own_clauses() -> None:
    one, two = BASE.practice("REL-01"), BASE.practice("OBS-01")
    own = [replace(each, text=Text(f"OBS {each.text.en}", "观")) for each in two.clauses]
    before = with_practices(replace(two, clauses=tuple(own)))
    merged = lettered(replace(one, clauses=(*one.clauses, *own)))
    after = with_practices(merged, without=("OBS-01",), matrix=before)
    mapping = MigrationMap({"REL-01": ("REL-01",), "OBS-01": ("REL-01",)})
    both = [ticks(5), OldAnswer("OBS-01", clauses=frozenset(c.id for c in own if c.level <= 3))]
    found = plan(before, after, both, mapping)
    assert [each.reason for each in found.outcomes] == ["merged", "merged"]
    assert found.answers[0].sources == ("REL-01", "OBS-01")
    answer = Answer("REL-01", clauses=frozenset(found.answers[0].clauses or ()))
    assert claimed_level(after.practice("REL-01"), answer) == 3
    # Half of it unanswered: nobody has looked at the other clauses.
    assert only(plan(before, after, both[:1], mapping)).reason == "source_unanswered"
    mixed = [ticks(3), OldAnswer("OBS-01", na_reason="out_of_scope")]
    assert {each.reason for each in plan(before, after, mixed, mapping).outcomes} == {"merge_conflict"}


def test_two_old_clauses_for_a_new_one_must_both_hold() -> None:
    new = Clause("", "REL-01", 2, Text("Both facts", "两者"), EvidenceKind.E2)
    after = with_practices(edited("REL-01", lambda cs: [*(c for c in cs if c.level != 2), new]))
    mapping = MigrationMap(
        clauses={"REL-01.L2.a": "REL-01.L2.a", "REL-01.L2.b": "REL-01.L2.a"},
        confirmed=frozenset({"REL-01.L2.a", "REL-01.L2.b"}),
    )
    assert "REL-01.L2.a" in (plan(BASE, after, [ticks(3)], mapping).answers[0].clauses or ())
    half = plan(BASE, after, [ticks(3, "REL-01.L2.b")], mapping)
    assert "REL-01.L2.a" not in (half.answers[0].clauses or ())


def test_a_split_practice_waits_for_the_part_that_is_not_known() -> None:
    practice = BASE.practice("REL-01")
    rest = [replace(c, text=Text(f"Other {c.id}", "别")) for c in practice.clauses]
    second = lettered(replace(practice, id="REL-08", clauses=tuple(rest)))
    after = with_practices(second)
    found = plan(BASE, after, [ticks(3)], MigrationMap({"REL-01": ("REL-01", "REL-08")}))
    assert (only(found).result, only(found).targets) == ("needs_answer", ("REL-01", "REL-08"))
    assert [each.practice for each in found.answers] == ["REL-01"]
    copy = lettered(replace(practice, id="REL-08"))
    whole = plan(
        BASE,
        with_practices(copy),
        [OldAnswer("REL-01", unsure=True)],
        MigrationMap({"REL-01": ("REL-01", "REL-08")}),
    )
    assert (only(whole).result, only(whole).reason) == ("mapped", "split")


def test_levels_and_clauses_do_not_turn_into_each_other_unseen() -> None:
    worded = lettered(
        replace(BASE.practice("REL-01"), id="REL-02", question=BASE.practice("REL-02").question)
    )
    after = with_practices(worded)
    answer = OldAnswer("REL-02", level=3)
    assert only(plan(BASE, after, [answer])).reason == "now_has_clauses"
    held = plan(BASE, after, [answer], MigrationMap(confirmed=frozenset({"REL-02"})))
    assert len(held.answers[0].clauses or ()) == sum(each.level <= 3 for each in worded.clauses)
    bare = with_practices(replace(BASE.practice("REL-01"), clauses=()))
    assert only(plan(BASE, bare, [ticks(3)])).reason == "no_clauses_now"
    kept = plan(BASE, bare, [ticks(3)], MigrationMap(confirmed=frozenset({"REL-01"})))
    assert kept.answers[0].level == 3


def test_a_level_or_not_applicable_holds_for_the_question_it_was_given_to() -> None:
    after = with_practices(replace(BASE.practice("REL-02"), question=Text("Something else?", "别的？")))
    for answer in (OldAnswer("REL-02", level=3), OldAnswer("REL-02", na_reason="out_of_scope")):
        assert only(plan(BASE, after, [answer])).reason == "practice_reworded"
        held = plan(BASE, after, [answer], MigrationMap(confirmed=frozenset({"REL-02"})))
        assert only(held).reason == "confirmed"
    rules = replace(BASE, level_scale=BASE.level_scale[:-1])
    assert only(plan(BASE, rules, [OldAnswer("REL-02", level=3)])).reason == "practice_reworded"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ([], "type"),
        ({"practises": {}}, "unknown_key"),
        ({"practices": []}, "type"),
        ({"practices": {"REL-01": 3}}, "type"),
        ({"practices": {"REL-99": "REL-01"}}, "practice_unknown_old"),
        ({"practices": {"REL-01": ["REL-99"]}}, "practice_unknown_new"),
        ({"clauses": {"REL-01.L1.a": 1}}, "type"),
        ({"clauses": {"REL-01.L1.z": "REL-01.L1.a"}}, "clause_unknown_old"),
        ({"clauses": {"REL-01.L1.a": "REL-01.L1.z"}}, "clause_unknown_new"),
        ({"clauses": {"REL-01.L1.a": "OBS-01.L1.a"}}, "clause_foreign"),
        ({"confirmed": "REL-01"}, "type"),
        ({"confirmed": ["REL-99"]}, "confirm_unknown"),
    ],
)
def test_a_bad_map_is_listed_and_not_used(raw: Any, code: str) -> None:
    mapping, problems = parse_map(raw)
    found = plan(BASE, BASE, [ticks(3)], mapping)
    assert code in {each.code for each in (*problems, *found.problems)}
    assert len(found.outcomes) == 1


# -- any answers, any edits, any map ----------------------------------------------------------------------


@st.composite
def old_answers(draw: st.DrawFn) -> list[OldAnswer]:
    found = []
    for name in draw(st.lists(st.sampled_from([*IDS, "XXX-01"]), unique=True)):
        clauses = [each.id for each in BASE.practice(name).clauses] if name in BASE else []
        kind = draw(st.sampled_from(["level", "clauses", "na", "unsure", "cleared", "empty"]))
        ticked = draw(st.none() | st.frozensets(st.sampled_from([*clauses, "REL-01.L9.z"])))
        found.append(
            OldAnswer(
                name,
                level=draw(st.integers(0, 5)) if kind == "level" else None,
                clauses=ticked if kind == "clauses" else None,
                na_reason="out_of_scope" if kind == "na" else "",
                unsure=kind == "unsure",
                cleared=kind == "cleared",
            )
        )
    return found


@st.composite
def edits(draw: st.DrawFn) -> Matrix:
    """The small matrix with practices dropped, renamed, reworded, and clauses changed in every way."""
    practices = []
    for each in BASE.practices:
        change = draw(
            st.sampled_from(["keep", "keep", "drop", "rename", "question", "clauses", "bare", "swap"])
        )
        if change == "drop":
            continue
        if change == "rename":
            each = lettered(replace(each, id=f"{each.id[:-1]}{draw(st.integers(3, 9))}"))
        if change == "question":
            each = replace(each, question=Text("New?", "新？"))
        if change == "bare":
            each = replace(each, clauses=(), worded=False)
        if change in ("clauses", "swap") and each.clauses:
            each = lettered(replace(each, clauses=tuple(draw(clause_edits(each)))))
        practices.append(each)
    unique = {each.id: each for each in practices}
    return replace(BASE, practices=tuple(unique.values()), sha256="c" * 64)


@st.composite
def clause_edits(draw: st.DrawFn, practice: Practice) -> list[Clause]:
    found = []
    for each in practice.clauses:
        change = draw(st.sampled_from(["keep", "keep", "drop", "reword", "level", "tag", "twice"]))
        if change == "drop":
            continue
        if change == "reword":
            each = replace(each, text=Text(f"New {draw(st.integers(0, 3))}", "新"))
        if change == "level":
            each = replace(each, level=draw(st.integers(1, 5)))
        if change == "tag":
            each = replace(each, tags=frozenset({"moe"}))
        found.extend([each, replace(each, text=Text("Extra", "另"))] if change == "twice" else [each])
    return found


@st.composite
def maps(draw: st.DrawFn, after: Matrix) -> MigrationMap:
    new = [each.id for each in after.practices] + ["REL-99"]
    old_clauses = [each.id for practice in BASE.practices for each in practice.clauses]
    new_clauses = [each.id for practice in after.practices for each in practice.clauses] + ["", "nothing"]
    target = st.lists(st.sampled_from(new), max_size=3, unique=True).map(tuple)
    return MigrationMap(
        draw(st.dictionaries(st.sampled_from([*IDS, "REL-77"]), target, max_size=5)),
        draw(st.dictionaries(st.sampled_from([*old_clauses, "x"]), st.sampled_from(new_clauses), max_size=6)),
        draw(st.frozensets(st.sampled_from([*IDS, *old_clauses, "y"]), max_size=6)),
    )


profiles = st.sampled_from(
    [None, Profile(frozenset({"serve"})), Profile(frozenset({"train"}), frozenset({"moe"}))]
)


@settings(max_examples=150, deadline=None)
@given(st.data(), profiles, st.sampled_from(["full", "quick"]))
def test_nothing_is_lost_and_nothing_is_claimed_unseen(data: st.DataObject, profile: Any, scope: str) -> None:
    after = data.draw(edits())
    answers, mapping = data.draw(old_answers()), data.draw(maps(after))
    found = plan(BASE, after, answers, mapping, profile=profile, scope=scope)
    assert sorted(each.practice for each in found.outcomes) == sorted(each.practice for each in answers)
    assert sum(found.counts().values()) == len(answers)
    written = {each.practice for each in found.answers}
    offered = {each.practice for each in found.suggestions}
    asked = {each.id for each in after.in_scope(scope, profile)}
    assert not written & offered
    assert not (written | offered) & set(found.unanswered)
    assert written | offered | set(found.unanswered) == asked
    for outcome in found.outcomes:
        if outcome.result is Result.mapped:
            assert outcome.targets and set(outcome.targets) <= written
        elif outcome.result is Result.needs_answer:
            assert not set(outcome.targets) <= written
    old = {each.practice: each for each in answers}
    narrowed = BASE.narrowed(profile)
    for new in (*found.answers, *found.suggestions):
        assert new.sources
        texts = {each.id: each.text for each in after.practice(new.practice).clauses}
        for clause in new.clauses or ():
            assert any(
                said(narrowed.practice(source), old[source], texts[clause], mapping.confirmed)
                for source in new.sources
            )


def said(practice: Practice, answer: OldAnswer, text: Text, confirmed: frozenset[str]) -> bool:
    """Whether an old answer says a fact in these words, or somebody confirmed that it does."""
    if practice.id in confirmed:
        return True
    ticked = answer.clauses
    if ticked is None:
        ticked = frozenset(each.id for each in practice.clauses if each.level <= (answer.level or 0))
    return any(each.id in ticked and (each.text == text or each.id in confirmed) for each in practice.clauses)


@settings(max_examples=60, deadline=None)
@given(old_answers())
def test_moving_to_the_same_matrix_changes_no_level(answers: list[OldAnswer]) -> None:
    found = plan(BASE, BASE, answers)
    assert not found.listed("needs_answer")
    for new in found.answers:
        practice = BASE.practice(new.practice)
        (was,) = (each for each in answers if each.practice == new.practice)
        before = Answer(new.practice, level=was.level or 0, clauses=was.clauses if practice.clauses else None)
        after = Answer(
            new.practice, level=new.level, clauses=None if new.clauses is None else frozenset(new.clauses)
        )
        if not (was.unsure or was.na_reason):
            assert claimed_level(practice, after) == claimed_level(practice, before)


@settings(max_examples=80, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda s: st.lists(s) | st.dictionaries(st.text(), s),
    )
)
def test_any_json_as_a_map_gives_problems_and_never_an_error(raw: Any) -> None:
    mapping, _problems = parse_map(
        raw if not isinstance(raw, dict) else {"practices": raw, "clauses": raw, "confirmed": raw}
    )
    assert len(plan(BASE, BASE, [ticks(2)], mapping).outcomes) == 1

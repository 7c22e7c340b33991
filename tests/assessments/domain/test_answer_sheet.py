"""The table that people fill in offline: read strictly, compared with what is stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessments.domain.answer_sheet import (
    ANSWER_COLUMNS,
    Change,
    SheetAnswer,
    Stored,
    plain,
    plan,
    read_sheet,
    with_ticks,
)
from tests.assessments.domain.small_matrix import small_matrix

PRACTICES = {each.id: each for each in small_matrix().practices}
HEADER = list(ANSWER_COLUMNS)


def row(practice: str, **values: str) -> list[str]:
    cells = {"practice": practice, "version": "0", **values}
    return [cells.get(name, "") for name in HEADER]


def one(**values: str) -> SheetAnswer:
    answers, problems = read_sheet([HEADER, row("REL-01", **values)], PRACTICES)
    assert problems == ()
    return answers[0]


def codes(*rows: list[str], header: list[str] | None = None) -> list[tuple[int, str, str]]:
    _answers, problems = read_sheet([header or HEADER, *rows], PRACTICES)
    return [(each.row, each.column, each.code) for each in problems]


def test_a_level_ticks_every_clause_up_to_it_and_replaces_ticks() -> None:
    assert one(level="2", clauses="L5.a").clauses == ("REL-01.L1.a", "REL-01.L2.a", "REL-01.L2.b")
    assert one(level="0").clauses == ()
    answers, _problems = read_sheet([HEADER, row("REL-02", level="4")], PRACTICES)
    assert (answers[0].level, answers[0].clauses) == (4, None)


def test_clauses_short_or_whole_in_matrix_order() -> None:
    assert one(clauses="L2.b, REL-01.L1.a；".replace("；", ";")).clauses == ("REL-01.L1.a", "REL-01.L2.b")
    assert one(clauses="none").clauses == ()
    assert one(note="later").says_nothing


def test_not_applicable_and_dont_know_put_ticks_aside() -> None:
    given_na = one(clauses="L1.a", na_reason="other", na_text="no such thing", confidence="3")
    assert (given_na.clauses, given_na.na_reason, given_na.confidence) == (None, "other", None)
    assert one(unsure="是").unsure and one(unsure="x").clauses is None


@pytest.mark.parametrize(
    ("values", "column", "code"),
    [
        ({"level": "6"}, "level", "number_out_of_range"),
        ({"level": "2.5"}, "level", "number_out_of_range"),
        ({"level": "二"}, "level", "number_out_of_range"),
        ({"level": "９"}, "level", "number_out_of_range"),
        ({"version": ""}, "version", "version_missing"),
        ({"version": "-1"}, "version", "number_out_of_range"),
        ({"clauses": "L9.z"}, "clauses", "clause_unknown"),
        ({"clauses": "OBS-01.L1.a"}, "clauses", "clause_unknown"),
        ({"na_reason": "because"}, "na_reason", "na_reason_unknown"),
        ({"na_reason": "other"}, "na_text", "na_text_missing"),
        ({"unsure": "perhaps"}, "unsure", "yes_or_no"),
        ({"level": "2", "na_reason": "out_of_scope"}, "na_reason", "answers_contradict"),
        ({"level": "2", "confidence": "9"}, "confidence", "number_out_of_range"),
        ({"note": "x" * 10_001}, "note", "text_too_long"),
    ],
)
def test_each_problem_has_its_row_and_column(values: dict[str, str], column: str, code: str) -> None:
    assert (3, column, code) in codes(row("REL-02", level="1"), row("REL-01", **values))


def test_the_header_and_the_practices() -> None:
    assert codes(header=[""]) == [(0, "", "header_missing")]
    assert codes(header=["practice", "version", "claues"]) == [(1, "claues", "column_unknown")]
    assert codes(header=["practice", "version", "level", "level"]) == [(1, "level", "column_twice")]
    assert codes(header=["practice"]) == [(1, "version", "column_missing")]
    assert codes(row("XYZ-99", level="1")) == [(2, "practice", "practice_unknown")]
    assert codes(row("REL-02", level="1"), [], row("REL-02", level="2")) == [
        (4, "practice", "practice_twice")
    ]
    assert codes(row("REL-02", clauses="L1.a")) == [(2, "clauses", "clauses_unworded")]


def test_what_a_row_would_do() -> None:
    answer = one(clauses="L1.a", version="3", note="=SUM(A1)")
    same = Stored(7, clauses=("REL-01.L1.a",), note="=SUM(A1)")
    expected = [
        (Stored(0), Change.conflict),
        (Stored(3), Change.changed),
        (Stored(4), Change.conflict),
        (same, Change.unchanged),
    ]
    for stored, change in expected:
        assert plan([answer], {"REL-01": stored})[0].change is change
    assert plan([one(clauses="L1.a")], {})[0].change is Change.added
    assert plan([one(note="only a note")], {})[0].change is Change.empty


def test_ticks_of_a_second_sheet() -> None:
    rows = [("REL-01", "answered"), ("OBS-01", "unanswered"), ("REL-02", "answered")]
    table = [["practice", "version", "state"], *[[name, "2", state] for name, state in rows]]
    ticks = [
        ["practice", "clause", "text", "tick"],
        ["REL-01", "REL-01.L1.a", "…", "x"],
        ["REL-01", "REL-01.L2.a", "…", ""],
        ["OBS-01", "OBS-01.L1.a", "…"],
    ]
    merged, problems = with_ticks(table, ticks)
    assert problems == ()
    assert [line[-1] for line in merged] == ["clauses", "REL-01.L1.a", "", ""]
    merged, _problems = with_ticks(table, [*ticks[:1], *[[*line[:3], ""] for line in ticks[1:]]])
    assert merged[1][-1] == "none"
    _merged, problems = with_ticks(table, [*ticks, ["REL-01", "REL-01.L3.a", "…", "maybe"]])
    assert [(each.row, each.code) for each in problems] == [(5, "yes_or_no")]


@given(st.text(max_size=40))
def test_a_trip_through_a_spreadsheet_changes_no_text(text: str) -> None:
    from frontend.spreadsheet import cell

    assert plain(cell(plain(text))) == plain(text)


CELLS = st.text(max_size=12) | st.sampled_from(["REL-01", "REL-02", "0", "3", "L1.a", "none", "x", "other"])


@given(st.lists(st.lists(CELLS, max_size=10), max_size=6), st.lists(st.sampled_from(HEADER), max_size=9))
def test_no_table_raises(rows: list[list[str]], header: list[str]) -> None:
    answers, problems = read_sheet([header, *rows], PRACTICES)
    assert all(each.practice in PRACTICES for each in answers)
    assert all(each.row >= 0 for each in problems)
    with_ticks([header, *rows], rows)
    assert len(plan(answers, {})) == len(answers)

"""Reading answers and profiles: every error with its place, and nothing but AnswerErrors."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.answers import Answer, EvidenceItem, NaReason, dump_answers, parse_answers
from assessments.domain.json_values import MAX_BYTES, parse_moment, read_json
from assessments.domain.matrix import EvidenceKind, Profile, Scope
from assessments.domain.problems import AnswerErrors
from assessments.domain.profiles import parse_profile
from assessments.domain.scoring import score
from tests.assessments.domain.small_matrix import small_matrix

E4 = {"kind": "E4", "effective_at": "2026-12-01T00:00:00Z"}


def parse(text: str) -> tuple[Answer, ...]:
    return parse_answers(read_json(text.encode()), small_matrix())


def refused(value: Any) -> list[tuple[str, str]]:
    text = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(AnswerErrors) as caught:
        parse(text)
    assert all(each.message for each in caught.value.problems)
    return [(each.place, each.code) for each in caught.value.problems]


def test_every_form_of_an_answer_is_read() -> None:
    found = parse(
        json.dumps(
            [
                {"practice": "REL-01", "clauses": ["REL-01.L1.a"], "evidence": [{**E4, "verified": False}]},
                {"practice": "REL-02", "level": 3, "evidence": [{**E4, "source": "run 7"}]},
                {"practice": "OBS-01", "na_reason": "other", "na_text": "No service here"},
                {"practice": "OBS-02", "unsure": True},
                {"practice": "RCV-01", "level": None},
                {"practice": "RCV-02", "level": 0},
                {"practice": "EVO-01", "clauses": [], "evidence": [{**E4, "clause": "EVO-01.L4.a"}]},
            ]
        )
    )
    moment = datetime(2026, 12, 1, tzinfo=UTC)
    assert found == (
        Answer(
            "REL-01",
            clauses=frozenset({"REL-01.L1.a"}),
            evidence=(EvidenceItem(EvidenceKind.E4, moment, False),),
        ),
        Answer("REL-02", level=3, evidence=(EvidenceItem(EvidenceKind.E4, moment, source="run 7"),)),
        Answer("OBS-01", na_reason=NaReason.other, na_text="No service here"),
        Answer("OBS-02", unsure=True),
        Answer("RCV-01"),
        Answer("RCV-02", level=0),
        Answer(
            "EVO-01",
            clauses=frozenset(),
            evidence=(EvidenceItem(EvidenceKind.E4, moment, clause="EVO-01.L4.a"),),
        ),
    )


def entry(**values: Any) -> list[dict[str, Any]]:
    return [{"practice": "REL-01", **values}]


def evidence(**values: Any) -> list[dict[str, Any]]:
    return entry(level=1, evidence=[{**E4, **values}])


@pytest.mark.parametrize(
    ("value", "place", "code"),
    [
        ({}, "answers", "type"),
        ("null", "answers", "type"),
        ([3], "answers[0]", "type"),
        ([None], "answers[0]", "type"),
        ([{"level": 1}], "answers[0].practice", "missing"),
        ([{"practice": None, "level": 1}], "answers[0].practice", "missing"),
        ([{"practice": 7, "level": 1}], "answers[0].practice", "type"),
        ([{"practice": "REL-99", "level": 1}], "answers[0].practice", "practice.unknown"),
        ([{"practice": "rel-01", "level": 1}], "answers[0].practice", "practice.unknown"),
        (entry(level=1) + entry(level=2), "answers[1].practice", "practice.duplicate"),
        (entry(), "answers[0]", "answer.empty"),
        (entry(unsure=False), "answers[0]", "answer.empty"),
        (entry(levl=1), "answers[0].levl", "key.unknown"),
        (
            entry(level=1) and [{"practice": "REL-01", "level": 1, "a b": 2}],
            "answers[0]['a b']",
            "key.unknown",
        ),
        (entry(level=True), "answers[0].level", "type"),
        (entry(level=3.0), "answers[0].level", "type"),
        (entry(level="3"), "answers[0].level", "type"),
        (entry(level=[]), "answers[0].level", "type"),
        (entry(level=6), "answers[0].level", "range"),
        (entry(level=-1), "answers[0].level", "range"),
        (entry(level=10**4000), "answers[0].level", "range"),
        ('[{"practice": "REL-01", "level": NaN}]', "answers[0].level", "type"),
        ('[{"practice": "REL-01", "level": 1e999}]', "answers[0].level", "type"),
        ('[{"practice": "REL-01", "level": 1, "level": 2}]', "answers[0].level", "key.duplicate"),
        (entry(level=1, clauses=[]), "answers[0].clauses", "answer.contradiction"),
        (entry(level=1, na_reason="out_of_scope"), "answers[0].na_reason", "answer.contradiction"),
        (entry(clauses=[], unsure=True), "answers[0].unsure", "answer.contradiction"),
        (entry(na_reason="out_of_scope", unsure=True), "answers[0].unsure", "answer.contradiction"),
        (entry(clauses="REL-01.L1.a"), "answers[0].clauses", "type"),
        (entry(clauses=[1]), "answers[0].clauses[0]", "type"),
        (entry(clauses=[None]), "answers[0].clauses[0]", "type"),
        (entry(clauses=["REL-01.L9.a"]), "answers[0].clauses[0]", "clause.unknown"),
        (entry(clauses=["REL-01.L1.a", "OBS-01.L1.a"]), "answers[0].clauses[1]", "clause.foreign"),
        (entry(clauses=["REL-01.L1.a"] * 2), "answers[0].clauses[1]", "clause.duplicate"),
        ([{"practice": "REL-02", "clauses": []}], "answers[0].clauses", "clause.unworded"),
        (entry(na_reason="because"), "answers[0].na_reason", "value"),
        (entry(na_reason="other"), "answers[0].na_text", "answer.na_text"),
        (entry(na_reason="other", na_text="  "), "answers[0].na_text", "answer.na_text"),
        (entry(level=1, na_text="x"), "answers[0].na_text", "answer.na_text"),
        (entry(na_reason="other", na_text="x" * 501), "answers[0].na_text", "text.size"),
        (entry(unsure=1), "answers[0].unsure", "type"),
        (entry(level=1, evidence={}), "answers[0].evidence", "type"),
        (entry(level=1, evidence=["E4"]), "answers[0].evidence[0]", "type"),
        (entry(level=1, evidence=[{"kind": "E4"}]), "answers[0].evidence[0].effective_at", "missing"),
        (evidence(kind=None), "answers[0].evidence[0].kind", "missing"),
        (evidence(kind="E6"), "answers[0].evidence[0].kind", "value"),
        (evidence(kind=4), "answers[0].evidence[0].kind", "type"),
        (evidence(verified="yes"), "answers[0].evidence[0].verified", "type"),
        (evidence(clause="OBS-01.L1.a"), "answers[0].evidence[0].clause", "clause.foreign"),
        (evidence(clause="nonsense"), "answers[0].evidence[0].clause", "clause.unknown"),
        (evidence(clause=3), "answers[0].evidence[0].clause", "type"),
        (evidence(url="x"), "answers[0].evidence[0].url", "key.unknown"),
        (evidence(effective_at="2026-12-01T00:00:00"), "answers[0].evidence[0].effective_at", "moment"),
        (evidence(effective_at="2026-02-30T00:00:00Z"), "answers[0].evidence[0].effective_at", "moment"),
        (evidence(effective_at=20261201), "answers[0].evidence[0].effective_at", "type"),
        ([[]] * 10_001, "answers", "list.size"),
    ],
)
def test_each_error_is_reported_at_its_place(value: Any, place: str, code: str) -> None:
    assert (place, code) in refused(value)


def test_all_errors_come_at_once_in_the_order_of_the_file() -> None:
    value = [
        {"practice": "REL-01", "level": 9, "evidence": [{"kind": "E9"}]},
        "x",
        {"practice": "NOPE-01", "level": True, "extra": 1},
    ]
    assert [place for place, _code in refused(value)] == [
        "answers[0].level",
        "answers[0].evidence[0].kind",
        "answers[0].evidence[0].effective_at",
        "answers[1]",
        "answers[2].extra",
        "answers[2].practice",
        "answers[2].level",
    ]


def test_messages_stay_short_and_printable() -> None:
    with pytest.raises(AnswerErrors) as caught:
        parse(json.dumps([{"practice": "\ud800\n" + "x" * 100_000, "level": 1}]))
    [problem] = caught.value.problems
    assert len(str(problem)) < 200
    assert str(problem).isprintable()


# -- files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file.json"),
        (b"[", "file.json"),
        (b"[1,]", "file.json"),
        (b"\xff\xfe[\x00]\x00", "file.encoding"),
        (b"[" * 200_000, "file.depth"),
        (b'{"a":' * 200_000, "file.depth"),
        (b"[" + b"1" * 5_000 + b"]", "file.number"),
        (b" " * (MAX_BYTES + 1), "file.size"),
    ],
)
def test_a_file_that_is_no_json_says_so(content: bytes, code: str) -> None:
    with pytest.raises(AnswerErrors) as caught:
        read_json(content)
    assert [each.code for each in caught.value.problems] == [code]


def test_a_syntax_error_names_line_and_column() -> None:
    with pytest.raises(AnswerErrors, match="line 2, column 3"):
        read_json(b"[\n  x\n]")


def test_a_byte_order_mark_is_no_error() -> None:
    assert read_json(b"\xef\xbb\xbf[]") == []


def test_nesting_that_the_reader_survives_is_a_plain_type_error() -> None:
    deep = "[" * 900 + "]" * 900
    assert refused(f'[{{"practice": "REL-01", "level": {deep}}}]') == [("answers[0].level", "type")]


def test_many_repeated_keys_take_no_time() -> None:
    """Counting each key by a walk over all keys would take minutes here."""
    keys = ",".join(f'"k{nth}":1' for nth in range(200_000))
    value = read_json(f'{{{keys},"k0":2}}'.encode())
    assert getattr(value, "repeated", None) == ("k0",)


# -- moments ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-12-02T00:00:00Z", datetime(2026, 12, 2, tzinfo=UTC)),
        ("2026-12-02T08:00+08:00", datetime(2026, 12, 2, tzinfo=UTC)),
        ("2026-12-02T00:00:00.123456789Z", datetime(2026, 12, 2, 0, 0, 0, 123456, tzinfo=UTC)),
        ("2024-02-29T23:59:59-00:30", datetime(2024, 3, 1, 0, 29, 59, tzinfo=UTC)),
    ],
)
def test_moments_become_utc(text: str, moment: datetime) -> None:
    assert parse_moment(text) == moment


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-12-02", "no time zone"),
        ("2026-12-02T00:00:00", "no time zone"),
        ("2026-12-02 00:00:00Z", "no moment"),
        ("20261202T000000Z", "no moment"),
        ("yesterday", "no moment"),
        ("", "no moment"),
        ("２０２６-12-02T00:00:00Z", "no moment"),
        ("2026-13-02T00:00:00Z", "calendar"),
        ("2026-12-02T24:00:01Z", "calendar"),
        ("2026-12-02T00:00:60Z", "calendar"),
        ("0001-01-01T00:00:00+14:00", "calendar"),
        ("9999-12-31T23:59:59-14:00", "calendar"),
        ("2026-12-02T00:00:00+99:00", "calendar"),
    ],
)
def test_what_is_no_moment_says_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_moment(text)


# -- anything at all --------------------------------------------------------------------------------------

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["REL-01", "OBS-01.L1.a", "E3", "other", "2026-12-01T00:00:00Z"])
    | st.text(max_size=5)
)
keys = st.sampled_from(
    [
        "practice",
        "level",
        "clauses",
        "na_reason",
        "na_text",
        "unsure",
        "evidence",
        "kind",
        "effective_at",
        "x",
    ]
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner), max_leaves=15
)


@settings(max_examples=300, deadline=None)
@given(values | st.lists(st.fixed_dictionaries({"practice": st.just("REL-01"), "level": values})))
def test_any_json_is_read_or_refused_with_places(value: Any) -> None:
    try:
        parse_answers(value, small_matrix())
    except AnswerErrors as error:
        assert error.problems
        assert all(each.place.startswith("answers") for each in error.problems)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read_json(content)
    except AnswerErrors as error:
        assert error.problems


items = st.builds(
    EvidenceItem,
    kind=st.sampled_from(EvidenceKind),
    effective_at=st.integers(0, 10**9).map(lambda s: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=s)),
    verified=st.booleans(),
    clause=st.none() | st.just("REL-01.L2.a"),
    source=st.text(max_size=5),
)


@given(
    st.sampled_from(
        [
            {"level": 4},
            {"clauses": frozenset({"REL-01.L1.a"})},
            {"clauses": frozenset()},
            {"unsure": True},
            {"na_reason": NaReason.other, "na_text": "why"},
            {},
        ]
    ),
    st.lists(items, max_size=3),
)
def test_what_is_written_is_read_back(said: dict[str, Any], given_items: list[EvidenceItem]) -> None:
    answer = Answer("REL-01", evidence=tuple(given_items), **said)
    text = json.dumps(dump_answers([answer]))
    assert parse(text) == (answer,)
    as_of = datetime(2026, 12, 2, tzinfo=UTC)
    one = score(small_matrix(), [answer], as_of=as_of).as_dict()
    assert score(small_matrix(), parse(text), as_of=as_of).as_dict() == one


# -- profiles ---------------------------------------------------------------------------------------------


def test_a_profile_is_read() -> None:
    assert parse_profile({"kinds": ["serve"]}) == (Profile(frozenset({"serve"})), None)
    raw = {"kinds": ["train", "serve"], "tags": ["moe"], "scope": "quick"}
    assert parse_profile(raw) == (
        Profile(frozenset({"serve", "train"}), frozenset({"moe"})),
        Scope.quick,
    )


@pytest.mark.parametrize(
    ("raw", "place", "code"),
    [
        ([], "profile", "type"),
        ({}, "profile.kinds", "missing"),
        ({"kinds": []}, "profile.kinds", "missing"),
        ({"kinds": "serve"}, "profile.kinds", "type"),
        ({"kinds": ["cook"]}, "profile.kinds[0]", "value"),
        ({"kinds": [None]}, "profile.kinds[0]", "type"),
        ({"kinds": ["serve", "serve"]}, "profile.kinds[1]", "value"),
        ({"kinds": ["serve"], "tags": ["gpu"]}, "profile.tags[0]", "value"),
        ({"kinds": ["serve"], "scope": "half"}, "profile.scope", "value"),
        ({"kinds": ["serve"], "tier": 1}, "profile.tier", "key.unknown"),
    ],
)
def test_a_bad_profile_is_refused_with_its_place(raw: Any, place: str, code: str) -> None:
    with pytest.raises(AnswerErrors) as caught:
        parse_profile(raw)
    assert (place, code) in [(each.place, each.code) for each in caught.value.problems]

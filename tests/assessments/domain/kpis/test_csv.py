"""Facts as CSV: what is written reads back, what is wrong is named by row and column, nothing is raised."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assessments.domain.kpis.csv_reading import MAX_BYTES, MAX_PROBLEMS, MAX_ROWS, Sheet, read
from assessments.domain.kpis.csv_writing import template, write
from assessments.domain.kpis.facts import Fact, FactKind, Phase
from assessments.domain.kpis.numbers import NUMBERS

PRACTICES = frozenset({"REL-04", "COST-01"})
SERVICES = frozenset({"chat", "=1+1", "训练"})
HEADER = "kind,name,service,start,end,value,unit,phase,present,note\n"
NOV = datetime(2026, 11, 1, tzinfo=UTC)
DEC = datetime(2026, 12, 1, tzinfo=UTC)


def reading(text: str | bytes) -> Sheet:
    data = text.encode() if isinstance(text, str) else text
    return read(data, practices=PRACTICES, services=SERVICES)


def codes(text: str | bytes) -> list[tuple[int, str, str]]:
    return [(each.row, each.column, each.code) for each in reading(text).problems]


def row(text: str) -> str:
    return HEADER + text + "\n"


def test_each_kind_is_read() -> None:
    sheet = reading(
        HEADER
        + "number,changes,,2026-11-01,2026-12-01,40,count,,,\n"
        + "number,ttft_p95_ms,chat,2026-11-01T00:00:00+08:00,2026-12-01,812.5,,,,from the panel\n"
        + "breach,,chat,2026-11-03 10:00Z,2026-11-03T10:12:30Z,,,,,\n"
        + "incident,INC-7,,2026-11-03T10:01:00Z,,,,,,still open\n"
        + "kpi,REL-04,chat,2026-11-01,2026-12-01,91,%,fault,98,\n"
        + "kpi,REL-04/2,chat,2026-11-01,2026-12-01,-1,%,,,\n"
    )
    assert not sheet.problems
    assert sheet.facts == (
        Fact(FactKind.number, "changes", "", NOV, DEC, 40.0, "count"),
        Fact(
            FactKind.number,
            "ttft_p95_ms",
            "chat",
            datetime(2026, 10, 31, 16, tzinfo=UTC),
            DEC,
            812.5,
            "ms",
            note="from the panel",
        ),
        Fact(
            FactKind.breach,
            "",
            "chat",
            datetime(2026, 11, 3, 10, tzinfo=UTC),
            datetime(2026, 11, 3, 10, 12, 30, tzinfo=UTC),
        ),
        Fact(
            FactKind.incident,
            "INC-7",
            "",
            datetime(2026, 11, 3, 10, 1, tzinfo=UTC),
            None,
            note="still open",
        ),
        Fact(FactKind.kpi, "REL-04", "chat", NOV, DEC, 91.0, "%", Phase.fault, 98.0),
        Fact(FactKind.kpi, "REL-04/2", "chat", NOV, DEC, -1.0, "%"),
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", (0, "", "empty")),
        ("kind,nmae\n", (1, "nmae", "column_unknown")),
        ("kind,start,kind\n", (1, "kind", "column_twice")),
        ("name,start\n", (1, "kind", "column_missing")),
        (b"kind,start\n\xff\xfe", (0, "", "encoding")),
        (row("num\x00ber,changes"), (0, "", "encoding")),
        (row('number,"changes'), (2, "", "csv")),
        (row("numbers,changes,,2026-11-01,2026-12-01,1"), (2, "kind", "kind")),
        (row("number,changes,,,2026-12-01,1"), (2, "start", "needed")),
        (row("number,changes,,2026-11-01,,1"), (2, "end", "needed")),
        (row("number,changes,,2026-12-01,2026-11-01,1"), (2, "end", "order")),
        (row("number,changes,,2026-11-01T10:00,2026-12-01,1"), (2, "start", "zone")),
        (row("number,changes,,01.11.2026,2026-12-01,1"), (2, "start", "time")),
        (row("number,changes,,2026-02-30,2026-12-01,1"), (2, "start", "time")),
        (row("number,changes,,2026-11-01T10:00:00+08:99,2026-12-01,1"), (2, "start", "time")),
        (row("number,changes,,1999-12-31,2026-12-01,1"), (2, "start", "time_range")),
        (row("number,changes,,0001-01-01T00:00+14:00,2026-12-01,1"), (2, "start", "time")),
        (row("number,changes,,2026-11-01,2026-12-01,"), (2, "value", "needed")),
        (row("number,changes,,2026-11-01,2026-12-01,NaN"), (2, "value", "number")),
        (row("number,changes,,2026-11-01,2026-12-01,1e400"), (2, "value", "number")),
        (row('number,changes,,2026-11-01,2026-12-01,"1,000"'), (2, "value", "number")),
        (row("number,changes,,2026-11-01,2026-12-01,٣"), (2, "value", "number")),
        (row("number,changes,,2026-11-01,2026-12-01,1.5"), (2, "value", "whole")),
        (row("number,changes,,2026-11-01,2026-12-01,-1"), (2, "value", "negative")),
        (row("number,changes,chat,2026-11-01,2026-12-01,1"), (2, "service", "whole_cluster")),
        (row("number,chnages,,2026-11-01,2026-12-01,1"), (2, "name", "name")),
        (row("number,rto_s,,2026-11-01,2026-12-01,1,min"), (2, "unit", "unit")),
        (row("number,slo_objective,,2026-11-01,2026-12-01,101"), (2, "value", "most")),
        (row("number,rto_s,,2026-11-01,2026-12-01,1,s,fault"), (2, "phase", "not_here")),
        (row("breach,,,2026-11-01,2026-12-01"), (2, "service", "needed")),
        (row("breach,,chat,2026-11-01,2026-12-01,3"), (2, "value", "not_here")),
        (row("breach,,chta,2026-11-01,2026-12-01"), (2, "service", "service")),
        (row("incident,,,2026-11-01,2026-12-01"), (2, "name", "needed")),
        (row("kpi,REL-99,,2026-11-01,2026-12-01,1"), (2, "name", "practice")),
        (row("kpi,REL-04/0,,2026-11-01,2026-12-01,1"), (2, "name", "practice")),
        (row("kpi,REL-04,,2026-11-01,2026-12-01,1,%,Fault"), (2, "phase", "phase")),
        (row("kpi,REL-04,,2026-11-01,2026-12-01,1,%,,101"), (2, "present", "percent")),
        (row("kpi,REL-04,,2026-11-01,2026-12-01,1,%,,,a,b"), (2, "", "cells")),
        (row(f"incident,{'i' * 81},,2026-11-01,2026-12-01"), (2, "name", "too_long")),
        (row(f"incident,i,,2026-11-01,2026-12-01,,,,,{'n' * 501}"), (2, "note", "too_long")),
        (row("incident,i\x07,,2026-11-01,2026-12-01"), (2, "name", "control")),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column(text: str | bytes, found: tuple[int, str, str]) -> None:
    assert codes(text) == [found]


def test_a_repeated_fact_names_the_first_row() -> None:
    sheet = reading(
        HEADER + "number,changes,,2026-11-01,2026-12-01,1\n\nnumber,changes,,2026-11-01,2026-12-02,2\n"
    )
    assert [(each.row, each.code, each.details) for each in sheet.problems] == [(4, "repeated", {"other": 2})]


def test_a_file_is_bounded() -> None:
    assert codes(b"x" * (MAX_BYTES + 1)) == [(0, "", "too_large")]
    assert codes(HEADER + "wrong,\n" * 1000)[-1] == (MAX_PROBLEMS + 1, "kind", "kind")
    many = HEADER + "\n" * (MAX_ROWS + 1)
    assert codes(many) == [(0, "", "too_many_rows")]
    assert codes(HEADER + 'kpi,"' + "x" * 200_000) == [(2, "", "csv")]


def test_columns_come_in_any_order_and_with_a_byte_order_mark() -> None:
    text = "﻿End,START ,value,name,kind\n2026-12-01,2026-11-01,3,changes,number\n"
    assert reading(text).facts == (Fact(FactKind.number, "changes", "", NOV, DEC, 3.0, "count"),)


def test_the_template_reads_back_whole() -> None:
    sheet = reading(template())
    assert not sheet.problems
    assert {fact.kind for fact in sheet.facts} == {FactKind.number, FactKind.kpi, FactKind.incident}
    of_a_service = reading(template("chat"))
    assert not of_a_service.problems
    assert {fact.kind for fact in of_a_service.facts} == set(FactKind)


@pytest.mark.parametrize(
    "note", ["=1", "'=1", "\t=1", " =1", "\r=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20x", "\u00a0=1"]
)
def test_a_spreadsheet_finds_no_formula(note: str) -> None:
    written = write([Fact(FactKind.incident, "i", "", NOV, None, note=note)])
    (cells,) = list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline="")))[1:]
    assert cells[-1] == "'" + note.strip()
    assert [fact.note for fact in reading(written).facts] == [note.strip()]


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp", "Cf")), max_size=60
)
TIMES = st.datetimes(datetime(2000, 1, 2), datetime(2099, 12, 30), timezones=st.just(UTC))
FINITE = st.floats(-1e15, 1e15, allow_nan=False)


@st.composite
def one_fact(draw: st.DrawFn) -> Fact:
    start = draw(TIMES)
    end = start + timedelta(seconds=draw(st.integers(0, 10**6)))
    service = draw(st.sampled_from(sorted(SERVICES)))
    note = draw(TEXTS | st.sampled_from(["=SUM(A1)", "'=x", "''-1", "@cmd", "'plain", "-"]))
    match draw(st.sampled_from(list(FactKind))):
        case FactKind.number:
            known = NUMBERS[draw(st.sampled_from(sorted(NUMBERS)))]
            value = float(draw(st.integers(0, 100))) if known.whole else draw(st.floats(0, 100))
            where = service if known.per_service else ""
            return Fact(FactKind.number, known.name, where, start, end, value, known.unit, note=note)
        case FactKind.kpi:
            name = draw(st.sampled_from(["REL-04", "COST-01", "REL-04/1"]))
            phase = draw(st.sampled_from(list(Phase)))
            present = draw(st.none() | st.floats(0, 100))
            return Fact(
                FactKind.kpi, name, service, start, end, draw(FINITE), draw(TEXTS), phase, present, note
            )
        case FactKind.breach:
            return Fact(FactKind.breach, draw(TEXTS), service, start, end, note=note)
        case _:
            name = draw(TEXTS.filter(bool))
            return Fact(
                FactKind.incident, name, service, start, draw(st.sampled_from([None, end])), note=note
            )


@given(st.lists(one_fact(), max_size=8, unique_by=lambda fact: fact.key))
def test_what_is_written_reads_back_and_gives_the_same_bytes(facts: list[Fact]) -> None:
    data = write(facts)
    sheet = reading(data)
    assert not sheet.problems
    assert sorted(sheet.facts, key=lambda fact: fact.key) == sorted(facts, key=lambda fact: fact.key)
    assert write(sheet.facts) == write(reversed(facts)) == data


@given(st.lists(one_fact(), max_size=4))
def test_no_written_cell_is_a_formula(facts: list[Fact]) -> None:
    table = csv.reader(io.StringIO(write(facts).decode("utf-8-sig"), newline=""))
    for cells in table:
        for name, cell in zip(HEADER.strip().split(","), cells, strict=True):
            if name not in ("value", "present"):
                assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


CELLS = st.sampled_from(
    [
        *("", *FactKind, "changes", "slo_objective", "REL-04", "REL-04/9", "chat", "=1+1", "%", "count"),
        *("2026-11-01", "2026-12-01T00:00:00Z", "0001-01-01", "9999-12-31T23:59:59-23:59", "2026-13-01"),
        *(
            "1",
            "-1",
            "1e999",
            "nan",
            "\u0661",
            "1,5",
            "99",
            "steady",
            "fault",
            "\u2212" + "3",
            "\x1f",
            "\ufeff",
        ),
    ]
)


@given(st.lists(st.lists(CELLS, max_size=12), max_size=6))
def test_no_rows_raise_and_what_is_read_is_written(rows: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    facts = reading(HEADER + text.getvalue()).facts
    again = reading(write(facts))
    assert not again.problems
    assert sorted(again.facts, key=lambda fact: fact.key) == sorted(facts, key=lambda fact: fact.key)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@example(b'kind,start\n\r\n"')
@example(b"kind,start\nnumber,9999-12-31T23:59:59-23:59\n")
def test_no_bytes_raise(data: bytes) -> None:
    for text in (data, HEADER.encode() + data):
        sheet = reading(text)
        assert all(each.code and each.message for each in sheet.problems)

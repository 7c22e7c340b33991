"""Answers offline: export, edit, send back; all or nothing, nobody's answer is lost."""

from __future__ import annotations

import csv
import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from assessments import selectors
from assessments.models import AnswerImport, Response
from assessments.services import imports, openings, responses
from assessments.services.responses import Draft
from frontend.workbooks import MAX_UNPACKED, Sheet, read_workbook, write_workbook
from portal.errors import Conflict, Invalid, TooLarge

pytestmark = pytest.mark.django_db


def give(one: Any, actor: Any, practice: str, version: int = 0, **draft: Any) -> Any:
    return responses.answer(
        assessment=one,
        practice_id=practice,
        actor=actor,
        draft=Draft(**draft),
        expected_version=version,
    )


@pytest.fixture
def filled(people: Any, quick: Any) -> Any:
    """A quick scan with one answer of every sort."""
    give(quick, people.ada, "REL-01", level=2, note="=cmd()|'x'\r\nsecond line", confidence=4)
    give(quick, people.ada, "REL-03", clauses=())
    give(quick, people.ada, "OBS-01", na_reason="other", na_text="+ nothing here")
    give(quick, people.ada, "OBS-05", unsure=True, note="ask 王芳")
    give(quick, people.ada, "RCV-01", level=1)
    give(quick, people.ada, "RCV-01", 1, cleared=True)
    return quick


def export(people: Any, one: Any, kind: str) -> bytes:
    client = Client()
    client.force_login(people.ada)
    reply = client.get(f"/o/{people.north.slug}/a/{one.pk}/answers.{kind}")
    assert reply.status_code == 200
    return bytes(reply.content)


def prepare(one: Any, actor: Any, content: bytes) -> AnswerImport:
    return imports.prepare(assessment=one, actor=actor, file_name="back.csv", content=content)


def changes(row: AnswerImport) -> dict[str, str]:
    return {each.answer.practice: each.change.value for each in imports.planned(row)}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_what_comes_back_untouched_changes_nothing(people: Any, filled: Any, kind: str) -> None:
    first = export(people, filled, kind)
    assert first == export(people, filled, kind)
    found = changes(prepare(filled, people.ada, first))
    assert {name for name, change in found.items() if change == "unchanged"} == {
        *("REL-01", "REL-03", "OBS-01", "OBS-05")
    }
    assert set(found.values()) == {"unchanged", "empty"}


def edited(content: bytes, practice: str, **cells: str) -> bytes:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    for row in rows[1:]:
        if row[0] == practice:
            for name, value in cells.items():
                row[rows[0].index(name)] = value
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def test_edits_are_written_at_once_and_only_once(people: Any, filled: Any) -> None:
    content = edited(export(people, filled, "csv"), "REL-01", level="3", note="now three")
    content = edited(content, "SEC-01", clauses="L1.a", confidence="5")
    row = prepare(filled, people.ada, content)
    before = Response.objects.count()
    assert {
        name: change for name, change in changes(row).items() if change not in ("unchanged", "empty")
    } == {
        "REL-01": "changed",
        "SEC-01": "added",
    }
    outcome = imports.apply(row=row, actor=people.ada)
    assert (outcome["changed"], outcome["added"]) == (["REL-01"], ["SEC-01"])
    assert Response.objects.count() == before + 2
    assert imports.apply(row=row, actor=people.ada) == outcome
    assert Response.objects.count() == before + 2
    now = selectors.heads(filled)["REL-01"]
    assert (now.version, now.response.source, now.response.note) == (2, "import", "now three")
    assert selectors.scorecard(filled).practices["REL-01"].claimed == 3


def test_ticks_in_the_workbook(people: Any, filled: Any) -> None:
    book = load_workbook(io.BytesIO(export(people, filled, "xlsx")))
    for cells in book["Clauses"].iter_rows(min_row=2):
        if cells[0].value == "REL-01":
            cells[5].value = "x" if cells[2].value == 1 else None
    out = io.BytesIO()
    book.save(out)
    row = prepare(filled, people.ada, out.getvalue())
    assert changes(row)["REL-01"] == "changed"
    imports.apply(row=row, actor=people.ada)
    assert selectors.heads(filled)["REL-01"].response.clauses == ["REL-01.L1.a"]


def test_who_answered_meanwhile_is_left_alone_unless_chosen(people: Any, filled: Any) -> None:
    content = edited(export(people, filled, "csv"), "REL-01", level="5")
    give(filled, people.by_role["assessor"], "REL-01", 1, level=1, note="theirs")
    first = prepare(filled, people.ada, content)
    assert imports.apply(row=first, actor=people.ada)["conflict"] == ["REL-01"]
    assert selectors.heads(filled)["REL-01"].response.note == "theirs"
    second = prepare(filled, people.ada, content)
    assert imports.apply(row=second, actor=people.ada, overwrite=["REL-01"])["changed"] == ["REL-01"]
    assert selectors.heads(filled)["REL-01"].version == 3
    assert [each.note for each in selectors.history(filled, "REL-01")][1] == "theirs"


def test_one_bad_row_and_nothing_is_kept(people: Any, filled: Any) -> None:
    content = edited(export(people, filled, "csv"), "REL-01", level="3")
    content = edited(content, "SEC-01", level="7")
    with pytest.raises(Invalid) as refused:
        prepare(filled, people.ada, content)
    [problem] = refused.value.extra["problems"]
    assert (problem["column"], problem["code"]) == ("level", "number_out_of_range")
    assert "“7”" in imports.problem_words(problem)
    assert not AnswerImport.objects.exists()


def test_every_problem_has_words() -> None:
    import inspect

    from assessments.domain import answer_sheet

    source = inspect.getsource(answer_sheet)
    details = dict.fromkeys(("value", "known", "practice", "row", "low", "high", "columns"), "…")
    details |= {"most": "1", "count": "2"}
    words = inspect.getsource(imports.problem_words)
    for code in set(__import__("re").findall(r'"([a-z]+_[a-z_]+)"', words)):
        assert imports.problem_words({"code": code, "details": details})
        assert f'"{code}"' in source, code


def test_a_closed_assessment_takes_nothing(people: Any, filled: Any) -> None:
    content = edited(export(people, filled, "csv"), "REL-01", level="3")
    row = prepare(filled, people.ada, content)
    openings.set_status(assessment=filled, actor=people.ada, status="closed")
    filled.refresh_from_db()
    for attempt in (lambda: prepare(filled, people.ada, content), lambda: _apply(row, people.ada)):
        with pytest.raises(Conflict):
            attempt()


def _apply(row: AnswerImport, actor: Any) -> None:
    imports.apply(row=AnswerImport.objects.get(pk=row.pk), actor=actor)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_spreadsheets_write(people: Any, quick: Any, encoding: str, delimiter: str) -> None:
    text = "practice,version,level,note\r\nREL-01,0,2,演练记录\r\n".replace(",", delimiter)
    row = prepare(quick, people.ada, text.encode(encoding))
    assert row.rows[0]["note"] == "演练记录"


HOSTILE = {
    "nothing": b"",
    "noise": bytes(range(256)) * 20,
    "not a zip": b"PK\x03\x04 and then nothing",
    "open quote": b'practice,version\n"REL-01,0\n',
    "many columns": b"practice,version" + b",x" * 200 + b"\n",
    "many rows": b"practice,version\n" * 6000,
    "huge": b"practice,version\n" + b"x" * 2_100_000,
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_hostile_files_are_refused(people: Any, quick: Any, name: str) -> None:
    with pytest.raises((Invalid, TooLarge)):
        prepare(quick, people.ada, HOSTILE[name])
    assert not AnswerImport.objects.exists()


def with_part(name: str, data: bytes) -> bytes:
    """A good workbook with one part replaced."""
    out = io.BytesIO()
    good = write_workbook([Sheet("Answers", (("practice", "version"), ("REL-01", 0)))])
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, data if part == name else old.read(part))
        if name not in old.namelist():
            new.writestr(name, data)
    return out.getvalue()


ENTITY = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'
FORMULA = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row></sheetData></worksheet>'
)
FAR_ROW = FORMULA.replace(b'r="1"><c r="A1"><f>1+1</f>', b'r="1048576"><c r="A1048576">')


@pytest.mark.parametrize(
    ("part", "data", "code"),
    [
        ("xl/media/bomb.bin", b"\0" * (MAX_UNPACKED + 1), "workbook_unpacked"),
        ("xl/worksheets/sheet1.xml", ENTITY, "workbook_unreadable"),
        ("xl/worksheets/sheet1.xml", b"<worksheet>" * 5000, "workbook_unreadable"),
        ("xl/worksheets/sheet1.xml", FORMULA, "workbook_formula"),
        ("xl/worksheets/sheet1.xml", FAR_ROW, "workbook_rows"),
        ("xl/workbook.xml", b"<broken", "workbook_unreadable"),
    ],
)
def test_hostile_workbooks_are_refused_with_their_rule(part: str, data: bytes, code: str) -> None:
    with pytest.raises((Invalid, TooLarge)) as refused:
        read_workbook(with_part(part, data))
    assert refused.value.code == code


def test_pages_from_upload_to_outcome(people: Any, filled: Any) -> None:
    client = Client()
    client.force_login(people.ada)
    base = f"/o/{people.north.slug}/a/{filled.pk}/import"
    assert client.get(base).status_code == 200
    assert client.post(base).status_code == 400
    bad = io.BytesIO(b"practice,version,level\nREL-01,1,9\n")
    bad.name = "bad.csv"
    reply = client.post(base, {"file": bad})
    assert reply.status_code == 400 and "level" in reply.content.decode()
    good = io.BytesIO(edited(export(people, filled, "csv"), "REL-01", level="4"))
    good.name = "../../好.csv"
    reply = client.post(base, {"file": good}, follow=True)
    assert reply.status_code == 200 and "REL-01" in reply.content.decode()
    row = AnswerImport.objects.get()
    reply = client.post(f"{base}/{row.pk}/apply", follow=True)
    assert "1 answer was imported" in reply.content.decode()


def test_the_api_previews_and_applies(people: Any, filled: Any) -> None:
    client = Client()
    client.force_login(people.ada)
    base = f"/api/v1/o/{people.north.slug}/assessments/{filled.pk}/imports"
    bad = io.BytesIO(b"practice,version,level\nREL-01,1,9\n")
    bad.name = "bad.csv"
    reply = client.post(base, {"file": bad})
    assert reply.status_code == 400
    assert "“9”" in str(reply.json())
    good = io.BytesIO(b"practice,version,level\nREL-01,1,4\n")
    good.name = "good.csv"
    made = client.post(base, {"file": good}).json()
    assert [(each["practice"], each["change"]) for each in made["rows"]] == [("REL-01", "changed")]
    done = client.post(f"{base}/{made['id']}/apply", {}, content_type="application/json").json()
    assert done["outcome"]["changed"] == ["REL-01"]
    assert client.get(f"{base}/{made['id']}").json() == done

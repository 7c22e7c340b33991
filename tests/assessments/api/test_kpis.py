"""The API of KPIs: what a program reads, sends, and is refused, and who may."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from assessments.models import KpiFact, KpiUpload

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/o/north"
AS_OF = "2026-12-02T00:00:00Z"
HEADER = "kind,name,service,start,end,value,unit,phase,present,note\n"
GOOD = (
    HEADER
    + "number,changes,,2026-11-01,2026-12-01,20,count,,,\n"
    + "number,changes_failed,,2026-11-01,2026-12-01,3,count,,,\n"
    + "kpi,OBS-01,,2026-11-01,2026-12-01,96,%,,99,\n"
)


def client(person: Any) -> Client:
    made = Client()
    made.force_login(person)
    return made


@pytest.fixture
def ada(people: Any) -> Client:
    return client(people.ada)


def send(who: Client, cluster: Any, text: str | bytes, root: str = ROOT, **more: str) -> Any:
    content = text if isinstance(text, bytes) else text.encode()
    body = {"file": SimpleUploadedFile("facts.csv", content), **more}
    return who.post(f"{root}/clusters/{cluster.pk}/kpis/csv", body)


def give(who: Client, cluster: Any, body: Any, root: str = ROOT) -> Any:
    path = f"{root}/clusters/{cluster.pk}/kpis/numbers"
    return who.post(path, json.dumps(body), content_type="application/json")


def window(*numbers: Any, **more: Any) -> dict[str, Any]:
    return {"start": "2026-11-01T00:00:00Z", "end": "2026-12-01T00:00:00Z", "numbers": [*numbers], **more}


def test_a_file_in_and_kpis_out(ada: Client, cluster: Any) -> None:
    seen = send(ada, cluster, GOOD, dry_run="true")
    assert (seen.status_code, seen.json()["counts"]["new"]) == (200, 3)
    assert not KpiFact.objects.exists()
    made = send(ada, cluster, GOOD)
    assert (made.status_code, made.json()["stored"]) == (201, True)
    again = send(ada, cluster, GOOD)
    assert (again.status_code, again.json()["stored"]) == (200, False)
    assert again.json()["upload"]["id"] == made.json()["upload"]["id"]
    found = ada.get(f"{ROOT}/clusters/{cluster.pk}/kpis", {"as_of": AS_OF}).json()
    rate = next(each for each in found["headlines"] if each["kpi"] == "change_fail_rate")
    assert (rate["dimension"], rate["value"], rate["count"]) == ("EVO", 15.0, 20)
    assert [(each["name"], each["value"], each["unit"]) for each in found["numbers"]] == [
        ("changes", 20.0, "count"),
        ("changes_failed", 3.0, "count"),
    ]
    assert found["uploads"][0]["rows"] == 3
    assert {each["name"] for each in found["numbers_known"]} >= {"changes", "rto_s"}


def test_the_export_can_be_sent_back(ada: Client, cluster: Any) -> None:
    send(ada, cluster, GOOD)
    reply = ada.get(f"{ROOT}/clusters/{cluster.pk}/kpis/csv")
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in reply["Content-Disposition"]
    back = send(ada, cluster, reply.content)
    assert (back.status_code, back.json()["counts"]["unchanged"]) == (200, 3)


def test_practice_values_and_suggestions(ada: Client, cluster: Any, quick: Any) -> None:
    send(ada, cluster, GOOD)
    found = ada.get(f"{ROOT}/assessments/{quick.pk}/kpis", {"as_of": AS_OF}).json()
    one = next(each for each in found["practices"] if each["practice"] == "OBS-01")
    assert one["suggested"] == 3
    assert ada.get(f"{ROOT}/assessments/{quick.pk}/kpis", {"as_of": "soon"}).status_code == 400


BAD = {
    "no such kind": (HEADER + "wish,changes,,2026-11-01,2026-12-01,20,count,,,\n", 2, "kind"),
    "no such number": (HEADER + "number,nope,,2026-11-01,2026-12-01,20,count,,,\n", 2, "name"),
    "no such service": (HEADER + "number,observed_h,x,2026-11-01,2026-12-01,20,h,,,\n", 2, "service"),
    "no such practice": (HEADER + "kpi,XXX-01,,2026-11-01,2026-12-01,20,%,,,\n", 2, "name"),
    "no number": (HEADER + "number,changes,,2026-11-01,2026-12-01,many,count,,,\n", 2, "value"),
    "not finite": (HEADER + "number,changes,,2026-11-01,2026-12-01,nan,count,,,\n", 2, "value"),
    "other unit": (HEADER + "number,changes,,2026-11-01,2026-12-01,20,%,,,\n", 2, "unit"),
    "no time": (HEADER + "number,changes,,yesterday,2026-12-01,20,count,,,\n", 2, "start"),
    "backwards": (HEADER + "number,changes,,2026-12-01,2026-11-01,20,count,,,\n", 2, "end"),
    "share of samples": (HEADER + "kpi,OBS-01,,2026-11-01,2026-12-01,96,%,,101,\n", 2, "present"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_cell_is_named_by_row_and_column(ada: Client, cluster: Any, name: str) -> None:
    text, row, column = BAD[name]
    for more in ({}, {"dry_run": "true"}):
        reply = send(ada, cluster, text, **more)
        assert reply.status_code == 400, reply.content
        error = reply.json()["error"]
        assert error["code"] == "kpi_rows_invalid"
        problem = error["extra"]["problems"][0]
        assert (problem["row"], problem["column"]) == (row, column)
        assert problem["message"]
    assert not KpiUpload.objects.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02",
        b"\xff\xfe\x00",
        b"PK\x03\x04",
        HEADER.encode("utf-16"),
        b"a,b\n1,2\n",
        HEADER.encode() + b'"open',
        b"x" * (2 * 1024 * 1024 + 1),
        HEADER.encode() + b"number,changes,,2026-11-01,2026-12-01,20,count,,,\n" * 20_001,
    ],
    ids=["empty", "zeros", "mark", "zip", "utf16", "columns", "quote", "bytes", "rows"],
)
def test_hostile_files_are_refused(ada: Client, cluster: Any, content: bytes) -> None:
    reply = send(ada, cluster, content)
    assert reply.status_code in (400, 413)
    assert not KpiUpload.objects.exists()


def test_numbers_at_once(ada: Client, cluster: Any) -> None:
    made = give(ada, cluster, window({"name": "changes", "value": 20}, {"name": "rto_s", "value": 300}))
    assert (made.status_code, made.json()["counts"]["new"]) == (201, 2)
    assert made.json()["upload"]["source"] == "api"
    again = give(ada, cluster, window({"name": "changes", "value": 20}))
    assert (again.status_code, again.json()["upload"]) == (200, None)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        window(),
        window({"name": "changes"}),
        window({"name": "changes", "value": "20"}),
        window({"name": "changes", "value": True}),
        window({"name": "changes", "value": -1}),
        window({"name": "nope", "value": 1}),
        window({"name": "changes", "value": 1, "unit": "count"}),
        window({"name": "changes", "value": 1}, start="2026-11-01"),
        window({"name": "changes", "value": 1}, end="2026-10-01T00:00:00Z"),
        window({"name": "changes", "value": 1}, more=1),
        window({"name": "changes", "value": 1}, note=7),
    ],
)
def test_bad_numbers_are_400(ada: Client, cluster: Any, body: Any) -> None:
    reply = give(ada, cluster, body)
    assert reply.status_code == 400, reply.content
    assert not KpiUpload.objects.exists()


def test_a_bad_number_is_named(ada: Client, cluster: Any) -> None:
    reply = give(ada, cluster, window({"name": "rto_s", "value": 1}, {"name": "changes", "value": 1.5}))
    problem = reply.json()["error"]["extra"]["problems"][0]
    assert problem["place"] == "numbers[1].value"


def test_who_may(people: Any, cluster: Any, quick: Any) -> None:
    """Ada owns north, Ben looks at it, Eve owns another organisation."""
    ada, ben, eve = client(people.ada), client(people.ben), client(people.eve)
    send(ada, cluster, GOOD)
    paths = [
        f"/clusters/{cluster.pk}/kpis",
        f"/clusters/{cluster.pk}/kpis/csv",
        f"/assessments/{quick.pk}/kpis",
    ]
    for path in paths:
        assert ben.get(f"{ROOT}{path}").status_code == 200
        assert eve.get(f"{ROOT}{path}").status_code == 404
        assert eve.get(f"/api/v1/o/south{path}").status_code == 404
        assert Client().get(f"{ROOT}{path}").status_code == 401
    number = window({"name": "changes", "value": 9})
    assert send(ben, cluster, GOOD).status_code == 403
    assert give(ben, cluster, number).status_code == 403
    for root in (ROOT, "/api/v1/o/south"):
        assert send(eve, cluster, GOOD, root).status_code == 404
        assert give(eve, cluster, number, root).status_code == 404
    assessor = client(people.by_role["assessor"])
    assert give(assessor, cluster, number).status_code == 201
    assert KpiUpload.objects.count() == 2

"""The API of own matrices and of moving assessments: what it takes, what it refuses, who may."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from assessments import selectors
from assessments.matrix_problem_words import MAPS
from assessments.models import CustomMatrix
from assessments.services import responses
from tests.assessments.domain.small_matrix import texts

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/o/north"
OVERLAY = {
    "format": "ballast-overlay/1",
    "name": "Acme rules",
    "base": "2.3",
    "version": "2.3-acme",
    "provenance": {"by": "Platform team"},
    "ignore": [{"practice": "COST-01", "reason": "The provider bills."}],
}


def client(person: Any) -> Client:
    made = Client()
    made.force_login(person)
    return made


@pytest.fixture
def ada(people: Any) -> Client:
    return client(people.ada)


def post(who: Client, path: str, body: Any = None, **headers: str) -> Any:
    return who.post(f"{ROOT}{path}", json.dumps(body or {}), content_type="application/json", headers=headers)


@pytest.fixture
def own(ada: Client, released: None) -> dict[str, Any]:
    """A released own matrix."""
    made = post(ada, "/matrices", {"document": OVERLAY}).json()
    assert post(ada, f"/matrices/{made['id']}/release").status_code == 200
    return made


def test_an_overlay_as_json(ada: Client, released: None) -> None:
    reply = post(ada, "/matrices", {"document": OVERLAY, "name": "Ours"})
    assert reply.status_code == 201, reply.content
    body = reply.json()
    assert (body["name"], body["status"], body["version"]) == ("Ours", "draft", "2.3-acme")
    assert body["ignored"][0]["practice"] == "COST-01"
    assert {"code": "core_removed", "subject": "COST-01"} in body["consequences"]
    assert body["provenance"]["REL-01"][0]["change"] == "base"
    assert post(ada, "/matrices", {"document": OVERLAY}).status_code == 200
    listed = ada.get(f"{ROOT}/matrices").json()
    assert [each["id"] for each in listed["own"]] == [body["id"]]
    assert [each["shipped"] for each in listed["versions"]] == [True]


def test_files_by_form(ada: Client, released: None) -> None:
    files = [SimpleUploadedFile(name, text.encode()) for name, text in texts().items()]
    reply = ada.post(f"{ROOT}/matrices", {"name": "Small", "files": files})
    assert reply.status_code == 201, reply.content
    assert reply.json()["version"] == "0.1"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "document"),
        ({"document": {"format": "other"}}, "document.json:1"),
        ({"document": 7}, "document.json:1"),
        ({"document": OVERLAY | {"base": "9"}}, "document.json:4"),
        ({"document": OVERLAY, "nmae": "x"}, "nmae"),
        ({"document": OVERLAY, "name": "x" * 121}, "name"),
    ],
)
def test_refusals_name_the_place(ada: Client, released: None, body: Any, place: str) -> None:
    reply = post(ada, "/matrices", body)
    assert reply.status_code == 400
    assert reply.json()["error"]["place"] == place
    assert CustomMatrix.objects.count() == 0


def test_problems_are_listed_in_the_language_of_the_request(ada: Client, released: None) -> None:
    bad = OVERLAY | {"ignore": [{"practice": "XXX-01", "reason": "x"}, {"practice": "COST-02"}]}
    reply = post(ada, "/matrices", {"document": bad}, **{"Accept-Language": "zh-hans"})
    error = reply.json()["error"]
    assert error["code"] == "matrix.refused"
    assert [each["rule"] for each in error["extra"]["problems"]] == [
        "overlay.practice",
        "schema.missing-key",
    ]
    first = error["extra"]["problems"][0]
    assert first["message"] == "ignore: the base has no practice XXX-01"
    assert first["explanation"] == "叠加层只能忽略或替换其基础版本中的实践。"


def test_differences_and_versions(ada: Client, own: dict[str, Any]) -> None:
    found = ada.get(f"{ROOT}/matrices/difference", {"a": "2.3", "b": own["sha256"][:12]}).json()
    assert [each["id"] for each in found["removed"]] == ["COST-01"]
    assert [each["field"] for each in found["matrix"]] == ["quick_scan", "quick_swaps_train"]
    assert ada.get(f"{ROOT}/matrices/difference", {"a": "2.3"}).status_code == 400
    assert ada.get(f"{ROOT}/matrices/difference", {"a": "2.3", "b": "7"}).status_code == 404
    assert ada.get(f"{ROOT}/matrix", {"version": "2.3-acme"}).json()["sha256"] == own["sha256"]
    assert ada.get(f"{ROOT}/matrix").json()["version"] == "2.3"


def test_opening_an_assessment_with_it(ada: Client, own: dict[str, Any], cluster: Any) -> None:
    body = {"name": "Q1", "cluster": str(cluster.pk), "scope": "full", "matrix": "2.3-acme"}
    assert post(ada, "/assessments", body).json()["matrix"]["sha256"] == own["sha256"]
    refused = post(ada, "/assessments", body | {"matrix": "8"})
    assert (refused.status_code, refused.json()["error"]["place"]) == (404, "matrix")
    post(ada, f"/matrices/{own['id']}/retire")
    assert post(ada, "/assessments", body).status_code == 404


def test_preview_then_apply(ada: Client, people: Any, own: dict[str, Any], quick: Any) -> None:
    for practice in ("REL-01", "COST-01"):
        responses.answer(
            assessment=quick,
            practice_id=practice,
            actor=people.ada,
            draft=responses.Draft(level=2),
            expected_version=0,
        )
    path = f"/assessments/{quick.pk}/migrations"
    seen = post(ada, f"{path}/preview", {"version": "2.3-acme"})
    body = seen.json()
    assert body["counts"] == {"mapped": 1, "needs_answer": 0, "archived": 1}
    assert seen["ETag"] == f'"{body["etag"]}"'
    asked = {"version": "2.3-acme", "milestone": "Before Acme"}
    assert post(ada, path, asked).status_code == 428
    assert post(ada, path, asked, **{"If-Match": '"1"'}).status_code == 400
    stale = post(ada, path, asked, **{"If-Match": f'"{"0" * 64}"'})
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "preview_stale")
    done = post(ada, path, asked, **{"If-Match": seen["ETag"]})
    assert done.status_code == 201, done.content
    assert done.json()["archived"][0]["practice"] == "COST-01"
    again = post(ada, path, asked, **{"If-Match": seen["ETag"]})
    assert again.json()["id"] == done.json()["id"]
    assert ada.get(f"{ROOT}{path}").json()["results"][0]["to"]["version"] == "2.3-acme"
    assert ada.get(f"{ROOT}/migrations/{done.json()['id']}").json()["map"] == {
        "practices": {},
        "clauses": {},
        "confirmed": [],
    }
    assert selectors.assessment(people.north, quick.pk).matrix_version_id == own["sha256"]


@pytest.mark.parametrize("given", [[], "x", {"practices": {"REL-99": None}}, {"confirmed": [1]}, {"more": 1}])
def test_a_bad_map_is_listed_and_cannot_be_applied(ada: Client, own: Any, quick: Any, given: Any) -> None:
    path = f"/assessments/{quick.pk}/migrations"
    asked = {"version": "2.3-acme", "map": given}
    seen = post(ada, f"{path}/preview", asked)
    assert seen.status_code == 200
    problems = seen.json()["problems"]
    assert {each["explanation"] for each in problems} <= set(map(str, MAPS.values()))
    refused = post(ada, path, asked, **{"If-Match": seen["ETag"]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "map_invalid")
    assert refused.json()["error"]["extra"]["problems"] == problems


def test_a_milestone_name_that_is_taken(ada: Client, people: Any, own: Any, quick: Any) -> None:
    from assessments.services import milestones

    milestones.lock(assessment=quick, actor=people.ada, name="Taken")
    path = f"/assessments/{quick.pk}/migrations"
    seen = post(ada, f"{path}/preview", {"version": "2.3-acme"})
    asked = {"version": "2.3-acme", "milestone": "Taken"}
    refused = post(ada, path, asked, **{"If-Match": seen["ETag"]})
    assert (refused.status_code, refused.json()["error"]["place"]) == (409, "milestone")


def test_who_may(people: Any, own: dict[str, Any], quick: Any) -> None:
    """Ada owns north, Ben looks at it, Eve owns another organisation."""
    ben, eve = client(people.ben), client(people.eve)
    assert ben.get(f"{ROOT}/matrices/{own['id']}").status_code == 200
    for path in ("/matrices", f"/matrices/{own['id']}/retire", f"/assessments/{quick.pk}/migrations/preview"):
        assert post(ben, path, {"document": OVERLAY}).status_code == 403
        assert post(eve, path, {"document": OVERLAY}).status_code == 404
    south = "/api/v1/o/south"
    assert eve.get(f"{south}/matrices/{own['id']}").status_code == 404
    assert eve.get(f"{south}/matrix", {"version": own["sha256"]}).status_code == 404
    assert eve.get(f"{south}/matrices/difference", {"a": "2.3", "b": own["sha256"]}).status_code == 404
    assert own["sha256"] not in eve.get(f"{south}/matrices").content.decode()

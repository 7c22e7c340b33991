"""The assessments API: same rules, same numbers, clear refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from assessments import selectors
from assessments.models import Response

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(people: Any) -> Client:
    client = Client()
    client.force_login(people.ada)
    return client


def url(quick: Any, rest: str = "") -> str:
    return f"/api/v1/o/north/assessments/{quick.pk}{rest}"


def patch(client: Client, quick: Any, body: Any, *, practice: str = "REL-01", **headers: str) -> Any:
    data = body if isinstance(body, str) else json.dumps(body)
    return client.patch(
        url(quick, f"/answers/{practice}"),
        data,
        content_type="application/json",
        headers={"If-Match": '"0"', **headers},
    )


def test_answer_then_read_it_back(ada: Client, quick: Any) -> None:
    reply = patch(ada, quick, {"level": 3, "note": "笔记"})
    assert reply.status_code == 200, reply.content
    assert reply["ETag"] == '"1"'
    assert reply.json()["score"]["claimed"] == 3
    body = ada.get(url(quick, "/answers/REL-01")).json()
    assert body["answer"]["note"] == "笔记"
    assert body["answer"]["version"] == 1
    assert ada.get(url(quick, "/answers")).json()["results"][0]["practice"] == "REL-01"


def test_the_scorecard_is_the_one_of_the_domain(ada: Client, quick: Any) -> None:
    patch(ada, quick, {"level": 3})
    moment = "2026-12-02T00:00:00Z"
    from datetime import UTC, datetime

    expected = selectors.scorecard(quick, as_of=datetime(2026, 12, 2, tzinfo=UTC)).as_dict()
    assert ada.get(url(quick, "/scorecard"), {"as_of": moment}).json() == expected


def test_without_if_match_nothing_is_written(ada: Client, quick: Any) -> None:
    reply = ada.patch(url(quick, "/answers/REL-01"), "{}", content_type="application/json")
    assert reply.status_code == 428
    assert reply.json()["error"]["place"] == "If-Match"


def test_the_slower_one_gets_409_with_both(ada: Client, quick: Any) -> None:
    patch(ada, quick, {"level": 3})
    reply = patch(ada, quick, {"level": 1})
    assert reply.status_code == 409
    error = reply.json()["error"]
    assert error["code"] == "answer_changed"
    assert error["extra"]["theirs"]["version"] == 1
    assert patch(ada, quick, {"level": 1}, **{"If-Match": '"1"'}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        '"x"',
        "null",
        "[" * 100000,
        '{"level": 1e400}',
        '{"level": NaN}',
        {"level": "3"},
        {"level": True},
        {"level": 2.5},
        {"level": 9},
        {"level": 1, "unsure": True},
        {"clauses": "REL-01.L1.a"},
        {"clauses": ["REL-01.L1.a"] * 31},
        {"clauses": [["x"]]},
        {"unknown": 1, "level": 1},
        {"note": "x" * 10001, "level": 1},
        {"unsure": "yes"},
        {"note": 5, "level": 1},
        '{"level": 1, "level": 2}',
        '{"\\ud800": 1}',
        '{"na_reason": "\\udfff"}',
        {},
    ],
)
def test_bad_bodies_are_400_with_a_sentence_and_write_nothing(ada: Client, quick: Any, body: Any) -> None:
    reply = patch(ada, quick, body)
    assert reply.status_code == 400, reply.content
    error = reply.json()["error"]
    assert error["code"] and error["message"]
    assert Response.objects.count() == 0


@pytest.mark.parametrize("header", ["x", '"-1"', "*", '"1', "9" * 40])
def test_bad_if_match_is_400(ada: Client, quick: Any, header: str) -> None:
    assert patch(ada, quick, {"level": 1}, **{"If-Match": header}).status_code in {400, 409}
    assert Response.objects.count() == 0


@pytest.mark.parametrize(
    "moment",
    [
        *("yesterday", "2026-12-02", "2026-12-02T00:00:00", "2026-13-40T00:00:00Z", "\x00", "٢٠٢٦"),
        *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00Z"),
    ],
)
def test_bad_as_of_is_400(ada: Client, quick: Any, moment: str) -> None:
    reply = ada.get(url(quick, "/scorecard"), {"as_of": moment})
    assert reply.status_code == 400
    assert reply.json()["error"]["place"] == "as_of"


def test_evidence_by_link_and_by_file(ada: Client, quick: Any, people: Any) -> None:
    where = url(quick, "/answers/REL-01/evidence")
    base = {"kind": "E2", "effective_at": "2026-11-01T00:00:00Z"}
    link = ada.post(
        where, json.dumps({**base, "url": "https://x.example/a"}), content_type="application/json"
    )
    assert link.status_code == 201, link.content
    file = ada.post(where, {**base, "file": SimpleUploadedFile("a.txt", b"hello")})
    assert file.status_code == 201, file.content
    assert len(ada.get(where).json()["results"]) == 2
    reviewer = Client()
    reviewer.force_login(people.by_role["reviewer"])
    verify = url(quick, f"/evidence/{link.json()['evidence']['id']}/verify")
    assert ada.post(verify).status_code == 403
    assert reviewer.post(verify).json()["evidence"]["verified_by"] == "Reviewer"


def test_open_close_and_milestone(ada: Client, quick: Any, cluster: Any) -> None:
    made = ada.post(
        "/api/v1/o/north/assessments",
        json.dumps(
            {"name": "Full", "cluster": str(cluster.pk), "scope": "full", "carry_from": str(quick.pk)}
        ),
        content_type="application/json",
    )
    assert made.status_code == 201, made.content
    locked = ada.post(url(quick, "/milestones"), json.dumps({"name": "Q4"}), content_type="application/json")
    assert locked.status_code == 201
    one = ada.get(f"/api/v1/o/north/milestones/{locked.json()['id']}").json()
    assert one["intact"] is True
    closed = ada.patch(url(quick), json.dumps({"status": "closed"}), content_type="application/json")
    assert closed.json()["status"] == "closed"
    assert patch(ada, quick, {"level": 1}).status_code == 409


def test_compare_refuses_unlike_scopes_and_missing_sides(ada: Client, quick: Any, cluster: Any) -> None:
    full = ada.post(
        "/api/v1/o/north/assessments",
        json.dumps({"name": "Full", "cluster": str(cluster.pk), "scope": "full"}),
        content_type="application/json",
    ).json()["id"]
    reply = ada.get("/api/v1/o/north/compare", {"a": f"a:{quick.pk}", "b": f"a:{full}"}).json()
    assert reply["refused"] == "scope"
    assert reply["overall"] is None
    assert ada.get("/api/v1/o/north/compare", {"a": f"a:{quick.pk}"}).status_code == 400
    assert ada.get("/api/v1/o/north/compare", {"a": "a:x", "b": "z:1"}).status_code == 404


def test_a_hundred_megabytes_are_refused(ada: Client, quick: Any) -> None:
    big = SimpleUploadedFile("big.bin", b"0" * (100 * 1024 * 1024))
    reply = ada.post(
        url(quick, "/answers/REL-01/evidence"),
        {"kind": "E2", "effective_at": "2026-11-01T00:00:00Z", "file": big},
    )
    assert reply.status_code == 413
    assert reply.json()["error"]["message"]


@pytest.mark.parametrize("moment", ["2026-11-01", "2026-11-01T00:00:00", "0001-01-01T00:00:00+14:00", "", 5])
def test_evidence_needs_a_moment_with_a_time_zone(ada: Client, quick: Any, moment: Any) -> None:
    body = {"kind": "E2", "url": "https://x.example/", "effective_at": moment}
    reply = ada.post(url(quick, "/answers/REL-01/evidence"), body, content_type="application/json")
    assert reply.status_code == 400
    assert reply.json()["error"]["place"] == "effective_at"


def test_one_key_with_two_answers_is_a_conflict(ada: Client, quick: Any) -> None:
    key = {"Idempotency-Key": "k"}
    first = patch(ada, quick, {"level": 1}, **key)
    assert patch(ada, quick, {"level": 1}, **key).json()["answer"] == first.json()["answer"]
    other = patch(ada, quick, {"level": 2}, **key)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_key_reused")


def test_a_repeat_names_the_version_it_stored(ada: Client, quick: Any, people: Any) -> None:
    assessor = Client()
    assessor.force_login(people.by_role["assessor"])
    key = {"Idempotency-Key": "k"}
    patch(ada, quick, {"level": 1}, **key)
    patch(assessor, quick, {"level": 3}, **{"If-Match": '"1"'})
    repeat = patch(ada, quick, {"level": 1}, **key)
    assert (repeat["ETag"], repeat.json()["answer"]["version"]) == ('"1"', 1)
    assert patch(ada, quick, {"level": 2}, **{"If-Match": repeat["ETag"]}).status_code == 409


def test_what_a_body_or_query_names_but_is_not_here_has_its_place(ada: Client, quick: Any) -> None:
    unknown = "00000000-0000-0000-0000-000000000000"
    cluster = str(quick.cluster_id)
    for place, names in {"cluster": {"cluster": unknown}, "carry_from": {"carry_from": unknown}}.items():
        body = {"name": "x", "scope": "quick", "cluster": cluster, **names}
        reply = ada.post("/api/v1/o/north/assessments", body, content_type="application/json")
        assert (reply.status_code, reply.json()["error"]["place"]) == (404, place)
    reply = ada.get("/api/v1/o/north/compare", {"a": f"a:{quick.pk}", "b": f"m:{unknown}"})
    assert (reply.status_code, reply.json()["error"]["place"]) == (404, "b")

"""Every failure of the API has one shape, whatever went wrong and wherever."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
CLUSTERS = "/api/v1/o/north/clusters"


def shape(reply: Any) -> dict[str, Any]:
    assert reply.headers["Content-Type"].startswith("application/json")
    error = reply.json()["error"]
    assert {"code", "message", "place", "retryable"} <= set(error)
    assert error["message"]
    return dict(error)


@pytest.fixture
def ada(people: Any) -> Client:
    client = Client()
    client.force_login(people.ada)
    return client


@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1/nothing", "/api/v2/me", f"{CLUSTERS}/not-a-uuid", f"{CLUSTERS}/"]
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_unknown_addresses(ada: Client, path: str, method: str) -> None:
    reply = getattr(ada, method)(path)
    assert reply.status_code == 404
    assert shape(reply)["code"] == "address_unknown"


def test_an_unknown_address_needs_no_csrf_token() -> None:
    assert Client(enforce_csrf_checks=True).post("/api/v1/nothing").status_code == 404


def test_a_method_nobody_serves(ada: Client) -> None:
    reply = ada.put(CLUSTERS, {}, content_type="application/json")
    assert reply.status_code == 405
    assert shape(reply)["code"] == "method_not_allowed"


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded", "x"])
def test_a_body_of_another_kind(ada: Client, kind: str) -> None:
    reply = ada.post(CLUSTERS, "name=x", content_type=kind)
    assert reply.status_code == 415
    shape(reply)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b'{"name": NaN}', b"[" * 50_000, b'{"a":' * 50_000, b"9" * 10_000, b"null"],
    ids=["empty", "broken", "no utf-8", "NaN", "deep list", "deep object", "long number", "null"],
)
def test_broken_json(ada: Client, body: bytes) -> None:
    reply = ada.generic("POST", CLUSTERS, body, content_type="application/json")
    assert reply.status_code == 400
    shape(reply)


def test_a_body_too_large(ada: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    body = b'{"name": "' + b"x" * 2000 + b'"}'
    reply = ada.generic("POST", CLUSTERS, body, content_type="application/json")
    assert reply.status_code == 413
    assert shape(reply)["code"] == "body_too_large"


def test_a_hundred_megabytes_are_refused_by_their_announcement(ada: Client) -> None:
    for kind in ("application/json", "multipart/form-data; boundary=x"):
        reply = ada.generic("POST", CLUSTERS, b"{}", content_type=kind, CONTENT_LENGTH=str(100 * 1024**2))
        assert reply.status_code == 413
        shape(reply)


def test_a_session_needs_its_csrf_token(people: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.ada)
    reply = client.post(CLUSTERS, {"name": "x"}, content_type="application/json")
    assert reply.status_code == 403
    assert "CSRF" in shape(reply)["message"]


def test_nobody(people: Any) -> None:
    reply = Client().get(CLUSTERS)
    assert reply.status_code == 401
    assert shape(reply)["code"] == "not_authenticated"


def test_a_page_beyond_the_last(ada: Client) -> None:
    for page in ("2", "0", "x", "9" * 30):
        reply = ada.get(f"{CLUSTERS}?page={page}")
        assert reply.status_code == 404
        shape(reply)


def test_too_many_requests(people: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.core.cache import cache

    from portal.api.throttling import CallerThrottle

    cache.clear()
    monkeypatch.setattr(CallerThrottle, "get_rate", lambda self: "3/min")
    client = Client()
    client.force_login(people.ben)
    statuses = [client.get(CLUSTERS).status_code for _ in range(4)]
    last = client.get(CLUSTERS)
    cache.clear()
    assert statuses == [200, 200, 200, 429]
    assert shape(last)["retryable"] is True
    assert int(last.headers["Retry-After"]) > 0


@pytest.mark.parametrize(
    "body",
    [
        b'{"\\ud800": 1}',
        b'{"name": "\\udfff"}',
        b'{"kinds": ["\\ud800"]}',
        b'{"kinds": [["\\ud800"]]}',
        b'{"a": {"b": "\\ud800"}}',
        b'{"name": "x", "name": "y"}',
        b'{"gpu_count": Infinity}',
    ],
)
def test_json_that_is_no_text_or_means_two_things(ada: Client, body: bytes) -> None:
    reply = ada.generic("POST", CLUSTERS, body, content_type="application/json")
    assert reply.status_code == 400
    assert shape(reply)["code"] == "parse_error"


def test_a_whole_character_may_be_spelled_as_a_pair(ada: Client) -> None:
    body = b'\xef\xbb\xbf{"name": "\\ud83d\\ude80 north", "kinds": ["serve"]}'
    reply = ada.generic("POST", CLUSTERS, body, content_type="application/json")
    assert reply.status_code == 201, reply.content


def test_a_thousand_unknown_fields_are_not_all_repeated(ada: Client) -> None:
    reply = ada.post(CLUSTERS, {f"{i}{'k' * 500}": 1 for i in range(1000)}, content_type="application/json")
    assert reply.status_code == 400
    assert len(reply.content) < 20_000
    assert len(reply.json()["error"]["problems"]) == 50


def test_a_form_of_too_many_fields(ada: Client, settings: Any) -> None:
    reply = ada.post(CLUSTERS, {f"k{i}": "1" for i in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)})
    assert reply.status_code == 400
    assert shape(reply)["code"] == "request_refused"

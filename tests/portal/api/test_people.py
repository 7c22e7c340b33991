"""Members, invitations, activity and clusters through the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from portal.accounts.models import Membership
from portal.clusters.models import Cluster, Service

pytestmark = pytest.mark.django_db


class Caller:
    """A person with a session, speaking JSON."""

    def __init__(self, person: Any) -> None:
        self.client = Client(headers={"Accept": "application/json"})
        self.client.force_login(person)

    def __call__(self, method: str, path: str, data: Any = None) -> tuple[int, Any]:
        options = {"data": data, "content_type": "application/json"} if data is not None else {}
        reply = getattr(self.client, method.lower())(f"/api/v1/o/north/{path}", **options)
        return reply.status_code, reply.json() if reply.content else None


@pytest.fixture
def ada(people: Any) -> Caller:
    return Caller(people.ada)


def test_who_am_i(people: Any) -> None:
    client = Client()
    assert client.get("/api/v1/me").status_code == 401
    client.force_login(people.ben)
    assert client.get("/api/v1/me").json() == {
        "id": people.ben.pk,
        "name": "Ben",
        "email": "ben@example.com",
        "organisations": [{"slug": "north", "name": "North", "role": "viewer"}],
        "scopes": None,
    }


def test_members(ada: Caller, people: Any) -> None:
    status, page = ada("GET", "members?page_size=2")
    assert (status, page["count"], len(page["results"])) == (200, 6, 2)
    assert set(page["results"][0]) == {"id", "name", "email", "role", "since"}
    status, changed = ada("PATCH", f"members/{people.ben.pk}", {"role": "operator"})
    assert (status, changed["role"]) == (200, "operator")
    status, refused = ada("PATCH", f"members/{people.ben.pk}", {"role": "owner"})
    assert (status, refused["error"]["place"]) == (400, "role")
    status, refused = ada("PATCH", f"members/{people.ben.pk}", {"role": "viewer", "is_staff": True})
    assert (status, refused["error"]["place"]) == (400, "is_staff")
    assert ada("DELETE", f"members/{people.ben.pk}") == (204, None)
    assert ada("GET", f"members/{people.ben.pk}")[0] == 404
    assert ada("GET", f"members/{people.eve.pk}")[0] == 404
    assert ada("GET", f"members/{'9' * 40}")[0] == 404


def test_owners_are_out_of_reach(ada: Caller, people: Any) -> None:
    Membership.objects.filter(user=people.ben).update(role="owner")
    assert (
        ada("PATCH", f"members/{people.ben.pk}", {"role": "viewer"})[1]["error"]["code"]
        == "owners_in_browser"
    )
    assert ada("DELETE", f"members/{people.ben.pk}")[0] == 403


def test_invitations(ada: Caller, people: Any) -> None:
    status, made = ada("POST", "invitations", {"role": "reviewer", "email": "New@Example.com"})
    assert (status, made["email"]) == (201, "new@example.com")
    assert made["link"].startswith("http://testserver/invitations/")
    status, page = ada("GET", "invitations")
    assert [row["id"] for row in page["results"]] == [made["id"]]
    assert "link" not in page["results"][0]
    assert ada("DELETE", f"invitations/{made['id']}")[0] == 204
    assert ada("GET", "invitations")[1]["count"] == 0
    assert ada("POST", "invitations", {"role": "owner"})[0] == 400


def test_activity(ada: Caller, people: Any) -> None:
    ada("POST", "clusters", {"name": "one"})
    ada("POST", "invitations", {"role": "viewer"})
    status, page = ada("GET", "activity?object_type=cluster")
    assert (status, [row["action"] for row in page["results"]]) == (200, ["cluster.created"])
    assert page["results"][0]["actor"] == "Ada"
    assert ada("GET", "activity?action=%00")[0] == 400
    assert ada("GET", f"activity?object_id={'x' * 100}")[0] == 400
    status, chain = ada("GET", "activity/verify")
    assert (status, chain["ok"], chain["checked"]) == (200, True, 2)


def test_clusters_and_services(ada: Caller, people: Any) -> None:
    given = {"name": "cn-1", "gpu_sku": "H200", "gpu_count": 8, "kinds": ["train"], "tags": ["moe"]}
    status, made = ada("POST", "clusters", given)
    assert status == 201
    assert {key: made[key] for key in given} == given
    one = f"clusters/{made['id']}"
    status, changed = ada("PATCH", one, {"gpu_count": 16})
    assert (status, changed["gpu_count"], changed["tags"]) == (200, 16, ["moe"])
    status, service = ada("POST", f"{one}/services", {"name": "chat", "tier": 1})
    assert (status, service["kind"], service["in_scope"]) == (201, "serve", True)
    assert ada("PATCH", f"{one}/services/{service['id']}", {"in_scope": False})[1]["in_scope"] is False
    assert ada("GET", f"{one}/services")[1]["count"] == 1
    assert ada("DELETE", f"{one}/services/{service['id']}")[0] == 204
    assert ada("DELETE", one)[0] == 204
    assert ada("GET", "clusters")[1]["count"] == 0
    assert ada("GET", "clusters?archived=true")[1]["count"] == 1
    assert ada("POST", f"{one}/restore", {})[0] == 200
    status, taken = ada("POST", "clusters", {"name": "cn-1"})
    assert (status, taken["error"]["code"], taken["error"]["place"]) == (409, "name_taken", "name")


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({}, "name"),
        ([], None),
        ({"name": "x", "organisation": "south"}, "organisation"),
        ({"name": "x", "gpu_count": "8"}, "gpu_count"),
        ({"name": "x", "gpu_count": True}, "gpu_count"),
        ({"name": "x", "gpu_count": 10**30}, "gpu_count"),
        ({"name": "x\u0000"}, "name"),
        ({"name": "\ud800"}, None),
        ({"name": {"a": 1}}, "name"),
        ({"name": "x", "kinds": []}, "kinds"),
        ({"name": "x", "kinds": "serve"}, "kinds"),
        ({"name": "x", "tags": ["moe", {"a": 1}]}, "tags[1]"),
        ({"name": "x", "note": "y" * 2001}, "note"),
    ],
)
def test_bad_clusters_are_refused(ada: Caller, given: Any, place: str | None) -> None:
    status, refused = ada("POST", "clusters", given)
    assert status == 400
    if place is not None:
        assert refused["error"]["place"].startswith(place)
    assert not Cluster.objects.exists()


@pytest.mark.parametrize("given", [{"tier": 4}, {"tier": 1.0}, {"in_scope": "yes"}, {"cluster": "x"}])
def test_bad_services_are_refused(ada: Caller, given: dict[str, Any]) -> None:
    _status, made = ada("POST", "clusters", {"name": "cn-1"})
    assert ada("POST", f"clusters/{made['id']}/services", {"name": "chat", **given})[0] == 400
    assert not Service.objects.exists()

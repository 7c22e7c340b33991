"""API tokens: shown once, hashed, never stronger than their person, always with an end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import ApiToken, Membership
from portal.accounts.services import members, tokens
from portal.audit import selectors as audit
from portal.errors import Invalid, NotAllowed, NotFound

pytestmark = pytest.mark.django_db


def membership(people: Any, role: str) -> Membership:
    return Membership.objects.get(organisation=people.north, user=people.by_role[role])


def issue(people: Any, role: str = "operator", **over: Any) -> tuple[ApiToken, str]:
    given = {"name": "export", "scopes": ["clusters.view"], "days": 30, **over}
    return tokens.issue(membership=membership(people, role), **given)


def call(clear: str, path: str, method: str = "get", **data: Any) -> Any:
    client = Client(headers={"Authorization": f"Bearer {clear}"})
    return getattr(client, method)(f"/api/v1/{path}", content_type="application/json", **data)


def test_only_the_hash_is_kept(people: Any) -> None:
    made, clear = issue(people)
    assert clear.startswith("ballast_")
    assert len(clear) > 50
    stored = [str(value) for value in ApiToken.objects.values().get().values()]
    assert all(clear not in value for value in stored)
    detail = audit.entries(people.north.pk).get().detail
    assert detail["scopes"] == ["clusters.view"]
    assert made.token_hash not in str(detail)


def test_it_opens_what_its_scopes_say_and_nothing_else(people: Any) -> None:
    _made, clear = issue(people)
    assert call(clear, "o/north/clusters").status_code == 200
    refused = call(clear, "o/north/members")
    assert refused.status_code == 403
    assert "members.view" in refused.json()["error"]["message"]
    assert call(clear, "o/north/clusters", "post", data={"name": "x"}).status_code == 403


def test_it_works_in_its_own_organisation_only(people: Any) -> None:
    Membership.objects.create(organisation=people.south, user=people.by_role["operator"], role="owner")
    _made, clear = issue(people)
    foreign, missing = call(clear, "o/south/clusters"), call(clear, "o/nowhere/clusters")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.json() == missing.json()
    me = call(clear, "me").json()
    assert [each["slug"] for each in me["organisations"]] == ["north"]
    assert me["scopes"] == ["clusters.view"]


def test_it_is_never_stronger_than_its_person(people: Any) -> None:
    _made, clear = issue(people, scopes=["clusters.edit", "clusters.view"])
    assert call(clear, "o/north/clusters", "post", data={"name": "one"}).status_code == 201
    Membership.objects.filter(user=people.by_role["operator"]).update(role="viewer")
    assert call(clear, "o/north/clusters", "post", data={"name": "two"}).status_code == 403
    assert call(clear, "o/north/clusters").status_code == 200


@pytest.mark.parametrize(
    ("over", "place"),
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["clusters.view", "members.manage"]}, "scopes"),
        ({"scopes": ["tokens.manage"]}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 366}, "days"),
        ({"name": " "}, "name"),
        ({"name": "x" * 81}, "name"),
    ],
)
def test_bad_tokens_are_not_made(people: Any, over: dict[str, Any], place: str) -> None:
    with pytest.raises(Invalid) as refused:
        issue(people, **over)
    assert refused.value.place == place
    assert not ApiToken.objects.exists()


def test_the_end_of_a_token(people: Any) -> None:
    made, clear = issue(people, days=365)
    assert made.expires_at <= timezone.now() + timedelta(days=365)
    assert tokens.authenticate(clear) == made
    ApiToken.objects.update(expires_at=timezone.now())
    assert tokens.authenticate(clear) is None
    made, clear = issue(people)
    tokens.revoke(membership=membership(people, "operator"), token_id=made.pk)
    assert tokens.authenticate(clear) is None
    assert call(clear, "o/north/clusters").status_code == 401
    made, clear = issue(people)
    made.user.is_active = False
    made.user.save()
    assert tokens.authenticate(clear) is None


def test_a_removed_member_comes_back_without_old_tokens(people: Any) -> None:
    _made, clear = issue(people)
    person = people.by_role["operator"]
    members.remove(organisation=people.north, actor=people.ada, user_id=person.pk)
    Membership.objects.create(organisation=people.north, user=person, role="operator")
    assert call(clear, "o/north/clusters").status_code == 401


@pytest.mark.parametrize("nonsense", ["", "ballast_", "ballast_x", "x" * 5000, "ballast_\ud800", "bällast_x"])
def test_nonsense_is_nobody(people: Any, nonsense: str) -> None:
    assert tokens.authenticate(nonsense) is None


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer \xff", "bearer x"])
def test_bad_headers_are_401(people: Any, header: str) -> None:
    reply = Client(headers={"Authorization": header}).get("/api/v1/o/north/clusters")
    assert reply.status_code == 401
    assert reply.headers["WWW-Authenticate"] == "Bearer"
    assert reply.json()["error"]["code"] == "authentication_failed"


def test_the_use_is_noted_at_most_every_five_minutes(people: Any) -> None:
    made, clear = issue(people)
    tokens.authenticate(clear)
    made.refresh_from_db()
    first = made.last_used_at
    assert first is not None
    tokens.authenticate(clear)
    made.refresh_from_db()
    assert made.last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=6))
    tokens.authenticate(clear)
    made.refresh_from_db()
    assert made.last_used_at is not None
    assert made.last_used_at >= first


def test_who_may_end_whose(people: Any) -> None:
    made, _clear = issue(people)
    with pytest.raises(NotAllowed):
        tokens.revoke(membership=membership(people, "assessor"), token_id=made.pk)
    with pytest.raises(NotFound):
        tokens.revoke(membership=Membership.objects.get(user=people.eve), token_id=made.pk)
    tokens.revoke(membership=membership(people, "admin"), token_id=made.pk)
    tokens.revoke(membership=membership(people, "admin"), token_id=made.pk)
    assert [row.action for row in audit.entries(people.north.pk)] == ["token.revoked", "token.issued"]


def test_the_page_shows_the_clear_text_once(people: Any) -> None:
    client = Client()
    client.force_login(people.by_role["operator"])
    form = {"name": "nightly", "days": "30", "scopes": ["clusters.view"]}
    page = client.post("/o/north/settings/tokens/", form)
    clear = page.context["clear"]
    assert clear in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert clear not in client.get("/o/north/settings/tokens/").content.decode()
    assert tokens.authenticate(clear) is not None
    beyond = client.post("/o/north/settings/tokens/", {**form, "scopes": ["members.manage"]})
    assert beyond.status_code == 400
    long = client.post("/o/north/settings/tokens/", {**form, "days": "9999"})
    assert long.status_code == 400
    assert ApiToken.objects.count() == 1


def test_a_manager_sees_everybodys_and_others_their_own(people: Any) -> None:
    issue(people, name="of the operator")
    issue(people, "reviewer", name="of the reviewer")
    seen = {}
    for role in ("admin", "operator"):
        client = Client()
        client.force_login(people.by_role[role])
        seen[role] = client.get("/o/north/settings/tokens/").content.decode()
    assert "of the operator" in seen["admin"]
    assert "of the reviewer" in seen["admin"]
    assert "of the operator" in seen["operator"]
    assert "of the reviewer" not in seen["operator"]

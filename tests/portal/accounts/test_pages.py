"""Pages about people: where they lead, what they refuse, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from portal.accounts.models import Membership, Organisation, User
from portal.audit import selectors as audit

pytestmark = pytest.mark.django_db
PAGES = ["people/", "people/invite", "people/leave", "organisation/", "tokens/", "preferences/"]


def client_of(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_the_front_door(people: Any) -> None:
    assert Client().get("/").headers["Location"] == "/accounts/login/"
    assert client_of(people.ada).get("/").headers["Location"] == "/o/north/"
    lonely = User.objects.create_user("lonely@example.com", "correct horse")
    assert client_of(lonely).get("/").headers["Location"] == "/organisations/new"


def test_sign_up_to_a_first_organisation(db: None) -> None:
    client = Client()
    password = "a long enough phrase"
    form = {"name": " 李 雷 ", "email": "Li@Example.com", "password1": password, "password2": password}
    reply = client.post("/accounts/signup/", form, headers={"Accept-Language": "zh-CN"})
    assert reply.headers["Location"] == "/"
    person = User.objects.get()
    assert (person.name, person.email, person.language) == ("李 雷", "li@example.com", "zh-hans")
    assert reply.cookies["django_language"].value == "zh-hans"
    made = client.post("/organisations/new", {"name": "华北算力", "slug": ""})
    organisation = Organisation.objects.get()
    assert made.headers["Location"] == f"/o/{organisation.slug}/"
    assert client.get(f"/o/{organisation.slug}/settings/people/").status_code == 200


def test_signing_up_sets_nothing_else(db: None) -> None:
    password = "a long enough phrase"
    form = {"name": "M", "email": "m@example.com", "password1": password, "password2": password}
    Client().post("/accounts/signup/", {**form, "is_superuser": "1", "is_staff": "1", "role": "owner"})
    person = User.objects.get()
    assert (person.is_superuser, person.is_staff) == (False, False)
    assert not Membership.objects.exists()


def test_an_organisation_form_says_what_is_wrong(people: Any) -> None:
    client = client_of(people.eve)
    for form, field in (({"name": ""}, "name"), ({"name": "X", "slug": "north"}, "slug")):
        page = client.post("/organisations/new", form)
        assert page.status_code == 400
        assert field in page.context["form"].errors
    extra = {"name": "Mine", "id": "0190a000-0000-7000-8000-000000000001", "demo": "1", "day_rate": "1"}
    client.post("/organisations/new", extra)
    made = Organisation.objects.get(name="Mine")
    assert (made.demo, made.day_rate, str(made.pk)) == (False, 800, str(made.pk))
    assert str(made.pk) != extra["id"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("page", PAGES)
def test_pages_render(people: Any, page: str, language: str) -> None:
    client = client_of(people.ada)
    client.cookies["django_language"] = language
    reply = client.get(f"/o/north/settings/{page}")
    assert reply.status_code == 200
    text = reply.content.decode()
    assert "style=" not in text
    assert "onclick" not in text


def test_inviting_and_withdrawing(people: Any) -> None:
    client = client_of(people.by_role["admin"])
    page = client.post("/o/north/settings/people/invite", {"role": "assessor", "email": "new@example.com"})
    assert "/invitations/" in page.context["link"]
    assert "no-store" in page.headers["Cache-Control"]
    listing = client.get("/o/north/settings/people/")
    assert "new@example.com" in listing.content.decode()
    assert page.context["link"] not in listing.content.decode()
    assert "new@example.com" not in client_of(people.ben).get("/o/north/settings/people/").content.decode()
    row = page.context["invitation"]
    client.post(f"/o/north/settings/people/invitations/{row.pk}/revoke")
    assert "new@example.com" not in client.get("/o/north/settings/people/").content.decode()
    refused = client.post("/o/north/settings/people/invite", {"role": "owner", "email": ""})
    assert refused.status_code == 400


def test_changing_and_removing(people: Any) -> None:
    client = client_of(people.by_role["admin"])
    base = "/o/north/settings/people"
    assert client.post(f"{base}/{people.ben.pk}/", {"role": "operator"}).status_code == 302
    assert Membership.objects.get(user=people.ben).role == "operator"
    assert client.post(f"{base}/{people.ben.pk}/", {"role": "owner"}).status_code == 400
    assert client.get(f"{base}/{people.ada.pk}/").status_code == 403
    assert client.post(f"{base}/{people.ada.pk}/remove").status_code == 403
    assert client.get(f"{base}/{people.eve.pk}/").status_code == 404
    assert client.get(f"{base}/{'9' * 30}/").status_code == 404
    assert client.get(f"{base}/{people.ben.pk}/remove").status_code == 200
    assert Membership.objects.filter(user=people.ben).exists()
    client.post(f"{base}/{people.ben.pk}/remove")
    assert not Membership.objects.filter(user=people.ben).exists()
    assert client_of(people.ben).get("/o/north/").status_code == 404


def test_leaving(people: Any) -> None:
    alone = client_of(people.ada).post("/o/north/settings/people/leave")
    assert alone.status_code == 409
    assert client_of(people.ben).post("/o/north/settings/people/leave").headers["Location"] == "/"
    assert not Membership.objects.filter(user=people.ben).exists()


def test_settings_set_only_what_they_show(people: Any) -> None:
    form = {
        "name": "North Star",
        "day_rate": "900",
        "gpu_hour_price": "2.5",
        "currency": "eur",
        "slug": "stolen",
        "demo": "1",
    }
    assert client_of(people.ada).post("/o/north/settings/organisation/", form).status_code == 302
    people.north.refresh_from_db()
    assert (people.north.name, people.north.currency, people.north.slug) == ("North Star", "EUR", "north")
    assert people.north.demo is False
    bad = client_of(people.ada).post("/o/north/settings/organisation/", {**form, "day_rate": "-3"})
    assert bad.status_code == 400


def test_preferences_follow_the_person(people: Any) -> None:
    client = client_of(people.ben)
    form = {
        "name": "Ben 2",
        "language": "zh-hans",
        "theme": "dark",
        "email": "x@example.com",
        "is_staff": "1",
    }
    reply = client.post("/o/north/settings/preferences/", form)
    assert reply.cookies["django_language"].value == "zh-hans"
    assert reply.cookies["theme"].value == "dark"
    people.ben.refresh_from_db()
    assert (people.ben.name, people.ben.theme, people.ben.single_key_shortcuts) == ("Ben 2", "dark", False)
    assert (people.ben.email, people.ben.is_staff) == ("ben@example.com", False)
    page = client.get("/o/north/settings/preferences/").content.decode()
    assert 'lang="zh-Hans"' in page
    assert 'data-single-key="off"' in page
    for bad in ({"language": "xx"}, {"theme": "pink"}, {"name": ""}):
        assert client.post("/o/north/settings/preferences/", {**form, **bad}).status_code == 400


def test_the_language_switch_is_remembered(people: Any) -> None:
    client = client_of(people.ben)
    reply = client.post("/language/", {"language": "zh-hans", "next": "/o/north/help"})
    assert reply.headers["Location"] == "/o/north/help"
    people.ben.refresh_from_db()
    assert people.ben.language == "zh-hans"
    assert client.post("/language/", {"language": "tlh", "next": "/"}).status_code == 302
    people.ben.refresh_from_db()
    assert people.ben.language == "zh-hans"
    elsewhere = Client()
    elsewhere.cookies["django_language"] = "en"
    elsewhere.post("/accounts/login/", {"login": people.ben.email, "password": "correct horse battery"})
    assert elsewhere.cookies["django_language"].value == "zh-hans"


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_led_away(people: Any, target: str) -> None:
    form = {"login": people.ben.email, "password": "correct horse battery", "next": target}
    assert Client().post("/accounts/login/", form).headers["Location"] == "/"
    assert Client().post("/language/", {"language": "en", "next": target}).headers["Location"] in {"/", ""}
    signed_in = client_of(people.ben)
    assert signed_in.post("/accounts/logout/", {"next": target}).headers["Location"] == "/"


def test_activity_filters_and_verifies(people: Any) -> None:
    client = client_of(people.ada)
    client.post(
        "/o/north/settings/organisation/",
        {"name": "N", "day_rate": 1, "gpu_hour_price": 1, "currency": "USD"},
    )
    client.post("/o/north/settings/people/invite", {"role": "viewer", "email": ""})
    everything = client.get("/o/north/activity/")
    assert [row["entry"].action for row in everything.context["rows"]] == [
        "invitation.created",
        "organisation.changed",
    ]
    one = client.get("/o/north/activity/", {"action": "organisation.changed", "person": str(people.ada.pk)})
    assert [row["entry"].sequence for row in one.context["rows"]] == [1]
    for odd in ({"action": "x"}, {"person": "\x00"}, {"object_id": "\x00"}, {"object_id": "y" * 500}):
        page = client.get("/o/north/activity/", odd)
        assert page.status_code == 200
        assert page.context["rows"] == []
    assert client.get("/o/north/activity/", {"page": "99999999999999999999"}).status_code == 200
    verified = client.post("/o/north/activity/verify")
    assert verified.context["result"].ok
    assert audit.head_hash(people.north.pk) in verified.content.decode()
    assert client.get("/o/north/activity/verify").status_code == 302
    assert client_of(people.eve).get("/o/south/activity/").context["rows"] == []

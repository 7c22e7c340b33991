"""Invitation links: secret, for one person, for seven days."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts import selectors
from portal.accounts.models import Invitation, Membership
from portal.accounts.services import invitations
from portal.audit import selectors as audit
from portal.errors import Conflict, Invalid, NotAllowed, NotFound

pytestmark = pytest.mark.django_db


def invite(people: Any, **over: Any) -> tuple[Invitation, str]:
    given = {"organisation": people.north, "actor": people.ada, "role": "reviewer", **over}
    return invitations.invite(**given)


def test_only_the_hash_is_kept(people: Any) -> None:
    made, clear = invite(people)
    assert len(clear) >= 43
    stored = [str(value) for value in Invitation.objects.values().get().values()]
    assert all(clear not in value for value in stored)
    assert clear not in str([row.detail for row in audit.entries(people.north.pk)])
    assert made.expires_at - made.created_at > timedelta(days=6, hours=23)


def test_accepting_makes_a_member_once(people: Any) -> None:
    made, clear = invite(people)
    row = invitations.accept(clear=clear, actor=people.eve)
    assert (row.organisation, row.role) == (people.north, "reviewer")
    made.refresh_from_db()
    assert made.accepted_by == people.eve
    assert audit.actions(people.north.pk) == ["invitation.accepted", "invitation.created"]
    with pytest.raises(Conflict) as used:
        invitations.accept(clear=clear, actor=people.eve)
    assert used.value.code == "invitation_used"


def test_a_member_does_not_use_it_up(people: Any) -> None:
    _made, clear = invite(people)
    with pytest.raises(Conflict) as refused:
        invitations.accept(clear=clear, actor=people.ben)
    assert refused.value.code == "already_member"
    assert invitations.accept(clear=clear, actor=people.eve).role == "reviewer"


def test_expired_withdrawn_and_unknown_links(people: Any) -> None:
    made, clear = invite(people)
    Invitation.objects.filter(pk=made.pk).update(expires_at=timezone.now())
    with pytest.raises(Conflict) as expired:
        invitations.accept(clear=clear, actor=people.eve)
    assert expired.value.code == "invitation_expired"
    made, clear = invite(people)
    invitations.revoke(organisation=people.north, actor=people.ada, invitation_id=made.pk)
    invitations.revoke(organisation=people.north, actor=people.ada, invitation_id=made.pk)
    with pytest.raises(Conflict) as revoked:
        invitations.accept(clear=clear, actor=people.eve)
    assert revoked.value.code == "invitation_revoked"
    assert not selectors.open_invitations(people.north).exists()
    for nonsense in ("", "x", clear[:-1], clear + "a", "\ud800", made.token_hash):
        with pytest.raises(NotFound):
            invitations.accept(clear=nonsense, actor=people.eve)
    assert not Membership.objects.filter(organisation=people.north, user=people.eve).exists()


def test_a_bound_link_is_for_its_address(people: Any) -> None:
    _made, clear = invite(people, email=" EVE@Example.com ")
    with pytest.raises(NotAllowed):
        invitations.accept(clear=clear, actor=_stranger("someone@example.com"))
    assert invitations.accept(clear=clear, actor=people.eve).user == people.eve


def test_bad_invitations(people: Any) -> None:
    for over in ({"role": "king"}, {"email": "no address"}, {"email": "a" * 250 + "@example.com"}):
        with pytest.raises(Invalid):
            invite(people, **over)
    with pytest.raises(Conflict):
        invite(people, email=people.ben.email)
    with pytest.raises(NotAllowed):
        invite(people, actor=people.ben)
    with pytest.raises(NotAllowed):
        invite(people, actor=people.eve)
    assert not Invitation.objects.exists()


def test_only_those_of_here_are_withdrawn(people: Any) -> None:
    made, _clear = invite(people)
    with pytest.raises(NotFound):
        invitations.revoke(organisation=people.south, actor=people.eve, invitation_id=made.pk)
    with pytest.raises(NotFound):
        invitations.revoke(organisation=people.north, actor=people.ada, invitation_id="x")
    owner_link, _clear = invite(people, role="owner")
    with pytest.raises(NotAllowed):
        invitations.revoke(
            organisation=people.north, actor=people.by_role["admin"], invitation_id=owner_link.pk
        )


def test_from_link_to_sign_up_to_membership(people: Any) -> None:
    """Anonymous → sign-up → back at the link → member, with the pages' own forms."""
    _made, clear = invite(people)
    client, link = Client(), f"/invitations/{clear}"
    page = client.get(link)
    assert page.status_code == 200
    assert page.headers["Cache-Control"].count("no-store") == 1
    assert f"/accounts/signup/?next=%2Finvitations%2F{clear}" in page.content.decode()
    assert client.post(link).status_code == 200
    reply = client.post(
        f"/accounts/signup/?next={link}",
        {
            "name": "Dora",
            "email": "Dora@Example.com",
            "password1": "a long enough phrase",
            "password2": "a long enough phrase",
            "next": link,
        },
    )
    assert (reply.status_code, reply.headers["Location"]) == (302, link)
    reply = client.post(link)
    assert (reply.status_code, reply.headers["Location"]) == (302, "/o/north/")
    assert Membership.objects.get(user__email="dora@example.com").role == "reviewer"
    again = client.post(link)
    assert again.status_code == 409
    assert "/o/north/" in again.content.decode()


def test_the_page_of_a_bad_link(people: Any) -> None:
    client = Client()
    missing = client.get("/invitations/" + "x" * 43)
    assert missing.status_code == 404
    made, clear = invite(people)
    invitations.revoke(organisation=people.north, actor=people.ada, invitation_id=made.pk)
    assert client.get(f"/invitations/{clear}").status_code == 409
    _made, clear = invite(people, email="other@example.com")
    client.force_login(people.eve)
    assert client.post(f"/invitations/{clear}").status_code == 403


def _stranger(email: str) -> Any:
    from portal.accounts.models import User

    return User.objects.create_user(email, "correct horse")

"""Roles and memberships: owners are out of an admin's reach, and one always stays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from portal.accounts import selectors
from portal.accounts.domain.membership import assignable, may_change, scopes_for
from portal.accounts.domain.permissions import ROLES, TABLE, Action, Role, allowed
from portal.accounts.models import ApiToken, Invitation, Membership
from portal.accounts.services import invitations, members, tokens
from portal.audit import selectors as audit
from portal.audit import services as audit_services
from portal.errors import Conflict, Invalid, NotAllowed, NotFound, Refused


def test_the_table_is_the_roles_turned_around() -> None:
    for role in Role:
        for action in Action:
            assert (role in TABLE[action]) == (action in ROLES[role]) == allowed(role, action)
    assert not allowed("superuser", Action.ORGANISATION_VIEW)
    assert TABLE[Action.OWNERS_MANAGE] == {Role.OWNER}
    assert not any(Role.ASSESSOR in TABLE[a] for a in (Action.EVIDENCE_VERIFY, Action.MILESTONES_LOCK))
    assert not any(Role.REVIEWER in TABLE[a] for a in (Action.ASSESSMENTS_ANSWER, Action.EVIDENCE_ADD))


@pytest.mark.parametrize("actor", list(Role))
@pytest.mark.parametrize("old", [None, *Role])
@pytest.mark.parametrize("new", [None, *Role])
def test_who_may_change_whom(actor: Role, old: Role | None, new: Role | None) -> None:
    if actor is Role.OWNER:
        expected = True
    elif actor is Role.ADMIN:
        expected = Role.OWNER not in (old, new)
    else:
        expected = False
    assert may_change(actor, old, new) is expected


def test_what_a_role_gives_away() -> None:
    assert assignable(Role.OWNER) == tuple(Role)
    assert assignable(Role.ADMIN) == tuple(role for role in Role if role is not Role.OWNER)
    assert assignable(Role.REVIEWER) == ()
    for role in Role:
        assert set(scopes_for(role)) <= ROLES[role]
        assert Action.TOKENS_MANAGE not in scopes_for(role)


def change(people: Any, actor: Any, target: Any, role: str) -> Membership:
    return members.change_role(organisation=people.north, actor=actor, user_id=target.pk, role=role)


@pytest.mark.django_db
def test_a_role_is_changed_and_recorded(people: Any) -> None:
    assert change(people, people.by_role["admin"], people.ben, "assessor").role == "assessor"
    entry = audit.entries(people.north.pk).get()
    assert (entry.action, entry.object_id) == ("member.role_changed", str(people.ben.pk))
    assert entry.detail == {"person": "Ben", "from": "viewer", "to": "assessor"}
    change(people, people.ada, people.ben, "assessor")
    assert audit.entries(people.north.pk).count() == 1


@pytest.mark.django_db
def test_an_admin_cannot_reach_owners(people: Any) -> None:
    admin = people.by_role["admin"]
    for attempt in (
        lambda: change(people, admin, people.ada, "viewer"),
        lambda: change(people, admin, people.ben, "owner"),
        lambda: change(people, admin, admin, "owner"),
        lambda: members.remove(organisation=people.north, actor=admin, user_id=people.ada.pk),
        lambda: invitations.invite(organisation=people.north, actor=admin, role="owner"),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    assert not audit.entries(people.north.pk).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["viewer", "operator", "reviewer", "assessor"])
def test_others_change_nobody(people: Any, role: str) -> None:
    with pytest.raises(NotAllowed):
        change(people, people.by_role[role], people.ben, "admin")
    with pytest.raises(NotAllowed):
        members.remove(organisation=people.north, actor=people.by_role[role], user_id=people.ben.pk)


@pytest.mark.django_db
def test_a_stranger_changes_nobody_and_is_nobody(people: Any) -> None:
    with pytest.raises(NotAllowed):
        change(people, people.eve, people.ben, "admin")
    with pytest.raises(NotFound):
        change(people, people.ada, people.eve, "viewer")
    for nonsense in ("0", "-1", "x", "9" * 40, "１", "", None):
        with pytest.raises(NotFound):
            selectors.member_row(people.north, nonsense)


@pytest.mark.django_db
def test_unknown_roles_are_refused(people: Any) -> None:
    for role in ("", "root", "Owner"):
        with pytest.raises(Invalid):
            change(people, people.ada, people.ben, role)


@pytest.mark.django_db
def test_the_last_owner_stays(people: Any) -> None:
    for attempt in (
        lambda: change(people, people.ada, people.ada, "viewer"),
        lambda: members.remove(organisation=people.north, actor=people.ada, user_id=people.ada.pk),
        lambda: members.leave(organisation=people.north, actor=people.ada),
    ):
        with pytest.raises(Conflict) as refused:
            attempt()
        assert refused.value.code == "last_owner"
    change(people, people.ada, people.ben, "owner")
    members.leave(organisation=people.north, actor=people.ada)
    assert [row.user for row in selectors.owners(people.north)] == [people.ben]


@pytest.mark.django_db
def test_leaving_ends_tokens_and_open_invitations(people: Any) -> None:
    admin = people.by_role["admin"]
    row = Membership.objects.get(user=admin)
    _token, clear = tokens.issue(membership=row, name="export", scopes=["clusters.view"], days=7)
    invitations.invite(organisation=people.north, actor=admin, role="viewer")
    members.leave(organisation=people.north, actor=admin)
    assert tokens.authenticate(clear) is None
    assert not ApiToken.objects.filter(revoked_at=None).exists()
    assert Invitation.objects.get().revoked_at is not None
    last = audit.entries(people.north.pk).first()
    assert last is not None
    assert (last.action, last.detail["tokens_revoked"]) == ("member.left", 1)
    assert last.detail["invitations_revoked"] == 1


@pytest.mark.django_db
def test_losing_the_right_to_invite_ends_open_invitations(people: Any) -> None:
    admin = people.by_role["admin"]
    invitations.invite(organisation=people.north, actor=admin, role="viewer")
    change(people, people.ada, admin, "assessor")
    assert not selectors.open_invitations(people.north).exists()


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each work returned or refused, when they run at the same moment."""
    start, outcomes = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int, work: Callable[[], Any]) -> None:
        try:
            start.wait(timeout=30)
            outcomes[place] = work()
        except Refused as refused:
            outcomes[place] = refused
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return outcomes


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_step_down_at_once_leave_one(people: Any) -> None:
    Membership.objects.filter(user=people.ben).update(role="owner")
    outcomes = at_once(
        lambda: change(people, people.ada, people.ada, "viewer"),
        lambda: change(people, people.ben, people.ben, "viewer"),
    )
    refused = [each for each in outcomes if isinstance(each, Refused)]
    assert [each.code for each in refused] == ["last_owner"]
    assert selectors.owners(people.north).count() == 1
    assert audit_services.verify_chain(people.north.pk).checked == 1


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_remove_each_other_leave_one(people: Any) -> None:
    Membership.objects.filter(user=people.ben).update(role="owner")
    outcomes = at_once(
        lambda: members.remove(organisation=people.north, actor=people.ada, user_id=people.ben.pk),
        lambda: members.remove(organisation=people.north, actor=people.ben, user_id=people.ada.pk),
    )
    assert sum(isinstance(each, NotAllowed) for each in outcomes) == 1
    assert selectors.owners(people.north).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_link_lets_one_person_in(people: Any) -> None:
    _made, clear = invitations.invite(organisation=people.south, actor=people.eve, role="viewer")
    outcomes = at_once(
        lambda: invitations.accept(clear=clear, actor=people.ada),
        lambda: invitations.accept(clear=clear, actor=people.ben),
    )
    refused = [each for each in outcomes if isinstance(each, Refused)]
    assert [each.code for each in refused] == ["invitation_used"]
    assert Membership.objects.filter(organisation=people.south).count() == 2

"""Memberships: roles, removal, leaving. An organisation never loses its last owner.

Every change first locks the organisation's row, so that of two owners who step down at once the second
one finds the first already gone. (SQLite has one writer at a time and needs no row lock.)
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts import selectors
from portal.accounts.domain.membership import may_change
from portal.accounts.domain.permissions import Action, Role, allowed
from portal.accounts.models import ApiToken, Invitation, Membership, Organisation
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, NotAllowed


@transaction.atomic
def change_role(*, organisation: Organisation, actor: Any, user_id: Any, role: str) -> Membership:
    """Give a member another role. NotFound, NotAllowed, Invalid, or Conflict for the last owner."""
    lock(organisation)
    if role not in set(Role):
        raise Invalid("role_unknown", _("There is no such role."), place="role")
    target = selectors.member_row(organisation, user_id)
    require_change(organisation, actor, target.role, role)
    if target.role == role:
        return target
    _keep_an_owner(organisation, target, becomes=role)
    old, target.role = target.role, role
    target.save(update_fields=["role"])
    detail: dict[str, Any] = {"person": str(target.user), "from": old, "to": role}
    if not allowed(role, Action.MEMBERS_MANAGE):
        detail |= _revoke_invitations_of(target)
    _record(actor, "member.role_changed", target, detail)
    return target


@transaction.atomic
def remove(*, organisation: Organisation, actor: Any, user_id: Any) -> None:
    """End somebody's membership, their tokens here and the invitations they made."""
    lock(organisation)
    target = selectors.member_row(organisation, user_id)
    require_change(organisation, actor, target.role, None)
    _end(target, actor, "member.removed")


@transaction.atomic
def leave(*, organisation: Organisation, actor: Any) -> None:
    """End one's own membership; Conflict for the last owner."""
    lock(organisation)
    _end(selectors.member_row(organisation, actor.pk), actor, "member.left")


def lock(organisation: Organisation) -> None:
    """Make changes to this organisation's people wait for each other."""
    Organisation.objects.select_for_update().get(pk=organisation.pk)


def require_change(organisation: Organisation, actor: Any, old: str | None, new: str | None) -> None:
    """NotAllowed unless the actor's role, read now, may turn role `old` into `new`."""
    own = Membership.objects.filter(organisation=organisation, user_id=actor.pk).first()
    if own is None or not may_change(own.role, old, new):
        if own is not None and allowed(own.role, Action.MEMBERS_MANAGE):
            raise NotAllowed("owners_only", _("Only an owner can change owners."), place="role")
        raise NotAllowed("role_lacks_action", _("Your role does not allow this."))


def _keep_an_owner(organisation: Organisation, target: Membership, *, becomes: str | None) -> None:
    if target.role != Role.OWNER.value or becomes == Role.OWNER.value:
        return
    if not selectors.owners(organisation).exclude(pk=target.pk).exists():
        raise Conflict(
            "last_owner",
            _("An organisation needs an owner. Make somebody else an owner first."),
            place="role",
        )


def _end(target: Membership, actor: Any, action: str) -> None:
    _keep_an_owner(target.organisation, target, becomes=None)
    now = timezone.now()
    tokens = ApiToken.objects.filter(
        organisation_id=target.organisation_id, user_id=target.user_id, revoked_at__isnull=True
    ).update(revoked_at=now)
    detail = {"person": str(target.user), "role": target.role, "tokens_revoked": tokens}
    detail |= _revoke_invitations_of(target)
    gone = target.pk
    target.delete()
    target.pk = gone
    _record(actor, action, target, detail)


def _revoke_invitations_of(target: Membership) -> dict[str, int]:
    """Somebody who may no longer invite keeps no open link to come back by."""
    count = Invitation.objects.filter(
        organisation_id=target.organisation_id,
        created_by_id=target.user_id,
        accepted_at__isnull=True,
        revoked_at__isnull=True,
    ).update(revoked_at=timezone.now())
    return {"invitations_revoked": count} if count else {}


def _record(actor: Any, action: str, target: Membership, detail: dict[str, Any]) -> None:
    audit.record(
        organisation_id=target.organisation_id,
        actor=actor,
        action=action,
        object_type="person",
        object_id=target.user_id,
        detail=detail,
    )

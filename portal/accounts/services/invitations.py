"""Invitation links: shown once, kept as a hash, used once, gone after seven days."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts import selectors
from portal.accounts.domain.keys import hash_of
from portal.accounts.domain.permissions import Role
from portal.accounts.models import Invitation, Membership, Organisation
from portal.accounts.services.members import lock, require_change
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, NotAllowed, NotFound

LIFETIME = timedelta(days=7)
MOST_OPEN = 200


@transaction.atomic
def invite(*, organisation: Organisation, actor: Any, role: str, email: str = "") -> tuple[Invitation, str]:
    """(invitation, clear token). With `email` only a person with that address can use it.

    Raises Invalid, or NotAllowed where the actor may not give this role.
    """
    lock(organisation)
    if role not in set(Role):
        raise Invalid("role_unknown", _("There is no such role."), place="role")
    require_change(organisation, actor, None, role)
    email = _checked_email(email)
    if selectors.open_invitations(organisation).count() >= MOST_OPEN:
        raise Invalid("too_many_invitations", _("There are already %d open invitations.") % MOST_OPEN)
    if email and Membership.objects.filter(organisation=organisation, user__email=email).exists():
        raise Conflict("already_member", _("This person is already a member."), place="email")
    clear = secrets.token_urlsafe(32)
    made = Invitation.objects.create(
        organisation=organisation,
        email=email,
        role=role,
        token_hash=hash_of(clear),
        created_by=actor,
        expires_at=timezone.now() + LIFETIME,
    )
    _record(actor, "invitation.created", made, {"role": role, "email": email})
    return made, clear


@transaction.atomic
def revoke(*, organisation: Organisation, actor: Any, invitation_id: Any) -> None:
    """End an open invitation; ending it twice changes nothing. NotFound if it is not of here."""
    row = selectors.invitation(organisation, invitation_id)
    require_change(organisation, actor, None, row.role)
    open_ = Invitation.objects.filter(pk=row.pk, accepted_at__isnull=True, revoked_at__isnull=True)
    if open_.update(revoked_at=timezone.now()):
        _record(actor, "invitation.revoked", row, {"role": row.role, "email": row.email})


@transaction.atomic
def accept(*, clear: str, actor: Any) -> Membership:
    """Make `actor` a member by this link.

    Raises NotFound for an unknown link, Conflict for one that is used, revoked, expired or not needed,
    NotAllowed when it was made for another address. The conditional UPDATE lets one of two win.
    """
    found = selectors.invitation_by_hash(hash_of(clear))
    if found is None:
        raise unknown()
    lock(found.organisation)
    found.refresh_from_db()
    refuse_unusable(found)
    if found.email and found.email != actor.email.lower():
        raise NotAllowed(
            "other_address",
            _("This invitation is for another e-mail address. Sign in with that address to use it."),
        )
    if Membership.objects.filter(organisation=found.organisation, user=actor).exists():
        raise Conflict("already_member", _("You are already a member of this organisation."))
    now = timezone.now()
    free = Invitation.objects.filter(
        pk=found.pk, accepted_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now
    )
    if not free.update(accepted_at=now, accepted_by=actor):
        raise Conflict("invitation_used", _("This invitation has already been used."))
    try:
        with transaction.atomic():
            made = Membership.objects.create(organisation=found.organisation, user=actor, role=found.role)
    except IntegrityError:
        raise Conflict("already_member", _("You are already a member of this organisation.")) from None
    _record(actor, "invitation.accepted", found, {"role": found.role, "person": str(actor)})
    return made


def refuse_unusable(invitation: Invitation) -> None:
    """Conflict that says why a link can no longer be used."""
    if invitation.accepted_at is not None:
        raise Conflict("invitation_used", _("This invitation has already been used."))
    if invitation.revoked_at is not None:
        raise Conflict("invitation_revoked", _("This invitation has been withdrawn. Ask for a new one."))
    if invitation.expires_at <= timezone.now():
        raise Conflict("invitation_expired", _("This invitation has expired. Ask for a new one."))


def unknown() -> NotFound:
    """For a link that nobody made."""
    return NotFound("invitation_not_found", _("There is no such invitation."))


def _checked_email(email: str) -> str:
    email = email.strip().lower()
    if email:
        try:
            validate_email(email)
        except ValidationError as error:
            raise Invalid("email_not_valid", str(error.messages[0]), place="email") from None
        if len(email) > 254:
            raise Invalid("email_not_valid", _("The address is too long."), place="email")
    return email


def _record(actor: Any, action: str, row: Invitation, detail: dict[str, Any]) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="invitation",
        object_id=row.pk,
        detail=detail,
    )

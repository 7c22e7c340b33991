"""Reads about people and organisations. Missing and foreign look the same: NotFound."""

from __future__ import annotations

import uuid
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts.domain.permissions import Role
from portal.accounts.models import ApiToken, Invitation, Membership, Organisation
from portal.errors import NotFound

Row = TypeVar("Row", bound=Model)


def memberships_of(user: Any) -> QuerySet[Membership]:
    """The organisations a person belongs to, by name."""
    return Membership.objects.filter(user=user).select_related("organisation").order_by("organisation__name")


def membership(user: Any, slug: str) -> Membership:
    """The person's membership in the organisation with this slug; NotFound if there is none."""
    found = (
        Membership.objects.select_related("organisation")
        .filter(user_id=user.pk, organisation__slug=slug)
        .first()
    )
    if found is None:
        raise unknown_organisation()
    return found


def unknown_organisation() -> NotFound:
    """The one answer for an organisation that is missing or not yours."""
    return NotFound("organisation_not_found", _("There is no such organisation, or you are not in it."))


def members(organisation: Organisation) -> QuerySet[Membership]:
    """Everybody in the organisation, by name."""
    return (
        Membership.objects.filter(organisation=organisation)
        .select_related("user")
        .order_by("user__name", "pk")
    )


def member_row(organisation: Organisation, user_id: int | str) -> Membership:
    """A person's membership of this organisation by user id; NotFound if they are not in it."""
    given, found = str(user_id), None
    if given.isascii() and given.isdigit() and len(given) < 19:  # longer ones overflow the column
        rows = Membership.objects.select_related("user", "organisation")
        found = rows.filter(organisation=organisation, user_id=int(given)).first()
    if found is None:
        raise NotFound("member_not_found", _("There is no such person in this organisation."))
    return found


def member(organisation: Organisation, user_id: int | str) -> Any:
    """A person of this organisation by user id; NotFound if they are not in it."""
    return member_row(organisation, user_id).user


def owners(organisation: Organisation) -> QuerySet[Membership]:
    """The memberships of its owners."""
    return Membership.objects.filter(organisation=organisation, role=Role.OWNER.value)


def organisation_by_slug(slug: str) -> Organisation:
    """For commands, which no person runs: the organisation, or NotFound."""
    found = Organisation.objects.filter(slug=slug).first()
    if found is None:
        raise unknown_organisation()
    return found


def slugs() -> dict[uuid.UUID, str]:
    """For commands: id -> slug of every organisation."""
    return dict(Organisation.objects.order_by("slug").values_list("pk", "slug"))


def open_invitations(organisation: Organisation) -> QuerySet[Invitation]:
    """Invitations that can still be used, newest first."""
    return (
        Invitation.objects.filter(
            organisation=organisation,
            accepted_at__isnull=True,
            revoked_at__isnull=True,
            expires_at__gt=timezone.now(),
        )
        .select_related("created_by")
        .order_by("-created_at", "pk")
    )


def invitation(organisation: Organisation, invitation_id: Any) -> Invitation:
    """One invitation of this organisation; NotFound otherwise."""
    found = _by_id(Invitation.objects.filter(organisation=organisation), invitation_id)
    if found is None:
        raise NotFound("invitation_not_found", _("There is no such invitation."))
    return found


def invitation_by_hash(token_hash: str) -> Invitation | None:
    """The invitation that a link's hash belongs to, whatever its state."""
    return (
        Invitation.objects.select_related("organisation", "created_by").filter(token_hash=token_hash).first()
    )


def tokens(organisation: Organisation, *, user: Any = None) -> QuerySet[ApiToken]:
    """Tokens that are not revoked, newest first; only a person's own with `user`."""
    rows = ApiToken.objects.filter(organisation=organisation, revoked_at__isnull=True)
    if user is not None:
        rows = rows.filter(user=user)
    return rows.select_related("user").order_by("-created_at", "pk")


def live_tokens(membership: Membership) -> QuerySet[ApiToken]:
    """The member's own tokens that still work."""
    own = tokens(membership.organisation, user=membership.user)
    return own.filter(expires_at__gt=timezone.now())


def token(organisation: Organisation, token_id: Any) -> ApiToken:
    """One token of this organisation; NotFound otherwise."""
    found = _by_id(ApiToken.objects.filter(organisation=organisation), token_id)
    if found is None:
        raise NotFound("token_not_found", _("There is no such token."))
    return found


def _by_id(rows: QuerySet[Row], given: Any) -> Row | None:
    """The row with this UUID, or None also for what is no UUID at all."""
    try:
        wanted = given if isinstance(given, uuid.UUID) else uuid.UUID(str(given))
    except ValueError:
        return None
    return rows.filter(pk=wanted).first()

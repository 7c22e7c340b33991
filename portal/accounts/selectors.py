"""Reads about people and organisations. Missing and foreign look the same: NotFound."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from portal.accounts.models import Membership, Organisation
from portal.errors import NotFound


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


def member(organisation: Organisation, user_id: int | str) -> Any:
    """A person of this organisation by user id; NotFound if they are not in it."""
    found = (
        Membership.objects.select_related("user").filter(organisation=organisation, user_id=user_id).first()
    )
    if found is None:
        raise NotFound("member_not_found", _("There is no such person in this organisation."))
    return found.user

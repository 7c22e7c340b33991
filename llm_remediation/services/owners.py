"""The people whom steps and trade-offs name as their owners."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from portal.accounts import selectors as people
from portal.errors import Invalid, NotFound


def named(organisation: Any, user_id: int | str) -> Any:
    """The member of the organisation with this user id. Raises Invalid, place `owner`."""
    try:
        return people.member(organisation, int(user_id))
    except (NotFound, ValueError, OverflowError):
        raise Invalid(
            "owner_unknown", _("The owner must be a member of this organisation."), place="owner"
        ) from None

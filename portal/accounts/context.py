"""What every template may use about the person and the organisation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from portal.accounts import selectors
from portal.accounts.domain.permissions import ROLES, Role

NO_ACTIONS: frozenset[str] = frozenset()


def organisation(request: HttpRequest) -> dict[str, Any]:
    """`may` (the role's actions as strings), `my_organisations`, `theme`, `single_key_shortcuts`."""
    membership = getattr(request, "membership", None)
    user = getattr(request, "user", None)
    signed_in = bool(user and user.is_authenticated)
    theme = request.COOKIES.get("theme") or (user.theme if user and signed_in else "auto")
    return {
        "may": frozenset(a.value for a in ROLES[Role(membership.role)]) if membership else NO_ACTIONS,
        "my_organisations": (lambda: list(selectors.memberships_of(user))) if signed_in else (),
        "theme": theme if theme in {"light", "dark", "auto"} else "auto",
        "single_key_shortcuts": bool(user and signed_in and user.single_key_shortcuts),
    }

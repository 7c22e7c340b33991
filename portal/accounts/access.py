"""The gate before every page under /o/<slug>/: who you are, whether you belong, what your role may do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from portal.accounts import labels, selectors
from portal.accounts.domain.permissions import Action, allowed
from portal.accounts.models import Membership, Organisation
from portal.errors import NotAllowed

View = Callable[..., HttpResponse]


class OrganisationRequest(HttpRequest):
    """What a view behind `organisation_view` receives."""

    organisation: Organisation
    membership: Membership


def organisation_view(action: Action, *, post: Action | None = None) -> Callable[[View], View]:
    """Wrap `view(request, …)` for a URL with `slug`; the slug is taken away from its arguments.

    Anonymous people go to sign-in. A person outside the organisation sees 404, as if it did not exist.
    A member whose role lacks `action` (for POST and the like: `post`, default `action`) sees 403.
    `view.required_actions` lets a test walk every route.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: Any, *args: Any, slug: str, **kwargs: Any) -> HttpResponse:
            membership = selectors.membership(request.user, slug)
            needed = action if request.method in {"GET", "HEAD", "OPTIONS"} else post or action
            require(membership, needed)
            request.organisation = membership.organisation
            request.membership = membership
            return view(request, *args, **kwargs)

        checked = login_required(guarded)
        checked.required_actions = {"GET": action, "POST": post or action}  # type: ignore[attr-defined]
        return checked

    return decorate


def require(membership: Membership, action: Action) -> None:
    """Raise NotAllowed unless the member's role may do `action`."""
    if not allowed(membership.role, action):
        raise NotAllowed(
            "role_lacks_action",
            _("Your role (%(role)s) does not allow this.") % {"role": labels.role_name(membership.role)},
            extra={"action": action.value},
        )

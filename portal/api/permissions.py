"""The role table, applied to the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.permissions import BasePermission

from portal.accounts import access, selectors
from portal.accounts.domain.permissions import Action
from portal.errors import NotAllowed


class OrganisationPermission(BasePermission):
    """For views under /api/v1/o/<slug>/ that say `required_actions = {"GET": Action.X, "POST": …}`.

    Outside the organisation: 404. Role lacks the action: 403. A token works only in its own
    organisation and only for actions among its scopes. A method without an entry is refused.
    """

    def has_permission(self, request: Any, view: Any) -> bool:
        if not request.user or not request.user.is_authenticated:
            raise exceptions.NotAuthenticated()
        actions: dict[str, Action] = getattr(view, "required_actions", {})
        method = "GET" if request.method in {"HEAD", "OPTIONS"} else request.method
        if method not in actions:
            raise exceptions.MethodNotAllowed(request.method)
        membership = selectors.membership(request.user, view.kwargs["slug"])
        token = request.auth
        if token is not None and token.organisation_id != membership.organisation_id:
            raise selectors.unknown_organisation()
        access.require(membership, actions[method])
        if token is not None and actions[method].value not in token.scopes:
            raise NotAllowed(
                "token_lacks_scope",
                _("The token lacks the scope %s.") % actions[method].value,
                extra={"action": actions[method].value},
            )
        request.organisation = membership.organisation
        request.membership = membership
        return True

"""Bearer tokens for programs."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header

from portal.accounts.services import tokens


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; sets request.auth to the token row."""

    keyword = b"bearer"

    def authenticate(self, request: Any) -> tuple[Any, Any] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != self.keyword:
            return None
        if len(parts) != 2:
            raise exceptions.AuthenticationFailed(_("Send exactly: Authorization: Bearer TOKEN"))
        token = tokens.authenticate(parts[1].decode("ascii", "replace"))
        if token is None:
            raise exceptions.AuthenticationFailed(_("The token is unknown, expired or revoked."))
        return token.user, token

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"

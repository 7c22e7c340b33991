"""How many requests one caller may make."""

from __future__ import annotations

from typing import Any

from rest_framework.throttling import SimpleRateThrottle


class CallerThrottle(SimpleRateThrottle):
    """Counts per token, else per person, else per address."""

    scope = "caller"

    def get_cache_key(self, request: Any, view: Any) -> str:
        token = getattr(request, "auth", None)
        if token is not None:
            who = f"token-{token.pk}"
        elif request.user and request.user.is_authenticated:
            who = f"user-{request.user.pk}"
        else:
            who = f"address-{self.get_ident(request)}"
        return f"throttle-{who}"

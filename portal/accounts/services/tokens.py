"""API tokens: issued once in clear, kept as a hash, limited in scope and time."""

from __future__ import annotations

from portal.accounts.models import ApiToken


def authenticate(clear: str) -> ApiToken | None:
    """The live token for this clear text, or None."""
    return None

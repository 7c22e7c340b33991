"""Keeps secrets out of a record that can never be cleaned."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# Counts such as `max_tokens` and ids such as `token_id` are no secrets and stay allowed.
DENIED = frozenset(
    {
        "token", "password", "password1", "password2", "secret", "token_hash", "clear", "authorization",
        "cookie", "sessionid", "csrfmiddlewaretoken", "api_key", "apikey", "access_key", "private_key",
    }
)  # fmt: skip
DENIED_ENDINGS = ("_token", "_password", "_secret", "_token_hash", "_api_key", "_private_key")
OWN_TOKEN = re.compile(r"ballast_[A-Za-z0-9_-]{20,}")


def find_secret(value: Any, place: str = "detail") -> str | None:
    """The place of the first key that names a secret, or of a text that holds one of our tokens."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            name = str(key).lower().replace("-", "_")
            here = f"{place}.{key}"
            if name in DENIED or name.endswith(DENIED_ENDINGS):
                return here
            if found := find_secret(inner, here):
                return found
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            if found := find_secret(inner, f"{place}[{index}]"):
                return found
    elif isinstance(value, str) and OWN_TOKEN.search(value):
        return place
    return None

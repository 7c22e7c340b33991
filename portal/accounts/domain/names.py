"""Names of people and organisations, and the web address made from a name."""

from __future__ import annotations

import re
import unicodedata

SLUG_LENGTH = 60
RESERVED_SLUGS = frozenset(
    {
        "about", "account", "accounts", "admin", "api", "app", "assets", "ballast", "docs", "healthz", "help",
        "invitations", "language", "login", "logout", "media", "new", "o", "organisations", "root", "schema",
        "settings", "signup", "static", "status", "support", "system", "www",
    }
)  # fmt: skip
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# Characters that turn the direction of text around: a name with them can look like another one.
_DIRECTION = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def tidy(name: str) -> str:
    """The name with single spaces inside and none around it."""
    return " ".join(name.split())


def readable(name: str) -> bool:
    """Whether a tidied name has text in it and no control or direction characters."""
    return any(char.isprintable() and not char.isspace() for char in name) and not any(
        unicodedata.category(char) in {"Cc", "Cs", "Co"} or char in _DIRECTION for char in name
    )


def slug_from(name: str) -> str:
    """A web address from the Latin letters and digits of a name; "" when it has too few of them.

    "Équipe Nord" gives "equipe-nord"; a Chinese name gives "".
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: SLUG_LENGTH - 12].strip("-")
    return slug if len(slug) >= 2 and not slug.isdigit() and slug not in RESERVED_SLUGS else ""


def slug_allowed(slug: str) -> bool:
    """Whether a person may choose this web address."""
    return 2 <= len(slug) <= SLUG_LENGTH and SLUG.fullmatch(slug) is not None and slug not in RESERVED_SLUGS

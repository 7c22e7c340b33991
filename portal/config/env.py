"""Reads settings from the environment; a bad value stops the start with a sentence that names it.

Every variable may also be given as NAME_FILE (a path), as container secrets are.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000; PRAGMA foreign_keys=ON"
)


def text(name: str, default: str = "") -> str:
    """The variable NAME, or the content of the file NAME_FILE names, or `default`."""
    if path := os.environ.get(f"{name}_FILE"):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names a file that cannot be read: {error}") from None
    return os.environ.get(name, default)


def flag(name: str, default: bool = False) -> bool:
    """1/true/yes/on or 0/false/no/off."""
    raw = text(name).strip().lower()
    if not raw:
        return default
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {raw!r}")


def number(name: str, default: int, *, at_least: int = 0) -> int:
    """A whole number not below `at_least`."""
    raw = text(name).strip()
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}") from None
    if value < at_least:
        raise ImproperlyConfigured(f"{name} must be {at_least} or more, not {value}")
    return value


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(url: str, *, sqlite_path: Path) -> dict[str, Any]:
    """Django's DATABASES entry for DATABASE_URL; empty means the embedded SQLite file.

    SQLite runs in WAL mode with IMMEDIATE transactions: with DEFERRED ones, concurrent
    read-then-write transactions fail with "database is locked".
    """
    if not url or url.startswith("sqlite:"):
        name = unquote(urlsplit(url).path[1:])  # sqlite:///relative or sqlite:////absolute
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": name or sqlite_path,
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS},
        }
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must start with postgresql:// or sqlite://")
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", "") or unquote(parts.hostname or "")
    if "pool" in options:
        options["pool"] = options["pool"].lower() in {"1", "true", "yes"}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "ATOMIC_REQUESTS": True,
        "OPTIONS": options,
    }

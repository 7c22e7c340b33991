"""One family of refusals, raised by services and domain code, translated once at each border.

HTML, JSON and exit codes each have one translator: `portal.accounts.middleware`, `portal.api.errors`
and the management commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Refused(Exception):
    """A request that cannot be carried out, with the reason.

    `code` is for machines, `message` for people (already translated), `place` says where
    (`answers[3].level`), `extra` holds values a caller may show, `retryable` says if trying again can help.
    """

    status = 400

    def __init__(
        self,
        code: str,
        message: str,
        *,
        place: str | None = None,
        extra: Mapping[str, Any] | None = None,
        retryable: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.extra = dict(extra or {})
        self.retryable = retryable

    def as_dict(self) -> dict[str, Any]:
        """The one JSON shape of an error."""
        return {
            "code": self.code,
            "message": str(self.message),
            "place": self.place,
            "retryable": self.retryable,
            **({"extra": self.extra} if self.extra else {}),
        }


class Invalid(Refused):
    """The input breaks a rule."""

    status = 400


class NotAllowed(Refused):
    """The person is known but the role lacks the action."""

    status = 403


class NotFound(Refused):
    """Missing, or not yours: both look the same on purpose."""

    status = 404


class Conflict(Refused):
    """Somebody was faster; `extra` holds both values."""

    status = 409


class TooLarge(Refused):
    """More bytes, rows or levels than the limit."""

    status = 413


class PreconditionMissing(Refused):
    """A change that does not say which version it changes."""

    status = 428

"""Cookies that carry a person's language and theme to the next page of this browser."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpResponse

Reply = TypeVar("Reply", bound=HttpResponse)
YEAR = 365 * 24 * 3600


def remember(response: Reply, user: Any, *, also_automatic: bool = True) -> Reply:
    """Set both cookies to what the person prefers; an unset language is left to the browser.

    Without `also_automatic` a person who never chose a theme keeps the one of this browser.

    Scripts read and write the theme, so it is not HttpOnly; neither holds anything secret.
    """
    if user.language:
        _set(response, settings.LANGUAGE_COOKIE_NAME, user.language)
    if also_automatic or user.theme != "auto":
        _set(response, "theme", user.theme)
    return response


def _set(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)

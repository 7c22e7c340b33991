"""Every error of the API in one JSON shape: {"error": {code, message, place, retryable, …}}."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from portal.errors import Invalid, Refused, TooLarge

# What is wrong is said this many times at most, however much is wrong.
MOST_PROBLEMS = 50
MOST_PLACE = 100


def _flatten(detail: Any, place: str = "") -> list[dict[str, str]]:
    """DRF's nested validation detail as a list of {place, message}."""
    if isinstance(detail, dict):
        return [item for key, value in detail.items() for item in _flatten(value, _below(place, key))]
    if isinstance(detail, list):
        if all(not isinstance(value, dict | list) for value in detail):
            return [{"place": place, "message": " ".join(str(value) for value in detail)}]
        return [item for index, value in enumerate(detail) for item in _flatten(value, f"{place}[{index}]")]
    return [{"place": place, "message": str(detail)}]


def _below(place: str, key: Any) -> str:
    """A list's errors come keyed by number."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    key = str(key)[:MOST_PLACE]
    return f"{place}.{key}" if place else key


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER."""
    if isinstance(error, RequestDataTooBig):
        error = TooLarge("body_too_large", _("The request is too large."))
    elif isinstance(error, SuspiciousOperation):
        # Such as a form of more fields than anybody would send.
        error = Invalid("request_refused", _("The request has too many fields or is malformed."))
    if isinstance(error, Refused):
        set_rollback()
        return Response({"error": error.as_dict()}, status=error.status)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    response = exception_handler(error, context)
    if response is None or not isinstance(error, exceptions.APIException):
        return response
    problems = _flatten(error.detail)[:MOST_PROBLEMS]
    code = getattr(error, "default_code", "error")
    response.data = {
        "error": {
            "code": code,
            "message": problems[0]["message"] if problems else str(error),
            "place": problems[0]["place"] or None if problems else None,
            "retryable": response.status_code in {429, 503},
            **({"problems": problems} if isinstance(error, exceptions.ValidationError) else {}),
        }
    }
    return response

"""Turns a person's language preference into the active language, and refusals into pages."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation

from portal.errors import Refused

Next = Callable[[HttpRequest], HttpResponse]
LANGUAGE_COOKIE = "django_language"


class PreferencesMiddleware:
    """A signed-in person's saved language holds until they choose another in this browser."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.language and LANGUAGE_COOKIE not in request.COOKIES:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class RefusalMiddleware:
    """The one translator from `Refused` to HTML (or JSON where a script asked)."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Refused):
            return None
        if "application/json" in request.headers.get("Accept", ""):
            return JsonResponse({"error": exception.as_dict()}, status=exception.status)
        if exception.status == 404:
            raise Http404 from exception
        template = "403.html" if exception.status == 403 else "400.html"
        return render(request, template, {"refusal": exception}, status=exception.status)

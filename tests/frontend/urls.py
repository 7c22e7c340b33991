"""The style guide among stand-ins for the pages that the layout links to."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.i18n import set_language

from frontend import styleguide


def stand_in(request: HttpRequest, **_kwargs: Any) -> HttpResponse:
    return HttpResponse(f"<!DOCTYPE html><html lang=en><title>x</title><h1>{request.path}</h1></html>")


def failing(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("on purpose")


def app(name: str, *routes: str) -> Any:
    return include(([path(route if route != "home" else "", stand_in, name=route) for route in routes], name))


urlpatterns = [
    *styleguide.urlpatterns,
    path("fails", failing),
    path("o/<slug:slug>/", app("dashboard", "home", "help")),
    path("o/<slug:slug>/assess/", app("assessments", "list", "compare", "matrix", "practice", "question")),
    path("o/<slug:slug>/roadmaps/", app("roadmaps", "list")),
    path("o/<slug:slug>/reports/", app("reports", "list")),
    path("o/<slug:slug>/clusters/", app("clusters", "list")),
    path("o/<slug:slug>/activity/", app("audit", "activity")),
    path("o/<slug:slug>/settings/", app("accounts", "settings")),
    path("language/", set_language, name="set_language"),
    path("accounts/", include("allauth.urls")),
]

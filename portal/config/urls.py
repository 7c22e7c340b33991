"""Every route of the product on one page."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from frontend import styleguide
from portal.accounts.views.door import language

ORGANISATION: list[URLPattern | URLResolver] = [
    path("", include("portal.dashboard.urls")),
    path("", include("assessments.urls")),
    path("", include("experiments.urls")),
    path("roadmaps/", include("llm_remediation.urls")),
    path("reports/", include("portal.dashboard.report_urls")),
    path("clusters/", include("portal.clusters.urls")),
    path("activity/", include("portal.accounts.activity_urls")),
    path("settings/", include("portal.accounts.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("o/<slug:slug>/", include(ORGANISATION)),
    path("api/v1/", include("portal.config.api_urls")),
    path("accounts/", include("allauth.urls")),
    path("language/", language, name="set_language"),
    path("", include("portal.config.site_urls")),
]
if settings.DEBUG:
    urlpatterns += styleguide.urlpatterns

"""Routes of the versioned REST API; each app adds its own `api_urls`."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("portal.api.urls")),
    path("", include("experiments.api_urls")),
    path("o/<slug:slug>/", include("portal.clusters.api_urls")),
    path("o/<slug:slug>/", include("assessments.api_urls")),
    path("o/<slug:slug>/", include("llm_remediation.api_urls")),
    path("o/<slug:slug>/", include("portal.dashboard.api_urls")),
]

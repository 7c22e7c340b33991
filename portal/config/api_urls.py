"""Routes of the versioned REST API; each app adds its own `api_urls`."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []

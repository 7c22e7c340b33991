"""Routes of this app, under /o/<slug>/."""

from django.urls import URLPattern

app_name = "audit"
urlpatterns: list[URLPattern] = []

"""Routes of this app, under /o/<slug>/."""

from django.urls import URLPattern

app_name = "clusters"
urlpatterns: list[URLPattern] = []

"""Routes of this app, under /o/<slug>/roadmaps/."""

from django.urls import URLPattern

app_name = "roadmaps"
urlpatterns: list[URLPattern] = []

"""Routes of this app, under /o/<slug>/."""

from django.urls import URLPattern

app_name = "assessments"
urlpatterns: list[URLPattern] = []

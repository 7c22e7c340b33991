"""Routes of this app, under /o/<slug>/."""

from django.urls import URLPattern

app_name = "accounts"
urlpatterns: list[URLPattern] = []

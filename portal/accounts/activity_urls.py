"""Routes of the record's page, under /o/<slug>/activity/; the app below cannot have them, see the view."""

from django.urls import URLPattern, path

from portal.accounts.views import activity

app_name = "audit"
urlpatterns: list[URLPattern] = [
    path("", activity.activity, name="activity"),
    path("verify", activity.verify, name="verify"),
]

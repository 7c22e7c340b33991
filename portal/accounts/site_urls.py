"""Routes of this app outside an organisation."""

from django.urls import URLPattern, path

from portal.accounts.views import door

urlpatterns: list[URLPattern] = [
    path("", door.home, name="home"),
    path("organisations/new", door.organisation_new, name="organisation-new"),
    path("invitations/<str:token>", door.invitation, name="invitation"),
]

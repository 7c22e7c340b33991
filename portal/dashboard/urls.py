"""Home, help and the making of reports, under /o/<slug>/."""

from django.urls import path

from portal.dashboard.views import home

app_name = "dashboard"
urlpatterns = [
    path("", home.home, name="home"),
    path("help", home.help_page, name="help"),
]

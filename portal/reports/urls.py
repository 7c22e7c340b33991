"""Routes of this app, under /o/<slug>/reports/. `reports:create` joins them in portal.dashboard."""

from django.urls import URLPattern, path

from portal.reports import views

app_name = "reports"
R = "<uuid:report_id>"
urlpatterns: list[URLPattern] = [
    path("", views.index, name="list"),
    path(R, views.detail, name="detail"),
    path(f"{R}/state", views.state, name="state"),
    path(f"{R}/download", views.download, name="download"),
    path(f"{R}/cancel", views.cancel, name="cancel"),
]

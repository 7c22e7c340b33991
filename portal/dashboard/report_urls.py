"""Routes under /o/<slug>/reports/: those of portal.reports, and the page that composes a new one."""

from django.urls import path

from portal.dashboard.views import reports
from portal.reports import urls

app_name = "reports"
urlpatterns = [path("new", reports.create, name="create"), *urls.urlpatterns]

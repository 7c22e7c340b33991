"""Routes outside an organisation: the front door, invitations, health."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path

from portal.api.views import unknown


def healthy(request: HttpRequest) -> HttpResponse:
    """For load balancers and container health checks."""
    return HttpResponse("ok", content_type="text/plain")


urlpatterns = [
    path("healthz", healthy, name="healthz"),
    path("", include("portal.accounts.site_urls")),
    re_path(r"^api/", unknown),
]

"""Routes of the API's own: its description, the caller, people and the record."""

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from portal.api import activity, people

ORGANISATION: list[URLPattern] = [
    path("members", people.MemberList.as_view(), name="api-members"),
    path("members/<int:user_id>", people.MemberOne.as_view(), name="api-member"),
    path("invitations", people.InvitationList.as_view(), name="api-invitations"),
    path("invitations/<uuid:invitation_id>", people.InvitationOne.as_view(), name="api-invitation"),
    path("activity", activity.ActivityList.as_view(), name="api-activity"),
    path("activity/verify", activity.ActivityVerify.as_view(), name="api-activity-verify"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("me", people.MeOne.as_view(), name="api-me"),
    path("o/<slug:slug>/", include(ORGANISATION)),
]

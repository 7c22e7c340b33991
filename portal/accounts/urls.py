"""Routes of this app, under /o/<slug>/settings/."""

from django.urls import URLPattern, path

from portal.accounts.views import own, people

app_name = "accounts"
urlpatterns: list[URLPattern] = [
    path("", people.settings, name="settings"),
    path("people/", people.people, name="people"),
    path("people/invite", people.invite, name="invite"),
    path(
        "people/invitations/<uuid:invitation_id>/revoke", people.invitation_revoke, name="invitation-revoke"
    ),
    path("people/<int:user_id>/", people.member, name="member"),
    path("people/<int:user_id>/remove", people.member_remove, name="member-remove"),
    path("people/leave", people.leave, name="leave"),
    path("organisation/", own.organisation, name="organisation"),
    path("tokens/", own.tokens, name="tokens"),
    path("tokens/<uuid:token_id>/revoke", own.token_revoke, name="token-revoke"),
    path("preferences/", own.preferences, name="preferences"),
]

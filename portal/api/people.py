"""The caller, members and invitations. Owners are made and unmade in the browser only."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView

from portal.accounts import selectors
from portal.accounts.domain.permissions import Action, Role
from portal.accounts.services import invitations, members
from portal.api.pagination import PagedView
from portal.api.serializers import Strict, checked
from portal.errors import NotAllowed

GIVABLE = [role.value for role in Role if role is not Role.OWNER]


class Me(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField()
    organisations = serializers.ListField(child=serializers.DictField())
    scopes = serializers.ListField(child=serializers.CharField(), allow_null=True)


class Member(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="user_id")
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(choices=[role.value for role in Role])
    since = serializers.DateTimeField(source="created_at")


class RoleChange(Strict):
    role = serializers.ChoiceField(choices=GIVABLE)


class Invitation(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    email = serializers.CharField()
    role = serializers.CharField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class NewInvitation(Invitation):
    link = serializers.URLField(help_text="Shown only now.")


class Invite(Strict):
    role = serializers.ChoiceField(choices=GIVABLE)
    email = serializers.EmailField(required=False, allow_blank=True, default="")


class MeOne(APIView):
    permission_classes = [IsAuthenticated]

    @extend_schema(responses=Me)
    def get(self, request: Any) -> Response:
        """Who calls, and where they are a member; with a token only its organisation and its scopes."""
        token = request.auth
        rows = selectors.memberships_of(request.user)
        if token is not None:
            rows = rows.filter(organisation_id=token.organisation_id)
        own = [
            {"slug": row.organisation.slug, "name": row.organisation.name, "role": row.role} for row in rows
        ]
        user = request.user
        page = {"id": user.pk, "name": user.name, "email": user.email, "organisations": own}
        return Response({**page, "scopes": token.scopes if token is not None else None})


class MemberList(PagedView):
    required_actions = {"GET": Action.MEMBERS_VIEW}

    @extend_schema(responses=Member(many=True))
    def get(self, request: Any, slug: str) -> Response:
        """Everybody in the organisation, by name."""
        return self.paged(selectors.members(request.organisation), Member)


class MemberOne(APIView):
    required_actions = {
        "GET": Action.MEMBERS_VIEW,
        "PATCH": Action.MEMBERS_MANAGE,
        "DELETE": Action.MEMBERS_MANAGE,
    }

    @extend_schema(responses=Member)
    def get(self, request: Any, slug: str, user_id: int) -> Response:
        """One member."""
        return Response(Member(selectors.member_row(request.organisation, user_id)).data)

    @extend_schema(request=RoleChange, responses=Member)
    def patch(self, request: Any, slug: str, user_id: int) -> Response:
        """Give a member another role."""
        self._refuse_owner(request, user_id)
        changed = members.change_role(
            organisation=request.organisation,
            actor=request.user,
            user_id=user_id,
            role=checked(RoleChange(data=request.data))["role"],
        )
        return Response(Member(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Any, slug: str, user_id: int) -> Response:
        """End a membership, with its tokens."""
        self._refuse_owner(request, user_id)
        members.remove(organisation=request.organisation, actor=request.user, user_id=user_id)
        return Response(status=204)

    def _refuse_owner(self, request: Any, user_id: int) -> None:
        """No token carries the right over owners, so no program may lock the owners out."""
        if selectors.member_row(request.organisation, user_id).role == Role.OWNER.value:
            raise NotAllowed("owners_in_browser", _("Owners are changed in the browser only."))


class InvitationList(PagedView):
    required_actions = {"GET": Action.MEMBERS_MANAGE, "POST": Action.MEMBERS_MANAGE}

    @extend_schema(responses=Invitation(many=True))
    def get(self, request: Any, slug: str) -> Response:
        """Invitations that can still be used, newest first, without their links."""
        return self.paged(selectors.open_invitations(request.organisation), Invitation)

    @extend_schema(request=Invite, responses={201: NewInvitation})
    def post(self, request: Any, slug: str) -> Response:
        """Make an invitation; its link is in this answer only."""
        data = checked(Invite(data=request.data))
        made, clear = invitations.invite(organisation=request.organisation, actor=request.user, **data)
        link = request.build_absolute_uri(reverse("invitation", args=[clear]))
        return Response({**Invitation(made).data, "link": link}, status=201)


class InvitationOne(APIView):
    required_actions = {"DELETE": Action.MEMBERS_MANAGE}

    @extend_schema(responses={204: None})
    def delete(self, request: Any, slug: str, invitation_id: Any) -> Response:
        """Withdraw an invitation."""
        invitations.revoke(organisation=request.organisation, actor=request.user, invitation_id=invitation_id)
        return Response(status=204)

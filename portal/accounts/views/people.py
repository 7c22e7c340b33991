"""Members and invitations of an organisation."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts import labels, selectors
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.membership import assignable, may_change
from portal.accounts.domain.permissions import Action
from portal.accounts.forms import SHOWN, InviteForm, RoleForm, show
from portal.accounts.services import invitations, members
from portal.errors import Conflict


@organisation_view(Action.ORGANISATION_VIEW)
def settings(request: OrganisationRequest) -> HttpResponse:
    """Settings begin with the people."""
    return redirect("accounts:people", slug=request.organisation.slug)


@organisation_view(Action.MEMBERS_VIEW)
def people(request: OrganisationRequest) -> HttpResponse:
    """Everybody in the organisation; open invitations for those who manage them."""
    role = request.membership.role
    rows = [
        {
            "member": member,
            "role": labels.role_name(member.role),
            "editable": may_change(role, member.role, None),
            "me": member.user_id == request.user.pk,
        }
        for member in selectors.members(request.organisation)
    ]
    page: dict[str, Any] = {"rows": rows, "open_invitations": []}
    if may_change(role, None, "viewer"):
        page["open_invitations"] = [
            {
                "row": row,
                "role": labels.role_name(row.role),
                "editable": may_change(role, None, row.role),
            }
            for row in selectors.open_invitations(request.organisation)
        ]
    return render(request, "accounts/people.html", page)


@never_cache
@organisation_view(Action.MEMBERS_MANAGE)
def invite(request: OrganisationRequest) -> HttpResponse:
    """Make a link; its clear text is on this one page only."""
    form = InviteForm(
        request.POST or None, roles=assignable(request.membership.role), initial={"role": "viewer"}
    )
    page: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            made, clear = invitations.invite(
                organisation=request.organisation,
                actor=request.user,
                role=form.cleaned_data["role"],
                email=form.cleaned_data["email"],
            )
        except SHOWN as refused:
            show(form, refused)
        else:
            link = request.build_absolute_uri(reverse("invitation", args=[clear]))
            page = {"invitation": made, "role": labels.role_name(made.role), "link": link}
            return render(request, "accounts/invited.html", page)
    return render(request, "accounts/invite.html", page, status=400 if form.errors else 200)


@organisation_view(Action.MEMBERS_MANAGE)
@require_POST
def invitation_revoke(request: OrganisationRequest, invitation_id: Any) -> HttpResponse:
    """Withdraw an open link."""
    invitations.revoke(organisation=request.organisation, actor=request.user, invitation_id=invitation_id)
    messages.success(request, _("The invitation is withdrawn."))
    return redirect("accounts:people", slug=request.organisation.slug)


@organisation_view(Action.MEMBERS_MANAGE)
def member(request: OrganisationRequest, user_id: int) -> HttpResponse:
    """Another role for somebody, or the way to remove them."""
    target = selectors.member_row(request.organisation, user_id)
    members.require_change(request.organisation, request.user, target.role, None)
    form = RoleForm(
        request.POST or None, roles=assignable(request.membership.role), initial={"role": target.role}
    )
    if request.method == "POST" and form.is_valid():
        try:
            changed = members.change_role(
                organisation=request.organisation,
                actor=request.user,
                user_id=user_id,
                role=form.cleaned_data["role"],
            )
        except SHOWN as refused:
            show(form, refused)
        else:
            words = _("%(name)s is now: %(role)s.")
            role = labels.role_name(changed.role)
            messages.success(request, words % {"name": str(changed.user), "role": role})
            return redirect("accounts:people", slug=request.organisation.slug)
    page = {"form": form, "member": target}
    return render(request, "accounts/member.html", page, status=400 if form.errors else 200)


@organisation_view(Action.MEMBERS_MANAGE)
@require_http_methods(["GET", "POST"])
def member_remove(request: OrganisationRequest, user_id: int) -> HttpResponse:
    """Ask, then remove."""
    target = selectors.member_row(request.organisation, user_id)
    members.require_change(request.organisation, request.user, target.role, None)
    page: dict[str, Any] = {"member": target}
    if request.method == "POST":
        try:
            members.remove(organisation=request.organisation, actor=request.user, user_id=user_id)
        except Conflict as refused:
            page["refusal"] = refused
            return render(request, "accounts/member_remove.html", page, status=refused.status)
        messages.success(request, _("%(name)s is no longer a member.") % {"name": str(target.user)})
        return redirect("accounts:people", slug=request.organisation.slug)
    return render(request, "accounts/member_remove.html", page)


@organisation_view(Action.ORGANISATION_VIEW)
@require_http_methods(["GET", "POST"])
def leave(request: OrganisationRequest) -> HttpResponse:
    """Ask, then leave."""
    page: dict[str, Any] = {}
    if request.method == "POST":
        try:
            members.leave(organisation=request.organisation, actor=request.user)
        except Conflict as refused:
            page["refusal"] = refused
            return render(request, "accounts/leave.html", page, status=refused.status)
        messages.success(request, _("You have left %(name)s.") % {"name": request.organisation.name})
        return redirect("home")
    return render(request, "accounts/leave.html", page)

"""The front door: where a person lands, a first organisation, invitations, the language switch."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from portal.accounts import labels, selectors
from portal.accounts.domain.keys import hash_of
from portal.accounts.forms import SHOWN, OrganisationNewForm, show
from portal.accounts.services import invitations, organisations, preferences
from portal.errors import Conflict, NotAllowed, Refused


@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """To the first organisation's home, to making one, or to sign-in."""
    if not request.user.is_authenticated:
        return redirect("account_login")
    first = selectors.memberships_of(request.user).first()
    if first is None:
        return redirect("organisation-new")
    return redirect("dashboard:home", slug=first.organisation.slug)


@login_required
@require_http_methods(["GET", "POST"])
def organisation_new(request: HttpRequest) -> HttpResponse:
    """Make an organisation and own it."""
    form = OrganisationNewForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = organisations.create(actor=request.user, **form.cleaned_data)
        except SHOWN as refused:
            show(form, refused)
        else:
            return redirect("dashboard:home", slug=made.slug)
    mine = selectors.memberships_of(request.user)
    page = {"form": form, "first": not mine.exists()}
    return render(request, "accounts/organisation_new.html", page, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What a link offers; POST accepts it. Anonymous people sign in or up first and come back."""
    found = selectors.invitation_by_hash(hash_of(token))
    if found is None:
        raise invitations.unknown()
    page: dict[str, Any] = {"invitation": found, "role": labels.role_name(found.role), "here": request.path}
    try:
        invitations.refuse_unusable(found)
        if request.method == "POST" and request.user.is_authenticated:
            made = invitations.accept(clear=token, actor=request.user)
            messages.success(request, _("Welcome to %(name)s.") % {"name": made.organisation.name})
            return redirect("dashboard:home", slug=made.organisation.slug)
    except (Conflict, NotAllowed) as refused:
        return _unusable(request, page, refused)
    return render(request, "accounts/invitation.html", page)


def _unusable(request: HttpRequest, page: dict[str, Any], refused: Refused) -> HttpResponse:
    page["refusal"] = refused
    if request.user.is_authenticated:
        own = selectors.memberships_of(request.user).filter(organisation=page["invitation"].organisation)
        page["membership"] = own.first()
    return render(request, "accounts/invitation.html", page, status=refused.status)


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Django's switch (which checks `next`), and the choice is kept with the person."""
    if request.user.is_authenticated:
        preferences.remember_language(user=request.user, language=request.POST.get("language", ""))
    return set_language(request)

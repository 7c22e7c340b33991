"""What is a person's own, and the organisation's settings: tokens, preferences, prices."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from portal.accounts import labels, selectors
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.cookies import remember
from portal.accounts.domain.membership import scopes_for
from portal.accounts.domain.permissions import Action, allowed
from portal.accounts.forms import SHOWN, OrganisationForm, PreferencesForm, TokenForm, show
from portal.accounts.services import organisations
from portal.accounts.services import preferences as preference_services
from portal.accounts.services import tokens as token_services


@organisation_view(Action.ORGANISATION_SETTINGS)
def organisation(request: OrganisationRequest) -> HttpResponse:
    """Name and prices."""
    row = request.organisation
    fields = ("name", "day_rate", "gpu_hour_price", "currency")
    form = OrganisationForm(request.POST or None, initial={field: getattr(row, field) for field in fields})
    if request.method == "POST" and form.is_valid():
        try:
            data = organisations.OrganisationData(**form.cleaned_data)
            organisations.change_settings(organisation=row, actor=request.user, data=data)
        except SHOWN as refused:
            show(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("accounts:organisation", slug=row.slug)
    return render(request, "accounts/organisation.html", {"form": form}, status=400 if form.errors else 200)


@never_cache
@organisation_view(Action.TOKENS_MANAGE)
def tokens(request: OrganisationRequest) -> HttpResponse:
    """One's own tokens (everybody's for those who manage members) and making one."""
    membership = request.membership
    form = TokenForm(request.POST or None, actions=scopes_for(membership.role))
    page: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            made, clear = token_services.issue(membership=membership, **form.cleaned_data)
        except SHOWN as refused:
            show(form, refused)
        else:
            page = {"token": made, "clear": clear, "form": None}
    everybody = allowed(membership.role, Action.MEMBERS_MANAGE)
    rows = selectors.tokens(request.organisation, user=None if everybody else request.user)
    now = timezone.now()
    page["everybody"] = everybody
    page["rows"] = [
        {
            "row": row,
            "scopes": [labels.action_name(scope) for scope in row.scopes],
            "expired": row.expires_at <= now,
        }
        for row in rows
    ]
    return render(request, "accounts/tokens.html", page, status=400 if form.errors else 200)


@organisation_view(Action.TOKENS_MANAGE)
@require_POST
def token_revoke(request: OrganisationRequest, token_id: Any) -> HttpResponse:
    """End a token."""
    token_services.revoke(membership=request.membership, token_id=token_id)
    messages.success(request, _("The token no longer works."))
    return redirect("accounts:tokens", slug=request.organisation.slug)


@organisation_view(Action.ORGANISATION_VIEW)
def preferences(request: OrganisationRequest) -> HttpResponse:
    """Name, language, theme, shortcuts."""
    user: Any = request.user
    initial = {
        "name": user.name,
        "language": user.language or translation.get_language(),
        "theme": user.theme,
        "single_key_shortcuts": user.single_key_shortcuts,
    }
    form = PreferencesForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            preference_services.change(user=user, **form.cleaned_data)
        except SHOWN as refused:
            show(form, refused)
        else:
            with translation.override(user.language):
                messages.success(request, _("Saved."))
            return remember(redirect("accounts:preferences", slug=request.organisation.slug), user)
    return render(request, "accounts/preferences.html", {"form": form}, status=400 if form.errors else 200)

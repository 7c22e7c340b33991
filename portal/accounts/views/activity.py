"""What happened in an organisation, and whether the record of it is whole.

The record itself lies below this app; its page stands here because it needs to know who may see it.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.activity_labels import change_name, object_name
from portal.accounts.domain.permissions import Action
from portal.audit import selectors, services

PER_PAGE = 50


class ActivityFilter(forms.Form):
    """Person, action, kind of object, and one object by its id."""

    person = forms.ChoiceField(label=gettext_lazy("Person"), required=False)
    action = forms.ChoiceField(label=gettext_lazy("Action"), required=False)
    object_type = forms.ChoiceField(label=gettext_lazy("Object"), required=False)
    object_id = forms.CharField(label=gettext_lazy("Object id"), required=False, max_length=80)

    def __init__(self, *args: Any, organisation_id: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everything = [("", _("All"))]
        offered = {
            "person": selectors.actors(organisation_id),
            "action": [(code, change_name(code)) for code in selectors.actions(organisation_id)],
            "object_type": [(code, object_name(code)) for code in selectors.object_types(organisation_id)],
        }
        for name, choices in offered.items():
            self.fields[name].choices = everything + choices  # type: ignore[attr-defined]

    def wanted(self) -> selectors.EntryFilter:
        """What a valid form asks for."""
        given = self.cleaned_data
        return selectors.EntryFilter(
            actor_id=given["person"],
            action=given["action"],
            object_type=given["object_type"],
            object_id=given["object_id"],
        )


@organisation_view(Action.ACTIVITY_VIEW)
def activity(request: OrganisationRequest) -> HttpResponse:
    """The record, newest first, filtered and paged."""
    return _page(request)


@organisation_view(Action.ACTIVITY_VIEW)
def verify(request: OrganisationRequest) -> HttpResponse:
    """Recompute the chain and show the result above the record."""
    if request.method != "POST":
        return redirect("audit:activity", slug=request.organisation.slug)
    return _page(request, result=services.verify_chain(request.organisation.pk))


def _page(request: OrganisationRequest, result: Any = None) -> HttpResponse:
    own = request.organisation.pk
    form = ActivityFilter(request.GET or {}, organisation_id=own)
    # A value that does not occur finds nothing; showing everything instead would mislead.
    entries = selectors.entries(own, form.wanted()) if form.is_valid() else selectors.entries(own).none()
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    rows = [
        {
            "entry": entry,
            "what": change_name(entry.action),
            "object": object_name(entry.object_type),
            "name": entry.detail.get("name") or entry.detail.get("person") or "",
            "detail": _lines(entry.detail),
        }
        for entry in page.object_list
    ]
    filtered = any(request.GET.get(name) for name in form.fields)
    context = {
        "filter": form,
        "filtered": filtered,
        "page": page,
        "rows": rows,
        "result": result,
        "head": selectors.head_hash(own),
    }
    return render(request, "audit/activity.html", context)


def _lines(detail: dict[str, Any]) -> list[tuple[str, str]]:
    """Key and value pairs as text; changes as "old → new"."""
    lines = []
    for key, value in detail.items():
        if key == "changes" and isinstance(value, dict):
            for field, pair in value.items():
                old, new = pair if isinstance(pair, list) and len(pair) == 2 else ("", pair)
                lines.append((field, f"{_text(old)} → {_text(new)}"))
        else:
            lines.append((key, _text(value)))
    return lines


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "—"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(inner)}" for key, inner in value.items()) or "—"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "—" if value in (None, "") else str(value)

"""Changes of one step by small forms; what is refused is shown at the step, with both values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from llm_remediation import selectors, words
from llm_remediation.forms import ConfirmForm, StepForm
from llm_remediation.models import ItemStatus, RoadmapItem
from llm_remediation.services import items
from llm_remediation.services.items import ESTIMATES, Change
from llm_remediation.views.plans import page, url
from llm_remediation.views.rows import Problem
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Invalid, NotAllowed, Refused

CHANGED = ("owner", "due", "status", "wave", *ESTIMATES)


@organisation_view(Action.ROADMAPS_EDIT)
@require_POST
def change(request: OrganisationRequest, roadmap_id: Any, item_id: Any) -> HttpResponse:
    """Owner, due date, status, wave, estimates: the fields that were sent."""
    item = selectors.item(request.organisation, roadmap_id, item_id)
    try:
        data = _valid(StepForm(request.POST))
        sent = {name for name in CHANGED if name in request.POST}
        values = {name: _value(name, data[name]) for name in sent}
        items.change(item=item, actor=request.user, expected_version=data["version"], wanted=Change(**values))
    except Refused as refused:
        return _refused(request, item, refused)
    return _saved(request, item)


@organisation_view(Action.ROADMAPS_CLOSE)
@require_POST
def confirm(request: OrganisationRequest, roadmap_id: Any, item_id: Any) -> HttpResponse:
    """Close a step on evidence."""
    item = selectors.item(request.organisation, roadmap_id, item_id)
    try:
        data = _valid(ConfirmForm(request.POST))
        items.confirm(
            item=item, actor=request.user, expected_version=data["version"], evidence=data["evidence"]
        )
    except Refused as refused:
        return _refused(request, item, refused)
    return _saved(request, item)


@organisation_view(Action.ROADMAPS_CLOSE)
@require_POST
def reopen(request: OrganisationRequest, roadmap_id: Any, item_id: Any) -> HttpResponse:
    """Take a confirmation back."""
    item = selectors.item(request.organisation, roadmap_id, item_id)
    try:
        data = _valid(ConfirmForm(request.POST))
        items.reopen(item=item, actor=request.user, expected_version=data["version"])
    except Refused as refused:
        return _refused(request, item, refused)
    return _saved(request, item)


def _valid(form: Any) -> dict[str, Any]:
    """The cleaned data, or Invalid with the first problem."""
    if form.is_valid():
        return dict(form.cleaned_data)
    name, errors = next(iter(form.errors.items()))
    label = form.fields[name].label or name
    raise Invalid("form_invalid", f"{label}: {errors[0]}", place=name)


def _value(name: str, value: Any) -> Any:
    if name == "owner":
        return value or None
    if name == "wave" and value is None:
        return -1  # sent but empty: refused as an unknown wave
    return value


def _saved(request: OrganisationRequest, item: RoadmapItem) -> HttpResponse:
    place = url("detail", request, roadmap_id=item.roadmap_id)
    return HttpResponseRedirect(f"{place}?saved={item.pk}#item-{item.pk}")


def _refused(request: OrganisationRequest, item: RoadmapItem, refused: Refused) -> HttpResponse:
    if isinstance(refused, NotAllowed) and refused.code == "role_lacks_action":
        raise refused
    theirs, mine = refused.extra.get("theirs"), refused.extra.get("mine")
    problem = Problem.of(item.pk, refused, theirs=in_words(theirs or {}), mine=in_words(mine or {}))
    found = selectors.detail(request.organisation, item.roadmap_id)
    return page(request, found, problem=problem, status=refused.status)


def in_words(values: Mapping[str, Any]) -> str:
    """The values of a step in one line, for a conflict."""
    parts = []
    if "wave" in values and isinstance(values["wave"], int):
        parts.append(words.wave(values["wave"]))
    if "status" in values:
        parts.append(str(dict(ItemStatus.choices).get(values["status"], values["status"])))
    if "owner_name" in values:
        parts.append(_("owner: %(name)s") % {"name": values["owner_name"] or "—"})
    if "due" in values:
        parts.append(_("due: %(date)s") % {"date": values["due"] or "—"})
    if "running_cost_month" in values:
        parts.append(_("running cost: %(number)s") % {"number": _number(values["running_cost_month"])})
    if "slo_minutes_month" in values:
        parts.append(_("SLO minutes saved: %(number)s") % {"number": _number(values["slo_minutes_month"])})
    return " · ".join(parts)


def _number(value: float | None) -> str:
    return "—" if value is None else words.plain(value)

"""Decisions on trade-offs by small forms; what is refused is shown at its card, with what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from llm_remediation import selectors, tradeoff_selectors, tradeoff_words
from llm_remediation.forms import DecisionForm, TradeoffForm
from llm_remediation.models import DecisionKind, TradeoffDecision
from llm_remediation.services import tradeoffs
from llm_remediation.services.tradeoffs import Wanted
from llm_remediation.tradeoff_selectors import Card
from llm_remediation.views import tradeoff_rows
from llm_remediation.views.plans import page, url
from llm_remediation.views.tradeoff_rows import Attempt
from portal.accounts import selectors as people
from portal.accounts.access import OrganisationRequest, organisation_view
from portal.accounts.domain.permissions import Action
from portal.errors import Conflict, Invalid, Refused


@organisation_view(Action.ROADMAPS_EDIT)
@require_POST
def decide(request: OrganisationRequest, roadmap_id: Any) -> HttpResponse:
    """Choose an option, accept until a date, or dismiss."""
    detail = selectors.detail(request.organisation, roadmap_id)
    named = TradeoffForm(request.POST)
    if not named.is_valid():
        attempt = Attempt("", "", _("The form was not complete. Nothing was decided."))
        return page(request, detail, attempt=attempt, status=400)
    rule, service = named.cleaned_data["rule"], named.cleaned_data["service"]
    card = tradeoff_selectors.of_detail(detail).card(rule, service)
    if card is None:
        attempt = Attempt(rule, service, _("The roadmap has no such trade-off."))
        return page(request, detail, attempt=attempt, status=400)
    members = [each.user for each in people.members(request.organisation)]
    form = tradeoff_rows.decision_form(card, named.cleaned_data["kind"], members, request.POST)
    try:
        made = _decided(request, detail, card, form, named.cleaned_data["version"])
    except Refused as refused:
        return page(request, detail, attempt=_attempt(card, form, refused), status=refused.status)
    return _back(request, detail, card, decided=made)


@organisation_view(Action.ROADMAPS_EDIT)
@require_POST
def withdraw(request: OrganisationRequest, roadmap_id: Any, decision_id: Any) -> HttpResponse:
    """Take the newest decision back."""
    row = tradeoff_selectors.decision(request.organisation, roadmap_id, decision_id)
    detail = selectors.detail(request.organisation, roadmap_id)
    card = tradeoff_selectors.of_detail(detail).card(row.rule, row.service)
    try:
        tradeoffs.withdraw(decision=row, actor=request.user)
    except Conflict as refused:
        attempt = Attempt(row.rule, row.service, str(refused.message))
        return page(request, detail, attempt=attempt, status=refused.status)
    return _back(request, detail, card)


def _decided(
    request: OrganisationRequest, detail: selectors.Detail, card: Card, form: DecisionForm, version: int
) -> TradeoffDecision:
    """The decision, or a refusal; what is wrong with a field stands at the field."""
    if not form.is_valid():
        raise Invalid("form_invalid", "")
    data = form.cleaned_data
    wanted = Wanted(
        str(form.kind.value),
        option=data.get("option", ""),
        reason=data["reason"],
        owner=data.get("owner"),
        expires_on=data.get("expires_on"),
    )
    try:
        return tradeoffs.decide(
            roadmap=detail.roadmap,
            actor=request.user,
            rule=card.finding.rule,
            service=card.finding.service,
            expected_version=version,
            wanted=wanted,
        )
    except Invalid as refused:
        form.add_error(refused.place if refused.place in form.fields else None, str(refused.message))
        raise Invalid("form_invalid", "") from None


def _attempt(card: Card, form: DecisionForm, refused: Refused) -> Attempt:
    rule, service = card.finding.key
    theirs, mine = refused.extra.get("theirs"), refused.extra.get("mine")
    if isinstance(refused, Conflict) and mine is None:  # no card to type into any more
        mine = {"kind": form.kind.value, **form.cleaned_data}
    return Attempt(
        rule,
        service,
        str(refused.message),
        form,
        theirs=in_words(rule, theirs or {}),
        mine=in_words(rule, _named(form, mine or {})),
    )


def _named(form: DecisionForm, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with the name of the owner, whom a form knows by number; none where there are none."""
    if not values:
        return {}
    owners = dict(form.fields["owner"].choices) if "owner" in form.fields else {}  # type: ignore[attr-defined]
    return {**values, "owner_name": owners.get(str(values.get("owner")), "")}


def in_words(rule: str, values: Mapping[str, Any]) -> str:
    """A decision in one line, for a conflict."""
    if not values:
        return ""
    parts = [str(DecisionKind(values["kind"]).label)]
    if values.get("withdrawn"):
        parts.append(_("withdrawn"))
    if values.get("option"):
        parts.append(tradeoff_words.option(rule, values["option"]))
    if values.get("owner_name"):
        parts.append(_("owner: %(name)s") % {"name": values["owner_name"]})
    if values.get("expires_on"):
        parts.append(_("until %(date)s") % {"date": values["expires_on"]})
    if values.get("reason"):
        parts.append(values["reason"])
    return " · ".join(parts)


def _back(
    request: OrganisationRequest,
    detail: selectors.Detail,
    card: Card | None,
    *,
    decided: TradeoffDecision | None = None,
) -> HttpResponse:
    place = url("detail", request, roadmap_id=detail.roadmap.pk)
    query = f"?decided={decided.pk}" if decided else ""
    anchor = tradeoff_rows.key(card.finding) if card else "tradeoffs-h"
    return HttpResponseRedirect(f"{place}{query}#{anchor}")

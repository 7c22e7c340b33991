"""Decisions on trade-offs: choose an option, accept until a date, dismiss as wrong, take a decision back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from llm_remediation import snapshots, tradeoff_selectors
from llm_remediation.domain.tradeoffs.model import Finding, FindingState
from llm_remediation.domain.tradeoffs.standing import LONGEST_ACCEPTANCE_DAYS, latest_expiry
from llm_remediation.models import DecisionKind, Roadmap, TradeoffDecision
from llm_remediation.services import owners
from llm_remediation.services.texts import checked
from portal.audit import services as audit
from portal.errors import Conflict, Invalid

REASON_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A decision as a person makes it; `owner` is a user id, `expires_on` the last day on which it holds."""

    kind: str
    option: str = ""
    reason: str = ""
    owner: int | str | None = None
    expires_on: date | None = None


@transaction.atomic
def decide(
    *, roadmap: Roadmap, actor: Any, rule: str, service: str, expected_version: int, wanted: Wanted
) -> TradeoffDecision:
    """Decide on the trade-off that `rule` finds for `service`; the numbers of this moment are kept with it.

    An earlier decision stays as history. An option needs an owner; accepting needs owner, reason and an end
    within a year; dismissing needs a reason. Raises Invalid with the place, Conflict with both values where
    somebody decided or withdrew since `expected_version`, Conflict where the numbers make nothing real.
    """
    row = _locked(roadmap)
    found = tradeoff_selectors.tradeoffs(row.organisation, row.pk)
    card = found.card(rule, service)
    if card is None:
        raise Invalid("tradeoff_unknown", _("The roadmap has no such trade-off."), place="rule")
    if card.version != expected_version:
        raise Conflict(
            "tradeoff_changed",
            _("Somebody else decided on this trade-off in the meantime."),
            extra={"theirs": _values(card.newest), "mine": _plain(wanted)},
        )
    if card.finding.state is not FindingState.real:
        raise Conflict("tradeoff_not_real", _("No number makes this trade-off real; nothing to decide."))
    columns = _checked(row.organisation, card.finding, wanted, timezone.localdate(found.as_of))
    made = TradeoffDecision.objects.create(
        organisation=row.organisation,
        roadmap=row,
        rule=rule,
        service=service,
        version=expected_version + 1,
        steps=sorted(card.finding.items),
        seen={"as_of": found.as_of.isoformat(), **snapshots.finding_json(card.finding)},
        decided_by=actor,
        decided_at=found.as_of,
        **columns,
    )
    _record(made, actor, "tradeoff.decided", _values(made))
    return made


@transaction.atomic
def withdraw(*, decision: TradeoffDecision, actor: Any) -> TradeoffDecision:
    """Take the newest decision back, so that its card is shown again; the row stays.

    Raises Conflict where it was withdrawn already or a newer decision replaced it.
    """
    roadmap = _locked(decision.roadmap)
    newest = tradeoff_selectors.newest(roadmap, decision.rule, decision.service)
    if newest is None or newest.pk != decision.pk:
        raise Conflict("decision_superseded", _("A newer decision has replaced this one."))
    if newest.withdrawn_at is not None:
        raise Conflict("decision_withdrawn", _("The decision has been withdrawn already."))
    newest.withdrawn_by, newest.withdrawn_at = actor, timezone.now()
    newest.save(update_fields=["withdrawn_by", "withdrawn_at"])
    _record(newest, actor, "tradeoff.withdrawn", {"kind": newest.kind})
    return newest


def _locked(roadmap: Roadmap) -> Roadmap:
    """The roadmap, locked: decisions on one roadmap come one after the other."""
    return Roadmap.objects.select_for_update(of=("self",)).select_related("organisation").get(pk=roadmap.pk)


def _checked(organisation: Any, finding: Finding, wanted: Wanted, today: date) -> dict[str, Any]:
    """The columns of a decision, every rule of its kind held."""
    if wanted.kind not in DecisionKind.values:
        raise Invalid("kind_unknown", _("Choose an option, accept until a date or dismiss."), place="kind")
    kind = DecisionKind(wanted.kind)
    _refuse_surplus(kind, wanted)
    columns: dict[str, Any] = {"kind": kind, "option": "", "reason": "", "owner": None, "expires_on": None}
    if kind is DecisionKind.OPTION:
        columns["option"] = _option(finding, wanted.option)
    if kind is not DecisionKind.OPTION or wanted.reason.strip():
        columns["reason"] = checked(
            wanted.reason, place="reason", most=REASON_CHARACTERS, missing=_("Say why.")
        )
    if kind is not DecisionKind.DISMISSED:
        if wanted.owner is None or wanted.owner == "":
            raise Invalid("owner_missing", _("Name who answers for it."), place="owner")
        columns["owner"] = owners.named(organisation, wanted.owner)
    if kind is DecisionKind.ACCEPTED:
        columns["expires_on"] = _end(wanted.expires_on, today)
    return columns


def _refuse_surplus(kind: DecisionKind, wanted: Wanted) -> None:
    """A field that has no meaning for this kind is an error, not something to drop silently."""
    surplus = {
        "option": bool(wanted.option) and kind is not DecisionKind.OPTION,
        "owner": wanted.owner not in (None, "") and kind is DecisionKind.DISMISSED,
        "expires_on": wanted.expires_on is not None and kind is not DecisionKind.ACCEPTED,
    }
    for place, there in surplus.items():
        if there:
            raise Invalid("not_for_this_kind", _("This does not belong to this decision."), place=place)


def _option(finding: Finding, code: str) -> str:
    for each in finding.options:
        if each.code == code:
            if not each.open and each.needs is not None:
                raise Invalid(
                    "option_not_open",
                    _("This option needs %(practice)s at level %(level)d first.")
                    % {"practice": each.needs.practice, "level": each.needs.level},
                    place="option",
                )
            return code
    raise Invalid("option_unknown", _("Choose one of the options of this trade-off."), place="option")


def _end(expires_on: date | None, today: date) -> date:
    if expires_on is None:
        raise Invalid("expires_on_missing", _("Say until which day it is accepted."), place="expires_on")
    if expires_on <= today:
        raise Invalid("expires_on_past", _("The day must lie in the future."), place="expires_on")
    if expires_on > latest_expiry(today):
        raise Invalid(
            "expires_on_too_late",
            _("At most %(days)d days from today.") % {"days": LONGEST_ACCEPTANCE_DAYS},
            place="expires_on",
        )
    return expires_on


def _values(row: TradeoffDecision | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "kind": str(row.kind),
        "option": row.option,
        "reason": row.reason,
        "owner": row.owner_id,
        "owner_name": str(row.owner) if row.owner else None,
        "expires_on": row.expires_on.isoformat() if row.expires_on else None,
        "version": tradeoff_selectors.version_after(row),
        "withdrawn": row.withdrawn_at is not None,
    }


def _plain(wanted: Wanted) -> dict[str, Any]:
    return {
        "kind": wanted.kind,
        "option": wanted.option,
        "reason": wanted.reason,
        "owner": wanted.owner,
        "expires_on": wanted.expires_on.isoformat() if wanted.expires_on else None,
    }


def _record(row: TradeoffDecision, actor: Any, action: str, detail: dict[str, Any] | None) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="tradeoff_decision",
        object_id=row.pk,
        detail={"roadmap": str(row.roadmap_id), "rule": row.rule, "service": row.service, **(detail or {})},
    )

"""Changes of one step: who does it, by when, how far it is, in which wave, its estimates, its closing."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from llm_remediation import words
from llm_remediation.domain.refusals import LARGEST_QUANTITY
from llm_remediation.models import ItemStatus, RoadmapItem
from llm_remediation.services import owners
from llm_remediation.services.texts import checked
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, NotAllowed

CONFIRMATION_CHARACTERS = 2000
EARLIEST_DUE, LATEST_DUE = date(2000, 1, 1), date(2100, 12, 31)
# The least of each estimate; LARGEST_QUANTITY is the most.
ESTIMATES = {"running_cost_month": -LARGEST_QUANTITY, "slo_minutes_month": 0.0}
# A person sets these; `confirmed` is set only by `confirm`.
OPEN_STATUSES = (ItemStatus.PLANNED, ItemStatus.IN_PROGRESS, ItemStatus.BLOCKED, ItemStatus.DROPPED)


class Keep:
    """The type of KEEP."""


KEEP = Keep()  # None means "nobody" and "no date", so "as it was" needs a value of its own


@dataclass(frozen=True, slots=True)
class Change:
    """What to change; KEEP leaves a field as it is. `owner` is a user id of a member, or None.

    `running_cost_month` is money of the plan's currency, negative where the step saves money, and
    `slo_minutes_month` the minutes of SLO miss it saves: the organisation's own estimates, or None.
    """

    owner: int | str | Keep | None = KEEP
    due: date | Keep | None = KEEP
    status: str | Keep = KEEP
    wave: int | Keep = KEEP
    running_cost_month: float | Keep | None = KEEP
    slo_minutes_month: float | Keep | None = KEEP

    def given(self) -> dict[str, Any]:
        """The fields that are to change."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if value is not KEEP}


def change(*, item: RoadmapItem, actor: Any, expected_version: int, wanted: Change) -> RoadmapItem:
    """Change a step that nobody else has changed since version `expected_version`.

    A move before a prerequisite or over a budget is allowed and shown, never forbidden. Raises Conflict
    with both values, Invalid with the place, Conflict where the step is confirmed already.
    """
    given = wanted.given()
    if not given:
        raise Invalid("nothing_to_change", _("Say what to change: owner, due, status, wave or an estimate."))
    with transaction.atomic():
        item = _current(item, expected_version, mine=_plain(given))
        columns = _checked(item, given)
        if "wave" in columns and columns["wave"] != item.wave:
            columns["position"] = _end_of(item, columns["wave"])
        before = _values(item)
        row = _write(item, expected_version, columns, mine=_plain(given))
        after = _values(row)
        audit.record(
            organisation_id=row.roadmap.organisation_id,
            actor=actor,
            action="roadmap.step_changed",
            object_type="roadmap_item",
            object_id=row.pk,
            detail={
                "roadmap": str(row.roadmap_id),
                "step": step_id(row),
                "from": {key: before[key] for key in before if before[key] != after[key]},
                "to": {key: after[key] for key in after if before[key] != after[key]},
            },
        )
    return row


def confirm(*, item: RoadmapItem, actor: Any, expected_version: int, evidence: str) -> RoadmapItem:
    """Close a step on evidence: "confirmed, not replayed". Never by its owner.

    Raises NotAllowed (the owner), Invalid (no evidence, no owner, dropped) or Conflict.
    """
    evidence = checked(
        evidence,
        place="evidence",
        most=CONFIRMATION_CHARACTERS,
        missing=_("Say which evidence shows that the step is done."),
    )
    mine = {"status": ItemStatus.CONFIRMED.value}
    with transaction.atomic():
        item = _current(item, expected_version, mine=mine)
        _refuse_confirmed(item)
        _refuse_closing(item, actor)
        columns = {
            "status": ItemStatus.CONFIRMED,
            "confirmed_by": actor,
            "confirmed_at": timezone.now(),
            "confirmation": evidence,
        }
        row = _write(item, expected_version, columns, mine=mine)
        _record(row, actor, "roadmap.step_confirmed", {"evidence": evidence})
    return row


def _refuse_closing(item: RoadmapItem, actor: Any) -> None:
    if item.owner_id is None:
        raise Invalid(
            "owner_missing", _("Name the owner first: whoever did it cannot confirm it."), place="owner"
        )
    if item.owner_id == actor.pk:
        raise NotAllowed("own_step", _("You own this step; somebody else must confirm it."))
    if item.status == ItemStatus.DROPPED:
        raise Invalid("step_dropped", _("The step was dropped; take it up again first."), place="status")


def reopen(*, item: RoadmapItem, actor: Any, expected_version: int) -> RoadmapItem:
    """Take a confirmation back; what it said stays in the audit record."""
    mine = {"status": ItemStatus.IN_PROGRESS.value}
    columns = {
        "status": ItemStatus.IN_PROGRESS,
        "confirmed_by": None,
        "confirmed_at": None,
        "confirmation": "",
    }
    with transaction.atomic():
        item = _current(item, expected_version, mine=mine)
        if item.status != ItemStatus.CONFIRMED:
            raise Conflict("step_not_confirmed", _("The step is not confirmed."))
        row = _write(item, expected_version, columns, mine=mine)
        _record(row, actor, "roadmap.step_reopened", {})
    return row


def step_id(item: RoadmapItem) -> str:
    """The id of the step, as the planner writes it: `REL-04.L3`."""
    return f"{item.practice}.L{item.to_level}"


def _checked(item: RoadmapItem, given: dict[str, Any]) -> dict[str, Any]:
    _refuse_confirmed(item)
    columns: dict[str, Any] = {}
    if "owner" in given:
        wanted = given["owner"]
        columns["owner"] = None if wanted is None else owners.named(item.roadmap.organisation, wanted)
    if "due" in given:
        due = given["due"]
        if due is not None and not EARLIEST_DUE <= due <= LATEST_DUE:
            raise Invalid("due_out_of_range", _("Check the date: its year is not plausible."), place="due")
        columns["due"] = due
    if "status" in given:
        if given["status"] == ItemStatus.CONFIRMED:
            raise Invalid(
                "confirm_separately",
                _("A step is closed by a reviewer with evidence, not by setting its status."),
                place="status",
            )
        if given["status"] not in OPEN_STATUSES:
            raise Invalid("status_unknown", _("Choose a status from the list."), place="status")
        columns["status"] = given["status"]
    if "wave" in given:
        waves = len(item.roadmap.inputs["budgets"])
        if isinstance(given["wave"], bool) or given["wave"] not in range(waves):
            raise Invalid(
                "wave_unknown",
                _("There is no such wave; the last one is %(last)s.") % {"last": words.wave(waves - 1)},
                place="wave",
            )
        columns["wave"] = given["wave"]
    for name, least in ESTIMATES.items():
        if name in given:
            columns[name] = _estimate(given[name], name, least)
    return columns


def _estimate(value: Any, name: str, least: float) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Invalid("estimate_no_number", _("Enter a number, such as 1200 or 7.5."), place=name)
    if value < least or value > LARGEST_QUANTITY:
        text = (
            _("Enter 0 or more.") if least == 0 and value < 0 else _("Check the number: it is not plausible.")
        )
        raise Invalid("estimate_out_of_range", text, place=name)
    return float(value)


def _refuse_confirmed(item: RoadmapItem) -> None:
    if item.status == ItemStatus.CONFIRMED:
        raise Conflict(
            "step_confirmed", _("The step is confirmed already; a reviewer can reopen it."), place="status"
        )


def _end_of(item: RoadmapItem, wave: int) -> int:
    inside = RoadmapItem.objects.filter(roadmap=item.roadmap_id, wave=wave)
    last = inside.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def _current(item: RoadmapItem, expected_version: int, *, mine: dict[str, Any]) -> RoadmapItem:
    """The step as it is now; Conflict with both values where it is no longer the expected version."""
    row = (
        RoadmapItem.objects.filter(pk=item.pk)
        .select_related("roadmap", "roadmap__organisation", "owner", "confirmed_by")
        .get()
    )
    if row.version != expected_version:
        raise Conflict(
            "step_changed",
            _("Somebody else changed this step in the meantime."),
            place=step_id(row),
            extra={"theirs": {**_values(row), "version": row.version}, "mine": mine},
        )
    return row


def _write(
    item: RoadmapItem, expected_version: int, columns: dict[str, Any], *, mine: dict[str, Any]
) -> RoadmapItem:
    """One conditional UPDATE: whoever comes second changes no row and gets both values."""
    rows = RoadmapItem.objects.filter(pk=item.pk, version=expected_version)
    if not rows.update(version=expected_version + 1, **columns):
        return _current(item, expected_version, mine=mine)
    return _current(item, expected_version + 1, mine=mine)


def _values(row: RoadmapItem) -> dict[str, Any]:
    return {
        "owner": row.owner_id,
        "owner_name": str(row.owner) if row.owner else None,
        "due": row.due.isoformat() if row.due else None,
        "status": str(row.status),
        "wave": row.wave,
        "running_cost_month": row.running_cost_month,
        "slo_minutes_month": row.slo_minutes_month,
    }


def _plain(given: dict[str, Any]) -> dict[str, Any]:
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in given.items()}


def _record(row: RoadmapItem, actor: Any, action: str, detail: dict[str, Any]) -> None:
    audit.record(
        organisation_id=row.roadmap.organisation_id,
        actor=actor,
        action=action,
        object_type="roadmap_item",
        object_id=row.pk,
        detail={"roadmap": str(row.roadmap_id), "step": step_id(row), **detail},
    )

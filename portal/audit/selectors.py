"""Reads of the record. Every function takes the organisation first and never leaves it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from portal.audit.domain.chain import START
from portal.audit.models import ChainHead, Entry


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """What to look for; an empty field means any."""

    actor_id: str = ""
    action: str = ""
    object_type: str = ""
    object_id: str = ""


def entries(organisation_id: uuid.UUID | str, wanted: EntryFilter | None = None) -> QuerySet[Entry]:
    """The organisation's entries, newest first."""
    rows = Entry.objects.filter(organisation_id=organisation_id).order_by("-sequence")
    for name in ("actor_id", "action", "object_type", "object_id"):
        if value := getattr(wanted, name, ""):
            rows = rows.filter(**{name: value})
    return rows


def of_object(organisation_id: uuid.UUID | str, object_type: str, object_id: Any) -> QuerySet[Entry]:
    """What happened to one object, newest first."""
    return entries(organisation_id, EntryFilter(object_type=object_type, object_id=str(object_id)))


def actions(organisation_id: uuid.UUID | str) -> list[str]:
    """Every action that occurs, by name."""
    return _distinct(organisation_id, "action")


def object_types(organisation_id: uuid.UUID | str) -> list[str]:
    """Every type of object that occurs, by name."""
    return _distinct(organisation_id, "object_type")


def actors(organisation_id: uuid.UUID | str) -> list[tuple[str, str]]:
    """(id, most recent label) of every person who occurs, by label."""
    rows = Entry.objects.filter(organisation_id=organisation_id).exclude(actor_id="")
    labels = dict(rows.order_by("sequence").values_list("actor_id", "actor_label").distinct())
    return sorted(labels.items(), key=lambda item: (item[1], item[0]))


def head_hash(organisation_id: uuid.UUID | str) -> str:
    """The hash of the newest entry; 64 zeros before the first."""
    found = ChainHead.objects.filter(organisation_id=organisation_id).values_list("hash", flat=True).first()
    return found or START


def organisations_with_entries() -> list[uuid.UUID]:
    """Every organisation id that has a head or an entry, also those whose organisation is gone."""
    heads = set(ChainHead.objects.values_list("organisation_id", flat=True))
    return sorted(heads | set(Entry.objects.order_by().values_list("organisation_id", flat=True).distinct()))


def _distinct(organisation_id: uuid.UUID | str, field: str) -> list[str]:
    rows = Entry.objects.filter(organisation_id=organisation_id).order_by(field)
    return list(rows.values_list(field, flat=True).distinct())

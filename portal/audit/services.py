"""Adds links to an organisation's chain and checks the whole of it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import Max
from django.db.transaction import TransactionManagementError
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.audit.domain.chain import START, ChainResult, Link, check, link_hash
from portal.audit.domain.secrets import find_secret
from portal.audit.models import ChainHead, Entry
from portal.errors import Invalid

SYSTEM = "system"


def record(
    *,
    organisation_id: uuid.UUID | str,
    actor: Any,
    action: str,
    object_type: str,
    object_id: Any,
    detail: dict[str, Any] | None = None,
) -> Entry:
    """Append one entry, inside the caller's transaction, so that change and record stand or fall together.

    `actor` is a person, the name of a program, or None for the system itself. `detail` may hold what
    Django can write as JSON (UUIDs, dates and decimals become text). Call it last in a service: the
    organisation's chain stays locked until the transaction ends.

    Raises TransactionManagementError outside a transaction, ValueError for a secret or an over-long name
    (both are mistakes of the caller), Invalid for text no database can hold.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("audit.record belongs inside the transaction of the change")
    actor_id, actor_label = _actor(actor)
    fields: dict[str, Any] = {
        "actor_id": actor_id,
        "actor_label": actor_label,
        "action": action,
        "object_type": object_type,
        "object_id": str(object_id),
        "detail": _json(detail or {}),
    }
    _refuse_long(fields)
    head = _locked_head(_uuid(organisation_id))
    link = Link(
        organisation_id=str(head.organisation_id),
        sequence=head.sequence + 1,
        at=timezone.now(),
        previous_hash=head.hash,
        **fields,
    )
    entry = Entry.objects.create(
        organisation_id=head.organisation_id,
        sequence=link.sequence,
        at=link.at,
        previous_hash=link.previous_hash,
        hash=link_hash(link),
        **fields,
    )
    head.sequence, head.hash = entry.sequence, entry.hash
    head.save(update_fields=["sequence", "hash"])
    return entry


def verify_chain(organisation_id: uuid.UUID | str) -> ChainResult:
    """Recompute every hash of an organisation from the first entry on; see ChainResult for the outcome."""
    own = Entry.objects.filter(organisation_id=_uuid(organisation_id))
    # The last entry is read before the head: a link added in between can then only be behind the head.
    last = own.aggregate(last=Max("sequence"))["last"] or 0
    head = ChainHead.objects.filter(organisation_id=_uuid(organisation_id)).first()
    sequence, head_hash = (head.sequence, head.hash) if head else (0, START)
    ahead = max(last, sequence)
    rows = own.filter(sequence__lte=ahead).order_by("sequence").iterator(chunk_size=1000)
    return check(_links(rows), head_sequence=sequence, head_hash=head_hash)


def _links(rows: Iterator[Entry]) -> Iterator[tuple[Link, str]]:
    for row in rows:
        link = Link(
            organisation_id=str(row.organisation_id),
            sequence=row.sequence,
            at=row.at,
            actor_id=row.actor_id,
            actor_label=row.actor_label,
            action=row.action,
            object_type=row.object_type,
            object_id=row.object_id,
            detail=row.detail,
            previous_hash=row.previous_hash,
        )
        yield link, row.hash


def _locked_head(organisation_id: uuid.UUID) -> ChainHead:
    """The head, created when missing, locked to the end of the transaction.

    PostgreSQL locks the row; on SQLite the transaction itself began IMMEDIATE and is the only writer.
    """
    ChainHead.objects.bulk_create([ChainHead(organisation_id=organisation_id)], ignore_conflicts=True)
    return ChainHead.objects.select_for_update().get(organisation_id=organisation_id)


def _actor(actor: Any) -> tuple[str, str]:
    if actor is None:
        return "", SYSTEM
    if isinstance(actor, str):
        return "", actor
    return str(actor.pk), str(actor)[:200]


def _uuid(value: uuid.UUID | str) -> uuid.UUID:
    return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))


def _json(detail: dict[str, Any]) -> dict[str, Any]:
    """`detail` as plain JSON values, free of secrets and of text that PostgreSQL refuses."""
    if found := find_secret(detail):
        raise ValueError(f"{found} would put a secret into the audit record")
    text = json.dumps(detail, cls=DjangoJSONEncoder, allow_nan=False)
    plain: dict[str, Any] = json.loads(text)
    if not _storable(plain):
        raise Invalid("text_not_storable", _("The text holds a character that cannot be stored."))
    return plain


def _storable(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_storable(key) and _storable(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(_storable(inner) for inner in value)
    if isinstance(value, str):
        return "\x00" not in value and not any("\ud800" <= char <= "\udfff" for char in value)
    return True


def _refuse_long(fields: dict[str, Any]) -> None:
    """SQLite does not check lengths; PostgreSQL would fail. Fail alike on both."""
    for name in ("actor_id", "actor_label", "action", "object_type", "object_id"):
        limit = getattr(Entry._meta.get_field(name), "max_length", None)
        if limit is not None and len(fields[name]) > limit:
            raise ValueError(f"audit {name} is longer than {limit} characters")

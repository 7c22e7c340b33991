"""Changes to clusters and services: checked, atomic, recorded."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts.services.organisations import checked_name
from portal.audit import services as audit
from portal.clusters import selectors
from portal.clusters.domain.profile import KINDS, MOST_GPUS, TAGS
from portal.clusters.domain.sayings import ClusterData as ClusterData
from portal.clusters.domain.sayings import ServiceData as ServiceData
from portal.clusters.models import Cluster, Service
from portal.errors import Conflict, Invalid

MOST_CLUSTERS = 500
MOST_SERVICES = 500


@transaction.atomic
def create_cluster(*, organisation_id: uuid.UUID | str, actor: Any, data: ClusterData) -> Cluster:
    """A new cluster. Invalid names the field; Conflict when the name is taken."""
    if Cluster.objects.filter(organisation_id=organisation_id).count() >= MOST_CLUSTERS:
        raise Invalid("too_many_clusters", _("An organisation may have %d clusters.") % MOST_CLUSTERS)
    made = Cluster(organisation_id=organisation_id)
    _fill_cluster(made, data)
    _save(made, taken=_cluster_name_taken)
    _record(actor, "cluster.created", made, {"name": made.name, "gpu_count": made.gpu_count})
    return made


@transaction.atomic
def update_cluster(
    *, organisation_id: uuid.UUID | str, actor: Any, cluster_id: Any, data: ClusterData
) -> Cluster:
    """Replace what is said about a cluster; NotFound, Invalid or Conflict when it cannot be."""
    row = selectors.cluster(organisation_id, cluster_id)
    before = _said(row, ClusterData)
    _fill_cluster(row, data)
    _save(row, taken=_cluster_name_taken)
    if changed := _changes(before, _said(row, ClusterData)):
        _record(actor, "cluster.changed", row, {"name": row.name, "changes": changed})
    return row


@transaction.atomic
def archive_cluster(*, organisation_id: uuid.UUID | str, actor: Any, cluster_id: Any) -> Cluster:
    """Hide a cluster from lists and new assessments; what refers to it stays."""
    return _set_archived(selectors.cluster(organisation_id, cluster_id), actor, archived=True)


@transaction.atomic
def restore_cluster(*, organisation_id: uuid.UUID | str, actor: Any, cluster_id: Any) -> Cluster:
    """Bring an archived cluster back."""
    return _set_archived(selectors.cluster(organisation_id, cluster_id), actor, archived=False)


def hold(cluster: Cluster) -> None:
    """Inside a transaction: whoever else holds this cluster waits until the transaction ends."""
    Cluster.objects.select_for_update(no_key=True).only("pk").get(pk=cluster.pk)


@transaction.atomic
def add_service(
    *, organisation_id: uuid.UUID | str, actor: Any, cluster_id: Any, data: ServiceData
) -> Service:
    """A new service on a cluster of this organisation."""
    cluster = selectors.cluster(organisation_id, cluster_id)
    if cluster.services.count() >= MOST_SERVICES:
        raise Invalid("too_many_services", _("A cluster may have %d services.") % MOST_SERVICES)
    made = Service(organisation_id=cluster.organisation_id, cluster=cluster)
    _fill_service(made, data)
    _save(made, taken=_service_name_taken)
    _record(actor, "service.added", made, {"name": made.name, "cluster": cluster.name})
    return made


@transaction.atomic
def update_service(
    *,
    organisation_id: uuid.UUID | str,
    actor: Any,
    service_id: Any,
    data: ServiceData,
    cluster_id: Any = None,
) -> Service:
    """Replace what is said about a service."""
    row = selectors.service(organisation_id, service_id, cluster_id=cluster_id)
    before = _said(row, ServiceData)
    _fill_service(row, data)
    _save(row, taken=_service_name_taken)
    if changed := _changes(before, _said(row, ServiceData)):
        _record(actor, "service.changed", row, {"name": row.name, "changes": changed})
    return row


@transaction.atomic
def remove_service(
    *, organisation_id: uuid.UUID | str, actor: Any, service_id: Any, cluster_id: Any = None
) -> None:
    """Take a service off its cluster."""
    row = selectors.service(organisation_id, service_id, cluster_id=cluster_id)
    detail = {"name": row.name, "cluster": row.cluster.name}
    gone = row.pk
    row.delete()
    row.pk = gone
    _record(actor, "service.removed", row, detail)


def _set_archived(cluster: Cluster, actor: Any, *, archived: bool) -> Cluster:
    now = timezone.now() if archived else None
    changed = Cluster.objects.filter(pk=cluster.pk, archived_at__isnull=archived).update(archived_at=now)
    cluster.archived_at = now if changed else cluster.archived_at
    if changed:
        action = "cluster.archived" if archived else "cluster.restored"
        _record(actor, action, cluster, {"name": cluster.name})
    return cluster


def _fill_cluster(row: Cluster, data: ClusterData) -> None:
    row.name = checked_name(data.name, longest=80)
    row.gpu_sku, row.engine, row.note = data.gpu_sku.strip(), data.engine.strip(), data.note.strip()
    row.environment = data.environment
    row.gpu_count = data.gpu_count
    row.kinds = _subset("kinds", data.kinds, KINDS)
    row.tags = _subset("tags", data.tags, TAGS)
    if not row.kinds:
        raise Invalid("kinds_missing", _("Choose at least one kind of work."), place="kinds")
    if not 0 <= data.gpu_count <= MOST_GPUS:
        raise Invalid(
            "gpu_count_out_of_range", _("Enter a number from 0 to %d.") % MOST_GPUS, place="gpu_count"
        )


def _fill_service(row: Service, data: ServiceData) -> None:
    row.name = checked_name(data.name, longest=80)
    row.model, row.kind = data.model.strip(), data.kind
    row.tier, row.in_scope = data.tier, data.in_scope
    row.tags = _subset("tags", data.tags, TAGS)
    if row.tier not in (1, 2, 3):
        raise Invalid("tier_out_of_range", _("The tier is 1, 2 or 3."), place="tier")


def _subset(place: str, given: Iterable[str], known: tuple[str, ...]) -> list[str]:
    """`given` in the order of `known`; Invalid names what is unknown."""
    wanted = set(given)
    if strange := sorted(wanted - set(known)):
        raise Invalid("unknown_value", _("Unknown value: %s") % ", ".join(map(str, strange)), place=place)
    return [value for value in known if value in wanted]


def _save(row: Cluster | Service, *, taken: Callable[[], Conflict]) -> None:
    """Check lengths and choices, then write; the unique constraint decides races over a name."""
    _check_text(row)
    try:
        row.full_clean(exclude=["organisation", "cluster"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        place, messages = next(iter(error.message_dict.items()))
        raise Invalid("invalid_field", messages[0], place=place) from None
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise taken() from None


def _check_text(row: Cluster | Service) -> None:
    """What a model's own check leaves out: long TextFields and characters no database holds."""
    for column in row._meta.concrete_fields:
        value = getattr(row, column.attname)
        if not isinstance(value, str):
            continue
        if "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
            message = _("The text holds a character that cannot be stored.")
            raise Invalid("text_not_storable", message, place=column.name)
        if column.max_length is not None and len(value) > column.max_length:
            message = _("Use at most %d characters.") % column.max_length
            raise Invalid("text_too_long", message, place=column.name)


def _cluster_name_taken() -> Conflict:
    return Conflict("name_taken", _("Another cluster already has this name."), place="name")


def _service_name_taken() -> Conflict:
    return Conflict("name_taken", _("Another service on this cluster already has this name."), place="name")


def _said(row: Cluster | Service, shape: type[ClusterData] | type[ServiceData]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in shape.__dataclass_fields__}


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[Any]]:
    """Field -> [old, new] where they differ."""
    return {name: [old, after[name]] for name, old in before.items() if old != after[name]}


def _record(actor: Any, action: str, row: Cluster | Service, detail: dict[str, Any]) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="cluster" if isinstance(row, Cluster) else "service",
        object_id=row.pk,
        detail=detail,
    )

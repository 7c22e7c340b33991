"""The record of changes: rows are added, never changed."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class AppendOnly(TypeError):
    """Somebody tried to change or delete an entry of the record."""


class EntryQuerySet(models.QuerySet["Entry"]):
    """Reads and adds; the database triggers of migration 0002 refuse the rest once more."""

    def update(self, **fields: Any) -> NoReturn:
        raise AppendOnly("Audit entries are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnly("Audit entries are never deleted")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnly("Audit entries are never changed")


class ChainHead(models.Model):
    """The last link of an organisation's chain; locked while a new one is added."""

    organisation_id = models.UUIDField(primary_key=True)
    sequence = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="0" * 64)

    def __str__(self) -> str:
        return f"{self.organisation_id} #{self.sequence}"


class Entry(models.Model):
    """One change: who, what, on which object, and the hash of the entry before it.

    People and organisations are named by id, not by foreign key: this app lies below them, and an
    entry outlives what it tells of.
    """

    organisation_id = models.UUIDField()
    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    actor_id = models.CharField(max_length=40, blank=True)
    actor_label = models.CharField(max_length=200)
    action = models.CharField(max_length=80)
    object_type = models.CharField(max_length=60)
    object_id = models.CharField(max_length=80)
    detail = models.JSONField(default=dict)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["organisation_id", "-sequence"]
        constraints = [
            models.UniqueConstraint(fields=["organisation_id", "sequence"], name="audit_one_link_per_place"),
        ]
        indexes = [models.Index(fields=["organisation_id", "object_type", "object_id"])]

    def __str__(self) -> str:
        return f"#{self.sequence} {self.action}"

    def save(self, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnly("Audit entries are never changed")
        super().save(**options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnly("Audit entries are never deleted")

"""A report: frozen data, a template and a state. The row is the queue."""

from __future__ import annotations

import uuid

from django.db import models


class ReportState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Report(models.Model):
    """One PDF. `data` is frozen when it is asked for, so the PDF shows what the page showed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="reports"
    )
    title = models.CharField(max_length=200)
    template = models.CharField(max_length=60)
    language = models.CharField(max_length=10)
    subject_id = models.CharField(max_length=80, blank=True)
    data = models.JSONField()
    state = models.CharField(max_length=12, choices=ReportState.choices, default=ReportState.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=80, blank=True)
    error = models.TextField(blank=True)
    pdf = models.BinaryField(null=True)
    pdf_sha256 = models.CharField(max_length=64, blank=True)
    pages = models.PositiveIntegerField(null=True)
    requested_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["state", "lease_until"])]

    def __str__(self) -> str:
        return self.title

"""Clusters of GPU nodes and the services on them."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class Environment(models.TextChoices):
    PRODUCTION = "production", _("Production")
    STAGING = "staging", _("Staging")
    LAB = "lab", _("Lab")


class ServiceKind(models.TextChoices):
    SERVE = "serve", _("Serving")
    TRAIN = "train", _("Training")


class Cluster(models.Model):
    """A GPU cluster; its profile (kinds and tags) decides which practices apply."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="clusters"
    )
    name = models.CharField(max_length=80)
    gpu_sku = models.CharField(max_length=60, blank=True)
    gpu_count = models.PositiveIntegerField(default=0)
    engine = models.CharField(max_length=60, blank=True)
    environment = models.CharField(max_length=20, choices=Environment.choices, default=Environment.PRODUCTION)
    kinds = models.JSONField(default=list, blank=True)  # subset of serve, train
    tags = models.JSONField(default=list, blank=True)  # subset of moe, lora, rag, multi-tenant, spot
    note = models.TextField(blank=True, max_length=2000)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "name"], name="cluster_name_once_per_organisation"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Service(models.Model):
    """A model service. "In scope" and "tier-1" in every clause mean these rows."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="services")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10, choices=ServiceKind.choices)
    model = models.CharField(max_length=120, blank=True)
    tier = models.PositiveSmallIntegerField(default=2)
    in_scope = models.BooleanField(default=True)
    tags = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tier", "name"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "name"], name="service_name_once_per_cluster"),
            models.CheckConstraint(condition=models.Q(tier__gte=1, tier__lte=3), name="service_tier_1_to_3"),
        ]

    def __str__(self) -> str:
        return self.name

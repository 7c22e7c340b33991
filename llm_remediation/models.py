"""Roadmaps: what to raise, in which wave, by whom, what closes it, and what was decided on its price."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class Roadmap(models.Model):
    """A plan drawn up from one assessment under budgets; the inputs are kept beside the result."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="roadmaps"
    )
    assessment = models.ForeignKey(
        "assessments.Assessment", on_delete=models.CASCADE, related_name="roadmaps"
    )
    name = models.CharField(max_length=120)
    inputs = models.JSONField()  # budgets per wave, targets, rates, weights, as_of
    outcome = models.JSONField()  # score before and after, totals, optimal, left-out candidates with reasons
    created_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class ItemStatus(models.TextChoices):
    PLANNED = "planned", _("Planned")
    IN_PROGRESS = "in_progress", _("In progress")
    BLOCKED = "blocked", _("Blocked")
    CONFIRMED = "confirmed", _("Confirmed, not replayed")
    DROPPED = "dropped", _("Dropped")


class RoadmapItem(models.Model):
    """One step of one practice (level L to L + 1)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    roadmap = models.ForeignKey(Roadmap, on_delete=models.CASCADE, related_name="items")
    practice = models.CharField(max_length=10)
    from_level = models.PositiveSmallIntegerField()
    to_level = models.PositiveSmallIntegerField()
    wave = models.PositiveSmallIntegerField()  # 0 = Now, 1 = Next, 2 = Later
    position = models.PositiveSmallIntegerField()
    gain = models.FloatField()
    effort_days_low = models.FloatField()
    effort_days = models.FloatField()
    effort_days_high = models.FloatField()
    gpu_hours = models.FloatField()
    money = models.FloatField()
    blast_radius = models.CharField(max_length=10)
    reason = models.JSONField()  # code and parameters, worded in the UI
    needs = models.JSONField(default=list)
    closing_test = models.JSONField(default=dict)
    owner = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    due = models.DateField(null=True)
    status = models.CharField(max_length=12, choices=ItemStatus.choices, default=ItemStatus.PLANNED)
    # The organisation's own estimates, per month: money (negative: saves money), minutes of SLO miss saved.
    running_cost_month = models.FloatField(null=True)
    slo_minutes_month = models.FloatField(null=True)
    version = models.PositiveIntegerField(default=1)
    confirmed_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    confirmation = models.TextField(blank=True, max_length=2000)

    class Meta:
        ordering = ["wave", "position"]
        constraints = [
            models.UniqueConstraint(fields=["roadmap", "practice", "to_level"], name="one_item_per_step"),
        ]

    def __str__(self) -> str:
        return f"{self.practice} → {self.to_level}"


class DecisionKind(models.TextChoices):
    OPTION = "option", _("Option chosen")
    ACCEPTED = "accepted", _("Accepted until a date")
    DISMISSED = "dismissed", _("Dismissed as wrong")


class TradeoffDecision(models.Model):
    """What somebody decided on a trade-off of a roadmap. Rows are added, never changed, except to withdraw.

    Of the rows with the same roadmap, rule and service the one with the highest version holds. `version`
    counts decisions and withdrawals, so that nobody decides on what they have not seen.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    roadmap = models.ForeignKey(Roadmap, on_delete=models.CASCADE, related_name="tradeoff_decisions")
    rule = models.CharField(max_length=8)
    service = models.CharField(max_length=120, blank=True)  # empty: the whole cluster
    version = models.PositiveIntegerField()
    steps = models.JSONField()  # ids of the steps it was decided for, as the planner writes them
    kind = models.CharField(max_length=10, choices=DecisionKind.choices)
    option = models.CharField(max_length=60, blank=True)
    reason = models.TextField(blank=True, max_length=2000)
    owner = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    expires_on = models.DateField(null=True)  # the last day on which it holds
    seen = models.JSONField()  # the finding with its numbers as it was when decided
    decided_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-decided_at", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["roadmap", "rule", "service", "version"], name="one_tradeoff_decision_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rule} {self.kind}"

"""What the API accepts. Unknown fields are refused, never ignored."""

from __future__ import annotations

import math
from typing import Any

from rest_framework import serializers

from assessments.domain.matrix import HIGHEST_LEVEL
from llm_remediation.domain.candidates import DEFAULT_TARGET
from llm_remediation.domain.model import BlastRadius, Resource, WaveBudget
from llm_remediation.domain.refusals import LARGEST_QUANTITY
from llm_remediation.domain.waves import MOST_WAVES
from llm_remediation.services.items import CONFIRMATION_CHARACTERS, ESTIMATES
from llm_remediation.services.roadmaps import NAME_CHARACTERS


class Strict(serializers.Serializer[Any]):
    """A serializer that refuses fields it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(dict.fromkeys(unknown, "This field is not known here."))
        return super().to_internal_value(data)


class Quantity(serializers.FloatField):
    """A JSON number from `least` on; true, "3", NaN and infinity are refused. null is none."""

    def __init__(self, *, least: float = 0.0, **kwargs: Any) -> None:
        super().__init__(
            required=False, allow_null=True, min_value=least, max_value=LARGEST_QUANTITY, **kwargs
        )

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float) or not math.isfinite(data):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class Whole(serializers.IntegerField):
    """A JSON number without a fraction; true, "3" and 3.0 are refused."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Budget(Strict):
    """Limits of one wave; what is left out is not limited."""

    days = Quantity()
    gpu_hours = Quantity()
    money = Quantity()
    blast_radius = serializers.ChoiceField(
        choices=[each.value for each in BlastRadius], required=False, allow_null=True
    )


def budget(data: dict[str, Any]) -> WaveBudget:
    """A validated budget as the planner takes it."""
    cap = data.get("blast_radius")
    limits = {each.value: data.get(each.value) for each in Resource}
    return WaveBudget(**limits, blast_radius=BlastRadius(cap) if cap else None)


class DrawUp(Strict):
    """A roadmap to draw up: one budget per wave."""

    assessment = serializers.UUIDField()
    name = serializers.CharField(max_length=NAME_CHARACTERS)
    budgets = serializers.ListField(child=Budget(), min_length=1, max_length=MOST_WAVES)
    default_target = Whole(default=DEFAULT_TARGET, min_value=0, max_value=HIGHEST_LEVEL)
    targets = serializers.DictField(
        child=Whole(min_value=0, max_value=HIGHEST_LEVEL), required=False, default=dict
    )


class StepChange(Strict):
    """Owner (user id of a member or null), due date or null, status, wave from 0, estimates or null.

    What is sent changes.
    """

    owner = Whole(required=False, allow_null=True, min_value=0, max_value=2**63 - 1)
    due = serializers.DateField(required=False, allow_null=True, input_formats=["%Y-%m-%d"])
    status = serializers.CharField(required=False, max_length=12)
    wave = Whole(required=False, min_value=0, max_value=MOST_WAVES)
    running_cost_month = Quantity(
        least=ESTIMATES["running_cost_month"],
        help_text="Your estimate of its running cost per month; negative where it saves money.",
    )
    slo_minutes_month = Quantity(
        least=ESTIMATES["slo_minutes_month"],
        help_text="Your estimate of the minutes of SLO miss that it saves per month.",
    )


class Confirmation(Strict):
    """The evidence that closes a step."""

    evidence = serializers.CharField(max_length=CONFIRMATION_CHARACTERS)

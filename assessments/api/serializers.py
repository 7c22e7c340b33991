"""What the API accepts. Unknown fields are refused, never ignored."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from assessments.domain.answers import NaReason
from assessments.domain.json_values import parse_moment
from assessments.domain.matrix import EvidenceKind, Scope
from portal.api.serializers import Strict, StrictBoolean, StrictInteger


class Text(serializers.CharField):
    """A JSON text; 7 and 1.5 are refused, not turned into one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


@extend_schema_field(OpenApiTypes.DATETIME)
class Moment(serializers.Field[datetime, str, str, Any]):
    """A moment with its time zone, as the `score` command reads it; a naive one is refused, never guessed."""

    def to_internal_value(self, data: Any) -> datetime:
        try:
            return parse_moment(data if isinstance(data, str) else "")
        except ValueError:
            raise serializers.ValidationError(
                _("A moment with a time zone is needed, such as 2026-12-02T00:00:00Z.")
            ) from None

    def to_representation(self, value: datetime) -> str:
        return value.isoformat()


class OpenAssessment(Strict):
    name = Text(max_length=120)
    cluster = serializers.UUIDField()
    scope = serializers.ChoiceField(choices=[each.value for each in Scope])
    carry_from = serializers.UUIDField(required=False, allow_null=True)
    matrix = Text(required=False, allow_null=True, max_length=64)


class StatusChange(Strict):
    status = serializers.ChoiceField(choices=["open", "closed"])


class AnswerChange(Strict):
    """Exactly one of clauses, level, na_reason, unsure, cleared; a note may come with each.

    `confidence` says how sure the respondent is: 1 a guess, 2 hearsay, 3 known from own work, 4 looked up for
    this answer, 5 shown by attached evidence.
    """

    clauses = serializers.ListField(child=Text(max_length=20), required=False, allow_null=True, max_length=30)
    level = StrictInteger(required=False, allow_null=True, min_value=0, max_value=5)
    na_reason = serializers.ChoiceField(
        choices=[each.value for each in NaReason], required=False, allow_null=True
    )
    na_text = Text(required=False, allow_blank=True, max_length=500)
    unsure = StrictBoolean(required=False)
    cleared = StrictBoolean(required=False)
    confidence = StrictInteger(required=False, allow_null=True, min_value=1, max_value=5)
    note = Text(required=False, allow_blank=True, max_length=10000, trim_whitespace=False)


class EvidenceNew(Strict):
    kind = serializers.ChoiceField(choices=[each.value for each in EvidenceKind])
    title = Text(required=False, allow_blank=True, max_length=200)
    effective_at = Moment()
    clause = Text(required=False, allow_blank=True, max_length=20)
    url = Text(required=False, allow_blank=True, max_length=1000)
    file = serializers.FileField(required=False, allow_empty_file=True)


class MilestoneNew(Strict):
    name = Text(max_length=120)

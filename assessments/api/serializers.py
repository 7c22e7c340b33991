"""What the API accepts. Unknown fields are refused, never ignored."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from assessments.domain.answers import NaReason
from assessments.domain.matrix import EvidenceKind, Scope


class Strict(serializers.Serializer[Any]):
    """A serializer that refuses fields it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(dict.fromkeys(unknown, "This field is not known here."))
        return super().to_internal_value(data)


class StrictInteger(serializers.IntegerField):
    """A JSON number without a fraction; true, "3" and 3.0 are refused."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StrictBoolean(serializers.BooleanField):
    """true or false, nothing that looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class OpenAssessment(Strict):
    name = serializers.CharField(max_length=120)
    cluster = serializers.UUIDField()
    scope = serializers.ChoiceField(choices=[each.value for each in Scope])
    carry_from = serializers.UUIDField(required=False, allow_null=True)


class StatusChange(Strict):
    status = serializers.ChoiceField(choices=["open", "closed"])


class AnswerChange(Strict):
    """Exactly one of clauses, level, na_reason, unsure, cleared; a note may come with each."""

    clauses = serializers.ListField(
        child=serializers.CharField(max_length=20), required=False, allow_null=True, max_length=30
    )
    level = StrictInteger(required=False, allow_null=True, min_value=0, max_value=5)
    na_reason = serializers.ChoiceField(
        choices=[each.value for each in NaReason], required=False, allow_null=True
    )
    na_text = serializers.CharField(required=False, allow_blank=True, max_length=500)
    unsure = StrictBoolean(required=False)
    cleared = StrictBoolean(required=False)
    note = serializers.CharField(required=False, allow_blank=True, max_length=10000, trim_whitespace=False)


class EvidenceNew(Strict):
    kind = serializers.ChoiceField(choices=[each.value for each in EvidenceKind])
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    effective_at = serializers.DateTimeField()
    clause = serializers.CharField(required=False, allow_blank=True, max_length=20)
    url = serializers.CharField(required=False, allow_blank=True, max_length=1000)
    file = serializers.FileField(required=False, allow_empty_file=True)


class MilestoneNew(Strict):
    name = serializers.CharField(max_length=120)

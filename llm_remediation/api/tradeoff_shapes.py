"""Trade-offs as the JSON the API sends, and the same shapes for OpenAPI.

Numbers are unrounded; words are in the language of the request.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from assessments.domain.dimensions import Dimension
from llm_remediation import snapshots, tradeoff_words
from llm_remediation.domain.tradeoffs.model import FindingState, Severity
from llm_remediation.domain.tradeoffs.standing import Standing
from llm_remediation.models import DecisionKind, TradeoffDecision
from llm_remediation.tradeoff_selectors import Card, Tradeoffs

Out = serializers.Serializer[Any]
DIMENSIONS = [each.value for each in Dimension]


class AmountOut(Out):
    code = serializers.CharField()
    value = serializers.FloatField()
    unit = serializers.CharField()


class NeedOut(Out):
    practice = serializers.CharField()
    level = serializers.IntegerField()


class OptionOut(Out):
    code = serializers.CharField()
    effects = serializers.DictField(child=serializers.ChoiceField(["up", "down"]))
    needs = NeedOut(allow_null=True)
    open = serializers.BooleanField(help_text="Whether the need is met.")
    text = serializers.CharField()


class PersonOut(Out):
    id = serializers.IntegerField()
    name = serializers.CharField()


class DecisionOut(Out):
    id = serializers.UUIDField()
    rule = serializers.CharField()
    service = serializers.CharField(allow_blank=True, help_text="Empty: the whole cluster.")
    version = serializers.IntegerField()
    steps = serializers.ListField(child=serializers.CharField())
    kind = serializers.ChoiceField(DecisionKind.choices)
    option = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    owner = PersonOut(allow_null=True)
    expires_on = serializers.DateField(allow_null=True, help_text="The last day on which it holds.")
    seen = serializers.DictField(help_text="The finding with its numbers when it was decided on.")
    decided_by = serializers.CharField()
    decided_at = serializers.DateTimeField()
    withdrawn_by = serializers.CharField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class FindingOut(Out):
    rule = serializers.CharField()
    dimensions = serializers.ListField(child=serializers.ChoiceField(DIMENSIONS))
    state = serializers.ChoiceField([each.value for each in FindingState])
    severity = serializers.ChoiceField([each.value for each in Severity])
    service = serializers.CharField(allow_blank=True, help_text="Empty: the whole cluster.")
    steps = serializers.ListField(child=serializers.CharField())
    measures = AmountOut(many=True)
    thresholds = AmountOut(many=True)
    price = AmountOut(many=True)
    options = OptionOut(many=True)
    missing = serializers.ListField(child=serializers.CharField())
    title = serializers.CharField()
    text = serializers.CharField(help_text="What the numbers say, each beside its threshold.")
    standing = serializers.ChoiceField([each.value for each in Standing])
    waits = serializers.BooleanField(help_text="Whether somebody has to decide.")
    version = serializers.IntegerField(help_text="What If-Match wants when deciding.")
    decisions = DecisionOut(many=True, help_text="Newest first.")


class TradeoffsOut(Out):
    roadmap = serializers.UUIDField()
    as_of = serializers.DateTimeField()
    findings = FindingOut(many=True)
    past = DecisionOut(many=True, help_text="Decisions on what is no finding any more.")


def tradeoffs(found: Tradeoffs) -> dict[str, Any]:
    """All trade-offs of a roadmap."""
    return {
        "roadmap": str(found.detail.roadmap.pk),
        "as_of": found.as_of,
        "findings": [_card(each) for each in found.cards],
        "past": [decision(row) for row in found.past],
    }


def decision(row: TradeoffDecision) -> dict[str, Any]:
    """What somebody decided, with the numbers they decided on."""
    return {
        "id": str(row.pk),
        "rule": row.rule,
        "service": row.service,
        "version": row.version,
        "steps": row.steps,
        "kind": row.kind,
        "option": row.option or None,
        "reason": row.reason or None,
        "owner": {"id": row.owner_id, "name": str(row.owner)} if row.owner else None,
        "expires_on": row.expires_on,
        "seen": row.seen,
        "decided_by": str(row.decided_by),
        "decided_at": row.decided_at,
        "withdrawn_by": str(row.withdrawn_by) if row.withdrawn_by else None,
        "withdrawn_at": row.withdrawn_at,
    }


def _card(card: Card) -> dict[str, Any]:
    finding = card.finding
    shape = snapshots.finding_json(finding)
    for option in shape["options"]:
        option["text"] = tradeoff_words.option(finding.rule, option["code"])
    return {
        **shape,
        "title": tradeoff_words.title(finding.rule),
        "text": tradeoff_words.sentence(finding),
        "standing": card.standing.value,
        "waits": card.waits,
        "version": card.version,
        "decisions": [decision(row) for row in card.history],
    }

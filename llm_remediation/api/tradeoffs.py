"""Trade-offs of a roadmap, decisions on them, and the checkpoint calculator."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from llm_remediation import selectors, tradeoff_selectors
from llm_remediation.api import tradeoff_shapes as shapes
from llm_remediation.api.serializers import Strict, Whole
from llm_remediation.models import DecisionKind
from llm_remediation.services import tradeoffs
from portal.accounts.domain.permissions import Action
from portal.api.preconditions import expected_version, if_match
from portal.api.serializers import checked

IF_MATCH = if_match('The version of the trade-off you saw, quoted: "0" where nobody has decided yet.')


class DecisionNew(Strict):
    """`option`: its code and an owner. `accepted`: reason, owner, last day. `dismissed`: reason.

    `service` is empty for the whole cluster; `owner` is the user id of a member.
    """

    rule = serializers.CharField(max_length=8)
    service = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")
    kind = serializers.ChoiceField(choices=DecisionKind.choices)
    option = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    reason = serializers.CharField(
        max_length=tradeoffs.REASON_CHARACTERS, required=False, allow_blank=True, default=""
    )
    owner = Whole(required=False, allow_null=True, min_value=0, max_value=2**63 - 1, default=None)
    expires_on = serializers.DateField(
        required=False, allow_null=True, input_formats=["%Y-%m-%d"], default=None
    )


class RoadmapTradeoffs(APIView):
    required_actions = {"GET": Action.ROADMAPS_VIEW, "POST": Action.ROADMAPS_EDIT}

    @extend_schema(operation_id="tradeoffs_of_roadmap", responses={200: shapes.TradeoffsOut})
    def get(self, request: Any, slug: str, roadmap_id: Any) -> Response:
        """What raising these practices costs in other dimensions, by rule, with every decision on it."""
        found = tradeoff_selectors.tradeoffs(request.organisation, roadmap_id)
        return Response(shapes.tradeoffs(found))

    @extend_schema(request=DecisionNew, parameters=[IF_MATCH], responses={201: shapes.DecisionOut, 409: dict})
    def post(self, request: Any, slug: str, roadmap_id: Any) -> Response:
        """Choose an option, accept until a date or dismiss; the numbers of this moment are kept with it."""
        roadmap = selectors.roadmap(request.organisation, roadmap_id)
        version = expected_version(request)
        data = checked(DecisionNew(data=request.data))
        rule, service = data.pop("rule"), data.pop("service")
        made = tradeoffs.decide(
            roadmap=roadmap,
            actor=request.user,
            rule=rule,
            service=service,
            expected_version=version,
            wanted=tradeoffs.Wanted(**data),
        )
        return Response(shapes.decision(made), status=201, headers={"ETag": f'"{made.version}"'})


class DecisionWithdraw(APIView):
    required_actions = {"POST": Action.ROADMAPS_EDIT}

    @extend_schema(request=None, responses={200: shapes.DecisionOut, 409: dict})
    def post(self, request: Any, slug: str, roadmap_id: Any, decision_id: Any) -> Response:
        """Take the newest decision back, so that the trade-off is open again; the record stays."""
        row = tradeoff_selectors.decision(request.organisation, roadmap_id, decision_id)
        return Response(shapes.decision(tradeoffs.withdraw(decision=row, actor=request.user)))

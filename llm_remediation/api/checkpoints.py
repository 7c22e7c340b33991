"""The checkpoint calculator: how often to save, and what the interval in use wastes."""

from __future__ import annotations

import math
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from llm_remediation.domain.tradeoffs.checkpoint import LONGEST_S, SHORTEST_S, Checkpointing, Waste, deviation
from llm_remediation.domain.tradeoffs.t5 import MOST_DEVIATION_PERCENT
from portal.accounts.domain.permissions import Action
from portal.api.serializers import Strict, checked


class Seconds(serializers.FloatField):
    """A finite time in seconds as text or number."""

    def __init__(self, *, least: float = SHORTEST_S, **kwargs: Any) -> None:
        super().__init__(min_value=least, max_value=LONGEST_S, **kwargs)

    def to_internal_value(self, data: Any) -> float:
        value = float(super().to_internal_value(data))
        if not math.isfinite(value):
            self.fail("invalid")
        return value


class CheckpointTimes(Strict):
    save_s = Seconds(help_text="How long one save takes.")
    mtbf_s = Seconds(help_text="Mean time between failures of the job.")
    restart_s = Seconds(least=0, default=0.0, help_text="From a failure to computing again.")
    interval_s = Seconds(required=False, help_text="The interval in use: end of a save to start of the next.")


class WasteOut(serializers.Serializer[Any]):
    interval_s = serializers.FloatField()
    save_share = serializers.FloatField(help_text="Share of the machine time that goes into saving.")
    rework_share = serializers.FloatField(
        help_text="Share that goes into lost work, lost saves and restarts."
    )
    waste = serializers.FloatField(help_text="Both shares together.")


class IntervalInUse(WasteOut):
    deviation = serializers.FloatField(help_text="From young_s as a share of it: 0.25 is a quarter off.")
    warn = serializers.BooleanField()


class CheckpointOut(serializers.Serializer[Any]):
    young_s = serializers.FloatField(help_text="The first-order optimum (Young 1974).")
    daly_s = serializers.FloatField(help_text="The higher-order optimum (Daly 2006).")
    optimum = WasteOut(help_text="What saving every daly_s wastes.")
    in_use = IntervalInUse(allow_null=True)
    curve = WasteOut(many=True)


class CheckpointCalculator(APIView):
    required_actions = {"GET": Action.ROADMAPS_VIEW}

    @extend_schema(
        operation_id="checkpoint_interval", parameters=[CheckpointTimes], responses={200: CheckpointOut}
    )
    def get(self, request: Any, slug: str) -> Response:
        """The best time between two checkpoints, and what share of the machine time an interval wastes."""
        given = checked(CheckpointTimes(data=request.query_params.dict()))
        interval = given.pop("interval_s", None)
        return Response(answer(Checkpointing(**given), interval))


def answer(job: Checkpointing, interval_s: float | None) -> dict[str, Any]:
    """Both optima, the waste at Daly's, at the interval in use and along the curve."""
    best = max(job.daly_s, SHORTEST_S)
    in_use = None
    if interval_s is not None:
        off = deviation(interval_s, job.young_s)
        in_use = {
            **_waste(interval_s, job.waste(interval_s)),
            "deviation": off,
            "warn": 100 * off > MOST_DEVIATION_PERCENT,
        }
    return {
        "young_s": job.young_s,
        "daly_s": job.daly_s,
        "optimum": _waste(best, job.waste(best)),
        "in_use": in_use,
        "curve": [_waste(each.interval_s, each.waste) for each in job.curve(interval_s)],
    }


def _waste(interval_s: float, waste: Waste) -> dict[str, float]:
    return {
        "interval_s": interval_s,
        "save_share": waste.save,
        "rework_share": waste.rework,
        "waste": waste.total,
    }

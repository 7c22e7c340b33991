"""Routes of the roadmap API, under /api/v1/o/<slug>/."""

from django.urls import path

from llm_remediation.api import checkpoints, endpoints, tradeoffs

R = "roadmaps/<uuid:roadmap_id>"
STEP = f"{R}/items/<uuid:item_id>"

urlpatterns = [
    path("roadmaps", endpoints.RoadmapList.as_view(), name="api-roadmaps"),
    path(R, endpoints.RoadmapOne.as_view(), name="api-roadmap"),
    path(STEP, endpoints.ItemOne.as_view(), name="api-roadmap-item"),
    path(f"{STEP}/confirm", endpoints.ItemConfirm.as_view(), name="api-roadmap-item-confirm"),
    path(f"{STEP}/reopen", endpoints.ItemReopen.as_view(), name="api-roadmap-item-reopen"),
    path(f"{R}/tradeoffs", tradeoffs.RoadmapTradeoffs.as_view(), name="api-roadmap-tradeoffs"),
    path(
        f"{R}/tradeoffs/<uuid:decision_id>/withdraw",
        tradeoffs.DecisionWithdraw.as_view(),
        name="api-tradeoff-withdraw",
    ),
    path("checkpoint-interval", checkpoints.CheckpointCalculator.as_view(), name="api-checkpoint-interval"),
]

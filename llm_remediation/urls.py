"""Routes of this app, under /o/<slug>/roadmaps/."""

from django.urls import path

from llm_remediation.views import checkpoint, export, plans, steps, tradeoffs

app_name = "roadmaps"
R = "<uuid:roadmap_id>"

urlpatterns = [
    path("", plans.index, name="list"),
    path("new", plans.new, name="new"),
    path("checkpoint", checkpoint.calculator, name="checkpoint"),
    path(R, plans.detail, name="detail"),
    path(f"{R}/roadmap.csv", export.roadmap_csv, name="csv"),
    path(f"{R}/items/<uuid:item_id>", steps.change, name="item"),
    path(f"{R}/items/<uuid:item_id>/confirm", steps.confirm, name="item-confirm"),
    path(f"{R}/items/<uuid:item_id>/reopen", steps.reopen, name="item-reopen"),
    path(f"{R}/tradeoffs/decide", tradeoffs.decide, name="tradeoff-decide"),
    path(f"{R}/tradeoffs/<uuid:decision_id>/withdraw", tradeoffs.withdraw, name="tradeoff-withdraw"),
]

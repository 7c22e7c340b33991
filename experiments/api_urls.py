"""Routes of the signal catalogue under /api/v1/; it belongs to no organisation."""

from django.urls import path

from experiments import api

urlpatterns = [
    path("signals", api.SignalList.as_view(), name="api-signals"),
    path("signals/rules.yaml", api.SignalRules.as_view(), name="api-signals-rules"),
]

"""Routes of the signal pages, under /o/<slug>/."""

from django.urls import path

from experiments import views

app_name = "experiments"

urlpatterns = [
    path("signals", views.index, name="signals"),
    path("signals/rules.yaml", views.rules, name="signals-rules"),
]

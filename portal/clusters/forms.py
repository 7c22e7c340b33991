"""Forms of clusters and services. Each lists its fields by hand, so that a request can set nothing else."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.clusters.domain.profile import MOST_GPUS, TAGS, TIERS
from portal.clusters.domain.sayings import ClusterData, ServiceData
from portal.clusters.models import Environment, ServiceKind

TAG_NAMES = {
    "moe": _("Mixture of experts"),
    "lora": _("LoRA adapters"),
    "rag": _("Retrieval (RAG)"),
    "multi-tenant": _("Several tenants"),
    "spot": _("Spot or preemptible capacity"),
}
TIER_NAMES = {
    1: _("1 · an outage stops the business"),
    2: _("2 · an outage is felt at once"),
    3: _("3 · an outage can wait"),
}


class ClusterForm(forms.Form):
    """Only the name must be given; kinds and tags decide which practices are asked."""

    name = forms.CharField(label=_("Name"), max_length=80)
    environment = forms.ChoiceField(label=_("Environment"), choices=Environment.choices, initial="production")
    gpu_sku = forms.CharField(
        label=_("GPU model"), max_length=60, required=False, help_text=_("For example H200 SXM 141 GB.")
    )
    gpu_count = forms.IntegerField(
        label=_("Number of GPUs"), min_value=0, max_value=MOST_GPUS, required=False, initial=0
    )
    engine = forms.CharField(
        label=_("Engine"), max_length=60, required=False, help_text=_("For example vLLM 0.12 or Megatron.")
    )
    kinds = forms.MultipleChoiceField(
        label=_("Kinds of work"),
        choices=ServiceKind.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=["serve"],
        help_text=_("Practices of other kinds are not asked."),
    )
    tags = forms.MultipleChoiceField(
        label=_("Traits"),
        choices=[(tag, TAG_NAMES[tag]) for tag in TAGS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Each brings practices of its own."),
    )
    note = forms.CharField(label=_("Note"), max_length=2000, required=False, widget=forms.Textarea)

    def data_object(self) -> ClusterData:
        """The checked values as the service wants them."""
        given: dict[str, Any] = dict(self.cleaned_data)
        given["gpu_count"] = given["gpu_count"] or 0
        return ClusterData(**{**given, "kinds": tuple(given["kinds"]), "tags": tuple(given["tags"])})


class ServiceForm(forms.Form):
    """A model service on a cluster."""

    name = forms.CharField(label=_("Name"), max_length=80)
    kind = forms.ChoiceField(label=_("Kind"), choices=ServiceKind.choices)
    model = forms.CharField(
        label=_("Model"), max_length=120, required=False, help_text=_("For example Qwen3-235B-A22B.")
    )
    tier = forms.TypedChoiceField(
        label=_("Tier"), coerce=int, choices=[(tier, TIER_NAMES[tier]) for tier in TIERS], initial=2
    )
    in_scope = forms.BooleanField(
        label=_("In scope"),
        required=False,
        initial=True,
        help_text=_("Clauses that say “in scope” mean these services."),
    )
    tags = forms.MultipleChoiceField(
        label=_("Traits"),
        choices=[(tag, TAG_NAMES[tag]) for tag in TAGS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def data_object(self) -> ServiceData:
        """The checked values as the service wants them."""
        return ServiceData(**{**self.cleaned_data, "tags": tuple(self.cleaned_data["tags"])})

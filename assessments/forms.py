"""Forms of the assessment pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from assessments import matrix_selectors, selectors
from assessments.domain.matrix import EvidenceKind
from portal.clusters import selectors as clusters


class OpenForm(forms.Form):
    """Which cluster, which scope, whose answers to start from."""

    cluster = forms.ChoiceField(label=_("Cluster"))
    scope = forms.ChoiceField(
        label=_("Scope"),
        choices=[
            ("quick", _("Quick scan: 12 core practices, about 4 minutes")),
            ("full", _("Full assessment: 48 practices")),
        ],
        initial="quick",
        widget=forms.RadioSelect,
    )
    name = forms.CharField(label=_("Name"), max_length=120, help_text=_("For example the quarter: 2026 Q4."))
    carry_from = forms.ChoiceField(
        label=_("Start from the answers of"),
        required=False,
        help_text=_("Answers of an earlier assessment of the same cluster are carried over."),
    )

    matrix = forms.ChoiceField(label=_("Matrix version"), required=False)

    def __init__(self, *args: Any, organisation: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.organisation = organisation
        self._choose_matrix()
        self.fields["cluster"].choices = [  # type: ignore[attr-defined]
            (str(each.pk), each.name) for each in clusters.clusters(organisation.pk)
        ]
        self.fields["carry_from"].choices = [  # type: ignore[attr-defined]
            ("", _("Nothing: start fresh")),
            *(
                (str(each.pk), f"{each.cluster} · {each.name}")
                for each in selectors.assessments(organisation)
            ),
        ]

    def _choose_matrix(self) -> None:
        """Offer the versions that can be used, the newest shipped one first; one alone is no choice."""
        usable = [each for each in matrix_selectors.versions(self.organisation) if each.usable]
        usable.sort(key=lambda each: each.custom is not None)
        if len(usable) < 2:
            del self.fields["matrix"]
        else:
            choices = [(each.sha256, f"{each.label} · {each.sha256[:12]}") for each in usable]
            self.fields["matrix"].choices = choices  # type: ignore[attr-defined]

    def matrix_row(self) -> Any:
        """The chosen version, or None for the newest shipped one."""
        chosen = self.cleaned_data.get("matrix")
        return matrix_selectors.version(self.organisation, chosen, usable=True) if chosen else None

    def cluster_row(self) -> Any:
        return clusters.cluster(self.organisation.pk, self.cleaned_data["cluster"])

    def carry_row(self) -> Any:
        chosen = self.cleaned_data.get("carry_from")
        return selectors.assessment(self.organisation, chosen) if chosen else None

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        source = self.carry_row() if data else None
        if data and source and str(source.cluster_id) != data.get("cluster"):
            self.add_error("carry_from", _("Choose an assessment of the same cluster."))
        return data


class EvidenceForm(forms.Form):
    """A file or a link that backs an answer."""

    kind = forms.ChoiceField(label=_("Kind"))
    title = forms.CharField(label=_("What it shows"), max_length=200, required=False)
    effective_at = forms.DateTimeField(
        label=_("Date of the evidence (UTC)"),
        help_text=_("The moment it speaks for, not the day you add it."),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    clause = forms.ChoiceField(label=_("Clause"), required=False)
    url = forms.CharField(label=_("Link"), max_length=1000, required=False, widget=forms.URLInput)
    file = forms.FileField(label=_("File"), required=False)

    def __init__(self, *args: Any, matrix: Any, practice: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {rule.kind: rule.name.in_language(language) for rule in matrix.evidence}
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            (kind.value, f"{kind.value} · {names.get(kind, '')}") for kind in EvidenceKind
        ]
        self.fields["clause"].choices = [  # type: ignore[attr-defined]
            ("", _("The practice as a whole")),
            *((each.id, each.id.split(".", 1)[1]) for each in practice.clauses),
        ]


class MilestoneForm(forms.Form):
    """The name of a milestone."""

    name = forms.CharField(label=_("Name of the milestone"), max_length=120)

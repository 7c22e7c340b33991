"""Forms of the roadmap pages."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from assessments import selectors as assessments
from assessments.domain.matrix import HIGHEST_LEVEL, Matrix
from llm_remediation import words
from llm_remediation.domain.candidates import DEFAULT_TARGET
from llm_remediation.domain.model import BlastRadius, Resource, WaveBudget
from llm_remediation.domain.refusals import LARGEST_QUANTITY
from llm_remediation.domain.tradeoffs.standing import latest_expiry
from llm_remediation.domain.waves import DEFAULT_WAVES
from llm_remediation.models import DecisionKind, TradeoffDecision

# About one engineer for a month, then two of six weeks, then two for two months.
DEFAULT_DAYS = (20, 40, 60)
REASON_CHARACTERS = TradeoffDecision._meta.get_field("reason").max_length


class Quantity(forms.FloatField):
    """A finite number from `least` on; empty is no limit."""

    def __init__(self, *, least: float = 0, **kwargs: Any) -> None:
        super().__init__(
            required=False, min_value=least, max_value=LARGEST_QUANTITY, widget=forms.TextInput, **kwargs
        )
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def to_python(self, value: Any) -> float | None:  # type: ignore[override]
        if isinstance(value, str) and len(value) > 40:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        number = super().to_python(value)
        if number is not None and not math.isfinite(number):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return number


def level_choices(empty: Any = None) -> list[tuple[str, Any]]:
    """Levels as choices, with `empty` in front where given."""
    levels = [(str(level), str(level)) for level in range(HIGHEST_LEVEL + 1)]
    return [("", empty), *levels] if empty is not None else levels


class DrawUpForm(forms.Form):
    """Which assessment, which target, how much of what in each wave."""

    assessment = forms.ChoiceField(label=_("Assessment"))
    name = forms.CharField(label=_("Name"), max_length=120)
    default_target = forms.ChoiceField(
        label=_("Target level"),
        initial=str(DEFAULT_TARGET),
        help_text=_("Every practice is raised step by step up to this level."),
    )

    def __init__(self, *args: Any, organisation: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.organisation = organisation
        self.rows = {str(each.pk): each for each in assessments.assessments(organisation)}
        chosen = self.fields["assessment"]
        scored = {key: assessments.scorecard(each).overall.score for key, each in self.rows.items()}
        chosen.choices = [  # type: ignore[attr-defined]
            (key, _label(each, scored[key])) for key, each in self.rows.items()
        ]
        if not self.initial.get("assessment"):
            # The newest one that can have a roadmap.
            self.initial["assessment"] = next((key for key in self.rows if scored[key] is not None), "")
        self.fields["default_target"].choices = level_choices()  # type: ignore[attr-defined]
        for wave in range(DEFAULT_WAVES):
            for resource in Resource:
                field = Quantity(label=f"{words.wave(wave)} · {resource_label(resource)}")
                if resource is Resource.DAYS:
                    field.initial = DEFAULT_DAYS[wave]
                self.fields[f"wave_{wave}_{resource.value}"] = field
            self.fields[f"wave_{wave}_blast_radius"] = forms.ChoiceField(
                label=f"{words.wave(wave)} · {_('largest blast radius')}",
                required=False,
                choices=[
                    ("", _("no limit")),
                    *((each.value, words.radius(each.value)) for each in BlastRadius),
                ],
            )
        self.matrix = self._matrix()
        for practice in self.matrix.practices if self.matrix else ():
            self.fields[f"target_{practice.id}"] = forms.ChoiceField(
                label=practice.id, required=False, choices=level_choices(_("as above"))
            )

    def _matrix(self) -> Matrix | None:
        """The matrix of the chosen assessment (the first one where none is chosen)."""
        key = str((self.data if self.is_bound else self.initial).get("assessment") or "")
        row = self.rows.get(key) or next(iter(self.rows.values()), None)
        return assessments.matrix(row.matrix_version_id) if row else None

    @property
    def base_fields_bound(self) -> list[forms.BoundField]:
        """Assessment, name, target."""
        return [self[name] for name in ("assessment", "name", "default_target")]

    @property
    def waves(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Rows of the budget table: the wave's name and its four fields."""
        columns = [*(each.value for each in Resource), "blast_radius"]
        return [
            (words.wave(wave), [self[f"wave_{wave}_{column}"] for column in columns])
            for wave in range(DEFAULT_WAVES)
        ]

    @property
    def practices(self) -> list[tuple[Any, forms.BoundField]]:
        """Each practice with the field of its own target."""
        found = self.matrix.practices if self.matrix else ()
        return [(practice, self[f"target_{practice.id}"]) for practice in found]

    @property
    def own_targets(self) -> bool:
        """Whether any practice has a target of its own, or a problem with it."""
        return any(field.value() or field.errors for _practice, field in self.practices)

    def assessment_row(self) -> Any:
        return assessments.assessment(self.organisation, self.cleaned_data["assessment"])

    def budgets(self) -> list[WaveBudget]:
        """One budget per wave."""
        found = []
        for wave in range(DEFAULT_WAVES):
            limits = {each.value: self.cleaned_data[f"wave_{wave}_{each.value}"] for each in Resource}
            cap = self.cleaned_data[f"wave_{wave}_blast_radius"]
            found.append(WaveBudget(**limits, blast_radius=BlastRadius(cap) if cap else None))
        return found

    def targets(self) -> dict[str, int]:
        """Practices with a target of their own."""
        given = {practice.id: self.cleaned_data[field.name] for practice, field in self.practices}
        return {name: int(level) for name, level in given.items() if level}


def _label(row: Any, score: float | None) -> str:
    name = f"{row.cluster.name} · {row.name}"
    return name if score is not None else _("%(name)s (too few answers)") % {"name": name}


def resource_label(resource: Resource) -> Any:
    """The heading of a resource."""
    return {
        Resource.DAYS: _("engineer-days"),
        Resource.GPU_HOURS: _("GPU-hours"),
        Resource.MONEY: _("money"),
    }[resource]


def field_of(place: str | None) -> str | None:
    """The form field that a place of a refusal names: `budgets[0].days` is `wave_0_days`."""
    if not place:
        return None
    if place.startswith("budgets["):
        wave, _dot, resource = place.removeprefix("budgets[").partition("].")
        return f"wave_{wave}_{resource}"
    if place.startswith("targets["):
        return f"target_{place.removeprefix('targets[').rstrip(']')}"
    return place


class StepForm(forms.Form):
    """Owner, due date, status, wave and estimates of a step, with the version the person saw."""

    version = forms.IntegerField(min_value=1, max_value=10**9)
    owner = forms.CharField(required=False, max_length=20)
    due = forms.DateField(required=False, input_formats=["%Y-%m-%d"], label=_("Due"))
    status = forms.CharField(required=False, max_length=12)
    wave = forms.IntegerField(required=False, min_value=0, max_value=100)
    running_cost_month = Quantity(least=-LARGEST_QUANTITY, label=_("Running cost per month"))
    slo_minutes_month = Quantity(label=_("SLO minutes saved per month"))


class ConfirmForm(forms.Form):
    """The evidence that closes a step."""

    version = forms.IntegerField(min_value=1, max_value=10**9)
    evidence = forms.CharField(required=False, max_length=20000)


class TradeoffForm(forms.Form):
    """Which trade-off a decision is about, of which kind it is, and the version the person saw."""

    rule = forms.CharField(max_length=8)
    service = forms.CharField(required=False, max_length=120, strip=False)
    version = forms.IntegerField(min_value=0, max_value=10**9)
    kind = forms.ChoiceField(choices=DecisionKind.choices)


# What each kind of decision asks for, in the order of the page.
DECISION_FIELDS = {
    DecisionKind.OPTION: ("option", "owner", "reason"),
    DecisionKind.ACCEPTED: ("expires_on", "owner", "reason"),
    DecisionKind.DISMISSED: ("reason",),
}


class DecisionForm(forms.Form):
    """A decision of one kind; ids start with `key`, so that a page can hold many of them."""

    option = forms.ChoiceField(
        label=_("Option"), error_messages={"required": _("Choose one of the options of this trade-off.")}
    )
    expires_on = forms.DateField(
        label=_("Accepted until"),
        input_formats=["%Y-%m-%d"],
        help_text=_("The last day on which it holds, at most a year ahead."),
        error_messages={"required": _("Say until which day it is accepted.")},
    )
    owner = forms.ChoiceField(
        label=_("Owner"),
        error_messages={
            "required": _("Name who answers for it."),
            "invalid_choice": _("The owner must be a member of this organisation."),
        },
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Say why.")},
    )

    def __init__(
        self, data: Any = None, *, kind: str, key: str, options: Any, members: Any, today: date
    ) -> None:
        super().__init__(data, auto_id=f"{key}-{kind}-%s")
        self.kind = DecisionKind(kind)
        asked = DECISION_FIELDS[self.kind]
        self.fields = {name: self.fields[name] for name in asked}
        self.fields["reason"].required = self.kind is not DecisionKind.OPTION
        if "owner" in asked:
            named = [(str(each.pk), str(each)) for each in members]
            self.fields["owner"].choices = [("", "—"), *named]  # type: ignore[attr-defined]
        if "option" in asked:
            self.fields["option"].choices = [(each, each) for each in options]  # type: ignore[attr-defined]
        if "expires_on" in asked:
            ends = {"min": today + timedelta(days=1), "max": latest_expiry(today)}
            limits = {name: each.isoformat() for name, each in ends.items()}
            self.fields["expires_on"].widget = forms.DateInput(
                format="%Y-%m-%d", attrs={"type": "date", **limits}
            )

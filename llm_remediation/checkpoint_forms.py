"""The form of the checkpoint calculator: times of one job, in the units in which people measure them."""

from __future__ import annotations

import math
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from llm_remediation.domain.tradeoffs.checkpoint import LONGEST_S, SHORTEST_S, Checkpointing
from llm_remediation.domain.tradeoffs.t5 import HOUR_S

MOST_GPUS = 10_000_000
MOST_CHARACTERS = 40
ERRORS = {
    "invalid": _("Enter a number, such as 42 or 1.5."),
    "min_value": _("Must be above 0, a microsecond at least."),
    "max_value": _("Too long: the longest time is about three centuries."),
}


class Time(forms.FloatField):
    """A finite time; `unit_s` is what one unit of the field is in seconds."""

    def __init__(self, *, unit_s: float = 1.0, least_s: float = SHORTEST_S, **kwargs: Any) -> None:
        errors = {**ERRORS, **kwargs.pop("error_messages", {})}
        super().__init__(
            min_value=least_s / unit_s,
            max_value=LONGEST_S / unit_s,
            widget=forms.TextInput,
            error_messages=errors,
            **kwargs,
        )
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def to_python(self, value: Any) -> float | None:  # type: ignore[override]
        if isinstance(value, str) and len(value.strip()) > MOST_CHARACTERS:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        number = super().to_python(value)
        if number is not None and not math.isfinite(number):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return number


class CheckpointForm(forms.Form):
    """What the calculator takes; the names are those of the numbers of a cluster where there are such."""

    checkpoint_save_s = Time(
        label=_("Time to save a checkpoint (s)"),
        help_text=_("How long the job stands still for one save."),
        error_messages={"required": _("Enter how long one save takes.")},
    )
    job_mtbf_h = Time(
        unit_s=HOUR_S,
        label=_("Time between failures (h)"),
        help_text=_("Mean of the whole job; on twice as many nodes half as long."),
        error_messages={"required": _("Enter the mean time between failures.")},
    )
    checkpoint_restart_s = Time(
        least_s=0.0,
        required=False,
        label=_("Time to restart (s)"),
        help_text=_("From a failure to computing again; empty is 0."),
        error_messages={"min_value": _("Must not be negative.")},
    )
    checkpoint_interval_s = Time(
        required=False,
        label=_("Interval in use (s)"),
        help_text=_("From the end of a save to the start of the next."),
    )
    gpus = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_GPUS,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        label=_("GPUs of the job"),
        help_text=_("To see the loss in GPU-hours a day."),
        error_messages={
            "invalid": _("Enter a whole number."),
            "min_value": _("Enter at least 1."),
            "max_value": _("Enter at most 10,000,000."),
        },
    )

    def job(self) -> Checkpointing:
        """The times of a valid form. Raises Invalid for what the formulas refuse."""
        data = self.cleaned_data
        return Checkpointing(
            save_s=data["checkpoint_save_s"],
            mtbf_s=data["job_mtbf_h"] * HOUR_S,
            restart_s=data["checkpoint_restart_s"] or 0.0,
        )

"""The form for numbers of a cluster: one window, one field per number, empty fields are left alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from assessments import kpi_words, number_words
from assessments.domain.kpis.csv_reading import EARLIEST, GREATEST, MAX_TEXT
from assessments.domain.kpis.numbers import NUMBERS, NumberKind, Reading
from assessments.services.kpis import Given
from portal.errors import Invalid

DAYS = 30
_PLACE = re.compile(r"numbers\[(\d+)\]\.(\w+)")


class NumbersForm(forms.Form):
    """Numbers of the whole cluster, or of one service; `only` names the KPI or trade-off they feed."""

    start = forms.DateField(label=gettext_lazy("From (UTC)"))
    end = forms.DateField(label=gettext_lazy("Until (UTC)"))
    note = forms.CharField(label=gettext_lazy("Note"), max_length=MAX_TEXT, required=False)

    def __init__(
        self,
        *args: Any,
        readings: Mapping[tuple[str, str], Reading],
        service: str = "",
        only: str = "",
        **kwargs: Any,
    ) -> None:
        today = timezone.now().astimezone(UTC).date()
        kwargs["initial"] = {"start": today - timedelta(days=DAYS), "end": today}
        super().__init__(*args, **kwargs)
        self.service, self.today = service, today
        for name in ("start", "end"):
            # ISO in every language: what <input type=date> reads.
            self.fields[name].widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            self.fields[name].input_formats = ["%Y-%m-%d"]  # type: ignore[attr-defined]
        self.kinds = [
            kind
            for kind in NUMBERS.values()
            if (not only or only in kind.used_by) and (not service or kind.per_service)
        ]
        self.only = only
        for kind in self.kinds:
            self.fields[kind.name] = _field(kind, readings.get((kind.name, service)))

    @property
    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """(what the numbers feed, their fields); a number stands in its first group."""
        found: dict[str, list[forms.BoundField]] = {}
        for kind in self.kinds:
            found.setdefault(self.only or kind.used_by[0], []).append(self[kind.name])
        return [(number_words.use(code), fields) for code, fields in found.items()]

    def clean_start(self) -> date:
        found: date = self.cleaned_data["start"]
        if found < EARLIEST.date():
            raise forms.ValidationError(_("Times lie between the years 2000 and 2099."))
        return found

    def clean_end(self) -> date:
        found: date = self.cleaned_data["end"]
        if found > self.today:
            raise forms.ValidationError(_("The window ends in the future."))
        return found

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        start, end = data.get("start"), data.get("end")
        if start and end and end < start:
            self.add_error("end", _("The end lies before the start."))
        if not self.given() and not self.errors:
            self.add_error(None, _("Give at least one number."))
        return data

    def given(self) -> list[Given]:
        """The numbers that were typed, in the order of the form."""
        typed = ((kind.name, self.cleaned_data.get(kind.name)) for kind in self.kinds)
        return [Given(name, value, self.service) for name, value in typed if value is not None]

    def window(self) -> tuple[datetime, datetime]:
        """Midnight UTC of both days."""
        start, end = self.cleaned_data["start"], self.cleaned_data["end"]
        return datetime.combine(start, time(0), UTC), datetime.combine(end, time(0), UTC)

    def show(self, refused: Invalid, given: Sequence[Given]) -> None:
        """Put every problem beside the number it names, else above the form."""
        problems = refused.extra.get("problems", [])
        for each in problems:
            found = _PLACE.fullmatch(str(each.get("place", "")))
            field = given[int(found[1])].name if found else None
            if found and found[2] in ("start", "end"):
                field = found[2]
            if field is None or not self.has_error(field):
                self.add_error(field, str(each["message"]))
        if not problems:
            self.add_error(None, str(refused.message))


def _field(kind: NumberKind, now: Reading | None) -> forms.FloatField:
    unit = number_words.unit_name(kind.unit)
    label = capfirst(number_words.name(kind.name))
    helped = ""
    if now is not None:
        value = number_words.quantity(now.value, kind.unit)
        window = kpi_words.window(now.start, now.end)
        helped = _("Known: %(value)s (%(window)s)") % {"value": value, "window": window}
    return forms.FloatField(
        label=label if kind.whole else f"{label} ({unit})",
        required=False,
        min_value=0,
        max_value=kind.most if kind.most is not None else GREATEST,
        help_text=helped,
        widget=forms.NumberInput(attrs={"step": 1 if kind.whole else "any", "inputmode": "decimal"}),
    )

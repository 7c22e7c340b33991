"""What people choose on the page of signals and programs in the query of the API."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from experiments.domain.signals import catalogue

ALL = "all"
MOST = 253
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def plain_name(value: str) -> None:
    """Refuse what no cluster or namespace is called, with words for the person."""
    if _CONTROL.search(value):
        raise ValidationError(_("This must not contain control characters."), code="invalid")


def stack_choices() -> list[tuple[str, Any]]:
    """Every stack by id, and all of them."""
    language = get_language() or "en"
    named = [(each.id, each.title.in_language(language)) for each in catalogue().stacks]
    return [*named, (ALL, _("All stacks"))]


class SignalFilter(forms.Form):
    """Search, stack, and the scope that expressions are narrowed to. All may be left empty."""

    q = forms.CharField(label=_("Search"), max_length=80, required=False)
    stack = forms.ChoiceField(label=_("Stack"), choices=stack_choices, required=False)
    cluster = forms.CharField(
        label=_("Cluster label"), max_length=MOST, required=False, validators=[plain_name]
    )
    namespace = forms.CharField(
        label=_("Namespace"), max_length=MOST, required=False, validators=[plain_name]
    )

"""Forms about people. Each lists its fields by hand, so that a request can set nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from portal.accounts import labels
from portal.accounts.domain.permissions import Action, Role
from portal.errors import Conflict, Invalid, Refused

# What a form shows beside the field; everything else becomes its own page.
SHOWN: tuple[type[Refused], ...] = (Invalid, Conflict)
DAYS = (7, 30, 90, 180, 365)


def show(form: forms.BaseForm, refused: Refused) -> None:
    """Put a refusal beside the field it names, else above the form."""
    form.add_error(refused.place if refused.place in form.fields else None, str(refused.message))


class SignupForm(forms.Form):
    """What we ask beyond e-mail and password."""

    name = forms.CharField(label=_("Your name"), max_length=120, required=True)

    field_order = ["name", "email", "password1", "password2"]

    def signup(self, request: Any, user: Any) -> None:
        """Nothing more to do: the adapter stores the name."""


class OrganisationNewForm(forms.Form):
    """A name is enough."""

    name = forms.CharField(
        label=_("Name of the organisation"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    slug = forms.CharField(
        label=_("Web address"),
        max_length=60,
        required=False,
        help_text=_("Small letters, digits and hyphens. Left empty, it is made from the name."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )


class OrganisationForm(forms.Form):
    """Settings of an organisation."""

    name = forms.CharField(label=_("Name"), max_length=120)
    day_rate = forms.DecimalField(
        label=_("Cost of an engineer-day"),
        max_digits=10,
        decimal_places=2,
        min_value=0,
        help_text=_("Roadmaps turn days into money with it."),
    )
    gpu_hour_price = forms.DecimalField(
        label=_("Price of a GPU-hour"), max_digits=10, decimal_places=2, min_value=0
    )
    currency = forms.CharField(
        label=_("Currency"), min_length=3, max_length=3, help_text=_("Three letters, for example USD or CNY.")
    )


class RoleForm(forms.Form):
    """Which role somebody has."""

    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, roles: Iterable[Role], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (
                role.value,
                format_html(
                    '{} <span class="muted">{}</span>', labels.ROLE_NAMES[role], labels.ROLE_NOTES[role]
                ),
            )
            for role in roles
        ]


class InviteForm(RoleForm):
    """A role, and the one address that may use the link."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        max_length=254,
        help_text=_("With an address, only the person who signs in with it can use the link."),
    )
    field_order = ["email", "role"]


class TokenForm(forms.Form):
    """A token's name, what it may do, and for how long."""

    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("What it is for, for example “nightly export”.")
    )
    days = forms.TypedChoiceField(label=_("Valid for"), coerce=int, initial=90)
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never more than your own role, at any time."),
    )

    def __init__(self, *args: Any, actions: Iterable[Action], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        today = timezone.localdate()
        self.fields["days"].choices = [  # type: ignore[attr-defined]
            (days, _("%(days)d days, until %(date)s") % {"days": days, "date": today + timedelta(days=days)})
            for days in DAYS
        ]
        self.fields["scopes"].choices = [  # type: ignore[attr-defined]
            (
                action.value,
                format_html("{} <code>{}</code>", labels.ACTION_NAMES[action], action.value),
            )
            for action in actions
        ]


class PreferencesForm(forms.Form):
    """What a person prefers."""

    name = forms.CharField(
        label=_("Your name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    # Each language stands in itself: whoever reads only that one must find it.
    language = forms.ChoiceField(
        label=_("Language"), choices=[("en", "English"), ("zh-hans", "简体中文")], widget=forms.RadioSelect
    )
    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[("auto", _("Like the system")), ("light", _("Light")), ("dark", _("Dark"))],
        widget=forms.RadioSelect,
    )
    single_key_shortcuts = forms.BooleanField(
        label=_("Single keys are shortcuts"),
        required=False,
        help_text=_("0 to 5, N and U answer a practice. Never while you type in a text field."),
    )

"""Forms about people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class SignupForm(forms.Form):
    """What we ask beyond e-mail and password."""

    name = forms.CharField(label=_("Your name"), max_length=120, required=True)

    field_order = ["name", "email", "password1", "password2"]

    def signup(self, request: Any, user: Any) -> None:
        """Nothing more to do: the adapter stores the name."""

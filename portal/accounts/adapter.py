"""How allauth behaves here."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up by e-mail; the address is kept in lower case."""

    def clean_email(self, email: str) -> str:
        return str(super().clean_email(email)).lower()

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        user.name = (form.cleaned_data.get("name") or "").strip()
        return super().save_user(request, user, form, commit)

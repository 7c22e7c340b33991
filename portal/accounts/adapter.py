"""How allauth behaves here."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.utils import translation

from portal.accounts.cookies import remember
from portal.accounts.domain.names import tidy


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up by e-mail; the address is kept in lower case."""

    def clean_email(self, email: str) -> str:
        return str(super().clean_email(email)).lower()

    def save_user(self, request: Any, user: Any, form: Any, commit: bool = True) -> Any:
        """The language of the sign-up page becomes the person's own."""
        user.name = tidy(form.cleaned_data.get("name") or "")
        user.language = translation.get_language() or ""
        return super().save_user(request, user, form, commit)

    def post_login(self, request: Any, user: Any, **kwargs: Any) -> Any:
        """Signing in brings the person's language and theme into this browser."""
        return remember(super().post_login(request, user, **kwargs), user, also_automatic=False)

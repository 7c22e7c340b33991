"""What a person prefers, everywhere and on every device."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.services.organisations import checked_name
from portal.errors import Invalid

THEMES = ("auto", "light", "dark")


@transaction.atomic
def change(*, user: Any, name: str, language: str, theme: str, single_key_shortcuts: bool) -> None:
    """Store name, language, theme and whether single keys are shortcuts; Invalid names the field.

    Not recorded: it concerns nobody but the person.
    """
    if language not in dict(settings.LANGUAGES):
        raise Invalid("language_unknown", _("There is no such language."), place="language")
    if theme not in THEMES:
        raise Invalid("theme_unknown", _("There is no such theme."), place="theme")
    user.name, user.language, user.theme = checked_name(name), language, theme
    user.single_key_shortcuts = single_key_shortcuts
    user.save(update_fields=["name", "language", "theme", "single_key_shortcuts"])


def remember_language(*, user: Any, language: str) -> None:
    """Keep a language chosen in the page's header."""
    if language in dict(settings.LANGUAGES) and user.language != language:
        user.language = language
        user.save(update_fields=["language"])

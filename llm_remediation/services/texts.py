"""Text that people type, before it is stored."""

from __future__ import annotations

from django.utils.translation import gettext as _

from portal.audit.domain.secrets import find_secret
from portal.errors import Invalid


def checked(text: str, *, place: str, most: int, missing: str) -> str:
    """`text` without control characters that no database holds; Invalid with `place` where it cannot stay.

    `missing` is the message for an empty text.
    """
    text = "".join(char for char in text if char != "\x00" and not "\ud800" <= char <= "\udfff").strip()
    if not text:
        raise Invalid(f"{place}_missing", missing, place=place)
    if len(text) > most:
        raise Invalid(
            f"{place}_too_long",
            _("At most %(most)d characters; these are %(count)d.") % {"most": most, "count": len(text)},
            place=place,
        )
    if find_secret(text):
        raise Invalid(
            "secret_in_text", _("This text holds an access token. Leave it out and revoke it."), place=place
        )
    return text

"""Versions that a writer must have seen: If-Match, in one place for every part of the API."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from portal.errors import Invalid, PreconditionMissing


def if_match(description: str) -> OpenApiParameter:
    """The header as the API documentation shows it."""
    return OpenApiParameter(
        "If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, required=True, description=description
    )


def expected_version(request: Any) -> int:
    """The version in If-Match; 428 without one, 400 where it is malformed."""
    raw = request.headers.get("If-Match")
    if raw is None:
        raise PreconditionMissing(
            "if_match_missing",
            _("Send If-Match with the version you saw, so that nobody's change is overwritten unseen."),
            place="If-Match",
        )
    found = re.fullmatch(r'(?:W/)?"?([0-9]{1,9})"?', raw.strip())
    if found is None:
        raise Invalid("if_match_invalid", _('If-Match must look like "3".'), place="If-Match")
    return int(found.group(1))

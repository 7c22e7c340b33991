"""Bodies of requests, refused when too long before they are read.

REST framework reads the stream itself, so Django's own limit on bodies never applies to it.
"""

from __future__ import annotations

import io
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser, MultiPartParser

from portal.errors import TooLarge

FORM_OVERHEAD = 1024 * 1024


class BoundedJSONParser(JSONParser):
    """JSON of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes, nested at most as deep as Python can follow."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        _refuse_announced(parser_context, limit)
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise _too_large(limit)
        try:
            return super().parse(io.BytesIO(body), media_type, parser_context)
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None


class BoundedMultiPartParser(MultiPartParser):
    """Forms with files: at most the largest evidence file and a little around it."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        _refuse_announced(parser_context, settings.EVIDENCE_MAX_BYTES + FORM_OVERHEAD)
        return super().parse(stream, media_type, parser_context)


def _refuse_announced(parser_context: Any, limit: int) -> None:
    request = (parser_context or {}).get("request")
    announced = request.META.get("CONTENT_LENGTH") if request is not None else None
    if announced and str(announced).isdigit() and int(announced) > limit:
        raise _too_large(limit)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(
        "body_too_large",
        _("The request is too large; at most %d MB are read.") % (limit // 1024**2),
        extra={"limit_bytes": limit},
    )

"""Bodies of requests, refused when too long before they are read.

REST framework reads the stream itself, so Django's own limit on bodies never applies to it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, MultiPartParser

from portal.errors import TooLarge

FORM_OVERHEAD = 1024 * 1024


# Half of a character pair: JSON can spell it (\\ud800), but it is no text and no database stores it.
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class BoundedJSONParser(BaseParser):
    """JSON (UTF-8) of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes that means one thing only.

    Refused: NaN and Infinity, a key twice in one object, half characters, nesting deeper than Python follows.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        _refuse_announced(parser_context, limit)
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise _too_large(limit)
        try:
            return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_constant)
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except ValueError as error:
            # Also what is not UTF-8 and a number of too many digits.
            raise ParseError(_("This is no valid JSON: %(reason)s") % {"reason": str(error)[:200]}) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ParseError(_("The key %(key)s occurs twice in one object.") % {"key": ascii(key)[:60]})
        if _SURROGATE.search(key) or (isinstance(value, str) and _SURROGATE.search(value)):
            raise ParseError(_("%(key)s holds half of a character.") % {"key": ascii(key)[:60]})
        if isinstance(value, list):
            _refuse_halves(value, key)
        found[key] = value
    return found


def _refuse_halves(values: list[Any], key: str) -> None:
    """The texts of a list; objects inside it have been looked at already."""
    for value in values:
        if isinstance(value, str) and _SURROGATE.search(value):
            raise ParseError(_("%(key)s holds half of a character.") % {"key": ascii(key)[:60]})
        if isinstance(value, list):
            _refuse_halves(value, key)


def _constant(name: str) -> Any:
    raise ParseError(_("%(name)s is no JSON number.") % {"name": name})


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

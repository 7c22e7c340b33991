"""JSON from strangers: whatever is wrong with it is a 400 that says so."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from portal.errors import TooLarge


class BoundedJSONParser(JSONParser):
    """DRF's parser, where deep nesting and large bodies are refused instead of failing."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        except RequestDataTooBig:
            raise TooLarge("body_too_large", "The body is too large.") from None

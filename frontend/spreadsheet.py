"""Rows as CSV that a spreadsheet opens rightly and never runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header

# A text that begins like a formula would run in a spreadsheet.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(value: Any) -> str:
    """The value as text that no spreadsheet takes for a formula; numbers stay numbers, None is empty."""
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, int | float):
        return text
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_response(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, name: str) -> HttpResponse:
    """A download of UTF-8 with a byte-order mark, which spreadsheets need to see Chinese."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([cell(value) for value in row])
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response

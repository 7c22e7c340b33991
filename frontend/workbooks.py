"""Spreadsheet workbooks (XLSX) read within limits and written so that the same rows give the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter

from frontend.spreadsheet import cell as harmless
from portal.errors import Invalid, TooLarge

MAX_BYTES = 2_000_000
MAX_UNPACKED = 20_000_000
MAX_PARTS = 200
MAX_SHEETS = 20
MAX_ROWS = 5_000
MAX_COLUMNS = 60
MAX_CELL = 32_767
# A part that shrinks further than this is made to blow up, not to hold words.
MAX_RATIO = 200
# Zip files cannot hold a moment before 1980; any fixed one keeps the bytes the same.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MOMENT = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: the first row is the header; `widths` in characters, by column, are for writing."""

    name: str
    rows: tuple[tuple[Any, ...], ...]
    widths: tuple[int, ...] = ()


def write_workbook(sheets: Sequence[Sheet]) -> bytes:
    """An XLSX of those sheets: header in bold and frozen, long cells wrapped, no cell that is a formula.

    The same sheets give the same bytes, so two exports can be compared.
    """
    book = Workbook()
    if book.active is not None:
        book.remove(book.active)
    book.properties.created = _MOMENT
    book.properties.creator = "Ballast"
    for sheet in sheets:
        page = book.create_sheet(sheet.name)
        for row in sheet.rows:
            page.append([value if isinstance(value, int) else _cell(value) for value in row])
        page.freeze_panes = "A2"
        for number, width in enumerate(sheet.widths, 1):
            page.column_dimensions[get_column_letter(number)].width = width
        for row in page.iter_rows():
            for each in row:
                each.alignment = Alignment(vertical="top", wrap_text=True)
        for each in page[1]:
            each.font = Font(bold=True)
            each.fill = PatternFill("solid", fgColor="E9F0FC")
    out = io.BytesIO()
    book.save(out)
    return _same_bytes(out.getvalue())


def _cell(value: Any) -> str:
    """Text that a spreadsheet may hold: no control characters, at most 32,767 characters, no formula."""
    return ILLEGAL_CHARACTERS_RE.sub("", harmless(value))[:MAX_CELL]


def _same_bytes(content: bytes) -> bytes:
    """The archive again with fixed moments; the library writes the moment of saving into it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            data = old.read(part)
            if part.filename == "docProps/core.xml":
                data = _without_moment(data)
            fixed = zipfile.ZipInfo(part.filename, _EPOCH)
            fixed.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(fixed, data)
    return out.getvalue()


def _without_moment(data: bytes) -> bytes:
    start = data.index(b"<dcterms:modified")
    inner = data.index(b">", start) + 1
    end = data.index(b"</dcterms:modified>", inner)
    return data[:inner] + b"1980-01-01T00:00:00Z" + data[end:]


def read_workbook(content: bytes) -> dict[str, list[list[str]]]:
    """Sheet name to rows of text, blank rows and trailing blank cells dropped (row numbers stay: see `rows`).

    Blank rows come back as empty lists, so that the index of a row + 1 is its number in the sheet. Raises
    TooLarge over a limit and Invalid with the cell for a formula or for what is no workbook.
    """
    _check_archive(content)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
    except Exception:  # the library raises whatever the damage makes it raise
        raise _no_workbook() from None
    try:
        if len(book.sheetnames) > MAX_SHEETS:
            raise TooLarge(
                "workbook_sheets", _("The workbook has more than %d sheets.") % MAX_SHEETS, place="file"
            )
        return {name: list(_rows(name, book[name])) for name in book.sheetnames}
    except (Invalid, TooLarge):
        raise
    except Exception:  # sheets are read lazily, with the same damage
        raise _no_workbook() from None
    finally:
        book.close()


def _no_workbook() -> Invalid:
    return Invalid("workbook_unreadable", _("The file is no readable XLSX workbook."), place="file")


def _check_archive(content: bytes) -> None:
    """Sizes from the directory of the archive, before anything is unpacked."""
    if len(content) > MAX_BYTES:
        raise TooLarge(
            "workbook_size", _("The file is larger than %d MB.") % (MAX_BYTES // 1_000_000), place="file"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise _no_workbook() from None
    if len(parts) > MAX_PARTS:
        raise TooLarge("workbook_parts", _("The workbook has more than %d parts.") % MAX_PARTS, place="file")
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED or unpacked > MAX_RATIO * max(len(content), 10_000):
        raise TooLarge(
            "workbook_unpacked", _("The workbook unpacks to far more than words need."), place="file"
        )
    if any(part.flag_bits & 1 for part in parts):
        raise Invalid("workbook_encrypted", _("The workbook is protected by a password."), place="file")


def _rows(name: str, page: Any) -> Iterator[list[str]]:
    """The rows of a sheet as text, bounded in both directions whatever the file says its size is."""
    page.reset_dimensions()
    for number, row in enumerate(page.iter_rows(max_col=MAX_COLUMNS + 1), 1):
        if number > MAX_ROWS:
            raise TooLarge(
                "workbook_rows",
                _("Sheet %(sheet)s has more than %(most)d rows.") % {"sheet": name, "most": MAX_ROWS},
                place=name,
            )
        values = [_text(name, number, column, each) for column, each in enumerate(row, 1)]
        while values and not values[-1]:
            values.pop()
        if len(values) > MAX_COLUMNS:
            raise TooLarge(
                "workbook_columns",
                _("Sheet %(sheet)s has more than %(most)d columns.") % {"sheet": name, "most": MAX_COLUMNS},
                place=name,
            )
        yield values


def _text(name: str, number: int, column: int, each: Any) -> str:
    place = f"{name}!{get_column_letter(column)}{number}"
    value = each.value
    if each.data_type == "f":
        raise Invalid(
            "workbook_formula",
            _("%(place)s holds a formula; write its value.") % {"place": place},
            place=place,
        )
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value)
    if len(text) > MAX_CELL:
        raise TooLarge(
            "workbook_cell",
            _("%(place)s holds more than %(most)d characters.") % {"place": place, "most": MAX_CELL},
            place=place,
        )
    return text

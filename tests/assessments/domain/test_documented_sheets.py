"""The guide names every sheet and column of the workbook, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from assessments.domain.sheet_columns import OPTIONAL, SHEETS

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "custom_matrices.md"


def test_sheets_and_columns_are_those_of_the_reader() -> None:
    documented: dict[str, set[str]] = {}
    needed = set()
    for line in GUIDE.read_text("utf-8").split("## The workbook")[1].split("## ")[0].splitlines():
        cells = line.split("|")
        if not line.startswith("| `"):
            continue
        columns = {
            each.replace("…", language)
            for each in re.findall(r"`([a-z_…]+)`", cells[2])
            for language in ("en", "zh")
        }
        for sheet in re.findall(r"`(\w+)`", cells[1]):
            documented[sheet] = columns
            if "needed" in cells[1]:
                needed.add(sheet)
    assert documented == {name: set(columns) for name, columns in SHEETS.items()}
    assert needed == set(SHEETS) - OPTIONAL

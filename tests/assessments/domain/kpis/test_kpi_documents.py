"""The reference of the CSV and the guide say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from assessments.domain.kpis import headlines
from assessments.domain.kpis.csv_reading import COLUMNS, MAX_BYTES, MAX_ROWS, MAX_TEXT, read
from assessments.domain.kpis.facts import FactKind, Phase
from assessments.domain.kpis.numbers import MAX_AGE_DAYS, NUMBERS
from assessments.domain.kpis.practice_values import FRESH_DAYS, PRESENT, SHARE, WINDOW_PART

DOCS = Path(__file__).resolve().parents[4] / "docs"
REFERENCE = (DOCS / "reference" / "kpi_csv.md").read_text(encoding="utf-8")
GUIDE = (DOCS / "guide" / "kpis.md").read_text(encoding="utf-8")


def test_the_numbers_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (yes|) \| ([\w, ]+) \|$", REFERENCE, re.M)
    assert [row for row in rows if row[0] != "kind"] == [
        (each.name, each.unit, "yes" if each.per_service else "", ", ".join(each.used_by))
        for each in NUMBERS.values()
    ]


def test_columns_kinds_and_limits_are_those_of_the_code() -> None:
    assert {name for name in COLUMNS if f"`{name}`" not in REFERENCE} == set()
    assert {kind.value for kind in FactKind if f"`{kind.value}`" not in REFERENCE} == set()
    assert {phase.value for phase in Phase if f"`{phase.value}`" not in REFERENCE} == set()
    assert f"{MAX_BYTES // 2**20} MiB, {MAX_ROWS:,} rows and {MAX_TEXT} characters" in REFERENCE
    assert f"last {MAX_AGE_DAYS} days" in REFERENCE


def test_the_example_reads() -> None:
    example = REFERENCE.split("```\n")[1]
    sheet = read(example.encode(), practices={"REL-04"}, services={"chat-main"})
    assert not sheet.problems
    assert {fact.kind for fact in sheet.facts} == set(FactKind)


def test_thresholds_and_reasons_of_the_guide_are_those_of_the_code() -> None:
    assert f"{SHARE:g} % for level 3" in GUIDE
    assert f"{WINDOW_PART:.0%}".replace("%", " %") in GUIDE
    assert f"last {FRESH_DAYS} d and hold at least {PRESENT:g} %" in GUIDE
    source = Path(headlines.__file__).parent
    codes = {
        code
        for path in source.glob("*.py")
        if path.name not in ("practice_values.py", "csv_reading.py")
        for code in re.findall(r'reason="(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert {code for code in codes | {"windows_differ"} if f"`{code}`" not in GUIDE} == set()

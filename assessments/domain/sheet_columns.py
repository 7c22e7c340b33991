"""The sheets of a matrix as a spreadsheet: their columns, and how a cell becomes a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from assessments.domain.tree_reading import Finding
from assessments.domain.trees import Items, Leaf, Pairs, Tree, tree_of

ABOUT = "About"
SHEETS: dict[str, tuple[str, ...]] = {
    "Matrix": ("key", "value"),
    "Levels": ("level", "name_en", "name_zh", "rule_en", "rule_zh", "proof"),
    "Reading": ("en", "zh"),
    "Evidence": ("kind", "name_en", "name_zh", "ceiling", "days"),
    "Practices": (
        *("id", "core", "quick", "swap_train", "worded", "ask", "for", "tags", "weight"),
        *("title_en", "title_zh", "question_en", "question_zh", "why_en", "why_zh"),
        *("kpi_name_en", "kpi_name_zh", "kpi_unit", "kpi_better", "kpi_formula_en", "kpi_formula_zh"),
        *("nist", "xref", "signals", "tension"),
    ),
    "Proof": ("practice", "en", "zh"),
    "Rulings": ("practice", "en", "zh"),
    "Clauses": ("id", "evidence", "tags", "en", "zh"),
    "Targets": (
        *("practice", "level", "op", "value", "low", "high", "unit", "days", "seconds", "share"),
        *("text_en", "text_zh"),
    ),
    "Conditions": ("practice", "level", "name_en", "name_zh", "op", "value", "low", "high", "unit"),
    "Answers": (
        *("practice", "fault", "drill_en", "drill_zh", "clauses", "people", "minutes", "every_days"),
        *("pass_en", "pass_zh", "record_en", "record_zh"),
    ),
    "Steps": ("practice", "answer", "en", "zh"),
    "Needs": ("practice", "needs", "level"),
    "Effort": ("practice", "to", "low", "likely", "high", "gpu_hours"),
}
# A matrix without these takes the general rules and the evidence table that are shipped.
OPTIONAL = frozenset(SHEETS) - {"Matrix", "Practices"}
_NUMBER = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,9})?")
# The export writes an apostrophe before what a spreadsheet would take for a formula.
_HARMLESS = re.compile(r"'(?=[=+\-@\t\r])")
_BOOLEANS = {"true": "true", "yes": "true", "1": "true", "false": "false", "no": "false", "0": "false"}
_SEPARATOR = re.compile(r"[,;，；、\n]+")


@dataclass(slots=True)
class Row:
    """One row of a sheet: texts by column, each with its cell; empty cells are absent."""

    sheet: str
    number: int
    cells: Mapping[str, str]
    columns: Mapping[str, str]
    findings: list[Finding] = field(default_factory=list)

    def place(self, column: str = "") -> str:
        """`Clauses!D14`, or `Clauses!14` for the row as a whole."""
        return f"{self.sheet}!{self.columns.get(column, '')}{self.number}"

    def report(self, rule: str, message: str, column: str = "") -> None:
        """Note a finding at a cell."""
        self.findings.append(Finding(self.place(column), rule, message))

    def get(self, column: str) -> str:
        """The text of a cell; empty where there is none."""
        return self.cells.get(column, "")

    def text(self, column: str) -> Tree | None:
        """A cell as a text, or None for an empty one."""
        found = self.get(column)
        return Leaf(found, False, self.place(column)) if found else None

    def number_(self, column: str) -> Tree | None:
        """A cell as a number; what is none stays a text, and the loader says so."""
        found = self.get(column)
        plain = _NUMBER.fullmatch(found) is not None
        return Leaf(_trimmed(found), plain, self.place(column)) if found else None

    def boolean(self, column: str, default: str = "false") -> Tree:
        """A cell as true or false; what is neither stays a text, and the loader says so."""
        found = self.get(column).casefold() or default
        known = _BOOLEANS.get(found)
        return Leaf(known or found, known is not None, self.place(column))

    def words(self, column: str) -> Tree:
        """A cell as a list; the parts are separated by commas."""
        place = self.place(column)
        parts = [each.strip() for each in _SEPARATOR.split(self.get(column))]
        return Items(tuple(Leaf(each, False, place) for each in parts if each), place)

    def both(self, name: str = "") -> Tree | None:
        """`name_en` and `name_zh` as one text in two languages; None where both are empty."""
        keys = {"en": f"{name}_en" if name else "en", "zh": f"{name}_zh" if name else "zh"}
        return self.pairs({key: self.text(column) for key, column in keys.items()}) or None

    def pairs(self, values: Mapping[str, Tree | None]) -> Pairs | None:
        """A mapping of what is there, or None where nothing is."""
        kept = tuple(
            (Leaf(key, False, value.place), value) for key, value in values.items() if value is not None
        )
        return Pairs(kept, kept[0][1].place) if kept else None

    def tension(self, column: str) -> Tree:
        """`EVO -, COST +` as a mapping."""
        place = self.place(column)
        pairs = []
        for each in _SEPARATOR.split(self.get(column)):
            name, _space, sign = each.strip().rpartition(" ")
            if each.strip():
                pairs.append((Leaf(name or sign, False, place), tree_of(sign if name else "", place)))
        return Pairs(tuple(pairs), place)


def _trimmed(number: str) -> str:
    """`007` and `1.50` as YAML numbers."""
    return re.sub(r"^(-?)0+(?=\d)", r"\1", number)


def letters(number: int) -> str:
    """The name of a column: 1 is A, 27 is AA."""
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def rows_of(
    sheet: str, rows: Sequence[Sequence[str]], columns: Sequence[str], findings: list[Finding]
) -> list[Row]:
    """The rows under the header; unknown, repeated and missing columns are findings."""
    header = [each.strip().casefold() for each in rows[0]] if rows else []
    known: dict[str, str] = {}
    for number, name in enumerate(header, 1):
        if name in known:
            findings.append(
                Finding(f"{sheet}!{letters(number)}1", "sheet.column", f"{name!r:.60} stands twice")
            )
        elif name in columns:
            known[name] = letters(number)
        elif name:
            message = f"{name!r:.60} is no column of {sheet} (known: {', '.join(columns)})"
            findings.append(Finding(f"{sheet}!{letters(number)}1", "sheet.column", message))
    missing = [each for each in columns[:1] if each not in known]
    if missing:
        findings.append(Finding(f"{sheet}!1", "sheet.column", f"the column {missing[0]} is missing"))
        return []
    found = []
    for number, row in enumerate(rows[1:], 2):
        cells = {}
        for position, value in enumerate(row):
            name = header[position] if position < len(header) else ""
            text = _HARMLESS.sub("", value, count=1).strip() if value.startswith("'") else value.strip()
            if name in known and text:
                cells[name] = text
            elif text and not name:
                place = f"{sheet}!{letters(position + 1)}{number}"
                findings.append(Finding(place, "sheet.column", "this column has no header"))
        if cells:
            found.append(Row(sheet, number, cells, known, findings))
    return found


Maker = Callable[[Row], Tree | None]

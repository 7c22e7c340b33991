"""Facts of a cluster as a CSV file that `csv_reading` reads back; equal facts give equal bytes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from datetime import UTC, datetime

from assessments.domain.kpis.csv_reading import COLUMNS, FORMULA_STARTS
from assessments.domain.kpis.facts import Fact, FactKind, Phase

_FORMULA = re.compile(f"'*[{FORMULA_STARTS}]")
_TEXTS = ("name", "service", "unit", "note")


def write(facts: Iterable[Fact]) -> bytes:
    """The facts as CSV: UTF-8 with a byte order mark, a header, rows in the order of their key."""
    text = io.StringIO(newline="")
    rows = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    rows.writeheader()
    for fact in sorted(facts, key=lambda each: each.key):
        rows.writerow(_row(fact))
    return b"\xef\xbb\xbf" + text.getvalue().encode("utf-8")


def template(service: str = "") -> bytes:
    """A file to start from: a row of each kind; the values are examples.

    Without a service the breach is left out, which is always that of a service: the file shall be readable.
    """
    month = (datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
    alert = datetime(2026, 11, 12, 8, 30, tzinfo=UTC)
    over = datetime(2026, 11, 12, 8, 52, tzinfo=UTC)
    facts = [
        Fact(FactKind.number, "changes", "", *month, 40.0, "count", note="example"),
        Fact(FactKind.kpi, "REL-04", service, *month, 91.5, "%", Phase.steady, 98.0, "example"),
        Fact(FactKind.incident, "INC-1", service, alert, over, note="example"),
    ]
    if service:
        facts.append(Fact(FactKind.breach, "", service, alert, over, note="example"))
    return write(facts)


def _row(fact: Fact) -> dict[str, str]:
    number_kind = fact.kind is FactKind.kpi
    row = {
        "kind": fact.kind.value,
        "name": fact.name,
        "service": fact.service,
        "start": _time(fact.start),
        "end": _time(fact.end),
        "value": _number(fact.value),
        "unit": fact.unit,
        "phase": fact.phase.value if number_kind else "",
        "present": _number(fact.present),
        "note": fact.note,
    }
    for name in _TEXTS:
        row[name] = row[name].strip()  # as the reader does; a tab before a formula does not hide it
        if _FORMULA.match(row[name]):
            row[name] = "'" + row[name]
    return row


def _time(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _number(value: float | None) -> str:
    """The shortest digits that read back as the same number, without a needless `.0`."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))

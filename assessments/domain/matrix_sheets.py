"""A matrix as the sheets of a workbook, in both directions; the same matrix comes back with the same hash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assessments.domain.dimensions import FILES
from assessments.domain.loader import INDEX_FILE
from assessments.domain.sheet_columns import ABOUT, OPTIONAL, SHEETS, Row, rows_of
from assessments.domain.tree_reading import MAX_UPLOAD_VALUES, Finding, UploadErrors, check_texts
from assessments.domain.trees import Items, Leaf, Pairs, Tree, plain_value, tree_of

FORMAT = "ballast-matrix/1"
_CLAUSE = re.compile(r"([A-Z]+-\d\d)\.L([1-5])\.[a-z]")


def from_sheets(sheets: Mapping[str, Sequence[Sequence[str]]], defaults: Pairs) -> dict[str, Tree]:
    """The documents of a workbook (sheet name to rows of texts, the first is the header).

    `defaults` is the index whose levels and evidence hold where those sheets are absent. Raises UploadErrors
    with every sheet and column that is unknown or missing; what is in the cells, the loader checks.
    """
    findings: list[Finding] = []
    for name in sheets:
        if name not in SHEETS and name != ABOUT:
            findings.append(
                Finding(name, "sheet.unknown", f"a matrix has no such sheet ({', '.join(SHEETS)})")
            )
    for name in sorted(set(SHEETS) - OPTIONAL - set(sheets)):
        findings.append(Finding(name, "sheet.missing", "the sheet is missing"))
    if sum(len(row) for rows in sheets.values() for row in rows) > MAX_UPLOAD_VALUES:
        findings.append(Finding("file", "file.values", f"more than {MAX_UPLOAD_VALUES} cells"))
    if findings:
        raise UploadErrors(findings)
    rows = {
        name: rows_of(name, sheets[name], columns, findings) if name in sheets else []
        for name, columns in SHEETS.items()
    }
    for row in rows["Clauses"]:
        if not _CLAUSE.fullmatch(row.get("id")):
            row.report("clause.id", f"{row.get('id')!r:.60} is no clause id such as REL-04.L3.b", "id")
    _check_owners(rows, findings)
    documents = {INDEX_FILE: _index(rows, defaults), **_practice_files(rows)}
    if findings:
        raise UploadErrors(findings)
    for tree in documents.values():
        check_texts(tree)
    return documents


def _check_owners(rows: Mapping[str, Sequence[Row]], findings: list[Finding]) -> None:
    """Rows of a practice that nobody lists would vanish, so they are findings; so are ids of no dimension."""
    known = {row.get("id") for row in rows["Practices"]}
    for row in rows["Practices"]:
        if row.get("id").partition("-")[0] not in {each.value for each in FILES}:
            row.report("practice.id", f"{row.get('id')!r:.60} is no practice id such as REL-04", "id")
    for name, listed in rows.items():
        if name in ("Matrix", "Levels", "Reading", "Evidence", "Practices"):
            continue
        column = "id" if name == "Clauses" else "practice"
        for row in listed:
            if _owner(row) not in known:
                row.report("practice.unknown", f"{_owner(row)!r:.60} is in no row of Practices", column)


def _owner(row: Row) -> str:
    return row.get("id").partition(".")[0] if row.sheet == "Clauses" else row.get("practice")


# -- index ------------------------------------------------------------------------------------------------


def _index(rows: Mapping[str, Sequence[Row]], defaults: Pairs) -> Tree:
    facts = {row.get("key"): row for row in rows["Matrix"]}
    for key, row in facts.items():
        if key not in ("format", "version"):
            row.report(
                "schema.unknown-key", f"{key!r:.60} is no key of a matrix (known: format, version)", "key"
            )
    stated = facts.get("format")
    if stated is not None and stated.get("value") != FORMAT:
        stated.report("matrix.format", f"format must be {FORMAT}", "value")
    version = facts["version"].text("value") if "version" in facts else None
    practices = rows["Practices"]
    place = practices[0].place("id") if practices else "Practices!1"
    pairs: dict[str, Tree] = {"version": version} if version is not None else {}
    pairs["levels"] = _list(rows["Levels"], _level) or defaults.get("levels") or tree_of([], place)
    pairs["evidence"] = _list(rows["Evidence"], _evidence) or defaults.get("evidence") or tree_of([], place)
    reading = _list(rows["Reading"], Row.both) or defaults.get("reading")
    if reading is not None:
        pairs["reading"] = reading
    quick = [row for row in practices if row.get("quick")]
    quick.sort(key=lambda row: (len(row.get("quick")), row.get("quick"), row.number))
    pairs["quick_scan"] = Items(tuple(_id(row) for row in quick), place)
    swaps = tuple(
        (_id(row), Leaf(row.get("swap_train"), False, row.place("swap_train")))
        for row in practices
        if row.get("swap_train")
    )
    pairs["quick_swaps_train"] = Pairs(swaps, place)
    entries = [
        Pairs(
            (
                (Leaf("id", False, row.place("id")), _id(row)),
                (Leaf("core", False, row.place("core")), row.boolean("core")),
            ),
            row.place("id"),
        )
        for row in practices
    ]
    pairs["practices"] = Items(tuple(entries), place)
    return Pairs(tuple((Leaf(key, False, value.place), value) for key, value in pairs.items()), "Matrix!1")


def _id(row: Row) -> Leaf:
    return Leaf(row.get("id"), False, row.place("id"))


def _list(rows: Iterable[Row], make: Any) -> Items | None:
    made = [each for row in rows if (each := make(row)) is not None]
    return Items(tuple(made), made[0].place) if made else None


def _level(row: Row) -> Tree | None:
    return row.pairs(
        {
            "level": row.number_("level"),
            "name": row.both("name"),
            "rule": row.both("rule"),
            "proof": row.text("proof"),
        }
    )


def _evidence(row: Row) -> Tree | None:
    days = row.number_("days") or tree_of(None, row.place("days"))
    return row.pairs(
        {"kind": row.text("kind"), "name": row.both("name"), "ceiling": row.number_("ceiling"), "days": days}
    )


# -- practices --------------------------------------------------------------------------------------------


def _practice_files(rows: Mapping[str, Sequence[Row]]) -> dict[str, Tree]:
    grouped: dict[str, dict[str, list[Row]]] = {}
    for name, listed in rows.items():
        for row in listed:
            grouped.setdefault(_owner(row), {}).setdefault(name, []).append(row)
    files: dict[str, Tree] = {}
    for dimension, file in FILES.items():
        own = [row for row in rows["Practices"] if row.get("id").startswith(f"{dimension}-")]
        place = own[0].place("id") if own else "Practices!1"
        made = tuple(_practice(row, grouped.get(row.get("id"), {})) for row in own)
        files[file] = Pairs(
            (
                (Leaf("dimension", False, place), tree_of(dimension.value, place)),
                (Leaf("practices", False, place), Items(made, place)),
            ),
            place,
        )
    return files


def _practice(row: Row, own: Mapping[str, Sequence[Row]]) -> Tree:
    def listed(sheet: str, make: Any) -> Items | None:
        return _list(own.get(sheet, ()), make)

    empty = tree_of([], row.place("id"))
    worded = row.boolean("worded")
    values: dict[str, Tree | None] = {
        "id": _id(row),
        "core": row.boolean("core"),
        "worded": worded,
        "ask": row.text("ask"),
        "for": row.words("for"),
        "tags": row.words("tags"),
        "weight": row.number_("weight"),
        "title": row.both("title"),
        "question": row.both("question"),
        "why": row.both("why"),
        "proof": listed("Proof", Row.both) or empty,
        "rulings": listed("Rulings", Row.both),
        "clauses": listed("Clauses", _clause),
        "kpi": _kpi(row, own),
        "signals": row.words("signals"),
        "answers_by": _answers(own),
        "needs": listed("Needs", _need) or empty,
        "tension": row.tension("tension"),
        "nist": row.words("nist"),
        "xref": row.words("xref"),
        "effort": listed("Effort", _effort),
    }
    return row.pairs(values) or Pairs((), row.place())


def _clause(row: Row) -> Tree | None:
    found = _CLAUSE.fullmatch(row.get("id"))
    level = tree_of(int(found.group(2)), row.place("id")) if found else None
    tags = row.words("tags") if row.get("tags") else None
    return row.pairs(
        {
            "id": _id(row),
            "level": level,
            "evidence": row.text("evidence"),
            "tags": tags,
            "en": row.text("en"),
            "zh": row.text("zh"),
        }
    )


def _need(row: Row) -> Tree | None:
    return row.pairs({"practice": row.text("needs"), "level": row.number_("level")})


def _effort(row: Row) -> Tree | None:
    days = tuple(each for column in ("low", "likely", "high") if (each := row.number_(column)) is not None)
    return row.pairs(
        {
            "to": row.number_("to"),
            "days": Items(days, row.place("low")),
            "gpu_hours": row.number_("gpu_hours"),
        }
    )


def _bounds(row: Row) -> dict[str, Tree | None]:
    return {
        "op": row.text("op"),
        "value": row.number_("value"),
        "low": row.number_("low"),
        "high": row.number_("high"),
        "unit": row.text("unit"),
    }


def _kpi(row: Row, own: Mapping[str, Sequence[Row]]) -> Tree | None:
    targets = []
    for each in own.get("Targets", ()):
        beside = [one for one in own.get("Conditions", ()) if one.get("level") == each.get("level")]
        window = each.pairs({"days": each.number_("days"), "seconds": each.number_("seconds")})
        made = each.pairs(
            {
                "level": each.number_("level"),
                **_bounds(each),
                "window": window,
                "share": each.number_("share"),
                "text": each.both("text"),
                "also": _list(beside, lambda one: one.pairs({"name": one.both("name"), **_bounds(one)})),
            }
        )
        if made is not None:
            targets.append(made)
    return row.pairs(
        {
            "name": row.both("kpi_name"),
            "unit": row.text("kpi_unit"),
            "better": row.text("kpi_better"),
            "formula": row.both("kpi_formula"),
            "targets": Items(tuple(targets), targets[0].place) if targets else None,
        }
    )


def _answers(own: Mapping[str, Sequence[Row]]) -> Tree | None:
    made = []
    for number, row in enumerate(own.get("Answers", ()), 1):
        steps = [each for each in own.get("Steps", ()) if each.get("answer") in (str(number), "")]
        protocol = row.pairs(
            {
                "people": row.number_("people"),
                "minutes": row.number_("minutes"),
                "every_days": row.number_("every_days"),
                "steps": _list(steps, Row.both) if row.get("people") or row.get("record_en") else None,
                "pass": row.both("pass"),
                "record": row.both("record"),
            }
        )
        entry = row.pairs(
            {
                "fault": row.text("fault"),
                "drill": row.both("drill"),
                "clauses": row.words("clauses"),
                "protocol": protocol,
            }
        )
        if entry is not None:
            made.append(entry)
    return Items(tuple(made), made[0].place) if made else None


def documents_as_values(documents: Mapping[str, Tree]) -> dict[str, Any]:
    """The documents as plain values, for the JSON and XLSX exports."""
    return {name: plain_value(tree) for name, tree in documents.items()}

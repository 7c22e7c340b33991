"""The documents of a matrix as rows of sheets: what `matrix_sheets` reads back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assessments.domain.dimensions import FILES
from assessments.domain.loader import INDEX_FILE
from assessments.domain.matrix_sheets import FORMAT
from assessments.domain.sheet_columns import SHEETS

Values = Mapping[str, Any]


def to_sheets(documents: Values) -> dict[str, list[list[Any]]]:
    """Sheet name to rows (header first) of documents as plain values; empty cells are None."""
    made: dict[str, list[dict[str, Any]]] = {name: [] for name in SHEETS}
    index = documents[INDEX_FILE]
    made["Matrix"] = [{"key": "format", "value": FORMAT}, {"key": "version", "value": index["version"]}]
    made["Levels"] = [
        {"level": each["level"], "proof": each.get("proof"), **_both("name", each), **_both("rule", each)}
        for each in index["levels"]
    ]
    made["Reading"] = [dict(each) for each in index.get("reading") or ()]
    made["Evidence"] = [{**each, **_both("name", each)} for each in index["evidence"]]
    practices = {each["id"]: each for file in FILES.values() for each in documents[file]["practices"]}
    for entry in index["practices"]:
        _practice(practices[entry["id"]], index, made)
    return {
        name: [list(columns), *([row.get(column) for column in columns] for row in made[name])]
        for name, columns in SHEETS.items()
    }


def _both(name: str, values: Values) -> dict[str, Any]:
    text = values.get(name) or {}
    return {f"{name}_en": text.get("en"), f"{name}_zh": text.get("zh")}


def _joined(values: Values, key: str) -> str:
    return ", ".join(values.get(key) or ())


def _practice(one: Values, index: Values, made: dict[str, list[dict[str, Any]]]) -> None:
    name = one["id"]
    quick = index["quick_scan"]
    kpi = one.get("kpi") or {}
    row = {
        "id": name,
        "core": "true" if one.get("core") else "false",
        "quick": quick.index(name) + 1 if name in quick else None,
        "swap_train": index["quick_swaps_train"].get(name),
        "worded": "true" if one["worded"] else "false",
        "ask": one["ask"],
        "weight": one.get("weight"),
        "kpi_unit": kpi.get("unit"),
        "kpi_better": kpi.get("better"),
        "tension": ", ".join(f"{key} {sign}" for key, sign in (one.get("tension") or {}).items()),
        **{f"kpi_{key}": value for part in ("name", "formula") for key, value in _both(part, kpi).items()},
        **{key: _joined(one, key) for key in ("for", "tags", "nist", "xref", "signals")},
        **_both("title", one),
        **_both("question", one),
        **_both("why", one),
    }
    made["Practices"].append(row)
    made["Proof"] += [{"practice": name, **each} for each in one.get("proof") or ()]
    made["Rulings"] += [{"practice": name, **each} for each in one.get("rulings") or ()]
    made["Clauses"] += [{**each, "tags": _joined(each, "tags")} for each in one.get("clauses") or ()]
    made["Needs"] += [
        {"practice": name, "needs": each["practice"], "level": each["level"]}
        for each in one.get("needs") or ()
    ]
    for each in one.get("effort") or ():
        low, likely, high = each["days"]
        cells = {"practice": name, "to": each["to"], "gpu_hours": each["gpu_hours"]}
        made["Effort"].append({**cells, "low": low, "likely": likely, "high": high})
    made["Targets"] += [_target(name, each) for each in kpi.get("targets") or ()]
    for target in kpi.get("targets") or ():
        made["Conditions"] += [
            {"practice": name, "level": target["level"], **each, **_both("name", each)}
            for each in target.get("also") or ()
        ]
    for number, each in enumerate(one.get("answers_by") or (), 1):
        made["Answers"].append(_answer(name, each))
        made["Steps"] += list(_steps(name, number, each))


def _target(name: str, target: Values) -> dict[str, Any]:
    window = target.get("window") or {}
    return {**target, "practice": name, **window, **_both("text", target)}


def _answer(name: str, answer: Values) -> dict[str, Any]:
    protocol = answer.get("protocol") or {}
    return {
        "practice": name,
        "fault": answer.get("fault"),
        "clauses": _joined(answer, "clauses"),
        **{key: protocol.get(key) for key in ("people", "minutes", "every_days")},
        **_both("drill", answer),
        **_both("pass", protocol),
        **_both("record", protocol),
    }


def _steps(name: str, number: int, answer: Values) -> Iterator[dict[str, Any]]:
    for each in (answer.get("protocol") or {}).get("steps") or ():
        yield {"practice": name, "answer": number, **each}

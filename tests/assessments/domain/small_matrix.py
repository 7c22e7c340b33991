"""A small questionnaire as YAML documents: two practices per dimension, the first of them core and worded."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import yaml

from assessments.domain.dimensions import FILES, Dimension
from assessments.domain.loader import load_documents
from assessments.domain.matrix import Matrix

Tree = dict[str, Any]


def both(words: str) -> Tree:
    return {"en": words, "zh": f"中文 {words}"}


def clause(practice: str, level: int, letter: str = "a") -> Tree:
    return {
        "id": f"{practice}.L{level}.{letter}",
        "level": level,
        "evidence": f"E{level}",
        "en": f"In 90 d a log shows fact {letter} of level {level}.",
        "zh": f"90天内有日志表明{level}级的事实{letter}。",
    }


def practice(dimension: Dimension, number: int) -> Tree:
    name = f"{dimension}-0{number}"
    entry: Tree = {
        "id": name,
        "core": number == 1,
        "worded": number == 1,
        "ask": "SRE",
        "for": ["serve", "train"],
        "tags": [],
        "weight": 1,
        "title": both("Title"),
        "question": both("Is it so?"),
        "proof": [both("A record")],
        "needs": [],
        "tension": {},
        "nist": ["CP-2(8)", "SI-13"],
        "xref": [],
        "effort": [{"to": level, "days": [0.5, 1, 2], "gpu_hours": 0} for level in range(1, 6)],
    }
    if number == 1:
        entry |= {
            "why": both("Because"),
            "rulings": [both("This counts."), both("That does not.")],
            "clauses": [
                clause(name, level, letter)
                for level in range(1, 6)
                for letter in ("ab" if level > 1 else "a")
            ],
            "kpi": {
                "name": both("Share"),
                "unit": "%",
                "better": "up",
                "formula": both("part / whole x 100"),
                "targets": [
                    {"level": 3, "op": "measured"},
                    {"level": 4, "op": ">=", "value": 85, "unit": "%", "window": {"days": 90}},
                    {"level": 5, "op": "between", "low": 0.9, "high": 1.1, "window": {"seconds": 120}},
                ],
            },
            "answers_by": [
                {"fault": "F2", "clauses": [f"{name}.L4.a"]},
                {"drill": both("Restore"), "clauses": [f"{name}.L4.b"]},
            ],
        }
    return entry


def index() -> Tree:
    return {
        "version": "0.1",
        "levels": [
            {"level": level, "name": both("Name"), "rule": both("Rule")}
            | ({"proof": f"E{level}"} if level else {})
            for level in range(6)
        ],
        "evidence": [
            {"kind": f"E{nth}", "name": both("Kind"), "ceiling": ceiling, "days": days}
            for nth, (ceiling, days) in enumerate([(1, None), (1, 365), (2, 180), (3, 30), (4, 90), (5, 180)])
        ],
        "quick_scan": [f"{each}-01" for each in Dimension],
        "quick_swaps_train": {"REL-01": "REL-02"},
        "practices": [
            {"id": f"{each}-0{number}", "core": number == 1} for each in Dimension for number in (1, 2)
        ],
    }


def trees() -> dict[str, Tree]:
    """The documents as plain values, to be changed by a test."""
    found = {
        file: {"dimension": dimension.value, "practices": [practice(dimension, 1), practice(dimension, 2)]}
        for dimension, file in FILES.items()
    }
    return {"matrix.yaml": index(), **found}


class _Dumper(yaml.SafeDumper):
    """Writes a value that occurs twice twice, because aliases are refused."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _dump(tree: Tree) -> str:
    return yaml.dump(tree, Dumper=_Dumper, allow_unicode=True, sort_keys=False)


@lru_cache(maxsize=1)
def _unchanged() -> dict[str, tuple[Tree, str]]:
    return {name: (tree, _dump(tree)) for name, tree in trees().items()}


def texts(changed: dict[str, Tree] | None = None) -> dict[str, str]:
    """The documents as YAML; only what differs from `trees` is written anew, which is slow."""
    found = {}
    for name, (tree, text) in _unchanged().items():
        mine = changed.get(name) if changed is not None else tree
        if mine is not None:
            # repr, because True == 1 and both must be told apart here.
            found[name] = text if repr(mine) == repr(tree) else _dump(mine)
    return found


@lru_cache(maxsize=1)
def small_matrix() -> Matrix:
    return load_documents(texts())

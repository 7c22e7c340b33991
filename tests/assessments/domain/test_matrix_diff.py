"""The difference of two matrices: what was changed is told, and nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from assessments.domain.loader import load_documents
from assessments.domain.matrix import Matrix
from assessments.domain.matrix_diff import MatrixDiff, diff, match_clauses
from tests.assessments.domain.small_matrix import both, small_matrix, texts, trees

BASE = small_matrix()


def changed(**edits: Any) -> Matrix:
    """The small matrix with keys of REL-01 replaced."""
    documents = trees()
    documents["reliability.yaml"]["practices"][0].update(edits)
    return load_documents(texts(documents))


def one_change(matrix: Matrix) -> Any:
    found = diff(BASE, matrix)
    assert (found.added, found.removed, found.same) == ((), (), 11)
    (practice,) = found.changed
    assert practice.after.id == "REL-01"
    return practice


def test_a_matrix_does_not_differ_from_itself() -> None:
    found = diff(BASE, BASE)
    assert found.empty
    assert found.same == 12


def test_the_name_of_the_version_does_not_count() -> None:
    documents = trees()
    documents["matrix.yaml"]["version"] = "9"
    assert diff(BASE, load_documents(texts(documents))).empty


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [
        ("weight", 2, "weight"),
        ("title", both("Other"), "texts"),
        ("question", both("Other?"), "texts"),
        ("why", both("Other."), "texts"),
        ("proof", [both("A record"), both("Another")], "texts"),
        ("rulings", [both("This counts."), both("This too.")], "texts"),
        ("needs", [{"practice": "OBS-01", "level": 2}], "needs"),
        ("ask", "ML", "fields"),
        ("for", ["serve"], "fields"),
        ("tags", ["moe"], "fields"),
        ("nist", ["CP-2"], "fields"),
        ("xref", ["X-1"], "fields"),
        ("tension", {"COST": "-"}, "fields"),
        ("signals", ["sli.ttft_p95"], "fields"),
        ("answers_by", [], "fields"),
    ],
)
def test_each_part_of_a_practice_is_told_and_no_other(key: str, value: Any, part: str) -> None:
    practice = one_change(changed(**{key: value}))
    parts = {"texts", "clauses", "weight", "needs", "targets", "fields"}
    assert {name for name in parts if getattr(practice, name)} == {part}


def test_effort_and_kpi_are_told() -> None:
    entry = trees()["reliability.yaml"]["practices"][0]
    entry["effort"][2]["days"] = [1, 2, 9]
    entry["kpi"]["targets"][1]["value"] = 99
    entry["kpi"]["better"] = "down"
    practice = one_change(changed(effort=entry["effort"], kpi=entry["kpi"]))
    assert [each.name for each in practice.fields] == ["effort", "kpi better"]
    assert [(each.level, each.before.value, each.after.value) for each in practice.targets] == [(4, 85, 99)]


def test_clauses_added_removed_reworded_renamed() -> None:
    clauses = copy.deepcopy(trees()["reliability.yaml"]["practices"][0]["clauses"])
    by_id = {each["id"]: each for each in clauses}
    by_id["REL-01.L1.a"].update(both("In 30 d a ticket."))
    # Level 4: a is gone, so b moves up; level 5 gets a third clause.
    clauses.remove(by_id["REL-01.L4.a"])
    by_id["REL-01.L4.b"]["id"] = "REL-01.L4.a"
    clauses.append({"id": "REL-01.L5.c", "level": 5, "evidence": "E5", **both("In 90 d 3 logs.")})
    by_id["REL-01.L2.a"]["evidence"] = "E1"
    answers = [{"drill": both("Restore"), "clauses": ["REL-01.L4.a"]}]
    practice = one_change(changed(clauses=clauses, answers_by=answers))
    assert [(each.kind, each.id) for each in practice.clauses] == [
        ("reworded", "REL-01.L1.a"),
        ("changed", "REL-01.L2.a"),
        ("renamed", "REL-01.L4.a"),
        ("added", "REL-01.L5.c"),
        ("removed", "REL-01.L4.a"),
    ]
    assert (
        match_clauses(BASE.practice("REL-01").clauses, practice.after.clauses)["REL-01.L4.b"] == "REL-01.L4.a"
    )


def test_practices_added_and_removed_and_what_the_matrix_says_itself() -> None:
    documents = trees()
    documents["cost.yaml"]["practices"].pop()
    documents["matrix.yaml"]["practices"] = [
        each for each in documents["matrix.yaml"]["practices"] if each["id"] != "COST-02"
    ]
    documents["matrix.yaml"]["levels"][3]["rule"] = both("Another rule")
    documents["matrix.yaml"]["quick_swaps_train"] = {}
    smaller = load_documents(texts(documents))
    found = diff(BASE, smaller)
    assert [each.id for each in found.removed] == ["COST-02"]
    assert [each.name for each in found.fields] == ["levels", "quick_swaps_train"]
    assert [each.id for each in diff(smaller, BASE).added] == ["COST-02"]


def test_the_order_of_practices_is_told_by_name_only() -> None:
    documents = trees()
    documents["matrix.yaml"]["practices"].reverse()
    assert [each.name for each in diff(BASE, load_documents(texts(documents))).fields] == ["order"]


def test_json_holds_all_of_it() -> None:
    found: MatrixDiff = diff(BASE, changed(weight=2, title=both("Other")))
    body = json.loads(json.dumps(found.as_dict()))
    assert body["changed"][0]["weight"] == {"before": 1.0, "after": 2.0}
    assert body["changed"][0]["texts"][0]["after"] == {"en": "Other", "zh": "中文 Other"}
    assert body["same"] == 11

"""Overlays: what they add, replace and leave out, where every practice comes from, and what they refuse."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml

from assessments.domain.checking import Checked, check_documents
from assessments.domain.loader import load_documents
from assessments.domain.overlays import Applied, Provenance, apply_overlay
from assessments.domain.tree_reading import UploadErrors, from_json, from_yaml
from assessments.domain.trees import Tree, write
from tests.assessments.domain.small_matrix import both, practice, small_matrix, texts, trees

BASE = small_matrix()


def base() -> dict[str, Tree]:
    return {name: from_yaml(name, text, label=f"base {name}") for name, text in texts().items()}


def overlay(**changes: Any) -> dict[str, Any]:
    return {
        "format": "ballast-overlay/1",
        "name": "Acme",
        "base": "0.1",
        "version": "0.1-acme",
        "provenance": {"by": "Platform team", "source": "RFC 12", "why": "our rules"},
        **copy.deepcopy(changes),
    }


def applied(document: dict[str, Any], **more: Any) -> Applied:
    tree = from_json("acme.json", json.dumps(document, indent=1))
    return apply_overlay(base(), tree, base_version="0.1", base_sha256=BASE.sha256, **more)


def checked(document: dict[str, Any]) -> Checked:
    return check_documents(applied(document).documents, source="acme.yaml")


def rules(document: dict[str, Any]) -> set[str]:
    with pytest.raises(UploadErrors) as refused:
        checked(document)
    assert all(each.place.startswith(("acme.json:", "acme.yaml", "base ")) for each in refused.value.findings)
    return {each.rule for each in refused.value.findings}


def test_an_empty_overlay_changes_nothing_but_the_version() -> None:
    matrix = checked(overlay()).matrix
    assert matrix.version == "0.1-acme"
    assert matrix.practices == BASE.practices
    assert matrix.quick_scan == BASE.quick_scan


def test_writing_a_tree_and_reading_it_again_keeps_the_hash() -> None:
    documents = {name: write(tree).text for name, tree in base().items()}
    assert load_documents(documents).sha256 == BASE.sha256


def test_added_practice_is_asked_and_says_who_added_it() -> None:
    from assessments.domain.dimensions import Dimension

    new = practice(Dimension.REL, 1) | {"id": "REL-09", "core": True}
    for each in new["clauses"]:
        each["id"] = each["id"].replace("REL-01", "REL-09")
    for each in new["answers_by"]:
        each["clauses"] = [name.replace("REL-01", "REL-09") for name in each["clauses"]]
    done = applied(overlay(add=[{"practice": new, "provenance": {"why": "GPU burn-in"}}]))
    matrix = check_documents(done.documents).matrix
    assert "REL-09" in matrix.quick_scan
    assert [each.id for each in matrix.practices][:3] == ["REL-01", "REL-02", "REL-09"]
    assert done.provenance["REL-09"] == (
        Provenance("added", f"V0.1 {BASE.sha256[:12]}", "Platform team", "RFC 12", "GPU burn-in"),
    )
    assert done.provenance["REL-01"][0].change == "base"


def test_replaced_parts_leave_the_rest_alone() -> None:
    change = {
        "practice": "REL-01",
        "set": {"title": both("Other title"), "weight": 2.5},
        "clauses": [{"id": "REL-01.L3.a", "set": {"en": "In 30 d 5 logs.", "zh": "30天内5条日志。"}}],
        "targets": [{"level": 4, "set": {"value": 95}}],
    }
    done = applied(overlay(replace=[change]))
    old, new = BASE.practice("REL-01"), check_documents(done.documents).matrix.practice("REL-01")
    assert (new.title.en, new.weight) == ("Other title", 2.5)
    assert new.kpi is not None and old.kpi is not None
    assert [each.value for each in new.kpi.targets] == [None, 95, None]
    differing = [b.id for a, b in zip(old.clauses, new.clauses, strict=True) if a != b]
    assert differing == ["REL-01.L3.a"]
    assert (new.question, new.needs, new.effort) == (old.question, old.needs, old.effort)
    assert done.provenance["REL-01"][-1].parts == ("title", "weight", "REL-01.L3.a", "target 4")


def test_a_removed_clause_closes_the_gap_and_references_follow() -> None:
    change = {"practice": "REL-01", "clauses": [{"id": "REL-01.L4.a", "remove": True}]}
    done = applied(overlay(replace=[change]))
    new = check_documents(done.documents).matrix.practice("REL-01")
    kept = next(each for each in BASE.practice("REL-01").clauses if each.id == "REL-01.L4.b")
    assert [(each.id, each.text) for each in new.clauses_at(4)] == [("REL-01.L4.a", kept.text)]
    # The fault answered only the clause that is gone; the drill answered the one that moved up.
    assert [(each.fault, each.clauses) for each in new.answers_by] == [(None, ("REL-01.L4.a",))]
    assert ("clause_renamed", "REL-01.L4.b → REL-01.L4.a") in done.consequences
    assert ("answer_removed", "REL-01: F2") in done.consequences


def test_an_added_clause_stands_behind_its_level() -> None:
    new = {"id": "REL-01.L2.c", "level": 2, "evidence": "E2", **both("In 90 d a log.")}
    matrix = checked(overlay(replace=[{"practice": "REL-01", "clauses": [{"add": new}]}])).matrix
    assert [each.id for each in matrix.practice("REL-01").clauses_at(2)] == [
        "REL-01.L2.a",
        "REL-01.L2.b",
        "REL-01.L2.c",
    ]


def test_ignoring_takes_the_practice_out_everywhere() -> None:
    ask = {"practice": "REL-02", "reason": "We do not serve."}
    done = applied(overlay(ignore=[ask], replace=[{"practice": "OBS-01", "set": {"needs": []}}]))
    matrix = check_documents(done.documents).matrix
    assert "REL-02" not in matrix
    assert matrix.quick_swaps_train == {}
    assert done.ignored[0].reason == "We do not serve."
    assert ("swap_removed", "REL-01") in done.consequences
    assert "REL-02" not in done.provenance


def test_ignoring_a_prerequisite_takes_the_need_with_it() -> None:
    changed = trees()
    changed["observability.yaml"]["practices"][0]["needs"] = [{"practice": "REL-01", "level": 2}]
    documents = {name: from_yaml(name, text) for name, text in texts(changed).items()}
    sha256 = load_documents(texts(changed)).sha256
    tree = from_yaml("acme.yaml", yaml.safe_dump(overlay(ignore=[{"practice": "REL-01", "reason": "x"}])))
    done = apply_overlay(documents, tree, base_version="0.1", base_sha256=sha256)
    assert ("need_removed", "OBS-01 → REL-01") in done.consequences
    assert ("core_removed", "REL-01") in done.consequences
    matrix = check_documents(done.documents).matrix
    assert matrix.practice("OBS-01").needs == ()
    assert "REL-01" not in matrix.quick_scan


def test_an_overlay_on_an_overlay_keeps_both_histories() -> None:
    first = applied(overlay(replace=[{"practice": "REL-01", "set": {"weight": 2}}]))
    middle = check_documents(first.documents).matrix
    second = overlay(
        base=middle.sha256, version="0.1-b", replace=[{"practice": "REL-01", "set": {"weight": 3}}]
    )
    tree = from_yaml("b.yaml", yaml.safe_dump(second))
    done = apply_overlay(
        first.documents,
        tree,
        base_version=middle.version,
        base_sha256=middle.sha256,
        inherited=first.provenance,
    )
    assert [each.change for each in done.provenance["REL-01"]] == ["base", "replaced", "replaced"]
    assert [each.change for each in done.provenance["REL-02"]] == ["base"]


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (overlay() | {"format": "ballast-overlay/2"}, "overlay.format"),
        (overlay() | {"base": "9.9"}, "overlay.base"),
        (overlay() | {"bas": "0.1"}, "schema.unknown-key"),
        (overlay() | {"name": 7}, "schema.type"),
        (overlay() | {"version": "v" * 21}, "version.length"),
        (overlay(add="x"), "schema.type"),
        (overlay(add=[{"practice": {"id": "REL-01"}}]), "overlay.add"),
        (overlay(add=[{"practice": {"id": "XXX-01"}}]), "overlay.add"),
        (overlay(add=[{}]), "schema.missing-key"),
        (overlay(ignore=[{"practice": "REL-01"}]), "schema.missing-key"),
        (overlay(ignore=[{"practice": "REL-77", "reason": "x"}]), "overlay.practice"),
        (overlay(ignore=[{"practice": "REL-02", "reason": "x"}] * 2), "overlay.practice"),
        (overlay(replace=[{"practice": "REL-02"}]), "overlay.replace"),
        (overlay(replace=[{"practice": "REL-02", "set": {"weight": 2}}] * 2), "overlay.twice"),
        (overlay(replace=[{"practice": "REL-02", "set": {"wait": 2}}]), "schema.unknown-key"),
        (overlay(replace=[{"practice": "REL-02", "with": {"id": "REL-03"}}]), "overlay.replace"),
        (overlay(replace=[{"practice": "REL-01", "clauses": [{"id": "REL-01.L9.a"}]}]), "overlay.clause"),
        (overlay(replace=[{"practice": "REL-01", "targets": [{"level": 2, "set": {}}]}]), "overlay.target"),
        (overlay(replace=[{"practice": "REL-02", "set": {"weight": -1}}]), "schema.value"),
        (overlay(replace=[{"practice": "REL-02", "set": {"title": {"en": "x"}}}]), "text.missing-translation"),  # noqa: E501
        (overlay(ignore=[{"practice": "REL-02", "reason": "x"}] * 501), "overlay.size"),
        (overlay(ignore=[{"practice": "REL-02", "reason": "x"}]) | {"provenance": {}}, "overlay.provenance"),
    ],
)  # fmt: skip
def test_what_is_refused(document: dict[str, Any], rule: str) -> None:
    assert rule in rules(document)


def test_a_problem_of_the_result_names_the_line_of_the_overlay() -> None:
    text = (
        "format: ballast-overlay/1\nname: Acme\nbase: '0.1'\nversion: '0.2'\nprovenance: {by: Me}\n"
        "replace:\n  - practice: REL-02\n    set:\n      weight: 0\n"
    )
    done = apply_overlay(base(), from_yaml("acme.yaml", text), base_version="0.1", base_sha256=BASE.sha256)
    with pytest.raises(UploadErrors) as refused:
        check_documents(done.documents, source="acme.yaml")
    assert [str(each) for each in refused.value.findings] == [
        "acme.yaml:9: schema.value: REL-02: weight must be greater than 0"
    ]


def test_warnings_of_the_writing_rules_do_not_stop_a_matrix() -> None:
    change = {"practice": "REL-01", "clauses": [{"id": "REL-01.L3.a", "set": both("A robust log of 30 d.")}]}
    found = checked(overlay(replace=[change]))
    assert {each.rule for each in found.warnings} >= {"lint.banned-word"}

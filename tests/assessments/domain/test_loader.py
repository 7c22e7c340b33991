"""The loader accepts what is right, and names every problem with file, line and rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessments.domain.dimensions import Dimension
from assessments.domain.loader import find_cycles, load_documents, load_folder, read_folder
from assessments.domain.matrix import EvidenceKind, Profile
from assessments.domain.problems import MatrixErrors, Problem
from assessments.domain.yaml_nodes import MAX_BYTES
from tests.assessments.domain.small_matrix import both, clause, practice, small_matrix, texts, trees

REL = "reliability.yaml"
OBS = "observability.yaml"
INDEX = "matrix.yaml"


def problems(documents: dict[str, str]) -> tuple[Problem, ...]:
    with pytest.raises(MatrixErrors) as caught:
        load_documents(documents)
    assert caught.value.problems
    assert all(each.message and each.rule and each.file for each in caught.value.problems)
    return caught.value.problems


def rules(documents: dict[str, str]) -> set[str]:
    return {each.rule for each in problems(documents)}


def test_a_good_matrix_is_read_whole() -> None:
    matrix = small_matrix()
    assert [each.id for each in matrix.practices][:3] == ["REL-01", "REL-02", "OBS-01"]
    one = matrix.practice("REL-01")
    assert (one.worded, one.core, one.ask, one.weight) == (True, True, "SRE", 1.0)
    assert [each.id for each in one.clauses_at(2)] == ["REL-01.L2.a", "REL-01.L2.b"]
    assert one.clauses[0].evidence is EvidenceKind.E1
    assert one.kpi is not None
    assert [(each.level, each.op, each.value, each.unit) for each in one.kpi.targets] == [
        (3, "measured", None, "%"),
        (4, ">=", 85.0, "%"),
        (5, "between", None, "%"),
    ]
    assert (one.kpi.targets[2].low, one.kpi.targets[2].high, one.kpi.targets[2].window_seconds) == (
        0.9,
        1.1,
        120,
    )
    assert one.kpi.targets[1].window_days == 90
    assert one.effort[4].to_level == 5
    assert one.answers_by[0].fault == "F2"
    assert one.answers_by[1].drill == one.answers_by[1].drill
    assert not matrix.practice("REL-02").clauses
    assert len(matrix.level_scale) == 6
    assert [each.days for each in matrix.evidence] == [None, 365, 180, 30, 90, 180]


def changed(file: str, change: Callable[[Any], None]) -> dict[str, str]:
    tree = trees()
    change(tree[file])
    return texts(tree)


def first(change: Callable[[Any], None]) -> Callable[[Any], None]:
    return lambda tree: change(tree["practices"][0])


def put(key: str, value: object) -> Callable[[Any], None]:
    return lambda entry: entry.__setitem__(key, value)


def drop(key: str) -> Callable[[Any], None]:
    return lambda entry: entry.pop(key)


def target(number: int, **values: object) -> Callable[[Any], None]:
    return first(lambda entry: entry["kpi"]["targets"].__setitem__(number, values))


BROKEN: list[tuple[str, str, Callable[[Any], None]]] = [
    ("schema.unknown-key", REL, first(put("colour", "red"))),
    ("schema.unknown-key", REL, put("extra", 1)),
    ("schema.unknown-key", INDEX, put("extra", 1)),
    ("schema.unknown-key", REL, first(lambda entry: entry["clauses"][0].update(note="x"))),
    ("schema.missing-key", REL, first(drop("ask"))),
    ("schema.missing-key", REL, first(drop("clauses"))),
    ("schema.missing-key", REL, drop("practices")),
    ("schema.missing-key", INDEX, drop("quick_scan")),
    ("schema.type", REL, first(put("for", "serve"))),
    ("schema.type", REL, first(put("core", "yes"))),
    ("schema.type", REL, first(put("weight", "1"))),
    ("schema.type", REL, first(put("weight", True))),
    ("schema.type", REL, first(put("proof", [["x"]]))),
    ("schema.type", REL, first(put("title", {"en": "Yes", "zh": False}))),
    ("schema.type", REL, first(put("title", {"en": "Yes", "zh": 3}))),
    ("schema.type", REL, put("practices", {"a": 1})),
    ("schema.type", REL, put("practices", ["REL-01"])),
    ("schema.value", REL, first(put("weight", 0))),
    ("schema.value", REL, first(put("ask", "BOSS"))),
    ("schema.value", REL, first(put("tags", ["gpu"]))),
    ("schema.value", REL, first(put("for", []))),
    ("schema.value", REL, first(put("tags", ["moe", "moe"]))),
    ("schema.value", REL, first(put("title", {"en": " ", "zh": "好"}))),
    ("schema.value", REL, first(put("proof", []))),
    ("schema.value", REL, first(put("tension", {"OBS": "?"}))),
    ("schema.unknown-key", REL, first(put("tension", {"XYZ": "-"}))),
    ("text.missing-translation", REL, first(put("title", {"en": "Only"}))),
    ("text.missing-translation", REL, first(lambda entry: entry["clauses"][0].pop("zh"))),
    ("practice.id", REL, first(put("id", "REL-1"))),
    ("practice.dimension", REL, first(put("id", "OBS-01"))),
    ("practice.dimension", REL, put("dimension", "OBS")),
    ("practice.duplicate", REL, lambda tree: tree["practices"].append(practice(Dimension.REL, 2))),
    ("practice.unknown", REL, lambda tree: tree["practices"].append(practice(Dimension.REL, 3))),
    ("practice.missing", INDEX, lambda tree: tree["practices"].append({"id": "REL-03", "core": False})),
    ("practice.duplicate", INDEX, lambda tree: tree["practices"].append({"id": "REL-01", "core": True})),
    ("core.mismatch", REL, first(put("core", False))),
    ("core.mismatch", REL, first(drop("core"))),
    ("core.mismatch", INDEX, lambda tree: tree["quick_scan"].pop()),
    ("quick.swap", INDEX, put("quick_swaps_train", {"REL-02": "REL-01"})),
    ("quick.swap", INDEX, put("quick_swaps_train", {"REL-01": "OBS-02"})),
    ("quick.swap", INDEX, put("quick_swaps_train", {"REL-01": "REL-09"})),
    ("needs.unknown", REL, first(put("needs", [{"practice": "OBS-99", "level": 2}]))),
    ("needs.duplicate", REL, first(put("needs", [{"practice": "OBS-01", "level": n} for n in (2, 3)]))),
    ("needs.cycle", REL, first(put("needs", [{"practice": "REL-01", "level": 2}]))),
    ("schema.value", REL, first(put("needs", [{"practice": "OBS-01", "level": 6}]))),
    ("nist.syntax", REL, first(put("nist", ["CP-2 (8)"]))),
    ("nist.syntax", REL, first(put("nist", ["cp-2"]))),
    ("nist.unknown", REL, first(put("nist", ["CP-99"]))),
    ("clause.id", REL, first(lambda entry: entry["clauses"][2].update(id="REL-01.L2.c"))),
    ("clause.id", REL, first(lambda entry: entry["clauses"][0].update(id="REL-02.L1.a"))),
    ("clause.id", REL, first(lambda entry: entry["clauses"].insert(1, clause("REL-01", 1)))),
    (
        "clause.count",
        REL,
        first(lambda entry: entry["clauses"].extend(clause("REL-01", 5, c) for c in "cd")),
    ),
    ("clause.order", REL, first(lambda entry: entry["clauses"].append(clause("REL-01", 1, "b")))),
    ("clause.level-missing", REL, first(lambda entry: entry["clauses"].pop(0))),
    ("schema.value", REL, first(lambda entry: entry["clauses"][0].update(evidence="E6"))),
    ("schema.value", REL, first(lambda entry: entry["clauses"][0].update(level=0))),
    ("rulings.count", REL, first(put("rulings", [both("One")]))),
    ("kpi.targets", REL, first(lambda entry: entry["kpi"]["targets"].pop())),
    ("kpi.target", REL, target(1, level=4, op=">=")),
    ("kpi.target", REL, target(1, level=4, op="measured", value=3)),
    ("kpi.target", REL, target(1, level=4, op="between", low=2, high=1)),
    ("kpi.target", REL, target(1, level=4, op=">=", value=1, share=101)),
    ("kpi.target", REL, target(1, level=4, op=">=", value=1, window={"days": 1, "seconds": 1})),
    ("schema.value", REL, target(1, level=4, op=">", value=1)),
    ("answers_by.clause", REL, first(put("answers_by", [{"fault": "F2", "clauses": ["REL-01.L9.a"]}]))),
    ("answers_by.source", REL, first(put("answers_by", [{"clauses": ["REL-01.L4.a"]}]))),
    ("answers_by.source", REL, first(put("answers_by", [{"fault": "boom", "clauses": ["REL-01.L4.a"]}]))),
    ("effort.steps", REL, first(lambda entry: entry["effort"].pop())),
    ("effort.days", REL, first(lambda entry: entry["effort"][0].update(days=[2, 1, 3]))),
    ("levels.steps", INDEX, lambda tree: tree["levels"].pop()),
    ("evidence.kinds", INDEX, lambda tree: tree["evidence"].pop()),
    ("evidence.rule", INDEX, lambda tree: tree["evidence"][1].update(ceiling=2)),
    ("evidence.rule", INDEX, lambda tree: tree["evidence"][3].update(days=31)),
]


@pytest.mark.parametrize(("rule", "file", "change"), BROKEN)
def test_each_rule_is_reported_in_its_file(rule: str, file: str, change: Callable[[Any], None]) -> None:
    found = [each for each in problems(changed(file, change)) if each.rule == rule]
    assert found
    assert {each.file for each in found} == {file}
    assert all(each.line > 0 for each in found)


def test_the_line_is_that_of_the_value() -> None:
    documents = texts()
    lines = documents[REL].splitlines()
    wanted = next(number for number, line in enumerate(lines, 1) if "REL-01.L3.b" in line)
    documents[REL] = documents[REL].replace("id: REL-01.L3.b", "id: REL-01.L3.x")
    [problem] = problems(documents)
    assert (problem.file, problem.line, problem.rule) == (REL, wanted, "clause.id")
    assert str(problem).startswith(f"{REL}:{wanted}: clause.id: ")


def test_all_problems_come_at_once() -> None:
    tree = trees()
    tree[REL]["practices"][0].pop("ask")
    tree[REL]["practices"][1]["nist"] = ["QQ-1"]
    tree[OBS]["practices"][0]["weight"] = -1
    documents = texts(tree)
    del documents["cost.yaml"]
    documents["notes.yaml"] = "a: 1"
    documents["security.yaml"] = "a: [1"
    assert rules(documents) >= {
        "schema.missing-key",
        "nist.unknown",
        "schema.value",
        "file.missing",
        "file.unknown",
        "yaml.syntax",
    }


def test_a_missing_file_is_not_reported_as_missing_practices() -> None:
    documents = texts()
    del documents["cost.yaml"]
    assert rules(documents) == {"file.missing"}


def test_a_cycle_is_refused_with_its_path() -> None:
    tree = trees()
    for source, wanted in (("reliability", "OBS-01"), ("observability", "SEC-01"), ("security", "REL-01")):
        tree[f"{source}.yaml"]["practices"][0]["needs"] = [{"practice": wanted, "level": 2}]
    [problem] = problems(texts(tree))
    assert problem.rule == "needs.cycle"
    assert "OBS-01 → SEC-01 → REL-01 → OBS-01" in problem.message


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16))
def test_cycles_are_found_exactly_where_the_standard_library_finds_one(
    edges: list[tuple[int, int]],
) -> None:
    from graphlib import CycleError, TopologicalSorter

    graph: dict[str, list[str]] = {str(node): [] for node in range(8)}
    for start, end in edges:
        if str(end) not in graph[str(start)]:
            graph[str(start)].append(str(end))
    try:
        TopologicalSorter(graph).prepare()
        cyclic = False
    except CycleError:
        cyclic = True
    cycles = find_cycles(graph)
    assert bool(cycles) is cyclic
    for cycle in cycles:
        assert all(
            after in graph[before] for before, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        )


# -- hostile files ----------------------------------------------------------------------------------------

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "\n".join(
    f"{chr(98 + nth)}: &{chr(98 + nth)} [{','.join([f'*{chr(97 + nth)}'] * 9)}]" for nth in range(8)
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (BOMB, "yaml.alias"),
        ("practices: &x []\n", "yaml.alias"),
        ("practices: *x\n", "yaml.alias"),
        ("[" * 20_000, "yaml.depth"),
        ("{a: " * 20_000, "yaml.depth"),
        ("- " * 5_000, "yaml.depth"),
        ("a: !!python/object/apply:os.system [ls]\n", "yaml.tag"),
        ("a: !mine 1\n", "yaml.tag"),
        ("a: 1\n---\nb: 2\n", "yaml.syntax"),
        ("a: [1\n", "yaml.syntax"),
        ("a: 1\na: 2\n", "yaml.duplicate-key"),
        ("<<: {a: 1}\n", "schema.type"),
        ("? [a]\n: 1\n", "schema.type"),
        ("\x00", "yaml.syntax"),
        ("a: \x07\n", "yaml.syntax"),
        ("a: \ud800\n", "yaml.syntax"),
        ("\t- a\n", "yaml.syntax"),
        ("", "yaml.empty"),
        ("# only a comment\n", "yaml.empty"),
        ("just text\n", "schema.type"),
        ("- a\n- b\n", "schema.type"),
        ("x" * (MAX_BYTES + 1), "yaml.size"),
        ("[" + "1," * 200_001 + "]", "yaml.size"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
@pytest.mark.parametrize("file", [REL, INDEX])
def test_a_hostile_file_is_a_problem_and_nothing_else(file: str, text: str, rule: str) -> None:
    assert rule in rules({**texts(), file: text})


def test_yaml_guesses_do_not_reach_the_matrix() -> None:
    """`no` is false, `1:30` is 90 and 0x10 is 16 in YAML 1.1; here they are refused."""
    for written in ("1:30", "0x10", "1_0", ".inf", ".nan", "1e3", "+1", "'1'"):
        documents = texts()
        documents[REL] = documents[REL].replace("weight: 1", f"weight: {written}", 1)
        assert "schema.type" in rules(documents), written
    documents = texts()
    documents[REL] = documents[REL].replace("ask: SRE", "ask: no", 1)
    assert "schema.type" in rules(documents)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damage_never_raises_anything_but_matrix_errors(data: st.DataObject) -> None:
    documents = texts()
    text = documents[REL]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    documents[REL] = text[:start] + data.draw(st.text(max_size=12)) + text[end:]
    try:
        load_documents(documents)
    except MatrixErrors as error:
        assert error.problems


# -- identity and folder ----------------------------------------------------------------------------------


def test_the_hash_follows_the_content_not_the_layout() -> None:
    original = small_matrix().sha256
    assert re.fullmatch(r"[0-9a-f]{64}", original)
    documents = texts()
    documents[REL] = "# a comment\n" + documents[REL].replace("ask: SRE", "ask:   'SRE'")
    assert load_documents(documents).sha256 == original
    documents[REL] = documents[REL].replace("fact a of level 1", "fact b of level 1")
    assert load_documents(documents).sha256 != original


def test_a_folder_is_read_with_all_its_problems(tmp_path: Any) -> None:
    for name, text in texts().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert load_folder(tmp_path).sha256 == small_matrix().sha256
    (tmp_path / REL).write_bytes(b"\xff\xfe\x00")
    (tmp_path / OBS).write_bytes(b"x" * (MAX_BYTES + 1))
    with pytest.raises(MatrixErrors) as caught:
        read_folder(tmp_path)
    assert {each.rule for each in caught.value.problems} == {"file.unreadable", "yaml.size"}


def test_an_endless_file_is_too_large(tmp_path: Any) -> None:
    (tmp_path / REL).symlink_to("/dev/zero")
    with pytest.raises(MatrixErrors) as caught:
        read_folder(tmp_path)
    assert [each.rule for each in caught.value.problems] == ["yaml.size"]


def test_an_empty_folder_lacks_every_file(tmp_path: Any) -> None:
    with pytest.raises(MatrixErrors) as caught:
        load_folder(tmp_path)
    assert [each.rule for each in caught.value.problems] == ["file.missing"] * 7


# -- scope ------------------------------------------------------------------------------------------------


def test_the_quick_scan_swaps_for_a_cluster_that_only_trains() -> None:
    matrix = small_matrix()
    ids = [each.id for each in matrix.in_scope("quick", Profile(frozenset({"train"})))]
    assert ids[0] == "REL-02"
    assert matrix.in_scope("quick")[0].id == "REL-01"
    assert len(matrix.in_scope("full")) == 12
    with pytest.raises(ValueError, match="sideways"):
        matrix.in_scope("sideways")


def test_the_profile_hides_what_does_not_concern_the_cluster() -> None:
    tree = trees()
    tree[REL]["practices"][1]["for"] = ["train"]
    tree[OBS]["practices"][1]["tags"] = ["lora", "rag"]
    matrix = load_documents(texts(tree))
    shown = {each.id for each in matrix.in_scope("full", Profile(frozenset({"serve"}), frozenset({"lora"})))}
    assert {"REL-02", "OBS-02"} & shown == set()
    everything = Profile(frozenset({"serve", "train"}), frozenset({"lora", "rag"}))
    assert len(matrix.in_scope("full", everything)) == 12

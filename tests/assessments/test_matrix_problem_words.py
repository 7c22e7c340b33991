"""Every rule for uploads and maps says what it wants, in both languages, with the numbers of the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.utils import translation

from assessments.domain import (
    checking,
    linter,
    matrix_files,
    migration_map,
    practice_reading,
    proof_reading,
    tree_reading,
    yaml_nodes,
)
from assessments.domain.linter import numbers
from assessments.matrix_problem_words import MAPS, WORDS, explained

ASSESSMENTS = Path(__file__).resolve().parents[2] / "assessments"
# Every module that finds something wrong with a matrix, an overlay, a workbook or a map.
SOURCES = (
    *("problems", "loader", "practice_reading", "proof_reading", "yaml_nodes", "linter", "checking"),
    *("overlays", "overlay_parts", "tree_reading", "trees", "matrix_files", "matrix_sheets", "sheet_columns"),
)
# Codes of a refusal as a whole, which carries its own translated sentence.
REFUSALS = {"matrix.invalid", "matrix.refused", "answers.invalid"}
ACTIONS = {"matrix.uploaded", "matrix.released", "matrix.retired"}
CODE = re.compile(r"[a-z_]+\.[a-z-]+")
CHINESE = re.compile("[\u4e00-\u9fff]")


def _literals(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return {str(each.value) for each in nodes if isinstance(each, ast.Constant)}


def _rules() -> set[str]:
    paths = [ASSESSMENTS / "domain" / f"{name}.py" for name in SOURCES]
    paths.append(ASSESSMENTS / "services" / "custom_matrices.py")
    found = {text for path in paths for text in _literals(path) if CODE.fullmatch(text)}
    return {each for each in found if not each.endswith((".yaml", ".xlsx", ".json"))} - REFUSALS - ACTIONS


def _map_codes() -> set[str]:
    """The second argument of every `MapProblem(place, code, message)` and `report(place, code, message)`."""
    tree = ast.parse((ASSESSMENTS / "domain" / "migration_map.py").read_text("utf-8"))
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and len(each.args) == 3]
    codes = [
        each.args[1]
        for each in calls
        if isinstance(each.func, ast.Name) and each.func.id in ("MapProblem", "report")
    ]
    return {str(each.value) for each in codes if isinstance(each, ast.Constant)}


def test_every_rule_has_words_and_none_is_left_over() -> None:
    assert set(WORDS) - set(MAPS) == _rules()
    assert set(MAPS) == _map_codes()


@pytest.mark.parametrize("code", sorted(WORDS))
def test_words_are_a_sentence_in_both_languages_with_the_same_numbers(code: str) -> None:
    with translation.override("en"):
        english = str(WORDS[code])
    with translation.override("zh-hans"):
        chinese = str(WORDS[code])
    assert english.endswith(".")
    assert not CHINESE.search(english)
    assert chinese.endswith("。")
    assert CHINESE.search(chinese)
    assert numbers(english) == numbers(chinese)


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("file.count", [matrix_files.MAX_FILES]),
        ("file.size", [tree_reading.MAX_UPLOAD_BYTES // 1_000_000]),
        ("file.values", [tree_reading.MAX_UPLOAD_VALUES]),
        ("file.depth", [tree_reading.MAX_UPLOAD_DEPTH]),
        ("yaml.size", [yaml_nodes.MAX_BYTES // 1_000_000, yaml_nodes.MAX_NODES]),
        ("yaml.depth", [yaml_nodes.MAX_DEPTH]),
        ("workbook.size", [matrix_files.MAX_UNPACKED_BYTES // 1_000_000]),
        ("text.length", [tree_reading.MAX_TEXT_CHARACTERS, 120]),
        ("version.length", [checking.MAX_VERSION_CHARACTERS]),
        ("needs.count", [checking.MAX_NEEDS]),
        ("clause.count", [practice_reading.MAX_CLAUSES_PER_LEVEL]),
        ("rulings.count", [practice_reading.MIN_RULINGS]),
        ("protocol.days", sorted(proof_reading.DRILL_DAYS)),
        ("protocol.steps", list(proof_reading.DRILL_STEPS)),
        ("lint.length", [linter.MOST_WORDS, linter.MOST_CHARACTERS]),
        ("lint.period", [*sorted(linter.DAYS), *sorted(linter.SECONDS)]),
        ("size", [migration_map.MOST_ENTRIES]),
    ],
)
def test_limits_are_those_of_the_code(code: str, values: list[int]) -> None:
    with translation.override("en"):
        assert sorted(map(int, numbers(str(WORDS[code])).elements())) == sorted(values)


def test_a_problem_keeps_what_it_says() -> None:
    problem = {"place": "a.yaml:3", "rule": "file.encoding", "message": "is UTF-16; save it as UTF-8"}
    with translation.override("zh-hans"):
        found = explained(problem)
    assert problem.items() <= found.items()
    assert CHINESE.search(found["explanation"])
    # The reader of workbooks has said it in the reader's language already.
    translated = {"place": "Clauses!B2", "rule": "workbook_formula", "message": "B2有公式。"}
    assert explained(translated)["explanation"] == "B2有公式。"

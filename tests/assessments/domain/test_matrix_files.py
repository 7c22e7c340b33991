"""Uploads: every form gives the same matrix, nothing is dropped in silence, hostile files are refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from assessments.domain import matrix_files, tree_reading
from assessments.domain.checking import check_documents
from assessments.domain.matrix_files import one_file, read_upload
from assessments.domain.matrix_sheets import documents_as_values
from assessments.domain.sheet_writing import to_sheets
from assessments.domain.shipped import FOLDER, v2_3
from assessments.domain.tree_reading import UploadErrors, from_json, from_yaml
from assessments.domain.trees import Pairs, Tree
from frontend.workbooks import Sheet, read_workbook, write_workbook
from portal.errors import Refused
from tests.assessments.domain import hostile_files
from tests.assessments.domain.small_matrix import small_matrix, texts, trees

CORPUS = hostile_files.corpus()


def defaults() -> Pairs:
    found = from_yaml("matrix.yaml", texts()["matrix.yaml"])
    assert isinstance(found, Pairs)
    return found


def upload(*files: tuple[str, bytes]) -> Any:
    found = read_upload(list(files), read_workbook, defaults())
    return check_documents(found.documents or {}, source=found.source)


def refused(*files: tuple[str, bytes]) -> list[str]:
    with pytest.raises(Refused) as error:
        upload(*files)
    if isinstance(error.value, UploadErrors):
        return [str(each) for each in error.value.findings]
    return [f"{error.value.place}: {error.value.code}: {error.value.message}"]


def shipped() -> dict[str, Tree]:
    return {path.name: from_yaml(path.name, path.read_text("utf-8")) for path in FOLDER.glob("*.yaml")}


def sheets(documents: dict[str, Tree]) -> dict[str, list[list[Any]]]:
    return to_sheets(documents_as_values(documents))


def workbook(content: dict[str, list[list[Any]]]) -> bytes:
    return write_workbook([Sheet(name, tuple(map(tuple, rows))) for name, rows in content.items()])


def test_the_shipped_matrix_comes_back_from_every_form_with_its_hash() -> None:
    sha256 = v2_3().sha256
    documents = shipped()
    assert upload(("m.yaml", one_file(documents).encode())).matrix.sha256 == sha256
    named = {name.removesuffix(".yaml"): tree for name, tree in documents_as_values(documents).items()}
    body = json.dumps({"format": "ballast-matrix/1", "documents": named}, indent=1, ensure_ascii=False)
    assert upload(("m.json", body.encode())).matrix.sha256 == sha256
    assert upload(*((path.name, path.read_bytes()) for path in FOLDER.glob("*.yaml"))).matrix.sha256 == sha256
    assert upload(("m.xlsx", workbook(sheets(documents)))).matrix.sha256 == sha256


def test_a_workbook_without_levels_and_evidence_takes_the_shipped_ones() -> None:
    content = sheets({name: from_yaml(name, text) for name, text in texts().items()})
    del content["Levels"], content["Evidence"]
    content["About"] = [["Anything at all"]]
    assert upload(("m.xlsx", workbook(content))).matrix.sha256 == small_matrix().sha256


def test_what_editors_do_to_files_is_no_fault() -> None:
    body = hostile_files.one_file(trees()).decode()
    for data in (b"\xef\xbb\xbf" + body.encode(), body.replace(", ", ",\r\n").encode()):
        assert upload(("m.json", data)).matrix.sha256 == small_matrix().sha256
    quoted = copy.deepcopy(trees())
    quoted["reliability.yaml"]["practices"][0]["why"] = {"en": "It’s “so”.", "zh": "全角，标点；（可以）。"}
    why = upload(("m.json", hostile_files.one_file(quoted))).matrix.practice("REL-01").why
    assert (why.en, why.zh) == ("It’s “so”.", "全角，标点；（可以）。")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda c: c.update(Typo=[["a"]]), "Typo: sheet.unknown"),
        (lambda c: c.pop("Practices"), "Practices: sheet.missing"),
        (lambda c: c["Clauses"][0].__setitem__(1, "evidense"), "Clauses!B1: sheet.column"),
        (lambda c: c["Clauses"][3].__setitem__(0, "REL-1"), "Clauses!A4: clause.id"),
        (lambda c: c["Clauses"][3].__setitem__(1, "E9"), "Clauses!B4: schema.value"),
        (lambda c: c["Clauses"][3].__setitem__(4, None), "text.missing-translation"),
        (lambda c: c["Needs"].append(["REL-01", "REL-01", 1]), "needs.cycle"),
        (lambda c: c["Needs"].append(["REL-44", "REL-01", 1]), "Needs!A2: practice.unknown"),
        (lambda c: c["Effort"][1].__setitem__(2, "few"), "Effort!C2: schema.type"),
        (lambda c: c["Matrix"].append(["author", "me"]), "Matrix!A4: schema.unknown-key"),
        (lambda c: c["Practices"][1].__setitem__(0, "XYZ-01"), "Practices!A2: practice.id"),
        (lambda c: c["Practices"][1].__setitem__(8, "heavy"), "Practices!I2: schema.type"),
    ],
)
def test_problems_of_a_workbook_name_the_cell(change: Any, expected: str) -> None:
    content = sheets({name: from_yaml(name, text) for name, text in texts().items()})
    change(content)
    found = refused(("m.xlsx", workbook(content)))
    assert any(expected in each for each in found), found


def test_problems_of_json_name_the_line() -> None:
    documents = trees()
    documents["cost.yaml"]["practices"][1]["weight"] = 0
    body = json.dumps({"format": "ballast-matrix/1", "documents": documents}, indent=1)
    line = next(n for n, text in enumerate(body.splitlines(), 1) if '"weight": 0' in text)
    assert refused(("m.json", body.encode())) == [
        f"m.json:{line}: schema.value: COST-02: weight must be greater than 0"
    ]


def test_files_of_a_folder_that_lack_or_are_too_many() -> None:
    files = [(name, text.encode()) for name, text in texts().items()]
    assert any("file.missing" in each for each in refused(*files[:-1]))
    assert any("file.unknown" in each for each in refused(*files, ("notes.txt", b"x: 1")))
    assert any("file.unknown" in each for each in refused(*files, ("nist_controls.yaml", b"x: 1")))
    assert any("file.duplicate" in each for each in refused(*files, files[0]))
    assert any("file.count" in each for each in refused(*[(f"{n}.yaml", b"") for n in range(13)]))
    assert any("file.missing" in each for each in refused())


@pytest.mark.parametrize("name", CORPUS)
def test_hostile_files_are_refused_with_place_and_rule(name: str) -> None:
    files, rule = CORPUS[name]
    found = refused(*files)
    assert any(f": {rule}: " in each for each in found), found[:3]
    assert len(found) <= tree_reading.MAX_FINDINGS


def test_texts_made_for_slow_patterns_only_get_warnings() -> None:
    checked = upload(("a.json", hostile_files.long_clauses()))
    assert checked.warning_count > len(checked.warnings) == tree_reading.MAX_FINDINGS


def test_the_bounds_that_keep_hostile_files_cheap() -> None:
    """Nothing is walked over that these do not bound; tests/benchmarks/hostile_uploads.py takes the time."""
    assert tree_reading.MAX_UPLOAD_BYTES <= 2_000_000
    assert tree_reading.MAX_UPLOAD_VALUES <= 60_000
    assert tree_reading.MAX_UPLOAD_DEPTH <= 20
    assert tree_reading.MAX_TEXT_CHARACTERS <= 2_000
    assert matrix_files.MAX_UNPACKED_BYTES <= 6_000_000
    assert matrix_files.MAX_MARKUP <= 600_000


@pytest.mark.parametrize(
    "text", ['{"a": 1,}', '{"a" 1}', "[1 2]", '{"a": 01}', '{"a": "\t"}', '{"a": tru}', "[1] 2", '"', "{", ""]
)
def test_json_is_read_strictly(text: str) -> None:
    with pytest.raises(UploadErrors) as error:
        from_json("a.json", text)
    assert error.value.findings[0].rule == "json.syntax"

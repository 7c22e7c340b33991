"""`manage.py matrix_diff` on stored versions, drafts, files and what is none of these."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.domain.shipped import FOLDER, v2_3
from assessments.services import custom_matrices
from assessments.views.matrices import OVERLAY
from tests.assessments.domain.small_matrix import texts


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("matrix_diff", *arguments, stdout=out)
    return out.getvalue()


def small(folder: Path) -> Path:
    for name, text in texts().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_files_need_no_database(tmp_path: Path) -> None:
    said = run("2.3", str(OVERLAY))
    assert "1 added, 1 removed, 1 changed, 46 the same" in said
    assert "~ REL-04" in said
    assert "weight: 1 -> 2" in said
    assert "REL-04.L4.b reworded" in said
    assert "48 the same" in run(v2_3().sha256[:6], str(FOLDER))
    found = json.loads(run(str(small(tmp_path)), "V2.3", "--json"))
    assert found["before"]["version"] == "0.1"
    assert found["after"]["sha256"] == v2_3().sha256


@pytest.mark.django_db
def test_stored_versions_and_drafts(people: Any, released: None) -> None:
    files = [("overlay.yaml", OVERLAY.read_bytes())]
    row, _new = custom_matrices.upload(organisation=people.north, actor=people.ada, files=files)
    for name in (row.sha256[:8], row.sha256, "2.3-example.1"):
        assert "+ REL-09" in run("2.3", name)
    custom_matrices.release(row=row, actor=people.ada)
    assert "- REL-09" in run(row.sha256[:8], "2.3")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["7", "nothing", "f" * 64, ""])
def test_what_is_no_matrix_ends_with_exit_2(name: str) -> None:
    with pytest.raises(CommandError, match="is no file, no version") as caught:
        run("2.3", name)
    assert caught.value.returncode == 2


def test_problems_of_both_files_come_at_once(tmp_path: Path) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "other.json"
    one.write_text("format: [", encoding="utf-8")
    other.write_text('{"format": "ballast-matrix/1", "documents": {"x": 1}}', encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        run(str(one), str(other))
    assert "one.yaml: one.yaml:2: yaml.syntax" in str(caught.value)
    assert "file.unknown" in str(caught.value)

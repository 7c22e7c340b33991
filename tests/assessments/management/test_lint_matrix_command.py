"""`manage.py lint_matrix` on the shipped matrix and on a damaged copy."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from assessments.domain.loader import read_folder
from assessments.domain.shipped import FOLDER


def test_the_shipped_matrix_has_no_problems() -> None:
    out = StringIO()
    call_command("lint_matrix", stdout=out)
    assert "V2.3: 48 practices" in out.getvalue()
    assert "no problems" in out.getvalue()


def test_problems_of_format_and_of_wording_end_with_exit_2(tmp_path: Path) -> None:
    for name, text in read_folder(FOLDER).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    cost = tmp_path / "cost.yaml"
    good = cost.read_text(encoding="utf-8")
    cost.write_text(
        good.replace("In the last 365 d a dated", "In the last 366 d a robust", 1), encoding="utf-8"
    )
    with pytest.raises(CommandError, match=r"cost\.yaml:\d+: lint\.banned-word: COST-01\.L1\.a") as caught:
        call_command("lint_matrix", str(tmp_path))
    assert caught.value.returncode == 2
    assert "lint.parity" in str(caught.value)
    cost.write_text(good.replace("core: true", "core: maybe", 1), encoding="utf-8")
    with pytest.raises(CommandError, match=r"cost\.yaml:\d+: schema\.type"):
        call_command("lint_matrix", str(tmp_path))


@pytest.mark.parametrize("command", ["lint_matrix", "load_matrix"])
@pytest.mark.parametrize(("folder", "says"), [("none", "no folder"), (".", "file.missing")])
def test_a_folder_that_is_no_matrix(tmp_path: Path, command: str, folder: str, says: str) -> None:
    with pytest.raises(CommandError, match=says) as caught:
        call_command(command, str(tmp_path / folder))
    assert caught.value.returncode == 2

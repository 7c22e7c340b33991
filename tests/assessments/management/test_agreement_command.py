"""The agreement command: files in, numbers out, exit 2 with every error."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.domain.shipped import v2_3


def write(folder: Path, name: str, content: Any) -> str:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def ask(*arguments: str) -> str:
    out = StringIO()
    call_command("agreement", *arguments, stdout=out)
    return out.getvalue()


def test_three_raters_as_json(tmp_path: Path) -> None:
    files = [
        write(tmp_path, name, [{"practice": "REL-01", "level": one}, {"practice": "REL-03", "level": two}])
        for name, one, two in (("li", 3, 1), ("wu", 3, 2), ("mo", 4, 1))
    ]
    found = json.loads(ask(*files, "--json"))
    assert found["raters"] == ["li", "wu", "mo"]
    assert (found["pairs"], found["exact"], found["within_one"]) == (6, pytest.approx(2 / 6), 1.0)
    assert found["reword"] == ["REL-01", "REL-03"]
    assert set(found["practices"]) == {each.id for each in v2_3().practices}
    assert json.loads(ask(*files, "--json")) == found


def test_as_text_with_the_raw_table_and_the_clauses(tmp_path: Path) -> None:
    files = [
        write(tmp_path, name, {"dossier": "A", "answers": [{"practice": "REL-01", "clauses": ticks}]})
        for name, ticks in (("li", ["REL-01.L1.a"]), ("wu", []))
    ]
    text = ask(*files)
    assert "REL-01   A         1   0  reword" in text
    assert "REL-01.L1.a ticked by li only" in text


def test_every_error_is_named(tmp_path: Path) -> None:
    good = write(tmp_path, "li", [{"practice": "REL-01", "level": 3}])
    bad = write(tmp_path, "wu", [{"practice": "REL-01", "level": 9}])
    with pytest.raises(CommandError) as caught:
        ask(good, bad, str(tmp_path / "none.json"))
    assert caught.value.returncode == 2
    assert "wu.json: answers[0].level" in str(caught.value) and "none.json" in str(caught.value)
    with pytest.raises(CommandError, match="at least 2 raters"):
        ask(good)

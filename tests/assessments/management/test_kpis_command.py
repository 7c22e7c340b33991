"""`manage.py kpis`: a file without a database, a cluster with one, and refusals with their place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.services import kpis

ROOT = Path(__file__).resolve().parents[3]
AS_OF = "2026-12-02T00:00:00Z"
HEADER = "kind,name,service,start,end,value,unit,phase,present,note\n"
GOOD = (
    HEADER
    + "number,changes,,2026-11-01,2026-12-01,20,count,,,\n"
    + "number,changes_failed,,2026-11-01,2026-12-01,3,count,,,\n"
    + "kpi,OBS-01,,2026-11-01,2026-12-01,96,%,,99,\n"
)


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("kpis", *arguments, "--as-of", AS_OF, stdout=out)
    return out.getvalue()


def refused(*arguments: str) -> str:
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert caught.value.returncode == 2
    return str(caught.value)


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "数 值.csv"
    path.write_text(GOOD, encoding="utf-8")
    return str(path)


def test_a_file_needs_no_database(good: str) -> None:
    command = [sys.executable, "manage.py", "kpis", good, "--as-of", AS_OF, "--json"]
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    rate = next(each for each in found["headlines"] if each["kpi"] == "change_fail_rate")
    assert rate["value"] == 15.0
    assert next(each for each in found["practices"] if each["practice"] == "OBS-01")["suggested"] == 3


def test_the_table(good: str) -> None:
    text = run(good)
    assert "change_fail_rate" in text and "OBS-01" in text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEADER + "number,changes,,2026-11-01,2026-12-01,many,count,,,\n", ["row 2", "value"]),
        (HEADER + "kpi,XXX-01,,2026-11-01,2026-12-01,1,%,,,\n", ["row 2", "name"]),
        ("", ["1 error(s)"]),
    ],
)
def test_what_is_wrong_has_a_place(tmp_path: Path, content: str, words: list[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(content, encoding="utf-8")
    said = refused(str(path))
    assert all(word in said for word in words)


def test_what_cannot_be_read(tmp_path: Path, good: str) -> None:
    assert "cannot be read" in refused(str(tmp_path / "none.csv"))
    assert "--train" in refused(good, "--train", "nobody")
    assert "--organisation" in refused("华北-A")
    with pytest.raises(CommandError, match="--as-of"):
        call_command("kpis", good, "--as-of", "soon")


@pytest.mark.django_db
def test_a_cluster_by_name_or_id(people: Any, cluster: Any) -> None:
    kpis.record_csv(cluster=cluster, actor=people.ada, file_name="f.csv", content=GOOD.encode())
    by_name = run("华北-A", "--organisation", "north", "--json")
    assert by_name == run(str(cluster.pk), "--organisation", "north", "--json")
    found = json.loads(by_name)
    assert next(each for each in found["headlines"] if each["kpi"] == "change_fail_rate")["value"] == 15.0
    assert "no such" in refused("华北-A", "--organisation", "south")
    assert "1 error" in refused("华北-A", "--organisation", "nowhere")

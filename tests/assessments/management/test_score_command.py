"""`manage.py score`: the pure rules from the command line, without a database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.domain.json_values import MAX_BYTES

ROOT = Path(__file__).resolve().parents[3]
AS_OF = "2026-12-02T00:00:00Z"
Write = Callable[[Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a value (or bytes as they are) to a new file."""

    def put(value: Any) -> Path:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))} 文件.json"
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return path

    return put


def run(answers: Path | str, *more: str, as_of: str = AS_OF) -> str:
    out = StringIO()
    call_command("score", "--matrix", "v2.3", "--answers", str(answers), "--as-of", as_of, *more, stdout=out)
    return out.getvalue()


def refused(answers: Path | str, *more: str, as_of: str = AS_OF) -> str:
    with pytest.raises(CommandError) as caught:
        run(answers, *more, as_of=as_of)
    assert caught.value.returncode == 2
    return str(caught.value)


def all_at(level: int, kind: str = "E5") -> list[dict[str, Any]]:
    ids = [f"{code}-0{n}" for code in ("REL", "OBS", "RCV", "EVO", "SEC", "COST") for n in range(1, 9)]
    item = {"kind": kind, "effective_at": "2026-12-01T00:00:00Z"}
    return [{"practice": name, "level": level, "evidence": [item]} for name in ids]


def test_the_json_has_the_promised_shape(write: Write) -> None:
    answers = all_at(3)
    answers[3] = {
        "practice": "REL-04",
        "clauses": [f"REL-04.{name}" for name in ("L1.a", "L2.a", "L2.b", "L2.c", "L3.a")],
        "evidence": [{"kind": "E2", "effective_at": "2026-11-01T00:00:00Z", "clause": "REL-04.L2.b"}],
    }
    card = json.loads(run(write(answers), "--json"))
    assert {"status": "ok", "weakest": "REL", "completeness": 1.0}.items() <= card["overall"].items()
    assert card["overall"]["score"] == round((23 / 8 + 5 * 3) / 6, 4)
    wanted = {"score": 2.875, "interval": None, "level": 3, "answered": 8, "applicable": 8, "status": "ok"}
    assert wanted.items() <= card["dimensions"]["REL"].items()
    levels = {"claimed": 2, "demonstrated": 2, "current": 2, "reason": "claimed"}
    assert levels.items() <= card["practices"]["REL-04"].items()
    assert len(card["practices"]) == 48


def test_worded_or_not_a_level_is_taken(write: Write) -> None:
    card = json.loads(run(write(all_at(4, "E3")), "--json"))
    assert {each["claimed"] for each in card["practices"].values()} == {4}
    assert {each["current"] for each in card["practices"].values()} == {3}
    assert {each["reason"] for each in card["practices"].values()} == {"ceiling_E3"}


def test_the_boundary_day_of_evidence(write: Write) -> None:
    path = write(
        [
            {
                "practice": "REL-02",
                "level": 4,
                "evidence": [{"kind": "E4", "effective_at": "2026-09-03T10:00:00Z"}],
            }
        ]
    )
    for as_of, current in (
        ("2026-12-02T23:59:59Z", 4),
        ("2026-12-03T00:00:00Z", 1),
        ("2026-09-03T09:59:59Z", 1),
    ):
        card = json.loads(run(path, "--json", as_of=as_of))
        assert card["practices"]["REL-02"]["current"] == current


def test_few_answers_give_no_number(write: Write) -> None:
    card = json.loads(run(write(all_at(3)[:30]), "--json"))
    assert card["overall"] | {"status": "incomplete", "score": None, "weakest": None} == card["overall"]
    assert card["dimensions"]["REL"]["score"] == 3.0
    assert card["dimensions"]["COST"]["score"] is None
    assert json.loads(run(write([]), "--json"))["overall"]["completeness"] == 0.0


def test_profile_and_scope(write: Write) -> None:
    answers, profile = write(all_at(2)), write({"kinds": ["train"], "scope": "quick"})
    card = json.loads(run(answers, "--profile", str(profile), "--json"))
    assert card["scope"] == "quick"
    assert len(card["practices"]) == 12
    assert "REL-06" in card["practices"]
    assert {"hidden_by_profile", "outside_scope"} == {each["code"] for each in card["warnings"]}
    full = json.loads(run(answers, "--profile", str(profile), "--scope", "full", "--json"))
    assert full["scope"] == "full"
    assert "REL-03" not in full["practices"]
    assert len(json.loads(run(answers, "--scope", "quick", "--json"))["practices"]) == 12


def test_the_table_is_for_people(write: Write) -> None:
    table = run(write([*all_at(3)[:40], {"practice": "SEC-08", "level": 5}][:40]))
    assert "Score - of 5; incomplete, 83% answered" in table
    assert "REL" in table and "REL-04" in table
    complete = run(write(all_at(3)))
    assert "Score 3.00 of 5, weakest REL; ok, 100% answered" in complete


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON at line 1"),
        (b"{}", "answers: must be a list"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b" " * (MAX_BYTES + 1), "larger than 20 MB"),
        (b'[{"practice": "REL-01", "level": NaN}]', "answers[0].level: "),
        (b'[{"practice": "REL-04", "clauses": ["OBS-01.L1.a"]}]', "is a clause of OBS-01, not of REL-04"),
        (
            b'[{"practice": "REL-01", "level": 1, "evidence": '
            b'[{"kind": "E1", "effective_at": "2026-12-01T00:00:00"}]}]',
            "answers[0].evidence[0].effective_at: '2026-12-01T00:00:00' has no time zone",
        ),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(write: Write, content: bytes, message: str) -> None:
    path = write(content)
    assert message in refused(path)
    assert str(path) in refused(path)


def test_every_error_of_every_file_is_named_at_once(write: Write) -> None:
    answers = write([{"practice": "REL-01", "level": 9}, {"practice": "REL-01", "level": True}, 7])
    profile = write({"kinds": ["cook"], "x": 1})
    text = refused(answers, "--profile", str(profile), as_of="2026-12-02")
    for part in (
        "--as-of",
        "no time zone",
        "profile.kinds[0]",
        "profile.x",
        "answers[0].level",
        "answers[1].level",
        "answers[2]",
    ):
        assert part in text


def test_files_that_cannot_be_read(tmp_path: Path, write: Write) -> None:
    assert "No such file" in refused(tmp_path / "none.json")
    assert "cannot be read" in refused(tmp_path)
    assert "cannot be read" in refused("a\0b")
    assert "No such file" in refused(write([]), "--profile", str(tmp_path / "none.json"))


def test_an_unknown_matrix_is_a_usage_error(write: Write) -> None:
    with pytest.raises(CommandError, match=r"v9\.9"):
        call_command("score", "--matrix", "v9.9", "--answers", str(write([])))


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "score", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_database_is_needed_and_exit_codes_hold(write: Write, tmp_path: Path) -> None:
    """A database that nobody answers for, a C locale and a fresh folder for files do not matter."""
    nowhere = {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "BALLAST_VAR": str(tmp_path / "var"),
        "LC_ALL": "C",
    }
    good = process("--answers", str(write(all_at(3))), "--as-of", AS_OF, "--json", **nowhere)
    assert good.returncode == 0, good.stderr
    assert json.loads(good.stdout)["overall"]["score"] == 3.0
    bad = process("--answers", str(write([{"practice": "坏\ud800", "level": 1}])), "--json", **nowhere)
    assert bad.returncode == 2
    assert bad.stdout == ""
    assert "answers[0].practice" in bad.stderr
    assert "Traceback" not in bad.stderr
    assert process("--json").returncode == 2


@pytest.mark.parametrize("command", ["score", "compare", "lint_matrix"])
def test_a_reader_that_has_had_enough_sees_no_traceback(write: Write, command: str) -> None:
    file = write([{"practice": "REL-01", "level": 3}]) if command == "score" else write([1, 2, 3])
    arguments = {"score": ["--answers", str(file), "--json"], "compare": ["--a", str(file), "--b", str(file)]}
    read, closed = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "manage.py", command, *arguments.get(command, [])],
        cwd=ROOT, stdout=closed, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(closed)
    assert (run.returncode, run.stderr) == (141, b"")

"""`manage.py compare`: files in, JSON out, every error with its place, no database."""

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
from hypothesis import given
from hypothesis import strategies as st

from portal.stats.samples import MAX_BYTES, MAX_VALUES, SampleErrors, read_labels, read_sample

ROOT = Path(__file__).resolve().parents[3]
Write = Callable[[Any], str]
LOW, HIGH = [1, 2, 2, 3, 3, 4], [3, 4, 4, 5, 5, 5.0]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a value (or bytes as they are) to a new file."""

    def put(value: Any) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))} 样本.json"
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return str(path)

    return put


def run(a: str, b: str, *more: str) -> Any:
    out = StringIO()
    call_command("compare", "--a", a, "--b", b, "--json", *more, stdout=out)
    return json.loads(out.getvalue())


def refused(a: str, b: str, *more: str) -> list[str]:
    with pytest.raises(CommandError) as caught:
        run(a, b, *more)
    assert caught.value.returncode == 2
    return str(caught.value).splitlines()


def scorecard(levels: dict[str, int | None], **header: Any) -> dict[str, Any]:
    return {**header, "practices": {name: {"current": level} for name, level in levels.items()}}


def test_the_promised_shape(write: Write) -> None:
    result = run(write(LOW), write(HIGH))
    assert set(result) >= {"ks", "effect", "interval", "n", "refused"}
    assert set(result["ks"]) >= {"statistic", "p_value", "method"}
    assert result["ks"]["method"] == "exact"
    assert result["effect"]["difference"] == pytest.approx(-11 / 6)
    assert result["interval"][0] < -11 / 6 < result["interval"][1] < 0
    assert result["n"] == [6, 6]
    assert result["refused"] is None
    assert (result["alpha"], result["resamples"], result["seed"]) == (0.05, 1000, 0)


def test_alpha_narrows_the_interval_and_seed_repeats_it(write: Write) -> None:
    a, b = write([*LOW] * 3), write([*HIGH] * 3)
    wide, narrow = run(a, b), run(a, b, "--alpha", "0.2")
    assert wide["interval"][0] < narrow["interval"][0] < narrow["interval"][1] < wide["interval"][1]
    assert run(a, b, "--seed", "7") == run(a, b, "--seed", "7")
    assert run(a, b, "--seed", "7")["interval"] != run(a, b, "--seed", "8")["interval"]


def test_units_in_both_files(write: Write) -> None:
    people = [name for name in "abcdef" for _ in range(2)]
    a = write({"values": LOW * 2, "units": [f"north {name}" for name in people]})
    b = write({"values": HIGH * 2, "units": [f"south {name}" for name in people]})
    result = run(a, b)
    assert result["ks"]["exchange"] == "unit"
    assert result["ks"]["units"] == 12
    assert run(write({"values": LOW, "units": [*"abcdef"]}), write({"values": HIGH, "units": [*"abcdef"]}))[
        "ks"
    ]["exchange"] == ("pair")


def test_strata_as_text_and_as_file(write: Write) -> None:
    labels = ["x", "y", 1, "x", "y", 1] * 2
    a, b = write(LOW), write(HIGH)
    result = run(a, b, "--strata", write(labels))
    assert result == run(a, b, "--strata", json.dumps(labels))
    assert "stratified_difference" in result["effect"]
    assert result["refused_code"] is None
    apart = run(a, b, "--strata", json.dumps(["x"] * 6 + ["y"] * 6))
    assert (apart["ks"], apart["refused_code"]) == (None, "no_common_stratum")


def test_blocks_and_their_refusal(write: Write) -> None:
    calm = [(i * 7919) % 101 for i in range(400)]
    assert run(write(calm[:200]), write(calm[200:]), "--block", "auto")["ks"]["exchange"] == "block"
    assert run(write(calm[:200]), write(calm[200:]), "--block", "20")["ks"]["block"] == 20
    drift = list(range(200))
    result = run(write(drift), write(drift), "--block", "auto")
    assert result["ks"] is None
    assert "needs" in result["refused"] and "samples" in result["refused"]


def test_two_scorecards_are_paired_by_practice(write: Write) -> None:
    levels: dict[str, int | None] = {f"REL-0{i}": 2 for i in range(1, 9)}
    header = {"matrix": {"version": "2.3", "sha256": "aa"}, "scope": "full"}
    a = scorecard({**levels, "SEC-01": None}, **header)
    b = scorecard({**dict.fromkeys(levels, 4), "SEC-01": 1}, **header)
    result = run(write(a), write(b))
    assert result["pairing"] == {"by": "practice", "pairs": 8, "only_in_a": [], "only_in_b": ["SEC-01"]}
    assert result["effect"]["difference"] == -2.0
    assert result["ks"]["exchange"] == "pair"
    assert result["interval"] is None and result["interval_refused"]
    unlike = {
        "other_matrix": {"matrix": {"version": "2.3", "sha256": "bb"}},
        "other_scope": {"scope": "quick"},
    }
    for code, change in unlike.items():
        other = run(write(a), write({**b, **change}))
        assert (other["ks"], other["refused_code"]) == (None, code)


def test_score_cards_of_another_matrix_are_not_tested(write: Write) -> None:
    """The guard reads the keys that `score` really writes."""
    answers = [{"practice": f"REL-0{i}", "level": i % 5} for i in range(1, 9)]
    out = StringIO()
    call_command(
        "score", "--answers", write(answers), "--as-of", "2026-12-02T00:00:00Z", "--json", stdout=out
    )
    card = json.loads(out.getvalue())
    other = {**card, "matrix": {**card["matrix"], "sha256": "0" * 64}}
    assert run(write(card), write(card))["refused_code"] != "other_matrix"
    assert run(write(card), write(other))["refused_code"] == "other_matrix"


def test_the_output_of_score_is_read(write: Write, tmp_path: Path) -> None:
    files = []
    for level in (1, 3):
        evidence = [{"kind": "E5", "effective_at": "2026-12-01T00:00:00Z"}]
        answers = [{"practice": f"REL-0{i}", "level": level, "evidence": evidence} for i in range(1, 9)]
        out = StringIO()
        call_command(
            "score", "--answers", write(answers), "--as-of", "2026-12-02T00:00:00Z", "--json", stdout=out
        )
        files.append(write(out.getvalue().encode()))
    result = run(files[0], files[1])
    assert result["pairing"]["pairs"] == 8
    assert result["effect"] == {"difference": -2.0, "cliffs_delta": -1.0}


def test_text_for_people(write: Write) -> None:
    out = StringIO()
    call_command("compare", "--a", write(LOW), "--b", write(HIGH), stdout=out)
    assert "Kolmogorov-Smirnov D" in out.getvalue()
    assert "Cliff's delta" in out.getvalue()
    levels = dict.fromkeys(("REL-01", "REL-02"), 2)
    out = StringIO()
    call_command("compare", "--a", write(scorecard(levels)), "--b", write(scorecard(levels)), stdout=out)
    assert "no test: too few units" in out.getvalue()
    assert "no interval: one answer for each practice" in out.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1 column 1: not JSON"),
        (b"[1, 2", "not JSON"),
        (b"\xff[1]", "byte 0: not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b" " * (MAX_BYTES + 1), "larger than 20 MB"),
        (b"3", "a list of numbers or an object was expected, not a number"),
        (b"[]", "at least 2 values, there are 0"),
        (b"[1]", "at least 2 values, there are 1"),
        (b"[1, NaN]", "[1]: NaN is not a finite number"),
        (b"[-Infinity, 1]", "[0]: -Infinity is not a finite number"),
        (b"[1, 1e999]", "[1]: Infinity is not a finite number"),
        (b'[1, 2, "3"]', "[2]: a number was expected, not text"),
        (b"[true, 2]", "[0]: a number was expected, not true or false"),
        (b"[1, null]", "[1]: a number was expected, not null"),
        (b"[1, [2]]", "[1]: a number was expected, not a list"),
        (b"[1, 1e101]", "[1]: larger than 1e+100"),
        (b"[1, 1" + b"0" * 400 + b"]", "[1]: larger than 1e+100"),
        (b"[1, 1" + b"0" * 5000 + b"]", "too many digits"),
        (b"[" + b"1," * MAX_VALUES + b"1]", f"{MAX_VALUES + 1} values; at most {MAX_VALUES}"),
        (b"{}", "values: a list was expected; it is missing"),
        (b'{"values": [1, 2], "value": []}', "'value': unknown key"),
        (b'{"values": [1, 2], "values": [3, 4]}', "the key 'values' occurs twice"),
        (b'{"values": [1, 2], "units": ["p"]}', "units: 1 labels for 2 values"),
        (b'{"values": [1, 2], "units": ["p", 2.5]}', "units[1]: a label"),
        (b'{"values": [1, 2], "units": ["p", ""]}', "units[1]: a label has 1 to 200"),
        (b'{"values": 3, "units": "p"}', "units: a list was expected; it is text"),
        (b'{"practices": []}', "practices: an object was expected"),
        (b'{"practices": {"REL-01": 3}}', "practices['REL-01']: an object with the key current"),
        (b'{"practices": {"REL-01": {"current": 9}}}', "practices['REL-01'].current: level 9"),
        (b'{"practices": {"REL-01": {"current": NaN}}}', "current: NaN is not a finite number"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(write: Write, content: bytes, message: str) -> None:
    path = write(content)
    found = refused(path, write(HIGH))
    assert any(line.startswith(path) and message in line for line in found[1:])


def test_all_errors_come_at_once(write: Write, tmp_path: Path) -> None:
    a, b = write([1, None, "x"]), str(tmp_path / "missing.json")
    found = refused(a, b, "--alpha", "2", "--block", "none", "--strata", "[1,")
    assert found[0] == "6 error(s)"
    text = "\n".join(found)
    for part in ("[1]:", "[2]:", "missing.json: cannot be read", "--alpha", "--block", "--strata"):
        assert part in text


def test_files_that_do_not_fit_together(write: Write) -> None:
    plain, card = write(LOW), write(scorecard({"REL-01": 1, "REL-02": 2}))
    labelled = write({"values": LOW, "units": [*"abcdef"]})
    assert "one is a scorecard" in refused(plain, card)[1]
    assert "units: are missing" in refused(plain, labelled)[1]
    assert refused(plain, labelled)[1].startswith(plain)
    assert "2 labels for 6 + 6" in refused(plain, plain, "--strata", "[1, 2]")[1]
    assert "cannot be combined" in refused(labelled, labelled, "--block", "2")[1]
    assert "does not apply" in refused(card, card, "--block", "2")[1]
    assert "1 practices" in refused(card, write(scorecard({"REL-01": 1, "SEC-02": 2})))[1]


@pytest.mark.parametrize("block", ["0", "-1", "1.5", "", "1" * 50, "²"])
def test_bad_blocks(write: Write, block: str) -> None:
    assert refused(write(LOW), write(HIGH), f"--block={block}")[1].startswith("--block")


def test_a_folder_is_not_a_file(write: Write, tmp_path: Path) -> None:
    assert "cannot be read" in refused(str(tmp_path), write(HIGH))[1]
    assert "cannot be read" in refused("a\0b", write(HIGH))[1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["values", "units", "practices", "current", "x"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(JSON | st.binary(max_size=30))
def test_no_file_makes_the_reader_fall_over(document: Any) -> None:
    raw = document if isinstance(document, bytes) else json.dumps(document).encode()
    for read in (read_sample, read_labels):
        try:
            read(raw, "f")
        except SampleErrors as error:
            assert error.problems


def test_from_a_shell_without_a_database(write: Write, tmp_path: Path) -> None:
    """The exit codes of the real process, where connecting to a database would fail."""
    environment = {
        **os.environ,
        "BALLAST_VAR": str(tmp_path),
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/x",
    }
    environment.pop("DJANGO_SETTINGS_MODULE", None)

    def shell(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "compare", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)

    good = shell("--a", write(LOW), "--b", write(HIGH), "--json")
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["n"] == [6, 6]
    bad = shell("--a", write(b"[1, NaN]"), "--b", write(HIGH), "--json")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "[1]: NaN" in bad.stderr
    assert "Traceback" not in bad.stderr

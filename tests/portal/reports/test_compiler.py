"""The child process: its limits are real, its refusals are words, and it leaves nothing behind."""

from __future__ import annotations

import ast
import subprocess
from datetime import UTC, datetime
from typing import Any

import pytest

from portal.errors import Refused, TooLarge
from portal.reports import compiler

MOMENT = datetime(2026, 12, 2, tzinfo=UTC)


def refused(data: dict[str, Any], **options: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        compiler.compile_pdf("maturity", data, language="en", timestamp=MOMENT, **options)
    return caught.value


def children() -> set[str]:
    """Process ids that run the child's file."""
    listing = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    own = [line for line in listing.splitlines() if str(compiler.CHILD) in line and "ps -eo" not in line]
    return {line.split()[0] for line in own}


def test_too_slow_is_refused_and_the_child_is_gone(sample: dict[str, Any]) -> None:
    before = children()
    error = refused(sample, wall=0.01)
    assert error.code == "report_time" and error.retryable
    assert str(compiler.WALL_SECONDS) in error.message
    assert children() <= before


def test_cpu_time_is_limited(sample: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One second of processor time cannot typeset thousands of answers."""
    monkeypatch.setattr(compiler, "CPU_SECONDS", 1)
    sample["practices"] = [
        {**each, "evidence": [], "note": "many words in a long note " * 40}
        for each in sample["practices"]
        for _copy in range(20)
    ]
    assert refused(sample).code == "report_time"


def test_memory_is_limited(small: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "MEMORY_BYTES", 48 * 1024 * 1024)
    error = refused(small)
    assert error.code == "report_memory" and error.retryable


def test_the_size_of_the_pdf_is_limited(small: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "PDF_BYTES", 1000)
    error = refused(small)
    assert error.code == "report_size" and not error.retryable


def test_data_of_another_shape_is_refused_in_words(small: dict[str, Any]) -> None:
    del small["overall"]
    error = refused(small)
    assert error.code == "report_template" and not error.retryable
    assert "overall" in error.extra["detail"]
    # Where the installation lies is nobody's business.
    assert str(compiler.TEMPLATES) not in error.extra["detail"]


@pytest.mark.parametrize("name", ["", "look", "../maturity", "maturity.typ", "/etc/passwd", "m\x00"])
def test_only_documents_are_templates(name: str, small: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        compiler.compile_pdf(name, small, language="en", timestamp=MOMENT)
    assert caught.value.code == "unknown_template"


def test_too_much_data_never_starts_a_child(small: dict[str, Any]) -> None:
    small["title"] = "x" * compiler.DATA_BYTES
    with pytest.raises(TooLarge):
        compiler.compile_pdf("maturity", small, language="en", timestamp=MOMENT)


def test_the_child_knows_neither_django_nor_the_portal() -> None:
    tree = ast.parse(compiler.CHILD.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names <= {"__future__", "json", "re", "resource", "signal", "sys", "typing", "typst"}


def test_the_child_gets_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "canary")
    assert "canary" not in str(compiler._environment())


def test_a_child_that_dies_without_a_word_is_still_a_refusal(
    small: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    broken = tmp_path / "child.py"
    for body, code in (
        ("raise SystemExit(9)", "report_template"),
        ("import os; os.abort()", "report_memory"),
    ):
        broken.write_text(body, encoding="utf-8")
        monkeypatch.setattr(compiler, "CHILD", broken)
        assert refused(small).code == code

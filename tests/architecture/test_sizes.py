"""Files stay small enough to read at once. An exemption needs a reason."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILE_LINES = 400
FUNCTION_LINES = 50
# path -> why it may be longer
EXEMPT: dict[str, str] = {}
EXEMPT_FOLDERS = {
    "assessments/matrix/": "content of the matrix (decision 16)",
    "assessments/demo/": "content of the demo story",
    "requirements/": "lock files",
}
SUFFIXES = {".py", ".js", ".css", ".html", ".typ", ".md", ".yaml", ".yml"}


def tracked() -> list[str]:
    """Files git knows or would add."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode:
        return [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".venv" not in path.parts]
    return [name for name in listing.stdout.decode().split("\0") if name]


def measured() -> list[Path]:
    return [
        ROOT / name
        for name in tracked()
        if Path(name).suffix in SUFFIXES
        and name not in EXEMPT
        and not any(name.startswith(folder) for folder in EXEMPT_FOLDERS)
        and (ROOT / name).is_file()
    ]


def test_files_are_at_most_400_lines() -> None:
    long = {}
    for path in measured():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > FILE_LINES:
            long[str(path.relative_to(ROOT))] = lines
    assert long == {}


def test_functions_are_at_most_50_lines() -> None:
    long = {}
    for path in measured():
        if path.suffix != ".py" or "migrations" in path.parts or "tests" in path.relative_to(ROOT).parts[:1]:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES:
                    long[f"{path.relative_to(ROOT)}:{node.name}"] = length
    assert long == {}


@pytest.mark.parametrize("name", ["core", "utils", "common", "helpers", "extras", "misc"])
def test_no_module_has_a_name_that_says_nothing(name: str) -> None:
    found = [item for item in tracked() if name in {*Path(item).parts, Path(item).stem}]
    assert found == []


def test_every_package_explains_itself() -> None:
    """A folder's __init__.py says in a docstring what the folder is for."""
    silent = []
    for name in tracked():
        path = ROOT / name
        if path.name != "__init__.py" or {"migrations", "management", "commands", "tests"} & set(path.parts):
            continue
        if not path.is_file() or not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))):
            silent.append(name)
    assert silent == []

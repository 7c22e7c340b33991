"""Documentation that cannot lie: settings, links, decision numbers."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    used = set()
    for path in (ROOT / "portal" / "config").rglob("*.py"):
        used |= set(re.findall(r"env\.(?:text|flag|number|words)\(\s*\"(\w+)\"", path.read_text("utf-8")))
    table = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
    documented = {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([A-Z_]+)`", line.split("|")[1])
    }
    assert used == documented


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#]+)", path.read_text("utf-8")):
            if not (path.parent / target).exists():
                broken.append(f"{path.relative_to(ROOT)} -> {target}")
    assert broken == []


def test_decisions_have_their_own_number_and_a_status() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    numbers = [path.name[:4] for path in records]
    assert len(numbers) == len(set(numbers))
    for path in records:
        text = path.read_text("utf-8")
        assert re.search(r"^Status: \w+", text, re.M), path.name


def test_nothing_names_a_machine_or_a_registry() -> None:
    forbidden = re.compile(r"/work/|/root/|/tmp/bash_jobs|files\.pythonhosted|registry\.npmjs")
    found = []
    for folder in ("portal", "assessments", "llm_remediation", "frontend", "docs", "agents"):
        for path in (ROOT / folder).rglob("*"):
            text_file = path.suffix in {".py", ".md", ".html", ".js", ".css", ".yaml", ".typ", ".json"}
            if text_file and forbidden.search(path.read_text("utf-8")):
                found.append(str(path.relative_to(ROOT)))
    assert found == []

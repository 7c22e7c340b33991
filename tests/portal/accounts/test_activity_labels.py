"""What services record has a name on the activity page."""

from __future__ import annotations

import re
from pathlib import Path

from portal.accounts.activity_labels import CHANGES, OBJECTS, change_name, object_name

ROOT = Path(__file__).resolve().parents[3]
SERVICES = [
    path
    for folder in ("portal", "assessments", "llm_remediation")
    for path in (ROOT / folder).rglob("*.py")
    if "services" in path.relative_to(ROOT).as_posix()
]


def written(pattern: str) -> set[str]:
    return {found for path in SERVICES for found in re.findall(pattern, path.read_text("utf-8"))}


def test_every_recorded_action_has_a_name() -> None:
    codes = written(r'(?:action=|_note\([^)]*|_record\([^)]*|_end\([^)]*)"([a-z]+\.[a-z_]+)"')
    assert len(codes) > 20
    assert sorted(codes - set(CHANGES)) == []


def test_every_recorded_kind_of_object_has_a_name() -> None:
    codes = written(r'object_type="([a-z_]+)"')
    assert sorted(codes - set(OBJECTS)) == []


def test_an_unknown_code_is_shown_as_it_is() -> None:
    assert change_name("thing.done") == "thing.done"
    assert object_name("thing") == "thing"

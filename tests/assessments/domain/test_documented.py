"""The documentation of scoring and of the matrix format says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from assessments.domain.evidence import CEILINGS, EXPIRY_DAYS

ROOT = Path(__file__).resolve().parents[3]
DOMAIN = ROOT / "assessments" / "domain"
SCORING = (ROOT / "docs" / "guide" / "scoring.md").read_text(encoding="utf-8")
SCHEMA = (ROOT / "docs" / "reference" / "matrix_schema.md").read_text(encoding="utf-8")
_FAMILIES = (
    "file|yaml|schema|text|practice|core|clause|rulings|kpi|protocol|answers_by|effort|needs|nist|levels|evidence|quick"
    "|lint"
)
RULE = rf'"((?:{_FAMILIES})\.[a-z-]+)"'


def test_the_evidence_table_is_that_of_the_code() -> None:
    rows = dict(re.findall(r"^\| (E\d) \| [^|]+ \| (\d \| [^|]+) \|$", SCORING, re.M))
    assert rows == {
        kind.value: f"{ceiling} | {'no end' if EXPIRY_DAYS[kind] is None else f'{EXPIRY_DAYS[kind]} d'}"
        for kind, ceiling in CEILINGS.items()
    }


def test_every_warning_code_is_documented() -> None:
    source = (DOMAIN / "xray.py").read_text(encoding="utf-8")
    codes = set(re.findall(r"XrayWarning\(\"(\w+)\"", source)) | set(re.findall(r"\"(needs_\w+)\"", source))
    assert len(codes) == 15
    assert {code for code in codes if f"`{code}`" not in SCORING} == set()


def test_every_rule_of_loader_and_linter_is_documented_and_no_other() -> None:
    sources = ("loader.py", "practice_reading.py", "proof_reading.py", "yaml_nodes.py", "linter.py")
    used = {
        code for name in sources for code in re.findall(RULE, (DOMAIN / name).read_text(encoding="utf-8"))
    }
    documented = set(re.findall(r"`([a-z_]+\.[a-z-]+)`", SCHEMA)) - {"matrix.yaml"}
    documented = {code for code in documented if not code.endswith(".yaml")}
    assert used == documented

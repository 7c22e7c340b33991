"""The guide names every reason code that the planner gives, and no other; its tables equal the code."""

from __future__ import annotations

import re
from pathlib import Path

from llm_remediation.domain import reasons
from llm_remediation.domain.effort import DEFAULT_ESTIMATES
from llm_remediation.domain.model import WEIGHTS
from llm_remediation.domain.roadmap import EXPLAIN_SECONDS, SOLVE_SECONDS

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "guide" / "roadmap.md").read_text("utf-8")


def test_reason_codes() -> None:
    source = Path(reasons.__file__).read_text("utf-8")
    given = set(re.findall(r'Reason\(\s*"(\w+)"', source))
    section = GUIDE.split("## Why a step is in or out")[1].split("##")[0]
    documented = set(re.findall(r"^\| (\w+) \|", section, re.M)) - {"reason"}
    in_docstring = set(re.findall(r"^- `(\w+)`", reasons.__doc__ or "", re.M))
    assert given == documented == in_docstring


def test_default_estimates() -> None:
    rows = re.findall(r"^\| (\d) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", GUIDE, re.M)
    written = {int(level): tuple(map(float, numbers)) for level, *numbers in rows}
    assert written == {
        level: (each.days_low, each.days_likely, each.days_high, each.gpu_hours)
        for level, each in DEFAULT_ESTIMATES.items()
    }


def test_weight_and_time_limits() -> None:
    assert f"**{WEIGHTS.weakest_dimension:g} times** (weights version {WEIGHTS.version})" in GUIDE
    assert f"({SOLVE_SECONDS:g} s)" in GUIDE and f"({EXPLAIN_SECONDS:g} s together)" in GUIDE

"""The guide says what the rules do: practices, numbers, units, thresholds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assessments.domain.kpis.numbers import NUMBERS
from llm_remediation.domain.tradeoffs import registry, t2, t3, t4, t5, t6, t7, t8
from llm_remediation.domain.tradeoffs.model import TradeoffRule
from llm_remediation.domain.tradeoffs.standing import LONGEST_ACCEPTANCE_DAYS

GUIDE = (Path(__file__).resolve().parents[4] / "docs" / "guide" / "tradeoffs.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in GUIDE.splitlines() if line[:1] == "|"
]


@pytest.mark.parametrize("rule", registry.RULES, ids=lambda rule: rule.id)
def test_dimensions_and_practices(rule: TradeoffRule) -> None:
    (row,) = (each for each in ROWS if each[0].startswith(f"{rule.id} "))
    assert row[1:3] == [each.value for each in rule.dims]
    assert tuple(row[3].split(", ")) == rule.practices


def test_every_number_with_its_unit() -> None:
    given = {
        name: (row[1], row[2])
        for row in ROWS
        if len(row) == 4 and row[0].startswith("`")
        for name in re.findall(r"`(\w+)`", row[0])
    }
    assert given == {
        name: (NUMBERS[name].unit, "yes" if NUMBERS[name].per_service else "no")
        for rule in registry.RULES
        for name in rule.numbers
    }


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("T2", f"more than {t2.MOST_GROWTH_PERCENT:g} %"),
        ("T2", f"more than {t2.MOST_BROKEN_PERCENT:g} %"),
        ("T2", f"fewer than {t2.LEAST_RELEASES} "),
        ("T3", f"more than {t3.MOST_SHARE_PERCENT:g} %"),
        ("T4", f"less than {t4.LEAST_BUDGET_PERCENT:g} %"),
        ("T4", f"{t4.LEAST_QUEUED} or more changes"),
        ("T5", f"more than {t5.MOST_DEVIATION_PERCENT:g} %"),
        ("T6", f"below level {t6.LEAST_LEVEL} "),
        ("T7", f"more than {t7.MOST_LATENCY_PERCENT:g} %"),
        ("T7", f"more than {t7.MOST_COST_PERCENT:g} %"),
        ("T8", f"above {t8.MOST_TARGET_PERCENT:g} %"),
        ("T8", f"more than {t8.MOST_WAIT_PERCENT:g} %"),
    ],
)
def test_thresholds(rule: str, said: str) -> None:
    (section,) = re.findall(rf"^### {rule} (.+?)(?=^##)", GUIDE, re.M | re.S)
    assert said in " ".join(section.split())


def test_the_longest_acceptance() -> None:
    assert f"at most {LONGEST_ACCEPTANCE_DAYS} days" in GUIDE

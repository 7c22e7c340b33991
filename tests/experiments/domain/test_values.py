"""The tricky expressions against values computed by hand, run by Prometheus' own test runner."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from experiments.domain.rules import rules_yaml, scope_of
from experiments.domain.signals import expressions

FOLDER = Path(__file__).parents[1] / "promtool"
FILES = sorted(path.name for path in FOLDER.glob("*.yaml"))
PLACE = re.compile(r"@(\w+) (sli\.\w+)")


def written_out(expr: str) -> str:
    def found(match: re.Match[str]) -> str:
        (one,) = expressions(match[2], match[1])
        return f"({one.promql})"

    return PLACE.sub(found, expr)


def as_promtool(case: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": case["name"],
        "interval": case["interval"],
        "input_series": [{"series": key, "values": str(value)} for key, value in case["series"].items()],
        "promql_expr_test": [
            {
                "expr": written_out(one["expr"]),
                "eval_time": one["at"],
                "exp_samples": []
                if one["is"] == "empty"
                else [{"labels": labels, "value": value} for labels, value in one["is"].items()],
            }
            for one in case["expect"]
        ],
    }


def test_there_are_enough_cases() -> None:
    names = {match for name in FILES for match in PLACE.findall((FOLDER / name).read_text("utf-8"))}
    assert len(names) >= 25


@pytest.mark.parametrize("name", FILES)
def test_values(name: str, promtool: Callable[..., str], tmp_path: Path) -> None:
    cases = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    document = {"evaluation_interval": "1m", "tests": [as_promtool(case) for case in cases]}
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    promtool(tmp_path, "test", "rules", "cases.yaml")


def test_recording_rules_keep_to_their_scope(promtool: Callable[..., str], tmp_path: Path) -> None:
    """Two clusters, a hostile name among them: the rules of one count only its own series."""
    hostile = 'n"} or vector(9) #'
    (tmp_path / "rules.yaml").write_text(rules_yaml(["vllm"], scope_of(hostile, "llm")), encoding="utf-8")
    name = 'vllm:num_requests_waiting{model_name="m",cluster="%s",namespace="%s"}'
    quoted = hostile.replace('"', '\\"')
    wanted = f'ballast:waiting:last{{cluster="{quoted}",namespace="llm",model_name="m",stack="vllm"}}'
    document = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [
                    {"series": name % (quoted, "llm"), "values": "3x5"},
                    {"series": name % (quoted, "other"), "values": "50x5"},
                    {"series": name % ("n", "llm"), "values": "700x5"},
                ],
                "promql_expr_test": [
                    {
                        "expr": "ballast:waiting:last",
                        "eval_time": "3m",
                        "exp_samples": [{"labels": wanted, "value": 3}],
                    }
                ],
            }
        ],
    }
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    promtool(tmp_path, "test", "rules", "cases.yaml")

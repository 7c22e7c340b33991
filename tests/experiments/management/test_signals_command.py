"""`manage.py signals`: what it prints and how it refuses."""

from __future__ import annotations

import json
from io import StringIO

import pytest
import yaml
from django.core.management import CommandError, call_command


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("signals", *arguments, stdout=out)
    return out.getvalue()


def test_list_has_a_line_per_signal() -> None:
    lines = printed().splitlines()
    assert len(lines) == 117
    assert printed("--list") == printed()
    assert [line.split()[0] for line in printed("--stack", "ray").splitlines()] == [
        "sli.waiting",
        "sli.ray_healthy",
    ]
    (ttft,) = [line for line in lines if line.startswith("sli.ttft_p95 ")]
    assert ttft.split() == ["sli.ttft_p95", "s", "OBS-02", "dynamo", "sglang", "vllm"]


def test_json_holds_both_languages() -> None:
    found = json.loads(printed("--json", "--stack", "vllm"))
    ttft = next(row for row in found["signals"] if row["id"] == "sli.ttft_p95")
    assert set(ttft["title"]) == {"en", "zh"} and ttft["record"] == "ballast:ttft_p95:5m"


def test_rules_are_yaml_with_the_scope_in_labels_and_expressions() -> None:
    document = yaml.safe_load(printed("--rules", "--stack", "dcgm", "--cluster", "n", "--namespace", "llm"))
    rules = [rule for group in document["groups"] for rule in group["rules"]]
    assert all(rule["labels"] == {"cluster": "n", "stack": "dcgm"} for rule in rules)
    assert all('cluster="n"' in rule["expr"] and "namespace=" not in rule["expr"] for rule in rules)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--stack", "nope"), "known: addons"),
        (("--rules", "--cluster", "a\nb"), "control characters"),
        (("--cluster", "n"), "belong to --rules"),
    ],
)
def test_refusals(arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(CommandError, match=says) as refused:
        printed(*arguments)
    assert refused.value.returncode == 2

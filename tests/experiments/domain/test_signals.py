"""The shipped catalogue: complete, in both languages, agreeing with the matrix, and accepted by promtool."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assessments.domain.shipped import v2_3
from experiments.domain import promql, signals
from experiments.domain.reference import as_data, markdown
from experiments.domain.rules import record_name, rules_yaml, scope_of
from experiments.domain.signal_reading import CatalogueErrors, read_folder
from portal.errors import Invalid, NotFound

ROOT = Path(__file__).resolve().parents[3]
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def test_every_signal_is_measured_somewhere_and_every_practice_reads_one() -> None:
    known = signals.catalogue()
    assert all(signals.expressions(each.id) for each in known.signals)
    assert set(known.by_practice) == {each.id for each in v2_3().practices}


def test_the_matrix_and_the_catalogue_name_the_same_signals() -> None:
    known = signals.catalogue()
    wrong = {}
    for practice in v2_3().practices:
        there = {each.id for each in known.by_practice[practice.id]}
        if practice.signals and set(practice.signals) != there:
            wrong[practice.id] = set(practice.signals) ^ there
    assert wrong == {}


def test_texts_stand_in_both_languages() -> None:
    known = signals.catalogue()
    texts = [text for each in known.signals for text in (each.title, each.meaning)]
    for stack in known.stacks:
        texts += [stack.about, *(gap.why for gap in stack.not_covered)]
        texts += [t for one in stack.expressions for t in (one.since, one.needs, one.trap) if t]
    assert [text.en for text in texts if CHINESE.search(text.en)] == []
    assert [text.zh for text in texts if not CHINESE.search(text.zh)] == []


def test_generations_of_names_are_joined_per_series() -> None:
    """`sum(new) or sum(old)` drops replicas of the other generation; `or` must stand inside the sum."""
    joined = [one for stack in signals.catalogue().stacks for one in stack.expressions if one.names]
    assert len(joined) >= 7
    for one in joined:
        new, old = one.names or ("", "")
        tail = r"(\[\w+\]\)?)?"
        pattern = rf"\((rate\()?{re.escape(new)}{tail} or (rate\()?{re.escape(old)}{tail}\)"
        assert re.search(pattern, one.promql), one.promql


def test_no_expression_carries_what_the_scope_sets() -> None:
    for stack in signals.catalogue().stacks:
        for one in stack.expressions:
            rendered = one.scoped({"cluster": "n", "namespace": "llm"})
            assert rendered.count('cluster="n"') == len(promql.selectors(one.promql)), one.promql
            assert ('namespace="llm"' in rendered) == ("namespace" in one.scope)
            assert one.left_out({"cluster": "n", "namespace": "llm"}) == tuple(
                label for label in ("cluster", "namespace") if label not in one.scope
            )
            assert one.scoped({"cluster": "", "namespace": ""}) == one.promql


def test_look_ups() -> None:
    assert signals.signal("sli.ttft_p95").unit == "s"
    assert [one.stack for one in signals.expressions("sli.ttft_p95")] == ["dynamo", "sglang", "vllm"]
    assert signals.expressions("sli.ttft_p95", "tgi") == ()
    for wrong in (lambda: signals.signal("sli.nope"), lambda: signals.expressions("sli.ttft_p95", "nope")):
        with pytest.raises(NotFound):
            wrong()


def test_promtool_accepts_every_rule(promtool: Callable[..., str], tmp_path: Path) -> None:
    count = sum(len(stack.expressions) for stack in signals.catalogue().stacks)
    for name, scope in (("plain", {}), ("scoped", scope_of('n"}\\ 雪', "llm"))):
        (tmp_path / name).write_text(rules_yaml(scope=scope), encoding="utf-8")
        # Duplicate rules would be reported before the count.
        assert f"SUCCESS: {count} rules found" in promtool(tmp_path, "check", "rules", name)


def test_rules_are_the_same_bytes_and_named_by_convention() -> None:
    once = rules_yaml(["vllm", "dcgm"], scope_of("n"))
    assert once == rules_yaml(["dcgm", "vllm"], scope_of("n"))
    names = re.findall(r"record: (\S+)", once)
    assert all(re.fullmatch(r"ballast:[a-z0-9_]+:(last|\d+[smhd])", name) for name in names)
    assert "ballast:ttft_p95:5m" in names
    assert record_name(signals.signal("sli.cost_anomaly")) == "ballast:cost_anomaly:7d"


@pytest.mark.parametrize("value", ["a\nb", "x" * 254, "\x7f"])
def test_a_scope_is_a_name(value: str) -> None:
    with pytest.raises(Invalid) as refused:
        scope_of(namespace=value)
    assert refused.value.place == "namespace"


def test_the_documentation_is_up_to_date() -> None:
    page = (ROOT / "docs" / "reference" / "signals.md").read_text("utf-8")
    assert markdown(page) == page, "run manage.py signals --docs"


def test_some_stacks_as_data() -> None:
    found = as_data(["ray"])
    assert [row["id"] for row in found["signals"]] == ["sli.waiting", "sli.ray_healthy"]
    assert [row["id"] for row in found["stacks"]] == ["ray"]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("vllm.yaml", "signal: sli.ttft_p95", "signal: sli.ttft_p99", "sli.ttft_p99 is no signal"),
        ("vllm.yaml", "signal: sli.ttft_p95", "signal: sli.itl_p99", "measured twice"),
        ("vllm.yaml", "sum by (model_name) (vllm:num_requests_waiting)", "sum(a", "not closed"),
        ("vllm.yaml", "_seconds_bucket[5m])))", "_seconds_bucket[9m])))", "looks back over"),
        ("vllm.yaml", "sum by (model_name) (vllm:num_requests_waiting)", "sum(a)", "keep the label"),
        ("vllm.yaml", "old: vllm:gpu_cache_usage_perc}", "old: vllm:other}", "does not read"),
        ("vllm.yaml", "checked: source", "checked: perhaps", "not of"),
        ("vllm.yaml", "checked: source", "certain: source", "unknown key"),
        ("vllm.yaml", "stack: vllm", "stack: other", "the file 'vllm'"),
        ("ray.yaml", "expressions:", "expressions: [", "not YAML"),
        ("tgi.yaml", "signal: sli.ttft_p95", "signal: sli.waiting", "measured after all"),
        ("dcgm.yaml", "scope: [cluster]", "scope: [galaxy]", "not allowed"),
        ("logical/cost.yaml", "kind: ratio", "kind: colour", "not of"),
        ("logical/cost.yaml", "- id: sli.quota_used", "- id: sli.cost_anomaly", "described twice"),
        ("logical/cost.yaml", "window: 1h", "window: soon", "is no window"),
        ("logical/cost.yaml", "practices: [COST-08]", "practices: []", "no practice reads it"),
        ("logical/cost.yaml", ', zh: "GPU配额使用率"', "", "zh is missing"),
    ],
)
def test_damage_is_named_with_file_and_line(file: str, old: str, new: str, says: str, tmp_path: Path) -> None:
    folder = tmp_path / "signals"
    shutil.copytree(signals.FOLDER, folder)
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueErrors) as refused:
        read_folder(folder)
    assert any(
        re.match(rf"{re.escape(file)}:\d+: .*{re.escape(says)}", each) for each in refused.value.problems
    )
    assert file in str(refused.value)

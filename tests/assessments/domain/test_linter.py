"""Each writing rule is broken on purpose, and what the white list allows passes."""

from __future__ import annotations

from typing import Any

import pytest

from assessments.domain.linter import lint, numbers
from tests.assessments.domain.small_matrix import small_matrix, texts, trees

REL = "reliability.yaml"
FACT = "In 90 d a log shows 3 valid runs."
FACT_ZH = "90天内有日志表明3次有效运行。"


def with_clause(en: str, zh: str, nth: int = 0) -> dict[str, str]:
    tree = trees()
    tree[REL]["practices"][0]["clauses"][nth].update(en=en, zh=zh)
    return texts(tree)


def with_practice(key: str, value: Any) -> dict[str, str]:
    tree = trees()
    tree[REL]["practices"][0][key] = value
    return texts(tree)


def rules(documents: dict[str, str]) -> list[str]:
    return [each.rule for each in lint(documents)]


def test_the_small_matrix_is_clean() -> None:
    assert lint(small_matrix()) == ()
    assert lint(texts()) == ()


@pytest.mark.parametrize(
    ("rule", "en", "zh"),
    [
        ("lint.length", " ".join(["3 log"] * 23), " ".join(["3"] * 23)),
        ("lint.length", "A log of 3 runs.", "3" + "字" * 90),
        ("lint.vague", "The team knows about it.", "团队知道此事。"),
        ("lint.vague", "Every tier-1 service does it.", "每个一级服务都做到。"),
        ("lint.period", "In 60 d a log shows it.", "60天内有日志。"),
        ("lint.period", "A log of the 60 s after it.", "之后60秒的日志。"),
        ("lint.banned-word", "A robust log of 3 runs.", "3次运行的日志。"),
        ("lint.banned-word", "Most of 3 logs.", "3份日志。"),
        ("lint.banned-word", "The key log of 3 runs.", "3次运行的日志。"),
        ("lint.banned-word", "A log, reviewed regularly.", "有日志。"),
        ("lint.banned-word", "A log as needed.", "有日志。"),
        ("lint.banned-word", "A log of 3 runs.", "有效的日志，3次。"),
        ("lint.banned-word", "A log of 3 runs.", "3次运行的日志，定期复核。"),
        ("lint.banned-word", "A log of 3 runs.", "关键服务的3次日志。"),
        ("lint.unquantified", "A log shows it is monitored.", "日志表明有监控。"),
        ("lint.and-or", "A log and/or 3 notes.", "日志或3份记录。"),
        ("lint.and-or", "A log or 3 notes.", "日志和/或3份记录。"),
        ("lint.double-negative", "It is not unlogged in 3 logs.", "3份日志。"),
        ("lint.double-negative", "A log cannot ever not show 3 runs.", "3份日志。"),
        ("lint.double-negative", "A log of 3 runs.", "日志中不无3次运行。"),
        ("lint.product", "A Prometheus log of 3 runs.", "3次运行的日志。"),
        ("lint.product", "A log of 3 runs.", "Redis中3次运行的日志。"),
        ("lint.number-word", "A log of three runs.", "运行日志。"),
        ("lint.number-word", "A log of runs.", "两次运行的日志。"),
        ("lint.feeling", "A log of 3 runs of important services.", "3次运行的日志。"),
        ("lint.feeling", "A log of 3 runs.", "核心服务3次运行的日志。"),
        ("lint.parity", "A log of 3 runs.", "4次运行的日志。"),
        ("lint.parity", "A log of 3 runs and 3 drills.", "3次运行与演练的日志。"),
        ("lint.parity", "F2 ran 3 times, see the log.", "F3运行3次，见日志。"),
    ],
)
def test_each_rule_is_enforced_on_clauses(rule: str, en: str, zh: str) -> None:
    assert rule in rules(with_clause(en, zh))


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        (FACT, FACT_ZH),
        ("In Git at most 3 API keys per key owner.", "Git中每个责任人至多3个API密钥。"),
        ("A two-person log of 3 runs.", "双人的3次运行日志。"),
        ("Goodput is ≥ 80 % in 3 runs.", "3次运行中有效吞吐≥80%。"),
        ("A patch ≤ 14 d after publication, in 3 logs.", "发布后≤14天修补，见3份日志。"),
        ("Abort ≤ 15 s in 3 runs.", "3次运行中止≤15秒。"),
        ("Until a log exists, 0 releases of tier-1 services.", "有日志之前，一级服务发布0次。"),
        ("A log of 1,000 requests.", "1000次请求的日志。"),
    ],
)
def test_exact_statements_pass(en: str, zh: str) -> None:
    assert rules(with_clause(en, zh)) == []


def test_a_higher_level_does_not_repeat_a_lower_one_louder() -> None:
    documents = with_clause("A log always shows 3 valid runs.", "日志总是表明3次有效运行。", nth=1)
    tree = trees()
    clauses = tree[REL]["practices"][0]["clauses"]
    clauses[0].update(en="A log shows 3 valid runs.", zh="日志表明3次有效运行。")
    clauses[1].update(en="A log always shows 3 valid runs.", zh="日志总是表明3次有效运行。")
    assert "lint.repeats" not in rules(documents)
    assert "lint.repeats" in rules(texts(tree))


@pytest.mark.parametrize("key", ["title", "question", "why"])
def test_words_and_numbers_are_checked_in_every_text(key: str) -> None:
    text = {"en": "Appropriate 3", "zh": "4"}
    assert sorted(set(rules(with_practice(key, text)))) == ["lint.banned-word", "lint.parity"]


def test_rulings_proof_drills_and_formulas_are_checked_too() -> None:
    bad = {"en": "A mature thing", "zh": "完善"}
    good = {"en": "fine", "zh": "好"}
    assert set(rules(with_practice("rulings", [good, bad]))) == {"lint.banned-word"}
    assert set(rules(with_practice("proof", [bad]))) == {"lint.banned-word"}
    answers_by = [{"drill": bad, "clauses": ["REL-01.L4.b"]}]
    assert set(rules(with_practice("answers_by", answers_by))) == {"lint.banned-word"}


def test_a_problem_names_file_line_and_clause() -> None:
    documents = with_clause("A robust log of 3 runs.", "3次运行的日志。")
    line = next(n for n, text in enumerate(documents[REL].splitlines(), 1) if "REL-01.L1.a" in text)
    [problem] = lint(documents)
    assert (problem.file, problem.line) == (REL, line)
    assert problem.message.startswith("REL-01.L1.a: ")


def test_documents_that_do_not_load_give_the_problems_of_the_loader() -> None:
    assert "file.missing" in rules({})


def test_numbers_are_a_multiset_without_names() -> None:
    assert numbers("tier-1 services: 3 of 3.5, F2, 1,000") == numbers("一级服务3、3.5、F2、１０００")
    assert numbers("3 and 3") != numbers("3")
    assert numbers("1,000 values") == numbers("1,000个值")

"""What the format learnt later: clause tags, signals, drill protocols, second conditions of a target."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from assessments.domain.answers import Answer
from assessments.domain.loader import load_documents
from assessments.domain.matrix import Profile
from assessments.domain.scoring import score
from tests.assessments.domain.small_matrix import both, small_matrix
from tests.assessments.domain.test_loader import REL, changed, first, put, rules, target

CONDITION = {"name": both("Time to detect"), "op": "<=", "value": 300, "unit": "s"}


def protocol(**values: object) -> dict[str, object]:
    """A drill protocol with some keys changed; None leaves a key out."""
    whole: dict[str, object] = {
        "people": 2,
        "minutes": 60,
        "every_days": 90,
        "steps": [both(f"Step {number}") for number in (1, 2, 3)],
        "pass": both("Restored in 15 min"),
        "record": both("A dated report"),
        **values,
    }
    return {key: value for key, value in whole.items() if value is not None}


def drill(**values: object) -> Callable[[Any], None]:
    """Change keys of the protocol of the drill of the first practice."""
    return first(lambda entry: entry["answers_by"][1].update(protocol=protocol(**values)))


BROKEN: list[tuple[str, Callable[[Any], None]]] = [
    ("kpi.target", target(1, level=4, op=">=", value=1, also=[CONDITION | {"op": "measured"}])),
    ("schema.missing-key", target(1, level=4, op=">=", value=1, also=[{"op": "<=", "value": 1}])),
    ("clause.tags", first(lambda entry: entry["clauses"][0].update(tags=["moe"]))),
    ("schema.value", first(lambda entry: entry["clauses"][1].update(tags=["gpu"]))),
    ("schema.value", first(put("signals", ["sum(rate(x[5m]))"]))),
    ("schema.value", first(put("signals", ["sli.a", "sli.a"]))),
    ("protocol.days", drill(every_days=45)),
    ("protocol.steps", drill(steps=[both("One step")])),
    ("schema.value", drill(people=0)),
    ("schema.missing-key", drill(record=None)),
    ("answers_by.source", first(lambda entry: entry["answers_by"][0].update(protocol=protocol()))),
]


@pytest.mark.parametrize(("rule", "change"), BROKEN)
def test_each_rule_is_reported(rule: str, change: Callable[[Any], None]) -> None:
    assert rule in rules(changed(REL, change))


def test_what_came_with_later_formats_is_read() -> None:
    def change(entry: Any) -> None:
        entry["clauses"][1]["tags"] = ["moe"]
        entry["signals"] = ["sli.ttft_p95"]
        entry["answers_by"][1]["protocol"] = protocol()
        entry["kpi"]["targets"][1]["also"] = [CONDITION]

    one = load_documents(changed(REL, first(change))).practice("REL-01")
    assert one.clauses[1].tags == frozenset({"moe"})
    assert one.signals == ("sli.ttft_p95",)
    shown = one.answers_by[1].protocol
    assert shown is not None and (shown.people, shown.minutes, shown.every_days) == (2, 60, 90)
    assert one.kpi is not None
    assert [(each.op, each.value, each.unit) for each in one.kpi.targets[1].also] == [("<=", 300, "s")]


def test_keys_of_later_formats_that_are_empty_leave_the_hash_alone() -> None:
    def change(entry: Any) -> None:
        entry["clauses"][0]["tags"] = []
        entry["signals"] = []
        entry["kpi"]["targets"][1]["also"] = []

    assert load_documents(changed(REL, first(change))).sha256 == small_matrix().sha256


def test_a_clause_with_tags_counts_only_where_the_profile_has_them() -> None:
    matrix = load_documents(changed(REL, first(lambda entry: entry["clauses"][1].update(tags=["moe"]))))
    dense, sparse = (Profile(frozenset({"serve"}), frozenset(tags)) for tags in ((), ("moe",)))
    hidden, seen = (matrix.narrowed(each).practice("REL-01") for each in (dense, sparse))
    assert "REL-01.L2.a" not in {each.id for each in hidden.clauses}
    assert seen == matrix.practice("REL-01") == matrix.narrowed(None).practice("REL-01")
    ticked = Answer("REL-01", clauses=frozenset({"REL-01.L1.a", "REL-01.L2.b"}))
    claims = [
        score(matrix, [ticked], profile=each, as_of=datetime(2026, 1, 1, tzinfo=UTC)).practices["REL-01"]
        for each in (dense, sparse, None)
    ]
    assert [each.claimed for each in claims] == [2, 1, 1]
    assert "REL-01.L2.a" not in claims[0].missing and "REL-01.L2.a" in claims[1].missing


def test_how_clauses_are_read_is_part_of_the_hash_where_it_is_said() -> None:
    plain = small_matrix()
    said = load_documents(
        changed("matrix.yaml", lambda top: top.update(reading=[both("Ticks follow facts")]))
    )
    silent = load_documents(changed("matrix.yaml", lambda top: top.update(reading=[])))
    assert [text.en for text in said.reading] == ["Ticks follow facts"]
    assert said.sha256 != plain.sha256 == silent.sha256


def test_every_way_to_read_a_clause_has_both_languages() -> None:
    assert "text.missing-translation" in rules(
        changed("matrix.yaml", lambda top: top.update(reading=[{"en": "Only English"}]))
    )

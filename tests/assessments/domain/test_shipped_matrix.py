"""The matrix that ships: complete, clean, and as it was designed."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from assessments.domain.answers import parse_answers
from assessments.domain.dimensions import Dimension
from assessments.domain.linter import lint
from assessments.domain.loader import load_folder, read_folder
from assessments.domain.matrix import EvidenceKind, Profile
from assessments.domain.scorecard import Scorecard
from assessments.domain.scoring import score
from assessments.domain.shipped import FOLDER, v2_3

DEMO = Path(__file__).resolve().parents[3] / "assessments" / "demo"
GOLDEN = json.loads((DEMO / "golden.json").read_text(encoding="utf-8"))
PROFILES = {"dossier_huadong_t.json": Profile(frozenset({"train"}))}
SERVE = Profile(frozenset({"serve"}))
TRAIN = Profile(frozenset({"train"}))


def test_it_loads_and_passes_the_writing_rules() -> None:
    assert lint(read_folder(FOLDER)) == ()
    assert load_folder(FOLDER).sha256 == v2_3().sha256


def test_it_has_48_practices_8_per_dimension_and_12_core() -> None:
    matrix = v2_3()
    assert matrix.version == "2.3"
    assert [each.id for each in matrix.practices] == [
        f"{dimension}-0{number}" for dimension in Dimension for number in range(1, 9)
    ]
    assert Counter(each.dimension for each in matrix.practices if each.core) == dict.fromkeys(Dimension, 2)
    assert len(matrix.in_scope("quick")) == 12


def test_every_practice_is_worded_whole() -> None:
    assert len(v2_3().practices) == 48
    for practice in v2_3().practices:
        assert practice.worded and practice.why is not None and practice.kpi is not None, practice.id
        assert len(practice.rulings) >= 2 and practice.signals, practice.id
        for level in range(1, 6):
            assert 1 <= len(practice.clauses_at(level)) <= 3, practice.id


def test_every_clause_of_level_4_is_shown_by_a_fault_or_a_drill() -> None:
    for practice in v2_3().practices:
        shown = {clause for answer in practice.answers_by for clause in answer.clauses}
        assert {each.id for each in practice.clauses_at(4)} <= shown, practice.id


def test_every_drill_has_a_protocol() -> None:
    for practice in v2_3().practices:
        for answer in practice.answers_by:
            assert (answer.drill is None) == (answer.protocol is None), practice.id


def test_only_the_routing_clauses_ask_for_a_tag() -> None:
    tagged = {clause.practice for each in v2_3().practices for clause in each.clauses if clause.tags}
    assert tagged == {"SEC-06", "OBS-07"}
    assert {tag for each in v2_3().practices for c in each.clauses for tag in c.tags} == {"moe"}


def test_a_level_asks_for_the_evidence_that_carries_it() -> None:
    """At least one clause of a level is shown by the kind of evidence that raises the ceiling to it."""
    ceilings = {each.kind: each.ceiling for each in v2_3().evidence}
    for practice in v2_3().practices:
        for level in range(1, 6):
            kinds = {each.evidence for each in practice.clauses_at(level)}
            assert max(ceilings[kind] for kind in kinds) >= level, f"{practice.id} level {level}"
    assert ceilings[EvidenceKind.E5] == 5


@pytest.mark.parametrize("profile", [None, SERVE, TRAIN])
def test_every_profile_gets_two_quick_questions_per_dimension(profile: Profile | None) -> None:
    asked = v2_3().in_scope("quick", profile)
    assert Counter(each.dimension for each in asked) == dict.fromkeys(Dimension, 2)


def test_the_prerequisites_are_a_graph_without_cycle_with_the_designed_roots() -> None:
    graph = {each.id: {need.practice for need in each.needs} for each in v2_3().practices}
    assert len(list(TopologicalSorter(graph).static_order())) == 48
    roots = {name for name, needs in graph.items() if not needs}
    assert roots == {"OBS-01", "OBS-02", "OBS-03", "EVO-01", "EVO-06", "COST-02"}
    needed = Counter(other for needs in graph.values() for other in needs)
    assert sum(needed.values()) == 58
    assert (needed["OBS-02"], needed["RCV-01"], needed["EVO-01"]) == (8, 5, 5)


def test_the_control_titles_are_those_of_nist(shared_data: Path) -> None:
    listed = json.loads((shared_data / "nist" / "rev5_base_controls.json").read_text(encoding="utf-8"))
    titles = {each["id"]: each["title"] for each in listed["controls"]}
    ours = v2_3().controls
    assert {name: title for name, title in ours.items() if "(" not in name} == titles
    used = {name for each in v2_3().practices for name in each.nist}
    assert used <= set(ours)


# -- golden dossiers --------------------------------------------------------------------------------------

AS_OF = datetime(2026, 12, 2, tzinfo=UTC)


def answers_of(dossier: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers in the form of the `score` command: ages become dates, texts for people go."""
    found = []
    for answer in dossier["answers"]:
        entry = {key: value for key, value in answer.items() if key != "note"}
        if "na_text" in entry:
            entry["na_text"] = entry["na_text"]["en"]
        entry["evidence"] = [
            {key: value for key, value in item.items() if key in ("kind", "verified", "clause")}
            | {"effective_at": (AS_OF - timedelta(days=item["age_days"])).isoformat()}
            for item in answer.get("evidence", ())
        ]
        found.append(entry)
    return found


def golden_card(name: str) -> Scorecard:
    assert datetime.fromisoformat(GOLDEN["as_of"]) == AS_OF
    dossier = json.loads((DEMO / name).read_text(encoding="utf-8"))
    answers = parse_answers(answers_of(dossier), v2_3())
    scope = GOLDEN["dossiers"][name]["scope"]
    return score(v2_3(), answers, profile=PROFILES.get(name), scope=scope, as_of=AS_OF)


@pytest.mark.parametrize("name", sorted(GOLDEN["dossiers"]))
def test_golden_dossiers_give_the_levels_worked_out_by_hand(name: str) -> None:
    wanted = GOLDEN["dossiers"][name]
    card = golden_card(name)
    for practice, levels in wanted["practices"].items():
        found = card.practices[practice]
        assert levels.items() <= {**found.as_dict(), "state": found.state}.items(), practice
    for code, numbers in wanted.get("dimensions", {}).items():
        dimension = card.dimensions[Dimension(code)]
        for view, value in (
            ("claimed", dimension.claimed),
            ("demonstrated", dimension.demonstrated),
            ("current", dimension.score),
        ):
            total, count = numbers[view]
            assert value == pytest.approx(total / count, abs=1e-12), (code, view)
        assert (dimension.answered, dimension.applicable) == (numbers["answered"], numbers["applicable"])
        assert dimension.level == numbers["level"], code


@pytest.mark.parametrize("name", sorted(GOLDEN["dossiers"]))
def test_golden_dossiers_give_the_overall_score_worked_out_by_hand(name: str) -> None:
    wanted = GOLDEN["dossiers"][name]["overall"]
    card = golden_card(name)
    as_json = card.as_dict()["overall"]
    assert as_json["status"] == wanted["status"]
    assert as_json["score"] == wanted["current"]
    for view in ("claimed", "demonstrated"):
        if view in wanted:
            assert as_json[view] == wanted[view]
    if "weakest" in wanted:
        assert as_json["weakest"] == wanted["weakest"]
    for key in ("answered", "applicable", "not_applicable", "unsure"):
        assert sum(getattr(each, key) for each in card.dimensions.values()) == wanted[key]

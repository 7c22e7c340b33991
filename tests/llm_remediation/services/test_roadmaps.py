"""Drawing up: the stored plan is the domain's plan, budgets hold, bad input stores nothing."""

from __future__ import annotations

import math
from typing import Any

import pytest

from assessments import selectors as assessments
from assessments.domain.matrix import Scope
from assessments.services import openings, responses
from llm_remediation import selectors, snapshots
from llm_remediation.domain.candidates import candidates
from llm_remediation.domain.effort import Rates
from llm_remediation.domain.model import BlastRadius, Plan, WaveBudget
from llm_remediation.domain.planned import Situation
from llm_remediation.domain.roadmap import plan
from llm_remediation.models import Roadmap
from llm_remediation.services.roadmaps import Wishes, draw_up
from portal.audit import selectors as trail
from portal.audit import services as audit
from portal.errors import Invalid, NotFound


def situation(found: selectors.Detail, quick: Any, north: Any) -> Situation:
    from datetime import datetime

    as_of = datetime.fromisoformat(found.roadmap.inputs["as_of"])
    source = assessments.report_source(north, quick.pk, as_of=as_of)
    return Situation(source.matrix, source.answers, source.card.as_of, source.profile, Scope(quick.scope))


def planned(found: selectors.Detail, quick: Any, north: Any) -> Plan:
    made = candidates(situation(found, quick, north), rates=Rates(800.0, 3.0))
    return plan(made, found.budgets)


def test_the_stored_plan_is_the_plan_of_the_domain(people: Any, quick: Any, roadmap: Any) -> None:
    found = selectors.detail(people.north, roadmap.pk)
    best = planned(found, quick, people.north)
    assert [[s.candidate for s in wave.steps] for wave in found.waves] == [
        [item.candidate for item in wave.items] for wave in best.waves
    ]
    stored = {s.candidate.id: snapshots.reasons_json(s.reasons) for s in (*found.steps, *found.left_out)}
    made = {i.candidate.id: snapshots.reasons_json(i.reasons) for wave in best.waves for i in wave.items}
    made |= {each.candidate.id: snapshots.reasons_json(each.reasons) for each in best.left_out}
    assert stored == made
    assert found.totals == best.totals and found.totals.steps > 3
    assert found.left_out


def test_the_planned_score_is_the_score_of_the_planned_levels(people: Any, quick: Any, roadmap: Any) -> None:
    found = selectors.detail(people.north, roadmap.pk)
    here = situation(found, quick, people.north)
    card = here.card_at(planned(found, quick, people.north).levels)
    assert found.before == here.today.overall.score
    assert found.after == card.overall.score
    assert {each.dimension: each.after for each in found.dimensions} == {
        dimension: each.score for dimension, each in card.dimensions.items()
    }
    assert math.isclose(found.after - found.before, found.totals.gain, abs_tol=1e-9)


def test_columns_of_a_step_say_what_its_snapshot_says(people: Any, roadmap: Any) -> None:
    for step in selectors.detail(people.north, roadmap.pk).steps:
        one, row = step.candidate, step.item
        assert row is not None
        assert (row.gain, row.effort_days, row.gpu_hours, row.money) == (
            one.gain,
            one.effort_days,
            one.gpu_hours,
            one.money,
        )
        assert (row.from_level, row.to_level, row.needs) == (one.from_level, one.to_level, list(one.needs))


def test_no_wave_exceeds_its_budget(people: Any, quick: Any) -> None:
    budgets = [
        WaveBudget(days=6, gpu_hours=2, money=5000),
        WaveBudget(days=9.5, money=8000),
        WaveBudget(days=7, blast_radius=BlastRadius.NONE),
    ]
    made = draw_up(
        organisation=people.north,
        assessment=quick,
        actor=people.ada,
        name="Tight",
        wishes=Wishes(budgets, default_target=4),
    )
    found = selectors.detail(people.north, made.pk)
    assert found.totals.steps > 0 and found.left_out
    for wave in found.waves:
        assert not any(use.over for use in wave.uses)
        assert all(use.limit is None or use.used <= use.limit + 1e-9 for use in wave.uses)
    assert all(s.candidate.blast_radius is BlastRadius.NONE for s in found.waves[2].steps)


def test_targets_of_single_practices_are_kept(people: Any, quick: Any) -> None:
    made = draw_up(
        organisation=people.north,
        assessment=quick,
        actor=people.ada,
        name="One",
        wishes=Wishes([WaveBudget()] * 3, default_target=0, targets={"OBS-01": 3}),
    )
    found = selectors.detail(people.north, made.pk)
    assert {step.candidate.practice for step in found.steps if not step.candidate.pulled_in} == {"OBS-01"}


@pytest.mark.parametrize(
    ("wishes", "place"),
    [
        (Wishes([WaveBudget(days=-1)]), "budgets[0].days"),
        (Wishes([WaveBudget(), WaveBudget(gpu_hours=math.nan)]), "budgets[1].gpu_hours"),
        (Wishes([WaveBudget(money=math.inf)]), "budgets[0].money"),
        (Wishes([WaveBudget(days=1e12)]), "budgets[0].days"),
        (Wishes([]), "budgets"),
        (Wishes([WaveBudget()] * 13), "budgets"),
        (Wishes([WaveBudget()], default_target=6), "default_target"),
        (Wishes([WaveBudget()], targets={"OBS-01": -1}), "targets[OBS-01]"),
        (Wishes([WaveBudget()], targets={"OBS-99": 3}), "targets[OBS-99]"),
        (Wishes([WaveBudget()], default_target=0), "default_target"),
    ],
)
def test_bad_numbers_are_refused_with_their_place(
    people: Any, quick: Any, wishes: Wishes, place: str
) -> None:
    before = trail.entries(people.north.pk).count()
    with pytest.raises(Invalid) as refused:
        draw_up(organisation=people.north, assessment=quick, actor=people.ada, name="Bad", wishes=wishes)
    assert refused.value.place == place
    assert Roadmap.objects.count() == 0
    assert trail.entries(people.north.pk).count() == before


@pytest.mark.parametrize("name", ["", "  \n", "\x00", "x" * 121, "ballast_" + "a" * 30])
def test_a_name_is_needed_and_holds_no_secret(people: Any, quick: Any, name: str) -> None:
    with pytest.raises(Invalid) as refused:
        draw_up(
            organisation=people.north,
            assessment=quick,
            actor=people.ada,
            name=name,
            wishes=Wishes([WaveBudget()]),
        )
    assert refused.value.place == "name"


def test_too_few_answers_are_refused_in_words(people: Any, quick: Any) -> None:
    empty = openings.open_assessment(
        organisation=people.north, cluster=quick.cluster, actor=people.ada, name="New", scope="quick"
    )
    with pytest.raises(Invalid) as refused:
        draw_up(
            organisation=people.north,
            assessment=empty,
            actor=people.ada,
            name="Early",
            wishes=Wishes([WaveBudget()]),
        )
    assert (refused.value.code, refused.value.place) == ("score_incomplete", "assessment")
    assert "0 % of the practices" in refused.value.message


def test_unanswered_practices_are_counted_not_planned(people: Any, quick: Any) -> None:
    """A full assessment with one gap in it: the gap has no step, and the roadmap says so."""
    full = openings.open_assessment(
        organisation=people.north, cluster=quick.cluster, actor=people.ada, name="Full", scope="full"
    )
    for practice in assessments.scorecard(full).practices:
        if practice != "REL-02":
            responses.answer(
                assessment=full,
                practice_id=practice,
                actor=people.ada,
                draft=responses.Draft(level=1),
                expected_version=0,
            )
    made = draw_up(
        organisation=people.north,
        assessment=full,
        actor=people.ada,
        name="Full",
        wishes=Wishes([WaveBudget(days=5)], default_target=2),
    )
    found = selectors.detail(people.north, made.pk)
    assert found.unanswered == ("REL-02",)
    assert "REL-02" not in {step.candidate.practice for step in (*found.steps, *found.left_out)}


def test_a_foreign_assessment_looks_missing(people: Any, quick: Any) -> None:
    with pytest.raises(NotFound):
        draw_up(
            organisation=people.south,
            assessment=quick,
            actor=people.eve,
            name="Theft",
            wishes=Wishes([WaveBudget()]),
        )


def test_it_is_in_the_audit_chain(people: Any, roadmap: Any) -> None:
    entry = trail.entries(people.north.pk)[0]
    assert (entry.action, entry.object_id) == ("roadmap.drawn_up", str(roadmap.pk))
    assert audit.verify_chain(people.north.pk).ok


def test_newest_roadmap_for_the_report_and_the_home_page(people: Any, quick: Any, roadmap: Any) -> None:
    found = selectors.report_roadmap(people.north, quick.pk)
    assert found is not None and found.roadmap.pk == roadmap.pk
    assert selectors.report_roadmap(people.south, quick.pk) is None
    line = selectors.roadmap_summary(people.north)
    assert line is not None
    assert (line.steps, line.confirmed, line.after) == (found.totals.steps, 0, found.after)
    assert selectors.roadmap_summary(people.south) is None

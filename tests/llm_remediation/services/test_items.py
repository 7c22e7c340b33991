"""Changes of steps: versions, conflicts, moves that break the order, closing by somebody else."""

from __future__ import annotations

import math
import threading
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from llm_remediation import selectors
from llm_remediation.models import RoadmapItem
from llm_remediation.services import items
from llm_remediation.services.items import Change
from portal.audit import selectors as trail
from portal.audit import services as audit
from portal.errors import Conflict, Invalid, NotAllowed


def change(item: Any, actor: Any, version: int = 1, **values: Any) -> RoadmapItem:
    return items.change(item=item, actor=actor, expected_version=version, wanted=Change(**values))


def test_owner_due_and_status(people: Any, item: Any) -> None:
    ben, day = people.ben, date(2027, 1, 15)
    row = change(item, people.ada, owner=ben.pk, due=day, status="in_progress")
    assert (row.owner, row.due, row.status, row.version) == (ben, day, "in_progress", 2)
    row = change(row, people.ada, 2, owner=None, due=None)
    assert (row.owner, row.due, row.status, row.version) == (None, None, "in_progress", 3)
    entry = trail.entries(people.north.pk)[0]
    assert entry.action == "roadmap.step_changed"
    assert entry.detail["from"]["owner_name"] == str(ben)
    assert audit.verify_chain(people.north.pk).ok


def test_the_second_writer_sees_both_values(people: Any, item: Any) -> None:
    change(item, people.ada, status="blocked")
    with pytest.raises(Conflict) as refused:
        change(item, people.by_role["operator"], status="in_progress")
    assert refused.value.extra["theirs"]["status"] == "blocked"
    assert refused.value.extra["theirs"]["version"] == 2
    assert refused.value.extra["mine"] == {"status": "in_progress"}
    item.refresh_from_db()
    assert (item.status, item.version) == ("blocked", 2)


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({}, None),
        ({"owner": 999999}, "owner"),
        ({"owner": "me"}, "owner"),
        ({"owner": 10**30}, "owner"),
        ({"due": date(1, 1, 1)}, "due"),
        ({"due": date(9999, 1, 1)}, "due"),
        ({"status": "done"}, "status"),
        ({"status": ""}, "status"),
        ({"status": "confirmed"}, "status"),
        ({"wave": 3}, "wave"),
        ({"wave": -1}, "wave"),
        ({"wave": True}, "wave"),
    ],
)
def test_bad_values_are_refused_with_their_place(
    people: Any, item: Any, values: dict[str, Any], place: str | None
) -> None:
    with pytest.raises(Invalid) as refused:
        change(item, people.ada, **values)
    assert refused.value.place == place
    item.refresh_from_db()
    assert item.version == 1


def test_an_owner_is_a_member_of_this_organisation(people: Any, item: Any) -> None:
    with pytest.raises(Invalid) as refused:
        change(item, people.ada, owner=people.eve.pk)
    assert refused.value.place == "owner"


def chained(people: Any, roadmap: Any) -> tuple[selectors.Step, selectors.Step]:
    """A step and a later one that needs it, both in the plan."""
    found = selectors.detail(people.north, roadmap.pk)
    by_id = {step.candidate.id: step for step in found.steps}
    for step in found.steps:
        for need in step.candidate.needs:
            if need in by_id:
                return by_id[need], step
    raise AssertionError("the fixture needs a step that waits for another")


def test_a_move_before_its_prerequisite_is_allowed_and_shown(people: Any, roadmap: Any) -> None:
    first, second = chained(people, roadmap)
    assert first.item is not None and second.item is not None
    change(first.item, people.ada, wave=2)
    change(second.item, people.ada, wave=1)
    change(second.item, people.ada, 2, wave=0)
    found = selectors.detail(people.north, roadmap.pk)
    moved = next(step for step in found.steps if step.candidate.id == second.candidate.id)
    assert first.candidate.id in {each.needs for each in moved.broken}
    assert found.changed_by_hand
    assert found.waves[0].steps[-1].candidate.id == second.candidate.id  # at the end of its wave


def test_an_overrun_budget_is_allowed_and_shown(people: Any, roadmap: Any) -> None:
    found = selectors.detail(people.north, roadmap.pk)
    for step in found.steps:
        assert step.item is not None
        if step.item.wave != 0:
            change(step.item, people.ada, wave=0)
    after = selectors.detail(people.north, roadmap.pk)
    assert [use.resource.value for use in after.waves[0].uses if use.over] == ["days"]
    assert after.totals.days == found.totals.days and after.after == found.after


def test_a_dropped_step_leaves_score_totals_and_budget(people: Any, roadmap: Any) -> None:
    found = selectors.detail(people.north, roadmap.pk)
    dropped = found.steps[0]
    assert dropped.item is not None and dropped.candidate.dimension is not None
    change(dropped.item, people.ada, status="dropped")
    after = selectors.detail(people.north, roadmap.pk)
    gain = dropped.candidate.gain
    assert math.isclose(after.after, found.after - gain, abs_tol=1e-12)
    assert after.totals.steps == found.totals.steps - 1
    overall = sum(each.after for each in after.dimensions if each.after is not None) / 6
    assert math.isclose(overall, after.after, abs_tol=1e-9)


def test_overdue(people: Any, item: Any) -> None:
    today = timezone.localdate()
    row = change(item, people.ada, due=today)
    assert not overdue(people, row)
    row = change(row, people.ada, 2, due=today - timedelta(days=1))
    assert overdue(people, row)
    line = selectors.roadmap_summary(people.north)
    assert line is not None and (line.overdue, line.next_due) == (1, row.due)
    change(row, people.ada, 3, status="dropped")
    assert not overdue(people, row)


def overdue(people: Any, row: RoadmapItem) -> bool:
    found = selectors.detail(people.north, row.roadmap_id)
    return any(step.overdue for step in found.steps)


def test_closing_needs_somebody_else_and_evidence(people: Any, item: Any) -> None:
    reviewer, operator = people.by_role["reviewer"], people.by_role["operator"]

    def confirm(version: int, actor: Any = reviewer, evidence: str = "drill of 3 Dec, log 17") -> RoadmapItem:
        return items.confirm(item=item, actor=actor, expected_version=version, evidence=evidence)

    with pytest.raises(Invalid) as refused:
        confirm(1)
    assert refused.value.place == "owner"
    item = change(item, people.ada, owner=operator.pk)
    for evidence in ("", "  \n", "x" * 2001, "ballast_" + "a" * 30):
        with pytest.raises(Invalid) as refused:
            confirm(2, evidence=evidence)
        assert refused.value.place == "evidence"
    with pytest.raises(NotAllowed):
        confirm(2, actor=operator)
    with pytest.raises(Conflict):
        confirm(1)
    row = confirm(2)
    assert (row.status, row.confirmed_by, row.version) == ("confirmed", reviewer, 3)
    assert row.get_status_display() == "Confirmed, not replayed"
    with pytest.raises(Conflict):
        change(row, people.ada, 3, status="planned")
    with pytest.raises(Conflict):
        items.confirm(item=row, actor=reviewer, expected_version=3, evidence="again")
    assert trail.entries(people.north.pk)[0].action == "roadmap.step_confirmed"
    row = items.reopen(item=row, actor=reviewer, expected_version=3)
    assert (row.status, row.confirmed_by, row.confirmation) == ("in_progress", None, "")
    with pytest.raises(Conflict):
        items.reopen(item=row, actor=reviewer, expected_version=4)


def test_a_dropped_step_cannot_be_closed(people: Any, item: Any) -> None:
    row = change(item, people.ada, owner=people.ben.pk, status="dropped")
    with pytest.raises(Invalid) as refused:
        items.confirm(item=row, actor=people.ada, expected_version=2, evidence="seen")
    assert refused.value.place == "status"


@pytest.mark.django_db(transaction=True)
def test_two_writers_at_once_one_wins(people: Any, item: Any) -> None:
    outcomes: list[str] = []
    ready = threading.Barrier(4)

    def write(status: str) -> None:
        ready.wait()
        try:
            change(item, people.ada, status=status)
            outcomes.append("stored")
        except Conflict:
            outcomes.append("conflict")
        finally:
            connections.close_all()

    threads = [
        threading.Thread(target=write, args=(status,))
        for status in ("blocked", "in_progress", "dropped", "planned")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict", "conflict", "conflict", "stored"]
    item.refresh_from_db()
    assert item.version == 2


def test_estimates_of_a_step(people: Any, item: Any) -> None:
    row = change(item, people.ada, running_cost_month=-250, slo_minutes_month=12.5)
    assert (row.running_cost_month, row.slo_minutes_month, row.version) == (-250.0, 12.5, 2)
    entry = trail.entries(people.north.pk)[0]
    assert entry.detail["to"] == {"running_cost_month": -250.0, "slo_minutes_month": 12.5}
    row = change(row, people.ada, 2, slo_minutes_month=None)
    assert (row.running_cost_month, row.slo_minutes_month) == (-250.0, None)
    with pytest.raises(Conflict) as refused:
        change(row, people.by_role["operator"], 1, running_cost_month=5)
    assert refused.value.extra["theirs"]["running_cost_month"] == -250.0
    assert refused.value.extra["mine"] == {"running_cost_month": 5}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e10, True, "7", [1]])
@pytest.mark.parametrize("name", ["running_cost_month", "slo_minutes_month"])
def test_bad_estimates_are_refused_with_their_place(people: Any, item: Any, name: str, bad: Any) -> None:
    with pytest.raises(Invalid) as refused:
        change(item, people.ada, **{name: bad})
    assert refused.value.place == name
    item.refresh_from_db()
    assert (item.version, item.running_cost_month, item.slo_minutes_month) == (1, None, None)


def test_minutes_saved_are_not_negative(people: Any, item: Any) -> None:
    with pytest.raises(Invalid) as refused:
        change(item, people.ada, slo_minutes_month=-0.5)
    assert refused.value.place == "slo_minutes_month"


def test_the_frontier_leaves_out_what_is_dropped_or_half_estimated(people: Any, roadmap: Any) -> None:
    """Third costs as much as the first and saves less; the second has no minutes; the fourth is dropped."""
    first, second, third, fourth = roadmap.items.all()[:4]
    change(first, people.ada, running_cost_month=100, slo_minutes_month=30)
    change(second, people.ada, running_cost_month=1)
    change(third, people.ada, running_cost_month=100, slo_minutes_month=20)
    change(fourth, people.ada, running_cost_month=0, slo_minutes_month=99, status="dropped")
    found = selectors.detail(people.north, roadmap.pk).placed
    shown = [(each.choice.id, each.dominated_by and each.dominated_by.id) for each in found]
    assert shown == [(items.step_id(first), None), (items.step_id(third), items.step_id(first))]

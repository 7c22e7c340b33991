"""Milestones freeze the numbers of the page and are chained by hash."""

from __future__ import annotations

from typing import Any

import pytest

from assessments import selectors
from assessments.models import Milestone
from assessments.services import milestones, responses
from portal.errors import Conflict, Invalid

pytestmark = pytest.mark.django_db


def test_it_holds_the_numbers_of_its_moment(people: Any, quick: Any) -> None:
    give = {"assessment": quick, "practice_id": "REL-01", "actor": people.ada}
    responses.answer(**give, draft=responses.Draft(level=2), expected_version=0)
    first = milestones.lock(assessment=quick, actor=people.ada, name="Q4")
    expected = selectors.scorecard(quick, as_of=first.as_of).as_dict()
    responses.answer(**give, draft=responses.Draft(level=5), expected_version=1)
    first.refresh_from_db()
    assert first.frozen["card"] == expected
    assert milestones.intact(first)
    second = milestones.lock(assessment=quick, actor=people.ada, name="Q1")
    assert second.previous_sha256 == first.sha256
    assert second.frozen["card"]["practices"]["REL-01"]["claimed"] == 5


def test_a_changed_state_is_noticed(people: Any, quick: Any) -> None:
    row = milestones.lock(assessment=quick, actor=people.ada, name="Q4")
    frozen = {**row.frozen, "answers": [{"practice": "REL-01", "level": 5}]}
    Milestone.objects.filter(pk=row.pk).update(frozen=frozen)
    row.refresh_from_db()
    assert not milestones.intact(row)


@pytest.mark.parametrize("name", ["", "   ", "x" * 121])
def test_it_needs_a_name(people: Any, quick: Any, name: str) -> None:
    with pytest.raises(Invalid):
        milestones.lock(assessment=quick, actor=people.ada, name=name)


def test_a_name_is_used_once(people: Any, quick: Any) -> None:
    milestones.lock(assessment=quick, actor=people.ada, name="Q4")
    with pytest.raises(Conflict):
        milestones.lock(assessment=quick, actor=people.ada, name=" Q4 ")
    assert Milestone.objects.count() == 1

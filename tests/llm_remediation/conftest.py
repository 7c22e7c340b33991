"""An answered quick scan with a roadmap, for tests of the services, pages and API."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def quick(people: Any) -> Any:
    """A quick scan of a cluster of north, all twelve practices answered at level 1 or 2."""
    from django.core.management import call_command

    from assessments import selectors
    from assessments.services import openings, responses
    from portal.clusters import services as clusters

    call_command("load_matrix", verbosity=0)
    cluster = clusters.create_cluster(
        organisation_id=people.north.pk,
        actor=people.ada,
        data=clusters.ClusterData(name="华北-A", kinds=("serve", "train")),
    )
    one = openings.open_assessment(
        organisation=people.north, cluster=cluster, actor=people.ada, name="Q4", scope="quick"
    )
    practices = list(selectors.scorecard(one).practices)
    for index, practice in enumerate(practices):
        responses.answer(
            assessment=one,
            practice_id=practice,
            actor=people.ada,
            draft=responses.Draft(level=index % 3),
            expected_version=0,
        )
    return one


@pytest.fixture
def roadmap(people: Any, quick: Any) -> Any:
    """A roadmap of that quick scan in which some steps had to be left out."""
    from llm_remediation.domain.model import WaveBudget
    from llm_remediation.services import roadmaps

    return roadmaps.draw_up(
        organisation=people.north,
        assessment=quick,
        actor=people.ada,
        name="Winter",
        wishes=roadmaps.Wishes(budgets=[WaveBudget(days=8), WaveBudget(days=10), WaveBudget(days=9)]),
    )


@pytest.fixture
def item(roadmap: Any) -> Any:
    """Its first step."""
    return roadmap.items.select_related("roadmap", "roadmap__organisation").first()

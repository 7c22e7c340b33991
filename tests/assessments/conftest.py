"""An organisation with a cluster and an open quick scan, for tests of the assessment services and pages."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def released(db: None) -> Any:
    """The shipped matrix, released."""
    from django.core.management import call_command

    call_command("load_matrix", verbosity=0)


@pytest.fixture
def cluster(people: Any, released: None) -> Any:
    """A serving cluster of north."""
    from portal.clusters import services

    return services.create_cluster(
        organisation_id=people.north.pk,
        actor=people.ada,
        data=services.ClusterData(name="华北-A", kinds=("serve", "train"), tags=("moe",)),
    )


@pytest.fixture
def quick(people: Any, cluster: Any) -> Any:
    """An open quick scan of that cluster."""
    from assessments.services import openings

    return openings.open_assessment(
        organisation=people.north, cluster=cluster, actor=people.ada, name="Q4", scope="quick"
    )

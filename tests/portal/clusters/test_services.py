"""Clusters and services: checked, recorded, and never another organisation's."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from portal.audit import selectors as audit
from portal.clusters import selectors, services
from portal.clusters.models import Cluster, Service
from portal.clusters.services import ClusterData, ServiceData
from portal.errors import Conflict, Invalid, NotFound

pytestmark = pytest.mark.django_db


def create(people: Any, **said: Any) -> Cluster:
    data = ClusterData(**{"name": "cn-north-1", **said})
    return services.create_cluster(organisation_id=people.north.pk, actor=people.ada, data=data)


def add(people: Any, cluster: Cluster, **said: Any) -> Service:
    data = ServiceData(**{"name": "chat", **said})
    return services.add_service(
        organisation_id=people.north.pk, actor=people.ada, cluster_id=cluster.pk, data=data
    )


def test_a_cluster_is_made_and_recorded(people: Any) -> None:
    made = create(people, name="  华北-B ", kinds=("train", "serve"), tags=("spot", "moe"), gpu_count=512)
    assert (made.name, made.kinds, made.tags) == ("华北-B", ["serve", "train"], ["moe", "spot"])
    entry = audit.of_object(people.north.pk, "cluster", made.pk).get()
    assert (entry.action, entry.actor_label) == ("cluster.created", "Ada")


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"gpu_count": -1}, "gpu_count"),
        ({"gpu_count": 10**7}, "gpu_count"),
        ({"environment": "moon"}, "environment"),
        ({"kinds": ()}, "kinds"),
        ({"kinds": ("serve", "play")}, "kinds"),
        ({"tags": ("quantum",)}, "tags"),
        ({"engine": "x" * 61}, "engine"),
        ({"note": "x" * 2001}, "note"),
    ],
)
def test_bad_clusters_are_refused_with_the_place(people: Any, said: dict[str, Any], place: str) -> None:
    with pytest.raises(Invalid) as refused:
        create(people, **said)
    assert refused.value.place == place
    assert not Cluster.objects.exists()
    assert not audit.entries(people.north.pk).exists()


def test_a_name_stands_once_in_an_organisation(people: Any) -> None:
    create(people)
    with pytest.raises(Conflict) as refused:
        create(people)
    assert refused.value.place == "name"
    services.create_cluster(
        organisation_id=people.south.pk, actor=people.eve, data=ClusterData(name="cn-north-1")
    )


def test_changes_are_recorded_with_both_values(people: Any) -> None:
    made = create(people)
    for _ in range(2):
        services.update_cluster(
            organisation_id=people.north.pk,
            actor=people.ada,
            cluster_id=made.pk,
            data=ClusterData(name="cn-north-1", gpu_count=8, tags=("rag",)),
        )
    entries = audit.of_object(people.north.pk, "cluster", made.pk)
    assert [entry.action for entry in entries] == ["cluster.changed", "cluster.created"]
    assert entries[0].detail["changes"] == {"gpu_count": [0, 8], "tags": [[], ["rag"]]}


def test_archiving_hides_and_restoring_shows(people: Any) -> None:
    made = create(people)
    for _ in range(2):
        services.archive_cluster(organisation_id=people.north.pk, actor=people.ada, cluster_id=made.pk)
    assert not selectors.clusters(people.north.pk).exists()
    assert selectors.clusters(people.north.pk, archived=True).get() == made
    assert selectors.cluster(people.north.pk, made.pk).archived_at is not None
    services.restore_cluster(organisation_id=people.north.pk, actor=people.ada, cluster_id=made.pk)
    assert selectors.clusters(people.north.pk).get() == made
    assert audit.entries(people.north.pk).count() == 3


def test_services_and_the_profile_they_add_to(people: Any) -> None:
    cluster = create(people, kinds=("serve",), tags=("moe",))
    chat = add(people, cluster, tier=1, tags=("rag",))
    add(people, cluster, name="pretrain", kind="train", in_scope=False, tags=("spot",))
    profile = selectors.profile(cluster)
    assert (profile.kinds, profile.tags) == ({"serve"}, {"moe", "rag"})
    row = selectors.clusters(people.north.pk).get()
    assert (row.service_count, row.in_scope_count) == (2, 1)  # type: ignore[attr-defined]
    with pytest.raises(Conflict):
        add(people, cluster)
    services.update_service(
        organisation_id=people.north.pk,
        actor=people.ada,
        service_id=chat.pk,
        data=ServiceData(name="chat", tier=3, in_scope=False),
    )
    assert selectors.profile(cluster).tags == {"moe"}
    services.remove_service(organisation_id=people.north.pk, actor=people.ada, service_id=chat.pk)
    assert [each.name for each in selectors.services_of(cluster)] == ["pretrain"]
    assert audit.of_object(people.north.pk, "service", chat.pk).count() == 3


@pytest.mark.parametrize(
    ("said", "place"),
    [({"tier": 0}, "tier"), ({"kind": "play"}, "kind"), ({"tags": ("x",)}, "tags"), ({"name": " "}, "name")],
)
def test_bad_services_are_refused(people: Any, said: dict[str, Any], place: str) -> None:
    cluster = create(people)
    with pytest.raises(Invalid) as refused:
        add(people, cluster, **said)
    assert refused.value.place == place
    assert not Service.objects.exists()


def test_foreign_and_missing_look_alike(people: Any) -> None:
    mine = create(people)
    service = add(people, mine)
    other = create(people, name="other")
    data, cluster_data = ServiceData(name="x"), ClusterData(name="x")
    answers = set()
    for wanted in (mine.pk, str(mine.pk), uuid.uuid4(), "x", "", None, 5):
        with pytest.raises(NotFound) as refused:
            selectors.cluster(people.south.pk, wanted)
        answers.add((refused.value.code, str(refused.value.message)))
        for change in (
            lambda wanted=wanted: services.update_cluster(
                organisation_id=people.south.pk, actor=people.eve, cluster_id=wanted, data=cluster_data
            ),
            lambda wanted=wanted: services.archive_cluster(
                organisation_id=people.south.pk, actor=people.eve, cluster_id=wanted
            ),
            lambda wanted=wanted: services.add_service(
                organisation_id=people.south.pk, actor=people.eve, cluster_id=wanted, data=data
            ),
        ):
            with pytest.raises(NotFound):
                change()
    assert len(answers) == 1
    for attempt in (
        lambda: selectors.service(people.south.pk, service.pk),
        lambda: selectors.service(people.north.pk, service.pk, cluster_id=other.pk),
        lambda: services.remove_service(
            organisation_id=people.south.pk, actor=people.eve, service_id=service.pk
        ),
    ):
        with pytest.raises(NotFound):
            attempt()
    mine.refresh_from_db()
    assert (mine.name, mine.archived_at) == ("cn-north-1", None)
    assert not audit.entries(people.south.pk).exists()

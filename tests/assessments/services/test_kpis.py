"""Facts of a cluster: stored once, all or nothing, newest wins, and seen by their organisation only."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connections

from assessments import kpi_selectors, selectors
from assessments.domain.kpis import csv_writing
from assessments.domain.kpis.facts import Fact, FactKind, Phase
from assessments.models import KpiFact, KpiSource, KpiUpload
from assessments.services import kpis
from portal.audit import services as audit
from portal.audit.models import Entry
from portal.clusters import services as clusters
from portal.errors import Conflict, Invalid

pytestmark = pytest.mark.django_db
HEADER = "kind,name,service,start,end,value,unit,phase,present,note\n"
AS_OF = datetime(2026, 12, 2, tzinfo=UTC)
ROW = "number,changes,,2026-11-01,2026-12-01,{value},count,,,\n"


def file(*rows: str) -> bytes:
    return (HEADER + "".join(rows)).encode()


def record(cluster: Any, actor: Any, content: bytes) -> kpis.Recorded:
    return kpis.record_csv(cluster=cluster, actor=actor, file_name="k.csv", content=content)


def value(people: Any, cluster: Any, name: str = "changes") -> float | None:
    found = kpi_selectors.readings_of(people.north, cluster, AS_OF).get((name, ""))
    return found.value if found else None


@pytest.fixture
def chat(people: Any, cluster: Any) -> Any:
    return clusters.add_service(
        organisation_id=people.north.pk,
        actor=people.ada,
        cluster_id=cluster.pk,
        data=clusters.ServiceData(name="chat", tier=1),
    )


def test_the_same_file_again_stores_nothing(people: Any, cluster: Any) -> None:
    content = file(ROW.format(value=20), "number,changes_failed,,2026-11-01,2026-12-01,3,count,,,\n")
    first = record(cluster, people.ada, content)
    assert (first.new, first.counts) == (True, {"new": 2, "replaced": 0, "unchanged": 0})
    assert first.upload is not None and first.upload.file_name == "k.csv"
    before = Entry.objects.count()
    again = record(cluster, people.ada, content)
    assert (again.new, again.upload) == (False, first.upload)
    assert again.counts == {"new": 0, "replaced": 0, "unchanged": 2}
    assert (KpiUpload.objects.count(), KpiFact.objects.count(), Entry.objects.count()) == (1, 2, before)


def test_a_file_that_says_nothing_new_stores_nothing(people: Any, cluster: Any) -> None:
    record(cluster, people.ada, file(ROW.format(value=20)))
    same = record(cluster, people.ada, file(ROW.format(value="20.0")))
    assert (same.new, same.upload, same.counts["unchanged"]) == (False, None, 1)
    assert KpiUpload.objects.count() == 1


def test_the_newest_of_a_key_wins_and_the_older_stays(people: Any, cluster: Any) -> None:
    record(cluster, people.ada, file(ROW.format(value=20)))
    changed = record(cluster, people.ada, file(ROW.format(value=21)))
    assert changed.counts == {"new": 0, "replaced": 1, "unchanged": 0}
    assert value(people, cluster) == 21
    assert [row.value for row in kpi_selectors.rows_of(people.north, cluster.pk)] == [20, 21]
    # A file that was recorded once stays recorded: sending it again by mistake turns nothing back.
    assert record(cluster, people.ada, file(ROW.format(value=20))).new is False
    assert value(people, cluster) == 21


def test_what_is_stored_is_recorded_in_the_chain(people: Any, cluster: Any) -> None:
    record(cluster, people.ada, file(ROW.format(value=20)))
    entry = Entry.objects.filter(action="kpis.recorded").get()
    assert (entry.object_type, entry.object_id) == ("cluster", str(cluster.pk))
    assert entry.detail["new"] == 1 and entry.detail["source"] == "csv"
    assert audit.verify_chain(people.north.pk).ok


def test_a_preview_stores_nothing_and_says_what_recording_does(people: Any, cluster: Any) -> None:
    """Killing the process between preview and confirmation is then no event at all."""
    record(cluster, people.ada, file(ROW.format(value=20)))
    before = (KpiUpload.objects.count(), KpiFact.objects.count(), Entry.objects.count())
    content = file(ROW.format(value=22), "incident,INC-1,,2026-11-30T10:00:00Z,,,,,,\n")
    seen = kpis.preview(cluster=cluster, content=content)
    assert [each.name for each in seen.new] == ["INC-1"]
    assert [each.value for each in seen.replaced] == [22]
    assert (KpiUpload.objects.count(), KpiFact.objects.count(), Entry.objects.count()) == before
    assert record(cluster, people.ada, content).counts == seen.counts()
    assert kpis.preview(cluster=cluster, content=content).upload is not None


def test_a_failure_half_way_leaves_nothing(
    people: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "record", lambda **_kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        record(cluster, people.ada, file(ROW.format(value=20)))
    assert not KpiUpload.objects.exists() and not KpiFact.objects.exists()


def test_one_bad_cell_and_nothing_is_stored(people: Any, cluster: Any) -> None:
    content = file(ROW.format(value=20), "number,changes_failed,,2026-11-01,2026-12-01,-3,count,,,\n")
    with pytest.raises(Invalid) as refused:
        record(cluster, people.ada, content)
    [problem] = refused.value.extra["problems"]
    assert (problem["row"], problem["column"]) == (3, "value")
    assert not KpiUpload.objects.exists()


def test_services_of_other_clusters_are_unknown(people: Any, cluster: Any, chat: Any) -> None:
    row = "breach,slo,{name},2026-11-01T00:00:00Z,2026-11-01T01:00:00Z,,,,,\n"
    assert record(cluster, people.ada, file(row.format(name="chat"))).new
    with pytest.raises(Invalid) as refused:
        record(cluster, people.ada, file(row.format(name="other")))
    assert refused.value.extra["problems"][0]["column"] == "service"


def numbers(cluster: Any, actor: Any, given: list[kpis.Given], **more: Any) -> kpis.Recorded:
    window = {"start": AS_OF - timedelta(days=30), "end": AS_OF - timedelta(hours=1), **more}
    return kpis.set_numbers(cluster=cluster, actor=actor, numbers=given, **window)


def test_several_numbers_at_once(people: Any, cluster: Any, chat: Any) -> None:
    given = [
        kpis.Given("changes", 20),
        kpis.Given("changes_failed", 3),
        kpis.Given("gpu_usd_per_h", 0.1, "chat"),
    ]
    first = numbers(cluster, people.ada, given, source=KpiSource.API)
    assert first.new and first.upload is not None and first.upload.source == "api"
    found = kpi_selectors.readings_of(people.north, cluster, AS_OF)
    assert {key: each.value for key, each in found.items()} == {
        ("changes", ""): 20,
        ("changes_failed", ""): 3,
        ("gpu_usd_per_h", "chat"): 0.1,
    }
    assert numbers(cluster, people.ada, given).new is False


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ([], {}),
        ([kpis.Given("changes", 1)] * 201, {}),
        ([kpis.Given("changes", 1), kpis.Given("no_such", 1)], {}),
        ([kpis.Given("changes", 1.5)], {}),
        ([kpis.Given("changes", -1)], {}),
        ([kpis.Given("changes", float("nan"))], {}),
        ([kpis.Given("changes", float("inf"))], {}),
        ([kpis.Given("slo_objective", 100.5)], {}),
        ([kpis.Given("gpu_usd_per_h", 1, "nobody")], {}),
        ([kpis.Given("rto_s", 1, "chat")], {}),
        ([kpis.Given("changes", 1)], {"end": AS_OF - timedelta(days=31)}),
        ([kpis.Given("changes", 1), kpis.Given("changes", 2)], {}),
        ([kpis.Given("changes", 1)], {"note": "a\x00b"}),
        ([kpis.Given("changes", 1)], {"note": "x" * 10_000}),
    ],
)
def test_bad_numbers_are_refused_together(
    people: Any, cluster: Any, chat: Any, given: list[kpis.Given], more: dict[str, Any]
) -> None:
    with pytest.raises(Invalid):
        numbers(cluster, people.ada, given, **more)
    assert not KpiUpload.objects.exists()


def test_a_cluster_does_not_grow_without_end(
    people: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kpis, "MOST_FACTS", 1)
    record(cluster, people.ada, file(ROW.format(value=20)))
    with pytest.raises(Conflict):
        record(cluster, people.ada, file(ROW.format(value=21)))
    assert KpiFact.objects.count() == 1


def test_what_comes_out_goes_in_again(people: Any, cluster: Any) -> None:
    record(
        cluster,
        people.ada,
        file(ROW.format(value=20), "kpi,OBS-01,,2026-11-01,2026-12-01,96.5,%,steady,99,=1+1\n"),
    )
    content = kpis.export(organisation=people.north, cluster=cluster)
    assert content == kpis.export(organisation=people.north, cluster=cluster)
    assert record(cluster, people.ada, content).counts["unchanged"] == 2


def test_only_the_organisation_sees_them(people: Any, cluster: Any) -> None:
    """Ada owns north, Ben looks at it; to Eve's organisation nothing is there."""
    record(cluster, people.ada, file(ROW.format(value=20)))
    assert len(kpi_selectors.facts_of(people.north, cluster)) == 1
    assert kpi_selectors.facts_of(people.south, cluster) == ()
    assert kpi_selectors.readings_of(people.south, cluster, AS_OF) == {}
    assert not kpi_selectors.uploads_of(people.south, cluster).exists()
    assert kpis.export(organisation=people.south, cluster=cluster) == csv_writing.write(())


def test_old_numbers_say_nothing_about_today(people: Any, cluster: Any) -> None:
    record(cluster, people.ada, file("number,changes,,2026-07-01,2026-08-01,20,count,,,\n"))
    assert value(people, cluster) is None


@pytest.mark.django_db(transaction=True)
def test_two_uploads_at_once_store_the_facts_once(people: Any, cluster: Any) -> None:
    outcomes: list[bool] = []
    ready = threading.Barrier(4)
    contents = [file(ROW.format(value=20)), file(ROW.format(value="20.0"))]

    def write(index: int) -> None:
        ready.wait()
        try:
            outcomes.append(record(cluster, people.ada, contents[index % 2]).new)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=write, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == [False, False, False, True]
    assert (KpiUpload.objects.count(), KpiFact.objects.count()) == (1, 1)


def test_practice_kpis_reach_the_x_ray_and_change_no_score(
    people: Any, quick: Any, cluster: Any, django_assert_num_queries: Any
) -> None:
    before = selectors.scorecard(quick, as_of=AS_OF)
    with django_assert_num_queries(1):
        assert kpi_selectors.practice_kpis_of(cluster, selectors.matrix_of(quick), AS_OF) == {}
    record(cluster, people.ada, file("kpi,OBS-01,,2026-11-01,2026-12-01,40,%,,99,\n"))
    found = selectors.practice_kpis_of(quick, as_of=AS_OF)
    assert set(found) >= {"OBS-01"}
    assert selectors.scorecard(quick, as_of=AS_OF).overall == before.overall


def test_a_claim_against_the_numbers_is_a_warning(people: Any, quick: Any, cluster: Any) -> None:
    from assessments.services import responses

    responses.answer(
        assessment=quick,
        practice_id="OBS-01",
        actor=people.ada,
        draft=responses.Draft(level=3),
        expected_version=0,
    )
    record(cluster, people.ada, file("kpi,OBS-01,,2026-11-01,2026-12-01,40,%,,99,\n"))
    codes = {each.code for each in selectors.scorecard(quick, as_of=AS_OF).warnings}
    assert "kpi_misses" in codes


def test_facts_keep_every_field(people: Any, cluster: Any, chat: Any) -> None:
    row = "kpi,REL-04/2,chat,2026-11-01T08:00:00+08:00,2026-12-01,12.25,%,fault,97.5,演练\n"
    record(cluster, people.ada, file(row))
    assert kpi_selectors.facts_of(people.north, cluster) == (
        Fact(
            kind=FactKind.kpi,
            name="REL-04/2",
            service="chat",
            start=datetime(2026, 11, 1, tzinfo=UTC),
            end=datetime(2026, 12, 1, tzinfo=UTC),
            value=12.25,
            unit="%",
            phase=Phase.fault,
            present=97.5,
            note="演练",
        ),
    )

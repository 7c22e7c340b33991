"""KPI pages: they show what the selectors say, store only what is confirmed, and refuse cleanly."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from assessments import kpi_selectors
from assessments.domain.kpis import csv_reading
from assessments.models import KpiFact, KpiImport, KpiUpload
from assessments.services import kpis, responses
from portal.audit.models import Entry
from portal.clusters import services as clusters

pytestmark = pytest.mark.django_db
HEAD = "kind,name,service,start,end,value,unit,phase,present,note\n"


def days(ago: float) -> str:
    return (timezone.now() - timedelta(days=ago)).date().isoformat()


def file(*rows: str) -> bytes:
    return (HEAD + "".join(f"{row}\n" for row in rows)).encode()


def changes(value: float | str) -> str:
    return f"number,changes,,{days(32)},{days(1)},{value},count,,,"


@pytest.fixture
def ada(people: Any) -> Client:
    return of(people.ada)


def of(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def chat(people: Any, cluster: Any) -> Any:
    return clusters.add_service(
        organisation_id=people.north.pk,
        actor=people.ada,
        cluster_id=cluster.pk,
        data=clusters.ServiceData(name="chat-main", tier=1),
    )


@pytest.fixture
def known(people: Any, cluster: Any, chat: Any) -> Any:
    """40 changes of which 3 failed, and OBS-01 at 97 % of chat-main over 31 days."""
    rows = [
        changes(40),
        changes(3).replace("changes,", "changes_failed,", 1),
        f"kpi,OBS-01,chat-main,{days(32)},{days(1)},97,%,,99,",
    ]
    kpis.record_csv(cluster=cluster, actor=people.ada, file_name="november.csv", content=file(*rows))
    return cluster


def page(cluster: Any, rest: str = "") -> str:
    return f"/o/north/clusters/{cluster.pk}/kpis{rest}"


def send(client: Client, cluster: Any, content: bytes, name: str = "kpis.csv") -> Any:
    return client.post(page(cluster, "/import"), {"file": SimpleUploadedFile(name, content)})


def text(reply: Any) -> str:
    return str(reply.content.decode())


# -- the page ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_shows_headlines_numbers_practices_and_uploads(
    ada: Client, known: Any, quick: Any, language: str
) -> None:
    ada.cookies["django_language"] = language
    body = text(ada.get(page(known)))
    # Wilson interval of 3 of 40, computed by hand: centre 0.11224, half width 0.08640.
    assert "7.5\u202f%" in body and "2.58" in body and "19.86" in body
    assert "OBS-01" in body and "97\u202f%" in body and "november.csv" in body
    if language == "en":
        assert "Change fail rate" in body and "40 changes" in body
        assert "Its numbers are not known." in body
        assert "Mean time between failures of the job" in body.replace("mean time", "Mean time")
    else:
        assert "变更失败率" in body and "所需数值未知" in body


def test_nothing_known_is_said_and_never_shown_as_zero(ada: Client, cluster: Any) -> None:
    body = text(ada.get(page(cluster)))
    assert "Nothing is known in numbers yet" in body
    assert "Open an assessment of this cluster" in body
    assert 'kpi__value">0' not in body


def test_a_viewer_reads_without_buttons_and_a_stranger_sees_nothing(people: Any, known: Any) -> None:
    body = text(of(people.ben).get(page(known)))
    assert "7.5\u202f%" in body and "/kpis/import" not in body and "/kpis/numbers" not in body
    for rest in ("", "/kpis.csv", "/template.csv", "/numbers", "/import"):
        assert of(people.eve).get(page(known, rest)).status_code == 404
        assert of(people.eve).get(page(known, rest).replace("north", "south")).status_code == 404
    assert of(people.ben).get(page(known, "/numbers")).status_code == 403
    assert send(of(people.ben), known, file(changes(9))).status_code == 403
    assert of(people.ben).post(page(known, "/numbers"), {"changes": "1"}).status_code == 403
    assert KpiUpload.objects.count() == 1


def test_downloads_can_be_sent_back(ada: Client, people: Any, known: Any) -> None:
    reply = ada.get(page(known, "/kpis.csv"))
    assert reply["Content-Disposition"].startswith("attachment")
    assert kpis.preview(cluster=known, content=reply.content).counts() == {
        "new": 0,
        "replaced": 0,
        "unchanged": 3,
    }
    sheet = csv_reading.read(
        ada.get(page(known, "/template.csv")).content, practices={"REL-04"}, services={"chat-main"}
    )
    assert not sheet.problems and len({each.kind for each in sheet.facts}) == 4


def test_the_cluster_page_and_its_bar_lead_here(ada: Client, known: Any) -> None:
    assert page(known) in text(ada.get(f"/o/north/clusters/{known.pk}/"))
    assert 'href="/o/north/clusters/" aria-current="page"' in text(ada.get(page(known)))


# -- a file -----------------------------------------------------------------------------------------------


def test_upload_preview_confirm(ada: Client, people: Any, known: Any) -> None:
    content = file(
        changes(41),
        f"incident,INC-9,,{days(2)}T10:00:00Z,,,,,,",
        f"kpi,OBS-01,chat-main,{days(32)},{days(1)},97,%,,99,",
    )
    sent = send(ada, known, content)
    assert sent.status_code == 302
    body = text(ada.get(sent.url))
    assert "1 new · 1 replaced · 1 unchanged" in body
    assert ">41<" in body and ">40<" in body and "INC-9" in body and "still open" in body
    assert KpiFact.objects.count() == 3
    entries = Entry.objects.count()
    assert ada.post(f"{sent.url}/apply").url == sent.url
    assert KpiFact.objects.count() == 5 and Entry.objects.count() == entries + 1
    assert "Recorded facts" in text(ada.get(sent.url))
    # Once more changes nothing and answers the same.
    ada.post(f"{sent.url}/apply")
    row = KpiImport.objects.get()
    assert row.outcome == {"new": 1, "replaced": 1, "unchanged": 1} and bytes(row.content) == b""
    assert (KpiFact.objects.count(), KpiUpload.objects.count()) == (5, 2)
    assert Entry.objects.count() == entries + 1


def test_what_is_known_already_needs_no_confirmation(ada: Client, known: Any) -> None:
    first = send(ada, known, file(changes(40)))
    body = text(ada.get(first.url))
    assert "Nothing would change" in body and '<form method="post" class="stack"' not in body


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (file("number,changes,,2026-11-01,2026-12-01,x,count,,,"), '">2</td><td><code>value</code></td>'),
        (file("number,changes,nowhere,2026-11-01,2026-12-01,1,count,,,"), "<code>service</code>"),
        (b"kind,start,<b>\n", "<code>&lt;b&gt;</code>"),
        (b"", "The file is empty."),
        ("kind,start\nnumber,今天".encode("gb18030"), "The file is not UTF-8"),
        (b"\x00\x01\x02", "The file is not UTF-8 (byte 1)" ),
        (b"a" * (kpis.MAX_BYTES + 1), "A file has at most"),
        (file(*["number,changes,,2026-11-01,2026-12-01,-1,count,,,"] * 150), "and 50 more"),
    ],
    ids=["number", "service", "column", "empty", "encoding", "binary", "large", "many"],
)  # fmt: skip
def test_bad_files_are_refused_row_by_row_and_nothing_is_kept(
    ada: Client, cluster: Any, content: bytes, said: str
) -> None:
    reply = send(ada, cluster, content)
    assert reply.status_code == 400
    assert said in text(reply)
    assert not KpiImport.objects.exists() and not KpiFact.objects.exists()


def test_no_file_is_no_crash(ada: Client, cluster: Any) -> None:
    assert "Choose a file." in text(ada.post(page(cluster, "/import"), {}))


def test_a_file_that_became_wrong_is_refused_when_it_is_confirmed(
    ada: Client, people: Any, cluster: Any, chat: Any
) -> None:
    breach = f"breach,,chat-main,{days(3)}T10:00:00Z,{days(3)}T11:00:00Z,,,,,"
    sent = send(ada, cluster, file(breach))
    clusters.remove_service(organisation_id=people.north.pk, actor=people.ada, service_id=chat.pk)
    ada.post(f"{sent.url}/apply")
    assert not KpiFact.objects.exists()
    reply = ada.get(sent.url)
    assert reply.status_code == 400 and "<code>service</code>" in text(reply)
    assert KpiImport.objects.get().applied_at is None


def test_previews_belong_to_their_cluster_and_organisation(people: Any, ada: Client, known: Any) -> None:
    sent = send(ada, known, file(changes(50)))
    other = clusters.create_cluster(
        organisation_id=people.north.pk,
        actor=people.ada,
        data=clusters.ClusterData(name="华北-B", kinds=("serve",)),
    )
    assert ada.get(sent.url.replace(str(known.pk), str(other.pk))).status_code == 404
    assert of(people.eve).get(sent.url).status_code == 404
    assert of(people.eve).post(f"{sent.url}/apply").status_code == 404
    assert of(people.ben).post(f"{sent.url}/apply").status_code == 403
    assert KpiUpload.objects.count() == 1


# -- numbers by hand --------------------------------------------------------------------------------------


def form(**numbers: Any) -> dict[str, Any]:
    return {"start": days(31), "end": days(1), "note": "by hand", **numbers}


def test_numbers_by_hand_leave_empty_fields_alone(ada: Client, people: Any, known: Any) -> None:
    body = text(ada.get(page(known, "/numbers")))
    assert "Known: 40 (" in body and "Trade-off T5: checkpoint interval" in body
    reply = ada.post(page(known, "/numbers"), form(changes="50", changes_failed="", rto_s="900.5"))
    assert reply.url == page(known) + "#numbers"
    found = kpi_selectors.readings_of(people.north, known, timezone.now())
    assert found["changes", ""].value == 50 and found["rto_s", ""].value == 900.5
    assert found["changes_failed", ""].value == 3
    assert KpiUpload.objects.filter(source="form").count() == 1
    # The same again is no new fact.
    ada.post(page(known, "/numbers"), form(changes="50", rto_s="900.5"))
    assert KpiUpload.objects.filter(source="form").count() == 1


def test_only_the_numbers_of_a_trade_off_and_of_a_service(ada: Client, people: Any, known: Any) -> None:
    where = page(known, "/numbers?for=T5&service=chat-main")
    body = text(ada.get(where))
    assert 'name="checkpoint_save_s"' in body and 'name="changes"' not in body
    assert ada.post(where, form(checkpoint_save_s="12")).status_code == 302
    found = kpi_selectors.readings_of(people.north, known, timezone.now())
    assert found["checkpoint_save_s", "chat-main"].value == 12
    # What cannot be told of a service is not stored for it, and words that nobody knows show everything.
    only = page(known, "/numbers?service=chat-main")
    assert ada.post(only, form(changes="1")).status_code == 400
    assert 'name="changes"' in text(ada.get(page(known, "/numbers?for=<b>&service=<b>")))
    assert "None of these numbers" in text(ada.get(page(known, "/numbers?for=T6&service=chat-main")))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"changes": "-1"}, "id_changes"),
        ({"changes": "1.5"}, "id_changes"),
        ({"changes": "many"}, "id_changes"),
        ({"changes": "nan"}, "id_changes"),
        ({"changes": "1e400"}, "id_changes"),
        ({"slo_objective": "101"}, "id_slo_objective"),
        ({"changes": "1", "end": "2099-01-01"}, "id_end"),
        ({"changes": "1", "start": "1999-12-31"}, "id_start"),
        ({"changes": "1", "start": "yesterday"}, "id_start"),
        ({"changes": "1", "end": "2001-01-01"}, "id_end"),
    ],
)
def test_errors_stand_at_their_field_and_nothing_is_stored(
    ada: Client, cluster: Any, given: dict[str, str], field: str
) -> None:
    reply = ada.post(page(cluster, "/numbers"), {**form(rto_s="900"), **given})
    assert reply.status_code == 400
    body = text(reply)
    assert f'<a href="#{field}">' in body and 'value="900"' in body
    assert not KpiFact.objects.exists()


def test_an_empty_form_is_no_upload(ada: Client, cluster: Any) -> None:
    reply = ada.post(page(cluster, "/numbers"), form())
    assert reply.status_code == 400 and "Give at least one number." in text(reply)


# -- beside questions and scores --------------------------------------------------------------------------


def question(quick: Any, practice: str = "OBS-01") -> str:
    return f"/o/north/a/{quick.pk}/q/{practice}"


def test_the_question_page_suggests_and_sets_nothing(
    ada: Client, people: Any, known: Any, quick: Any
) -> None:
    body = text(ada.get(question(quick)))
    card = body[body.index('id="measured"') : body.index('id="evidence"')]
    assert "The values suggest level 3" in card and "97\u202f%" in card and "chat-main" in card
    assert "<button" not in card and "<input" not in card
    assert ada.get(question(quick, "REL-01")).status_code == 200
    assert 'id="measured"' not in text(ada.get(question(quick, "REL-01")))
    for level, suggests in ((2, True), (3, False)):
        version = (level - 2) and 1
        responses.answer(
            assessment=quick,
            practice_id="OBS-01",
            actor=people.ada,
            draft=responses.Draft(level=level),
            expected_version=version,
        )
        assert ("The values suggest level 3" in text(ada.get(question(quick)))) is suggests


def test_a_missed_target_says_so(ada: Client, people: Any, cluster: Any, chat: Any, quick: Any) -> None:
    low = file(f"kpi,OBS-01,chat-main,{days(32)},{days(1)},20,%,,99,")
    kpis.record_csv(cluster=cluster, actor=people.ada, file_name="x.csv", content=low)
    body = text(ada.get(question(quick)))
    assert "The values suggest" not in body
    assert "Too few services reach the target: 0 of 1." in body and "missed" in body


def test_results_show_the_headline_beside_the_score(ada: Client, known: Any, quick: Any) -> None:
    body = text(ada.get(f"/o/north/a/{quick.pk}/results"))
    assert f'href="{page(known)}#kpi-EVO">Change fail rate: ' in body and ">7.5\u202f%</span></a>" in body
    assert "#kpi-COST" not in body

"""Pages of clusters: forms that say what is wrong, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from portal.clusters.models import Cluster, Service

pytestmark = pytest.mark.django_db
FORM = {
    "name": "cn-north-1",
    "environment": "production",
    "gpu_sku": "H200",
    "gpu_count": "512",
    "engine": "vLLM",
    "kinds": ["serve", "train"],
    "tags": ["moe"],
    "note": "",
}
SERVICE = {"name": "chat", "kind": "serve", "model": "Qwen3", "tier": "1", "in_scope": "on", "tags": ["rag"]}


@pytest.fixture
def ada(people: Any) -> Client:
    client = Client()
    client.force_login(people.ada)
    return client


def test_from_nothing_to_a_cluster_with_a_service(ada: Client, people: Any) -> None:
    assert "/o/north/clusters/new" in ada.get("/o/north/clusters/").content.decode()
    more = {"organisation": people.south.pk, "archived_at": "2020-01-01"}
    reply = ada.post("/o/north/clusters/new", {**FORM, **more})
    row = Cluster.objects.get()
    assert reply.headers["Location"] == f"/o/north/clusters/{row.pk}/"
    assert (row.organisation, row.archived_at, row.gpu_count) == (people.north, None, 512)
    base = f"/o/north/clusters/{row.pk}"
    assert ada.post(f"{base}/services/add", SERVICE).status_code == 302
    service = Service.objects.get()
    assert (service.organisation, service.tier, service.tags) == (people.north, 1, ["rag"])
    again = ada.post(f"{base}/services/add", SERVICE)
    assert again.status_code == 400
    assert "name" in again.context["form"].errors
    assert ada.post(f"{base}/services/{service.pk}/edit", {**SERVICE, "tier": "9"}).status_code == 400
    ada.post(f"{base}/services/{service.pk}/edit", {**SERVICE, "tier": "2", "in_scope": ""})
    service.refresh_from_db()
    assert (service.tier, service.in_scope) == (2, False)
    assert ada.get(f"{base}/services/{service.pk}/remove").status_code == 200
    ada.post(f"{base}/services/{service.pk}/remove")
    assert not Service.objects.exists()


def test_editing_archiving_restoring(ada: Client) -> None:
    ada.post("/o/north/clusters/new", FORM)
    row = Cluster.objects.get()
    base = f"/o/north/clusters/{row.pk}"
    page = ada.get(f"{base}/edit").content.decode()
    assert 'value="H200"' in page
    ada.post(f"{base}/edit", {**FORM, "gpu_count": "", "tags": []})
    row.refresh_from_db()
    assert (row.gpu_count, row.tags) == (0, [])
    ada.post(f"{base}/archive")
    assert ada.get("/o/north/clusters/").context["rows"] == []
    archived = ada.get("/o/north/clusters/?archived=1")
    assert [each["row"].name for each in archived.context["rows"]] == [row.name]
    ada.post(f"{base}/restore")
    assert [each["row"].name for each in ada.get("/o/north/clusters/").context["rows"]] == [row.name]


@pytest.mark.parametrize(
    ("over", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "\x00"}, "name"),
        ({"gpu_count": "many"}, "gpu_count"),
        ({"gpu_count": "-1"}, "gpu_count"),
        ({"kinds": []}, "kinds"),
        ({"tags": ["quantum"]}, "tags"),
        ({"environment": "moon"}, "environment"),
    ],
)
def test_a_form_says_what_is_wrong(ada: Client, over: dict[str, Any], field: str) -> None:
    page = ada.post("/o/north/clusters/new", {**FORM, **over})
    assert page.status_code == 400
    assert field in page.context["form"].errors
    assert 'class="error-summary"' in page.content.decode()
    assert not Cluster.objects.exists()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_pages_render_in_both_languages(ada: Client, language: str) -> None:
    ada.post("/o/north/clusters/new", FORM)
    row = Cluster.objects.get()
    ada.post(f"/o/north/clusters/{row.pk}/services/add", SERVICE)
    service = Service.objects.get()
    ada.cookies["django_language"] = language
    for page in ("", "new", f"{row.pk}/", f"{row.pk}/edit", f"{row.pk}/services/{service.pk}/edit"):
        reply = ada.get(f"/o/north/clusters/{page}")
        assert reply.status_code == 200
        assert "style=" not in reply.content.decode()


def test_a_viewer_sees_no_buttons(ada: Client, people: Any) -> None:
    ada.post("/o/north/clusters/new", FORM)
    row = Cluster.objects.get()
    ben = Client()
    ben.force_login(people.ben)
    page = ben.get(f"/o/north/clusters/{row.pk}/").content.decode()
    assert "/edit" not in page
    assert "/services/add" not in page
    assert "/clusters/new" not in ben.get("/o/north/clusters/").content.decode()

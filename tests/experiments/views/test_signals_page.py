"""The page of signals: filter, scope, notes, downloads, for three people."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
import yaml
from django.test import Client

URL = "/o/north/signals"
RULES = "/o/north/signals/rules.yaml"


def client_of(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def ben(people: Any) -> Client:
    """A viewer: whoever may read the matrix may read its signals."""
    return client_of(people.ben)


def page(client: Client, query: str = "", **headers: str) -> str:
    reply = client.get(f"{URL}{query}", headers=headers)
    assert reply.status_code == 200, reply.content
    return reply.content.decode()


def test_it_opens_with_one_stack_and_links_to_the_practices(ben: Client) -> None:
    body = page(ben)
    assert 'id="vllm-ttft_p95"' in body and 'id="dcgm-xid_last"' not in body
    assert 'href="/o/north/matrix/OBS-02"' in body
    assert "VLLM_COMPUTE_NANS_IN_LOGITS=1" in body
    assert 'aria-current="page"' in body and ">Signals" in body


def test_a_search_looks_in_every_stack_unless_one_is_chosen(ben: Client) -> None:
    assert 'id="dcgm-xid_last"' in page(ben, "?q=xid")
    assert 'id="otel-span_loss"' in page(ben, f"?q={quote('丢失的')}")
    assert "No signal matches" in page(ben, "?q=xid&stack=vllm")
    assert 'id="triton-waiting"' in page(ben, "?stack=all&q=COST-04")


def test_not_covered_is_said(ben: Client) -> None:
    assert "Not exported; measure it at the gateway or the client." in page(ben, "?stack=tgi")


def test_the_scope_is_in_the_expressions_and_escaped(ben: Client) -> None:
    hostile = 'n"} or vector(1) <script>'
    body = page(ben, f"?stack=dcgm&cluster={quote(hostile)}&namespace=llm")
    assert "DCGM_FI_DEV_XID_ERRORS{cluster=&quot;n\\&quot;} or vector(1) &lt;script&gt;" in body
    assert "<script>" not in body.split("<main")[1]
    assert "Not narrowed by namespace" in body


def test_it_speaks_chinese(ben: Client) -> None:
    body = page(ben, "?q=xid", **{"accept-language": "zh-hans"})
    assert "最近的XID代码" in body and "注意" in body and "Last XID code" not in body


@pytest.mark.parametrize("query", ["?stack=nope", "?cluster=a%0Ab", f"?namespace={'x' * 254}", "?q=a%00b"])
def test_a_wrong_filter_is_named_and_shows_nothing(ben: Client, query: str) -> None:
    reply = ben.get(URL + query)
    assert reply.status_code == 400
    body = reply.content.decode()
    assert "There is a problem" in body and "signal__promql" not in body
    assert ben.get(RULES + query).status_code == 400


def test_rules_are_a_file(ben: Client) -> None:
    reply = ben.get(f"{RULES}?stack=ray&cluster=n")
    assert reply["Content-Disposition"] == 'attachment; filename="rules.yaml"'
    (group,) = yaml.safe_load(reply.content)["groups"]
    assert [rule["record"] for rule in group["rules"]] == ["ballast:ray_healthy:last", "ballast:waiting:last"]
    assert len(yaml.safe_load(ben.get(f"{RULES}?stack=all").content)["groups"]) > 14


def test_strangers_see_nothing(people: Any) -> None:
    for url in (URL, RULES):
        assert client_of(people.eve).get(url).status_code == 404
        assert Client().get(url).status_code == 302

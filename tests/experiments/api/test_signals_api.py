"""The catalogue for programs: for whoever is signed in, with refusals in the API's one shape."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from django.test import Client

from portal.accounts.services import tokens

URL = "/api/v1/signals"
RULES = "/api/v1/signals/rules.yaml"


@pytest.fixture
def eve(people: Any) -> Client:
    """The owner of another organisation: the catalogue belongs to nobody."""
    client = Client()
    client.force_login(people.eve)
    return client


def test_nobody_is_refused_in_json(db: None) -> None:
    for url in (URL, RULES):
        reply = Client().get(url)
        assert reply.status_code == 401 and reply.json()["error"]["code"]


def test_a_token_reads_it(people: Any) -> None:
    from portal.accounts.models import Membership

    membership = Membership.objects.get(organisation=people.north, user=people.ben)
    _row, clear = tokens.issue(membership=membership, name="ci", scopes=["matrix.view"], days=1)
    reply = Client().get(URL, headers={"authorization": f"Bearer {clear}"})
    assert reply.status_code == 200


def test_signals_with_their_expressions(eve: Client) -> None:
    found = eve.get(URL).json()
    assert len(found["signals"]) == 117 and len(found["stacks"]) == 14
    some = eve.get(f"{URL}?stack=ray&stack=triton").json()
    assert {one["stack"] for row in some["signals"] for one in row["expressions"]} == {"ray", "triton"}


@pytest.mark.parametrize("accept", ["*/*", "application/yaml", "text/plain"])
def test_rules_whatever_the_caller_accepts(eve: Client, accept: str) -> None:
    reply = eve.get(f"{RULES}?stack=dcgm&cluster=n", headers={"accept": accept})
    assert reply.status_code == 200 and reply["Content-Type"].startswith("application/yaml")
    rules = yaml.safe_load(reply.content)["groups"][0]["rules"]
    assert all(rule["labels"] == {"cluster": "n", "stack": "dcgm"} for rule in rules)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (f"{URL}?stack=nope", "stack"),
        (f"{URL}?stack=", "stack"),
        (f"{URL}?stak=ray", "stak"),
        (f"{RULES}?cluster=a%0Ab", "cluster"),
        (f"{RULES}?cluster=a%00b", "cluster"),
        (f"{RULES}?namespace={'x' * 254}", "namespace"),
    ],
)
def test_wrong_queries_name_the_place(eve: Client, url: str, place: str) -> None:
    reply = eve.get(url, headers={"accept": "application/yaml"} if "rules" in url else {})
    assert reply.status_code == 400
    assert reply.json()["error"]["place"] == place or place in str(reply.json()["error"]["problems"])


def test_nothing_can_be_written(eve: Client) -> None:
    assert eve.post(URL).status_code == 405

"""The record: chained, complete, free of secrets, and only ever longer."""

from __future__ import annotations

import datetime
import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.db.utils import DatabaseError, IntegrityError

from portal.audit import selectors, services, triggers
from portal.audit.domain.chain import START
from portal.audit.models import AppendOnly, ChainHead, Entry
from portal.errors import Invalid

ORGANISATION = uuid.UUID("0190a000-0000-7000-8000-000000000001")
OTHER = uuid.UUID("0190a000-0000-7000-8000-000000000002")


def add(n: int = 1, organisation: uuid.UUID = ORGANISATION, **detail: Any) -> Entry:
    for step in range(n):
        entry = services.record(
            organisation_id=organisation,
            actor=None,
            action="thing.done",
            object_type="thing",
            object_id=step,
            detail=detail or {"step": step},
        )
    return entry


def raw(statement: str, *values: Any) -> None:
    """Change the table as somebody with the database's password would, triggers gone."""
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.mark.django_db
def test_links_follow_one_another_and_organisations_do_not_mix() -> None:
    add(3)
    add(2, OTHER)
    rows = list(Entry.objects.filter(organisation_id=ORGANISATION).order_by("sequence"))
    assert [row.sequence for row in rows] == [1, 2, 3]
    assert [row.previous_hash for row in rows] == [START, rows[0].hash, rows[1].hash]
    assert services.verify_chain(ORGANISATION) == services.verify_chain(str(ORGANISATION))
    assert services.verify_chain(ORGANISATION).checked == 3
    assert services.verify_chain(OTHER).checked == 2
    assert services.verify_chain(ORGANISATION).head == rows[2].hash == selectors.head_hash(ORGANISATION)


@pytest.mark.django_db
def test_an_empty_chain_is_whole() -> None:
    result = services.verify_chain(ORGANISATION)
    assert (result.ok, result.checked, result.head) == (True, 0, START)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("statement", "first_broken", "reason"),
    [
        ("UPDATE audit_entry SET action = 'thing.undone' WHERE sequence = 2", 2, "content"),
        ("UPDATE audit_entry SET actor_label = 'Eve' WHERE sequence = 4", 4, "content"),
        ("UPDATE audit_entry SET previous_hash = hash WHERE sequence = 3", 3, "link"),
        ("DELETE FROM audit_entry WHERE sequence = 1", 1, "gap"),
        ("DELETE FROM audit_entry WHERE sequence = 3", 3, "gap"),
        ("DELETE FROM audit_entry WHERE sequence = 4", 4, "gap"),
        ("UPDATE audit_chainhead SET sequence = 3", 4, "beyond_head"),
        ("UPDATE audit_chainhead SET hash = 'f'", 4, "head"),
        ("DELETE FROM audit_chainhead", 1, "beyond_head"),
    ],
)
def test_the_first_broken_link_is_named(statement: str, first_broken: int, reason: str) -> None:
    add(4)
    raw(statement)
    result = services.verify_chain(ORGANISATION)
    assert (result.ok, result.first_broken, result.reason) == (False, first_broken, reason)


@pytest.mark.django_db
def test_detail_changed_in_place_is_found() -> None:
    add(1, level=3)
    raw("UPDATE audit_entry SET detail = %s", '{"level": 4}')
    assert services.verify_chain(ORGANISATION).reason == "content"


@pytest.mark.django_db
def test_detail_survives_the_database_whatever_numbers_it_holds() -> None:
    moment = datetime.datetime(2026, 12, 2, 5, 8, tzinfo=datetime.UTC)
    add(
        1,
        big=1e22,
        whole=3.0,
        minus=-0.0,
        small=1e-7,
        third=1 / 3,
        integer=2**70,
        text="华北-B «ü» \U0001f9ea \\u0000",
        nested={"z": [1, {"b": None, "a": True}], "": ""},
        id=ORGANISATION,
        at=moment,
        money=Decimal("800.00"),
    )
    assert services.verify_chain(ORGANISATION).ok
    kept = selectors.entries(ORGANISATION).get().detail
    assert kept["id"] == str(ORGANISATION)
    assert kept["money"] == "800.00"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "detail",
    [
        {"token": "x"},
        {"form": {"Password": "x"}},
        {"list": [{"slack_token": "x"}]},
        {"note": "use ballast_" + "a" * 43},
        {"headers": {"Authorization": "x"}},
    ],
)
def test_secrets_are_refused(detail: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="secret"):
        add(1, **detail)
    assert not Entry.objects.exists()


@pytest.mark.django_db
def test_counts_of_model_tokens_are_no_secret() -> None:
    add(1, max_tokens=4096, token_id="4f", tokens=3, prefix="ballast_ab")
    assert services.verify_chain(ORGANISATION).ok


@pytest.mark.django_db
@pytest.mark.parametrize("detail", [{"a": "x\x00y"}, {"x\x00": 1}, {"a": ["\ud800"]}])
def test_text_that_no_database_can_hold_is_the_senders_mistake(detail: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        add(1, **detail)


@pytest.mark.django_db
@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}])
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        add(1, value=value)


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_recorded() -> None:
    with pytest.raises(TransactionManagementError):
        add(1)
    assert not Entry.objects.exists()
    assert not ChainHead.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_change_that_fails_leaves_no_entry() -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        add(2)
        raise RuntimeError
    assert not Entry.objects.exists()
    with transaction.atomic():
        add(1)
    assert services.verify_chain(ORGANISATION).ok


@pytest.mark.django_db
def test_the_model_only_adds() -> None:
    entry = add(1)
    entry.action = "other"
    for attempt in (
        entry.save,
        entry.delete,
        Entry.objects.all().delete,
        lambda: Entry.objects.update(action="other"),
        lambda: Entry.objects.bulk_update([entry], ["action"]),
    ):
        with pytest.raises(AppendOnly):
            attempt()
    assert services.verify_chain(ORGANISATION).ok


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entry SET action = 'x'",
        "UPDATE audit_entry SET hash = hash",
        "DELETE FROM audit_entry",
        "TRUNCATE audit_entry",
    ],
)
def test_the_database_refuses_too(statement: str) -> None:
    if connection.vendor != "postgresql" and statement.startswith("TRUNCATE"):
        pytest.skip("left out: SQLite has no TRUNCATE")
    add(1)
    triggers.remove(connection)
    triggers.install(connection)
    refused = pytest.raises(IntegrityError, match="append-only")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert services.verify_chain(ORGANISATION).ok


@pytest.mark.django_db
def test_after_all_migrations_the_triggers_are_there() -> None:
    """But for those that the test database must do without; see tests/conftest.py."""
    left_out = set(triggers.IN_THE_WAY_OF_FLUSH[connection.vendor])
    assert triggers.installed(connection) == triggers.expected(connection) - left_out
    triggers.remove(connection)
    assert triggers.installed(connection) == set()
    triggers.install(connection)
    assert triggers.installed(connection) == triggers.expected(connection)


@pytest.mark.django_db
def test_one_place_in_the_chain_holds_one_entry() -> None:
    entry = add(1)
    entry.pk, entry._state.adding = None, True
    with pytest.raises(DatabaseError), transaction.atomic():
        entry.save()

"""`manage.py verify_audit`: exit 0 for whole chains, 1 and the first broken link otherwise."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from portal.accounts.services import organisations
from portal.audit import triggers

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("verify_audit", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return error.returncode, out.getvalue(), err.getvalue() + str(error)
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def two(people: Any) -> list[Any]:
    made = [organisations.create(actor=people.eve, name=name) for name in ("Alpha", "Beta")]
    for one in made:
        organisations.change_settings(
            organisation=one,
            actor=people.eve,
            data=organisations.OrganisationData(
                name=f"{one.name} 2", day_rate=one.day_rate, gpu_hour_price=one.gpu_hour_price, currency="CNY"
            ),
        )
    return made


def test_whole_chains(two: list[Any]) -> None:
    code, out, _err = run()
    assert code == 0
    assert "alpha: whole, 2 entries" in out
    assert "north: whole, 0 entries" in out


def test_the_first_broken_link_is_named(two: list[Any]) -> None:
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE audit_entry SET actor_label = 'Mallory' WHERE sequence = 2")
        cursor.execute(
            "UPDATE audit_entry SET hash = 'f' WHERE sequence = 1 AND object_id = %s", [str(two[0].pk)]
        )
    code, _out, err = run()
    assert code == 1
    assert "alpha: BROKEN at entry 1 (content)" in err
    assert "beta: BROKEN at entry 2 (content)" in err
    assert run("--organisation", "north")[0] == 0
    assert run("--organisation", "beta")[0] == 1


def test_a_chain_outlives_its_organisation(two: list[Any]) -> None:
    gone = two[0].pk
    two[0].delete()
    code, out, _err = run()
    assert code == 0
    assert f"{gone}: whole, 2 entries" in out


def test_an_unknown_organisation() -> None:
    code, _out, err = run("--organisation", "nowhere")
    assert code == 2
    assert "nowhere" in err

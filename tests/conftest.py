"""Fixtures of the whole suite: three named people, and marks that decide where a test runs.

Ada owns organisation A ("north"), Ben is a viewer there, Eve is a stranger who owns organisation B.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from hypothesis import HealthCheck, settings

SHARED = Path(os.environ.get("BALLAST_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "people", "django_db_setup"}
BROWSER_FIXTURES = {"page", "browser", "context"}

# A busy machine must not fail a property: time is measured in tests/benchmarks, never asserted.
settings.register_profile("ballast", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ballast")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the database or drives a browser, so that runs can choose."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker(pytest.mark.database)
        if fixtures & BROWSER_FIXTURES:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A request of a Chinese-speaking person must not leave its language to the next test."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real public data; the test is left out, plainly, where it is absent."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("left out: the public data sets (BALLAST_SHARED) are not here")
    return folder


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The test database, without those audit triggers that would stop it being emptied between tests."""
    from django.db import connection

    from portal.audit import triggers

    with django_db_blocker.unblock():
        triggers.remove(connection, triggers.IN_THE_WAY_OF_FLUSH[connection.vendor])


@dataclass(frozen=True)
class People:
    """Three people and two organisations; `north` has one member per role."""

    north: Any
    south: Any
    ada: Any  # owner of north
    ben: Any  # viewer in north
    eve: Any  # owner of south, stranger to north
    by_role: dict[str, Any]  # role -> member of north


@pytest.fixture
def people(db: None) -> People:
    """Two organisations and a member of the first for every role."""
    from portal.accounts.domain.permissions import Role
    from portal.accounts.models import Membership, Organisation, User

    north = Organisation.objects.create(slug="north", name="North")
    south = Organisation.objects.create(slug="south", name="South")

    def person(name: str, organisation: Organisation, role: Role) -> User:
        user = User.objects.create_user(f"{name.lower()}@example.com", "correct horse battery", name=name)
        Membership.objects.create(organisation=organisation, user=user, role=role.value)
        return user

    ada = person("Ada", north, Role.OWNER)
    ben = person("Ben", north, Role.VIEWER)
    by_role = {Role.OWNER.value: ada, Role.VIEWER.value: ben}
    for role in (Role.ADMIN, Role.ASSESSOR, Role.REVIEWER, Role.OPERATOR):
        by_role[role.value] = person(role.value.capitalize(), north, role)
    eve = person("Eve", south, Role.OWNER)
    return People(north=north, south=south, ada=ada, ben=ben, eve=eve, by_role=by_role)

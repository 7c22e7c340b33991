"""Guessing passwords is slowed down, with the counters in the database as in the embedded mode."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def limited(settings: Any) -> None:
    """The product's own limits and cache, which the test settings leave out."""
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}
    }
    del settings.ACCOUNT_RATE_LIMITS
    call_command("createcachetable", verbosity=0)


def sign_in(person: Any, password: str, **headers: str) -> Any:
    return Client(**headers).post("/accounts/login/", {"login": person.email, "password": password})


def test_many_wrong_passwords_lock_the_door_for_a_while(people: Any, limited: None) -> None:
    statuses = [sign_in(people.ben, "wrong").status_code for _ in range(12)]
    assert set(statuses) <= {200, 429}
    assert sign_in(people.ben, "correct horse battery").status_code != 302
    assert sign_in(people.ada, "correct horse battery", REMOTE_ADDR="192.0.2.7").status_code == 302


def test_a_few_mistakes_do_not(people: Any, limited: None) -> None:
    for _ in range(3):
        sign_in(people.ben, "wrong")
    assert sign_in(people.ben, "correct horse battery").status_code == 302


def test_an_unknown_address_looks_like_a_wrong_password(people: Any) -> None:
    EmailAddress.objects.create(user=people.ben, email=people.ben.email, verified=True, primary=True)
    known = sign_in(people.ben, "wrong").content.decode()
    people.ben.email = "nobody@example.com"
    unknown = sign_in(people.ben, "wrong").content.decode()
    assert known.count("field__error") == unknown.count("field__error")
    assert known.count("error-summary") == unknown.count("error-summary") == 1

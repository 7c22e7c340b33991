"""Organisations: addresses made from names in any script, and settings that refuse nonsense."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.accounts.domain import names
from portal.accounts.models import Membership, Organisation
from portal.accounts.services import organisations
from portal.audit import selectors as audit
from portal.errors import Conflict, Invalid


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("North Star AI", "north-star-ai"),
        ("Équipe Nord", "equipe-nord"),
        ("  --GPU__Cloud!!  ", "gpu-cloud"),
        ("华北算力 HB", "hb"),
        ("华北算力", ""),
        ("北京 2026", ""),
        ("API", ""),
        ("new", ""),
        ("Ａｃｍｅ", "acme"),
    ],
)
def test_slug_from_a_name(name: str, slug: str) -> None:
    assert names.slug_from(name) == slug


@given(st.text(max_size=300))
def test_a_made_slug_is_one_a_person_may_choose(name: str) -> None:
    slug = names.slug_from(name)
    assert slug == "" or names.slug_allowed(slug)


@pytest.mark.parametrize("slug", ["a", "-ab", "ab-", "a--b", "Ab", "o/x", "admin", "x" * 61, "ab\n", "北京"])
def test_slugs_nobody_may_choose(slug: str) -> None:
    assert not names.slug_allowed(slug)


@pytest.mark.django_db
def test_the_maker_owns_it_and_the_record_begins(people: Any) -> None:
    made = organisations.create(actor=people.eve, name="  East   Side ")
    assert (made.name, made.slug) == ("East Side", "east-side")
    assert Membership.objects.get(organisation=made).role == "owner"
    assert [row.action for row in audit.entries(made.pk)] == ["organisation.created"]


@pytest.mark.django_db
def test_a_chinese_name_gets_a_readable_address(people: Any) -> None:
    made = organisations.create(actor=people.eve, name="华北算力中心")
    assert re.fullmatch(r"team-[a-z2-9]{6}", made.slug)


@pytest.mark.django_db
def test_a_taken_name_gets_a_number(people: Any) -> None:
    slugs = [organisations.create(actor=people.eve, name="North").slug for _ in range(3)]
    assert slugs == ["north-2", "north-3", "north-4"]
    many = [organisations.create(actor=people.eve, name="North").slug for _ in range(9)]
    assert re.fullmatch(r"north-[a-z2-9]{6}", many[-1])


@pytest.mark.django_db
def test_a_chosen_address_is_kept_or_refused(people: Any) -> None:
    assert organisations.create(actor=people.eve, name="X Y", slug=" Xy-1 ").slug == "xy-1"
    with pytest.raises(Conflict) as taken:
        organisations.create(actor=people.eve, name="X", slug="north")
    assert taken.value.place == "slug"
    with pytest.raises(Invalid):
        organisations.create(actor=people.eve, name="X", slug="api")
    assert Organisation.objects.filter(name="X").count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "   ", "\x00", "a\x07b", "\u202egnp.exe", "\u200f\u200e", "x" * 121])
def test_names_nobody_can_read_are_refused(people: Any, name: str) -> None:
    with pytest.raises(Invalid) as refused:
        organisations.create(actor=people.eve, name=name)
    assert refused.value.place == "name"


def settings(**over: Any) -> organisations.OrganisationData:
    start = {"name": "North", "day_rate": Decimal("800"), "gpu_hour_price": Decimal("3"), "currency": "USD"}
    return organisations.OrganisationData(**{**start, **over})


@pytest.mark.django_db
def test_changed_settings_are_recorded_with_both_values(people: Any) -> None:
    data = settings(day_rate=Decimal("950.555"), currency="cny")
    changed = organisations.change_settings(organisation=people.north, actor=people.ada, data=data)
    assert (changed.day_rate, changed.currency) == (Decimal("950.56"), "CNY")
    entry = audit.entries(people.north.pk).get()
    assert entry.detail == {"changes": {"day_rate": ["800.00", "950.56"], "currency": ["USD", "CNY"]}}
    organisations.change_settings(organisation=people.north, actor=people.ada, data=data)
    assert audit.entries(people.north.pk).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("over", "place"),
    [
        ({"day_rate": Decimal("-1")}, "day_rate"),
        ({"day_rate": Decimal("NaN")}, "day_rate"),
        ({"gpu_hour_price": Decimal("Infinity")}, "gpu_hour_price"),
        ({"gpu_hour_price": Decimal("1e9")}, "gpu_hour_price"),
        ({"currency": "US"}, "currency"),
        ({"currency": "元元元"}, "currency"),
        ({"name": " "}, "name"),
    ],
)
def test_settings_that_make_no_sense(people: Any, over: dict[str, Any], place: str) -> None:
    with pytest.raises(Invalid) as refused:
        organisations.change_settings(organisation=people.north, actor=people.ada, data=settings(**over))
    assert refused.value.place == place
    people.north.refresh_from_db()
    assert (people.north.name, people.north.currency) == ("North", "USD")

"""Organisations: made by a person who becomes its first owner, and their settings."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from portal.accounts.domain.names import SLUG_LENGTH, readable, slug_allowed, slug_from, tidy
from portal.accounts.domain.permissions import Role
from portal.accounts.models import Membership, Organisation
from portal.audit import services as audit
from portal.errors import Conflict, Invalid

MOST_MEMBERSHIPS = 50
MOST_MONEY = Decimal("99999999.99")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
TRIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganisationData:
    """What its settings hold; money in `currency` (three letters)."""

    name: str
    day_rate: Decimal
    gpu_hour_price: Decimal
    currency: str


@transaction.atomic
def create(*, actor: Any, name: str, slug: str = "", demo: bool = False) -> Organisation:
    """A new organisation with `actor` as its owner; `demo` marks invented data on pages and reports.

    Without `slug` the web address comes from the name, with a number where it is taken; a name without
    Latin letters gives `team-` and six characters. Raises Invalid, or Conflict for a chosen address in use.
    """
    name = checked_name(name)
    slug = slug.strip().lower()
    if slug and not slug_allowed(slug):
        raise Invalid(
            "slug_not_allowed",
            _("Use 2 to 60 small letters a–z, digits and single hyphens; a few words are reserved."),
            place="slug",
        )
    if Membership.objects.filter(user=actor).count() >= MOST_MEMBERSHIPS:
        raise Invalid("too_many_organisations", _("You may be in %d organisations.") % MOST_MEMBERSHIPS)
    made = _insert(name, slug) if slug else _insert_free(name)
    if made is None:
        raise Conflict("slug_taken", _("This web address is already taken."), place="slug")
    if demo:
        made.demo = True
        made.save(update_fields=["demo"])
    Membership.objects.create(organisation=made, user=actor, role=Role.OWNER.value)
    audit.record(
        organisation_id=made.pk,
        actor=actor,
        action="organisation.created",
        object_type="organisation",
        object_id=made.pk,
        detail={"name": made.name, "slug": made.slug},
    )
    return made


@transaction.atomic
def change_settings(*, organisation: Organisation, actor: Any, data: OrganisationData) -> Organisation:
    """Replace name and prices; Invalid names the field."""
    row = Organisation.objects.select_for_update().get(pk=organisation.pk)
    currency = data.currency.strip().upper()
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise Invalid("currency_not_known", _("Enter the three letters of a currency."), place="currency")
    wanted = {
        "name": checked_name(data.name),
        "day_rate": _money(data.day_rate, "day_rate"),
        "gpu_hour_price": _money(data.gpu_hour_price, "gpu_hour_price"),
        "currency": currency,
    }
    changed = {
        field: [getattr(row, field), new] for field, new in wanted.items() if getattr(row, field) != new
    }
    if not changed:
        return row
    for field, value in wanted.items():
        setattr(row, field, value)
    row.save(update_fields=list(wanted))
    audit.record(
        organisation_id=row.pk,
        actor=actor,
        action="organisation.changed",
        object_type="organisation",
        object_id=row.pk,
        detail={"changes": changed},
    )
    return row


def checked_name(name: str, *, longest: int = 120) -> str:
    """The tidied name; Invalid (place `name`) when it is empty, too long or holds control characters."""
    name = tidy(name)
    if not name:
        raise Invalid("name_missing", _("Enter a name."), place="name")
    if len(name) > longest:
        raise Invalid("name_too_long", _("Use at most %d characters.") % longest, place="name")
    if not readable(name):
        raise Invalid("name_not_readable", _("The name holds characters that cannot be shown."), place="name")
    return name


def _money(value: Decimal, place: str) -> Decimal:
    value = Decimal(value)
    if not value.is_finite() or not 0 <= value <= MOST_MONEY:
        raise Invalid("amount_out_of_range", _("Enter an amount of 0 or more."), place=place)
    return value.quantize(Decimal("0.01"))


def _insert(name: str, slug: str) -> Organisation | None:
    """The new row, or None when somebody has the address."""
    try:
        with transaction.atomic():
            return Organisation.objects.create(name=name, slug=slug)
    except IntegrityError:
        return None


def _insert_free(name: str) -> Organisation | None:
    base = slug_from(name)
    for step in range(1, TRIES + 1):
        if base and step <= TRIES // 2:
            slug = base if step == 1 else f"{base}-{step}"
        else:
            slug = f"{base or 'team'}-{''.join(secrets.choice(LETTERS) for _n in range(6))}"
        if made := _insert(name, slug[:SLUG_LENGTH]):
            return made
    return None

"""API tokens: issued once in clear, kept as a hash, limited in scope and time."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts import selectors
from portal.accounts.domain.keys import hash_of
from portal.accounts.domain.membership import scopes_for
from portal.accounts.domain.permissions import Action, allowed
from portal.accounts.models import ApiToken, Membership
from portal.accounts.services.organisations import checked_name
from portal.audit import services as audit
from portal.errors import Invalid, NotAllowed

START = "ballast_"
SHOWN = len(START) + 4
MOST_DAYS = 365
MOST_PER_PERSON = 50
# Writing the time of use on every call would make each read a write.
USED_EVERY = timedelta(minutes=5)


@transaction.atomic
def issue(*, membership: Membership, name: str, scopes: Iterable[str], days: int) -> tuple[ApiToken, str]:
    """(token, clear text) for the member's own use in this organisation, valid for 1 to 365 `days`.

    `scopes` are actions of the member's role. Raises Invalid with the field.
    """
    name = checked_name(name, longest=80)
    own = {action.value for action in scopes_for(membership.role)}
    wanted = set(scopes)
    if not wanted:
        raise Invalid("scopes_missing", _("Choose at least one thing that the token may do."), place="scopes")
    if strange := sorted(wanted - own):
        raise Invalid(
            "scope_not_yours",
            _("Your role cannot give: %s") % ", ".join(strange),
            place="scopes",
        )
    if not 1 <= days <= MOST_DAYS:
        raise Invalid("days_out_of_range", _("Choose from 1 to %d days.") % MOST_DAYS, place="days")
    if selectors.live_tokens(membership).count() >= MOST_PER_PERSON:
        raise Invalid("too_many_tokens", _("You already have %d tokens.") % MOST_PER_PERSON)
    clear = START + secrets.token_urlsafe(32)
    made = ApiToken.objects.create(
        organisation=membership.organisation,
        user=membership.user,
        name=name,
        prefix=clear[:SHOWN],
        token_hash=hash_of(clear),
        scopes=sorted(wanted),
        expires_at=timezone.now() + timedelta(days=days),
    )
    detail = {"name": name, "prefix": made.prefix, "scopes": made.scopes, "expires_at": made.expires_at}
    _record(membership.user, "token.issued", made, detail)
    return made, clear


@transaction.atomic
def revoke(*, membership: Membership, token_id: Any) -> None:
    """End a token of one's own, or anybody's here for those who manage members."""
    row = selectors.token(membership.organisation, token_id)
    if row.user_id != membership.user_id and not allowed(membership.role, Action.MEMBERS_MANAGE):
        raise NotAllowed("not_your_token", _("You can end only your own tokens."))
    if ApiToken.objects.filter(pk=row.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()):
        _record(membership.user, "token.revoked", row, {"name": row.name, "prefix": row.prefix})


def authenticate(clear: str) -> ApiToken | None:
    """The live token for this clear text, or None: unknown, expired, revoked, or its person is gone.

    The database finds the row by its unique hash; the comparison of the whole hash takes the same time
    wherever two hashes first differ. Notes the use at most every five minutes.
    """
    if not clear.startswith(START) or len(clear) > 200:
        return None
    wanted = hash_of(clear)
    row = ApiToken.objects.select_related("user", "organisation").filter(token_hash=wanted).first()
    if row is None or not hmac.compare_digest(row.token_hash, wanted):
        return None
    now = timezone.now()
    if row.revoked_at is not None or row.expires_at <= now or not row.user.is_active:
        return None
    due = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - USED_EVERY)
    if row.last_used_at is None or row.last_used_at < now - USED_EVERY:
        ApiToken.objects.filter(due, pk=row.pk).update(last_used_at=now)
    return row


def _record(actor: Any, action: str, row: ApiToken, detail: dict[str, Any]) -> None:
    audit.record(
        organisation_id=row.organisation_id,
        actor=actor,
        action=action,
        object_type="token",
        object_id=row.pk,
        detail=detail,
    )

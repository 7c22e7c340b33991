"""Who may change whose role: the rules that one row of the table cannot say."""

from __future__ import annotations

from portal.accounts.domain.permissions import Action, Role, allowed


def may_change(actor: Role | str, old: Role | str | None, new: Role | str | None) -> bool:
    """Whether `actor` may turn `old` into `new`; None stands for not being a member.

    Whoever manages members may change everybody but owners; only an owner makes or unmakes owners.
    """
    if Role.OWNER in (old, new):
        return allowed(actor, Action.OWNERS_MANAGE)
    return allowed(actor, Action.MEMBERS_MANAGE)


def assignable(actor: Role | str) -> tuple[Role, ...]:
    """The roles that `actor` may give to a new member, in the order of the table."""
    return tuple(role for role in Role if may_change(actor, None, role))


def scopes_for(role: Role | str) -> tuple[Action, ...]:
    """What a token of a person with this role may carry: their own actions, never the making of tokens."""
    never = {Action.TOKENS_MANAGE, Action.OWNERS_MANAGE}
    return tuple(action for action in Action if allowed(role, action) and action not in never)

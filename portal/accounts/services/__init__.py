"""Everything that changes people, memberships, invitations and tokens."""

from portal.accounts.services import tokens as tokens

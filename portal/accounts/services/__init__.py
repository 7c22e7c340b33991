"""Everything that changes people, memberships, invitations and tokens."""

"""People, organisations, roles, invitations and API tokens; the one table role x action."""

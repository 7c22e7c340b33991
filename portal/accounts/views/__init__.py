"""Pages about people: the front door, organisations, members, tokens, preferences, activity."""

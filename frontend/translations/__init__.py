"""Message catalogues without GNU gettext: find texts, merge them, check and compile translations."""

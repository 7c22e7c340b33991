"""How the random parts of links and tokens are kept: as a hash."""

from __future__ import annotations

import hashlib


def hash_of(clear: str) -> str:
    """SHA-256, 64 hex digits, of a random text of 256 bits; a slow hash would add nothing to those."""
    return hashlib.sha256(clear.encode("utf-8", "surrogatepass")).hexdigest()

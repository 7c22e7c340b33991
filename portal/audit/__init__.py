"""Append-only, hash-chained record of who changed what, per organisation."""

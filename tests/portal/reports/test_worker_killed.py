"""kill -9 in the middle of a render: the next worker renders the row again. Real processes, a real file."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from .conftest import SAMPLE

ROOT = Path(__file__).resolve().parents[3]
PREPARE = """
import json, sys
from django.core.management import call_command
call_command("migrate", verbosity=0, interactive=False)
call_command("createcachetable", verbosity=0)
from portal.accounts.models import User
from portal.accounts.services import organisations
from portal.reports import services
ada = User.objects.create_user("ada@example.com", "x", name="Ada")
north = organisations.create(actor=ada, name="North", slug="north")
data = json.load(open(sys.argv[1], encoding="utf-8"))
services.request(
    organisation=north, user=ada, template="maturity", language="en", title="t", subject_id="", data=data
)
"""
WORK = "from portal.reports import tasks; tasks.claim_due()"
LATER = """
from datetime import timedelta
from django.utils import timezone
from portal.reports import services, tasks
assert services.reap(now=timezone.now() + timedelta(hours=1)) == 1
assert tasks.claim_due() == 1
"""


def script(body: str) -> str:
    return f"import django; django.setup()\n{body}"


def states(database: Path) -> tuple[str, int, str, int]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=20) as connection:
        row = connection.execute(
            "select state, attempts, lease_owner, length(pdf) from reports_report"
        ).fetchone()
    return row[0], row[1], row[2], row[3] or 0


def test_a_killed_render_is_done_again(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "BALLAST_VAR": str(tmp_path / "var"),
        "SECRET_KEY": "only-for-tests",
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "PYTHONPATH": str(ROOT),
    }
    data = tmp_path / "data.json"
    # Long enough to be caught in the middle.
    data.write_text(json.dumps({**SAMPLE, "practices": SAMPLE["practices"] * 4}), encoding="utf-8")

    def run(body: str) -> None:
        subprocess.run(
            [sys.executable, "-c", script(body), str(data)],
            cwd=ROOT,
            env=environment,
            check=True,
            timeout=300,
        )

    run(PREPARE)
    database = tmp_path / "var" / "ballast.sqlite3"
    assert states(database) == ("queued", 0, "", 0)

    worker = subprocess.Popen(
        [sys.executable, "-c", script(WORK)], cwd=ROOT, env=environment, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while states(database)[0] == "queued" and worker.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait(30)
    state, attempts, owner, size = states(database)
    assert (state, attempts, size) == ("running", 1, 0) and owner

    run(LATER)
    state, attempts, owner, size = states(database)
    assert (state, attempts, owner) == ("done", 2, "") and size > 100_000

"""promtool, which judges every expression; absent it is left out, plainly, or failed where CI demands it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def promtool() -> Callable[..., str]:
    """Runs promtool in a folder and returns what it printed; a failed run fails the test."""
    program = shutil.which("promtool")
    if program is None:
        if os.environ.get("BALLAST_REQUIRE_PROMTOOL") == "1":
            pytest.fail("promtool is missing (Debian: apt-get install prometheus)")
        pytest.skip("left out: promtool is not installed")

    def run(folder: Path, *arguments: str) -> str:
        done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout + done.stderr

    return run

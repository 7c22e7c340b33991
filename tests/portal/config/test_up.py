"""`manage.py up` for real: it prepares, serves, takes another port, and stops cleanly on Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def start(var: Path, port: int, **extra: str) -> subprocess.Popen[str]:
    environment = {
        **{key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "SECRET_KEY"}},
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "BALLAST_VAR": str(var),
        "PORT": str(port),
        **extra,
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def address(process: subprocess.Popen[str], lines: list[str]) -> str:
    """The URL the command prints; fails with its output when it ends before."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if found := re.search(r"http://\S+/", line):
            return found.group()
    pytest.fail("".join(lines))


def children(pid: int) -> list[int]:
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in listed.stdout.split()]


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock.getsockname()[1]


def test_serves_with_demo_takes_the_next_port_and_stops_on_interrupt(tmp_path: Path, taken_port: int) -> None:
    var = tmp_path / "数据 var"
    lines: list[str] = []
    process = start(var, taken_port)
    try:
        url = address(process, lines)
        assert not url.startswith(f"http://127.0.0.1:{taken_port}/")
        deadline = time.monotonic() + 30
        while True:
            try:
                body = urllib.request.urlopen(f"{url}healthz", timeout=5).read()
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert body == b"ok"
        page = urllib.request.urlopen(f"{url}accounts/login/", timeout=20).read().decode()
        for asset in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
            assert urllib.request.urlopen(url.rstrip("/") + asset, timeout=10).status == 200
        workers = children(process.pid)
        assert workers
        process.send_signal(signal.SIGINT)
        rest, _nothing = process.communicate(timeout=30)
        output = "".join(lines) + rest
        assert process.returncode == 0, output
        assert "Stopped." in output and "Traceback" not in output, output
        assert "Sign in:" in output
        for worker in workers:
            assert not Path(f"/proc/{worker}").exists()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    second = start(var, taken_port)
    try:
        assert address(second, []).startswith("http://127.0.0.1:")
        second.send_signal(signal.SIGTERM)
        second.communicate(timeout=30)
        assert second.returncode == 0
    finally:
        if second.poll() is None:
            os.killpg(second.pid, signal.SIGKILL)


def test_a_bad_port_is_named(tmp_path: Path) -> None:
    process = start(tmp_path, 0, PORT="eighty")
    output, _nothing = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "PORT must be a whole number, not 'eighty'" in output

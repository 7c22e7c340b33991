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


def start(var: Path, log: Path, port: int, **extra: str) -> subprocess.Popen[bytes]:
    environment = {
        **{key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "SECRET_KEY"}},
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "BALLAST_VAR": str(var),
        "PORT": str(port),
        **extra,
    }
    with log.open("wb") as out:
        return subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def address(process: subprocess.Popen[bytes], log: Path) -> str:
    """The URL the command prints; fails with its output when it ends before."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if found := re.search(r"http://\S+/", log.read_text("utf-8")):
            return found.group()
        if process.poll() is not None:
            break
        time.sleep(0.1)
    pytest.fail(log.read_text("utf-8"))


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
    var, log = tmp_path / "数据 var", tmp_path / "log"
    process = start(var, log, taken_port)
    try:
        url = address(process, log)
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
        process.wait(30)
        output = log.read_text("utf-8")
        assert process.returncode == 0, output
        assert "Sign in:" in output and "Stopped." in output, output
        assert "Traceback" not in output and "Warning" not in output, output
        for worker in workers:
            assert not Path(f"/proc/{worker}").exists()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def test_a_second_start_works_and_sigterm_right_after_it_leaves_no_worker(
    tmp_path: Path, taken_port: int
) -> None:
    for round_ in range(2):
        log = tmp_path / f"log{round_}"
        process = start(tmp_path / "var", log, taken_port)
        try:
            address(process, log)
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            assert process.returncode == 0, log.read_text("utf-8")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        assert str(tmp_path) not in running_with_our_var(tmp_path)


def running_with_our_var(var: Path) -> str:
    """Environments of all processes of ours that still name `var`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if f"BALLAST_VAR={var}" in environment:
                found.append(f"{entry.name} {environment}")
    return "".join(found)


def test_a_bad_port_is_named(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = start(tmp_path, log, 0, PORT="eighty")
    process.wait(60)
    assert process.returncode != 0
    output = log.read_text("utf-8")
    assert "PORT must be a whole number, not 'eighty'" in output
    assert "Traceback" not in output

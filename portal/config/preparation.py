"""What must be true before the product serves: schema, cache table, texts, static files, matrix, demo."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command


def prepare(*, demo: bool, say: Callable[[str], None]) -> None:
    """Bring an installation up to date; safe to repeat at every start."""
    say("Preparing the database …")
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    call_command("messages", "--compile", verbosity=0)
    _collect_static(say)
    call_command("load_matrix", verbosity=0)
    if demo:
        call_command("demo", verbosity=0)


def _static_digest() -> str:
    """Changes when any static source file changes in name, size or time."""
    digest = hashlib.sha256()
    for finder in finders.get_finders():
        for path, storage in sorted(finder.list([]), key=lambda pair: pair[0]):
            status = os.stat(storage.path(path))
            digest.update(f"{path}|{status.st_size}|{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _collect_static(say: Callable[[str], None]) -> None:
    """Run collectstatic only when a source changed: hashing and packing take seconds."""
    stamp = Path(settings.STATIC_ROOT) / ".sources"
    digest = _static_digest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    say("Collecting static files …")
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(digest, encoding="ascii")


def listening_socket(host: str, port: int, *, tries: int = 50) -> socket.socket:
    """A bound socket on `port` or the next free one; OSError when none of `tries` is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + tries, 65536)):
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            sock.listen(128)
        except OSError:
            sock.close()
            continue
        return sock
    raise OSError(f"No free port from {port} to {port + tries - 1} on {host}")

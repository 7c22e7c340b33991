"""`manage.py up`: prepare and serve the whole product on one machine (web process and one worker)."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from portal.config import env
from portal.config.preparation import listening_socket, prepare

WORKER = [
    *("-m", "celery", "--quiet", "-A", "portal.config.celery", "worker"),
    *("--beat", "--pool", "threads", "--concurrency", "2"),
    *("--loglevel", "ERROR", "--without-gossip", "--without-mingle"),
]


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


class Worker:
    """The one Celery child; started again when it dies, with a pause that grows to 30 s."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="worker-keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        pause = 1.0
        while (process := self._spawn()) is not None:
            process.wait()
            self._stopping.wait(pause)
            pause = min(pause * 2, 30.0)

    def _spawn(self) -> subprocess.Popen[bytes] | None:
        """A new child, or None once stopping: then none is ever started behind the back of `stop`."""
        with self._starting:
            if self._stopping.is_set():
                return None
            # A session of its own: Ctrl-C reaches this process only, which then stops the worker.
            self._process = subprocess.Popen(  # noqa: S603 - fixed words, no shell
                [sys.executable, *WORKER], cwd=settings.BASE_DIR, start_new_session=True
            )
            return self._process

    def stop(self) -> None:
        """Ask the child and its own children to finish, then insist."""
        with self._starting:
            self._stopping.set()
            process = self._process
        if process is None or process.poll() is not None:
            return
        for number, seconds in ((signal.SIGTERM, 10), (signal.SIGKILL, 5)):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                break


class Command(BaseCommand):
    help = (
        "Prepare and serve Ballast: web process and one worker. PORT and HOST are read from the environment."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-worker", action="store_true", help="serve pages only")

    def handle(self, *args: Any, **options: Any) -> None:
        host = env.text("HOST", "127.0.0.1")
        try:
            wanted = env.number("PORT", 8000, at_least=1)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        local = host in {"127.0.0.1", "localhost", "::1"}
        # The demo sign-in is public knowledge, so it exists only where nobody else can reach it.
        demo = env.flag("BALLAST_DEMO", default=local)
        try:
            sock = listening_socket(host, wanted)
        except (OSError, OverflowError) as error:
            raise CommandError(str(error)) from None
        # From here on Ctrl-C and SIGTERM end in the same place: below, in `finally`.
        signal.signal(signal.SIGTERM, _interrupt)
        worker = Worker()
        try:
            port = sock.getsockname()[1]
            prepare(demo=demo, say=self.say)
            connections.close_all()
            if not options["no_worker"]:
                worker.start()
            self.announce(host, wanted, port, demo)
            self.serve(sock)
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            worker.stop()
            self.say("Stopped.")

    def serve(self, sock: socket.socket) -> None:
        """Answer requests until a signal comes."""
        config = uvicorn.Config(
            "portal.config.asgi:application", log_level="warning", lifespan="off", timeout_graceful_shutdown=5
        )
        uvicorn.Server(config).run(sockets=[sock])

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def announce(self, host: str, wanted: int, port: int, demo: bool) -> None:
        """Where to go and how to sign in."""
        if port != wanted:
            self.say(f"Port {wanted} is taken.")
        self.say(f"\n  Ballast:  http://{f'[{host}]' if ':' in host else host}:{port}/")
        if demo:
            from portal.dashboard.demo import SIGN_IN

            self.say(f"  Sign in:  {SIGN_IN.email}   password: {SIGN_IN.password}")
        self.say("  Stop:     Ctrl-C\n")

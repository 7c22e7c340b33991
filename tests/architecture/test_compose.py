"""Container files parse, pin what they pull and hold no default secret."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]


def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def test_compose_has_the_four_services() -> None:
    assert set(compose()["services"]) == {"web", "worker", "postgres", "redis"}


def test_images_are_pinned_to_a_full_version() -> None:
    for name, service in compose()["services"].items():
        assert re.search(r":\d+\.\d+(\.\d+)?(-\w+)?$", service["image"]), name
    first = re.search(r"^FROM (\S+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.M)
    assert first and re.search(r":\d+\.\d+\.\d+-", first.group(1))


def test_secrets_have_no_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        uses = re.findall(r"\$\{" + name + r"([^}]*)\}", text)
        assert uses and all(use.startswith(":?") for use in uses)


def test_web_and_worker_share_settings_and_use_postgres_and_redis() -> None:
    services = compose()["services"]
    assert services["web"]["environment"] == services["worker"]["environment"]
    assert services["web"]["environment"]["DATABASE_URL"].startswith("postgresql://")
    assert services["web"]["environment"]["BROKER_URL"].startswith("redis://")


def test_only_loopback_ports_are_published() -> None:
    for service in compose()["services"].values():
        for port in service.get("ports", []):
            assert str(port).startswith("127.0.0.1:")


def test_dockerfile_runs_as_a_plain_user() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER ballast$", text, re.M)
    assert "--require-hashes" in text

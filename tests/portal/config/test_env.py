"""Settings from the environment: good values are read, bad ones stop the start with their name."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from portal.config import env


def test_file_variant_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from file\n", encoding="utf-8")
    monkeypatch.setenv("THING", "plain")
    monkeypatch.setenv("THING_FILE", str(tmp_path / "secret"))
    assert env.text("THING") == "from file"


def test_unreadable_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THING_FILE", str(tmp_path / "missing"))
    with pytest.raises(ImproperlyConfigured, match="THING_FILE"):
        env.text("THING")


@pytest.mark.parametrize(
    ("raw", "value"), [("1", True), ("Yes", True), ("off", False), ("0", False), ("", True)]
)
def test_flags(monkeypatch: pytest.MonkeyPatch, raw: str, value: bool) -> None:
    monkeypatch.setenv("THING", raw)
    assert env.flag("THING", default=True) is value


@pytest.mark.parametrize("raw", ["maybe", "2", "tru"])
def test_bad_flag_is_named(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("THING", raw)
    with pytest.raises(ImproperlyConfigured, match="THING must be true or false"):
        env.flag("THING")


@pytest.mark.parametrize("raw", ["x", "1.5", "-1", "0"])
def test_bad_number_is_named(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("THING", raw)
    with pytest.raises(ImproperlyConfigured, match="THING"):
        env.number("THING", 5, at_least=1)


def test_database_defaults_to_sqlite_in_wal_with_immediate_transactions(tmp_path: Path) -> None:
    entry = env.database("", sqlite_path=tmp_path / "x.sqlite3")
    assert entry["NAME"] == tmp_path / "x.sqlite3"
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in entry["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////srv/数据/b.sqlite3", "/srv/数据/b.sqlite3"),
        ("sqlite:///var/b%20c.sqlite3", "var/b c.sqlite3"),
    ],
)
def test_sqlite_urls(url: str, name: str, tmp_path: Path) -> None:
    assert env.database(url, sqlite_path=tmp_path)["NAME"] == name


def test_postgres_url_is_taken_apart(tmp_path: Path) -> None:
    entry = env.database("postgresql://us%40er:p%2Fw@db:5433/ball?pool=true", sqlite_path=tmp_path)
    assert (entry["USER"], entry["PASSWORD"], entry["HOST"], entry["PORT"], entry["NAME"]) == (
        "us@er",
        "p/w",
        "db",
        "5433",
        "ball",
    )
    assert entry["OPTIONS"] == {"pool": True}
    assert entry["ATOMIC_REQUESTS"] is True


def test_other_databases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        env.database("mysql://x/y", sqlite_path=tmp_path)

"""A realistic report: 华北-B of the invented demo story, compared with 华北-A, with a roadmap."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from portal.reports import compiler

SAMPLE = json.loads(Path(__file__).with_name("sample.json").read_text(encoding="utf-8"))
MOMENT = datetime(2026, 12, 2, 8, 30, tzinfo=UTC)
LANGUAGES = ("en", "zh-hans")


@pytest.fixture
def sample() -> dict[str, Any]:
    """The data of a full report; change it as you like."""
    return copy.deepcopy(SAMPLE)


@pytest.fixture
def small() -> dict[str, Any]:
    """The same with two practices and without comparison, roadmap and KPIs: typeset in a moment."""
    data = copy.deepcopy(SAMPLE)
    data |= {"comparison": None, "roadmap": None, "tradeoffs": None, "controls": [], "baseline": None}
    data["kpis"] = []
    data["practices"] = data["practices"][:2]
    return data


@pytest.fixture(scope="session")
def typeset() -> Callable[..., bytes]:
    """Data and language in, PDF out."""

    def run(data: dict[str, Any], language: str = "en") -> bytes:
        return compiler.compile_pdf("maturity", data, language=language, timestamp=MOMENT)

    return run


@pytest.fixture(scope="session")
def pdfs(typeset: Callable[..., bytes]) -> dict[str, bytes]:
    """The sample in both languages, typeset once."""
    return {language: typeset(SAMPLE, language) for language in LANGUAGES}

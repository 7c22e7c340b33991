"""T6: content in spans against tenant isolation."""

from __future__ import annotations

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t6 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation


@pytest.mark.parametrize(
    ("share", "levels", "state"),
    [
        (12.5, {"SEC-04": 2}, FindingState.real),
        (0.1, {"SEC-04": 0}, FindingState.real),
        (12.5, {"SEC-04": 3}, FindingState.quiet),  # exactly the level
        (0.0, {"SEC-04": 2}, FindingState.quiet),  # no content
        (0.0, {}, FindingState.quiet),
        (None, {"SEC-04": 3}, FindingState.quiet),  # isolated, whatever is stored
        (None, {"SEC-04": 2}, FindingState.not_measured),
        (12.5, {}, FindingState.not_measured),
        (None, {}, FindingState.not_measured),
    ],
)
def test_content(share: float | None, levels: dict[str, int], state: FindingState) -> None:
    given = situation("OBS-04.L3", levels=levels, spans_with_content=share, content_retention_days=30)
    found = only(RULE, given)
    assert found.state is state
    assert found.items == ("OBS-04.L3",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_the_price_and_what_is_missing() -> None:
    found = only(RULE, situation(spans_with_content=12.5, content_retention_days=30))
    assert prices(found) == {"spans_with_content": (12.5, "%"), "content_retention_days": (30, "d")}
    assert found.missing == ("SEC-04",)

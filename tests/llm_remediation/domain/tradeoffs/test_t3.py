"""T3: the share of security in the recovery time objective, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from llm_remediation.domain.tradeoffs.model import FindingState
from llm_remediation.domain.tradeoffs.t3 import RULE
from tests.llm_remediation.domain.tradeoffs.numbers_given import only, prices, situation

# 40 + 30 + 20 + 90 = 180 s of 900 s: 20 %
DRILL: dict[str, float] = {
    "drill_verify_s": 40,
    "drill_decrypt_s": 30,
    "drill_authenticate_s": 20,
    "drill_approve_s": 90,
    "drill_total_s": 700,
    "rto_s": 900,
}


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, FindingState.quiet),
        ({"rto_s": 600}, FindingState.quiet),  # exactly 30 %
        ({"rto_s": 599}, FindingState.real),
        ({"drill_approve_s": 181}, FindingState.real),  # 271 of 900: 30.1 %
        ({"drill_decrypt_s": 0}, FindingState.quiet),  # nothing to decrypt is a number
        ({"drill_decrypt_s": None}, FindingState.not_measured),
        ({"rto_s": None}, FindingState.not_measured),
        ({"rto_s": 0}, FindingState.not_measured),
        ({"drill_total_s": None, "rto_s": 100}, FindingState.real),  # only the bar needs the total
    ],
)
def test_a_drill(changes: dict[str, Any], state: FindingState) -> None:
    found = only(RULE, situation("SEC-02.L4", "REL-01.L2", **DRILL | changes))
    assert found.state is state
    assert found.items == ("SEC-02.L4",)
    assert bool(found.missing) == (state is FindingState.not_measured)


def test_the_bar_adds_up() -> None:
    found = only(RULE, situation(**DRILL))
    assert prices(found) == {"security_seconds": (180, "s")}
    assert found.measure("drill_rest_s") == 520
    assert found.measure("security_share_of_rto") == 20
    assert only(RULE, situation(**DRILL | {"drill_total_s": 179})).measure("drill_rest_s") is None


def test_sums_of_decimals_at_the_threshold_have_not_crossed_it() -> None:
    """0.1 + 0.2 is 0.30000000000000004 in floats."""
    tenths = {"drill_verify_s": 0.1, "drill_decrypt_s": 0.2, "drill_authenticate_s": 0, "drill_approve_s": 0}
    assert only(RULE, situation(**DRILL | tenths | {"rto_s": 1})).state is FindingState.quiet

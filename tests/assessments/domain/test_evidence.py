"""How far evidence carries, and until when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from assessments.domain.evidence import EvidenceItem, View, best_ceiling, is_expired
from assessments.domain.matrix import EvidenceKind

AS_OF = datetime(2026, 12, 2, 12, tzinfo=UTC)


def item(kind: str, days: float = 0, *, verified: bool = True) -> EvidenceItem:
    return EvidenceItem(EvidenceKind(kind), AS_OF - timedelta(days=days), verified)


@pytest.mark.parametrize(
    ("kind", "ceiling"), [("E0", 1), ("E1", 1), ("E2", 2), ("E3", 3), ("E4", 4), ("E5", 5)]
)
def test_each_kind_has_its_ceiling(kind: str, ceiling: int) -> None:
    for view in View:
        assert best_ceiling([item(kind)], AS_OF, view) == ceiling


def test_without_evidence_a_claim_stands_for_level_1() -> None:
    for view in View:
        assert best_ceiling([], AS_OF, view) == 1


@pytest.mark.parametrize(("kind", "days"), [("E1", 365), ("E2", 180), ("E3", 30), ("E4", 90), ("E5", 180)])
def test_evidence_lives_through_the_whole_boundary_day(kind: str, days: int) -> None:
    effective = datetime(2026, 1, 10, 15, 30, tzinfo=UTC)
    one = EvidenceItem(EvidenceKind(kind), effective)
    boundary = datetime(2026, 1, 10, tzinfo=UTC) + timedelta(days=days)
    assert not is_expired(one, boundary)
    assert not is_expired(one, boundary + timedelta(hours=23, minutes=59, seconds=59))
    assert is_expired(one, boundary + timedelta(days=1))


def test_days_are_counted_in_utc_whatever_the_zone_of_the_input() -> None:
    """01:00 in Shanghai on the 3rd is 17:00 UTC on the 2nd: 31 UTC days before the 3rd of the next month."""
    shanghai = timezone(timedelta(hours=8))
    one = EvidenceItem(EvidenceKind.E3, datetime(2026, 11, 3, 1, tzinfo=shanghai))
    assert not is_expired(one, datetime(2026, 12, 2, 23, 59, tzinfo=UTC))
    assert is_expired(one, datetime(2026, 12, 3, 0, 0, tzinfo=UTC))


def test_a_statement_never_expires() -> None:
    assert not is_expired(item("E0", 10_000), AS_OF)


def test_expired_evidence_still_counts_as_demonstrated() -> None:
    old = [item("E4", 91), item("E2", 10)]
    assert best_ceiling(old, AS_OF, View.demonstrated) == 4
    assert best_ceiling(old, AS_OF, View.current) == 2


def test_evidence_after_the_moment_is_ignored_in_every_view() -> None:
    late = EvidenceItem(EvidenceKind.E5, AS_OF + timedelta(seconds=1))
    for view in View:
        assert best_ceiling([late], AS_OF, view) == 1
    assert best_ceiling([EvidenceItem(EvidenceKind.E5, AS_OF)], AS_OF, View.current) == 5


def test_unverified_evidence_carries_to_2_and_to_its_kind_only_where_it_is_believed() -> None:
    for kind, ceiling in (("E0", 1), ("E1", 1), ("E2", 2), ("E3", 2), ("E4", 2), ("E5", 2)):
        one = [item(kind, verified=False)]
        assert best_ceiling(one, AS_OF, View.current) == ceiling
        assert best_ceiling(one, AS_OF, View.demonstrated) == ceiling
    assert best_ceiling([item("E5", verified=False)], AS_OF, View.claimed) == 5

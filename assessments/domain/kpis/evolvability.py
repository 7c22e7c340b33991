"""EVO: how many changes fail after they have been rolled out."""

from __future__ import annotations

from assessments.domain.kpis.measured import Measured, share


def change_fail_rate(failed: int, changes: int) -> Measured:
    """Model or engine changes that needed a rollback or hotfix after full rollout, in percent of all changes
    (matrix, EVO-02), with the Wilson interval."""
    return share("change_fail_rate", failed, changes, place="change_fail_rate")

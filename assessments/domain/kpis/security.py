"""SEC: integrity faults that are noticed, and attacks that get through."""

from __future__ import annotations

from assessments.domain.kpis.measured import Measured, share


def integrity_detection(detected: int, runs: int) -> Measured:
    """Valid integrity-fault runs with an alarm within 120 s of the effect, in percent (matrix, SEC-06)."""
    return share("integrity_detection", detected, runs, place="integrity_detection")


def false_alarms(alarms: int, null_faults: int) -> Measured:
    """Null faults that raised an alarm, in percent; detection without it says little (matrix, SEC-06)."""
    return share("false_alarms", alarms, null_faults, place="false_alarms")


def attack_success(successful: int, replayed: int) -> Measured:
    """Attacks of the corpus that reached their goal, in percent (matrix, SEC-03)."""
    return share("attack_success", successful, replayed, place="attack_success")

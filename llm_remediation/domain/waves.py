"""Waves: their keys, and which step may share a wave with the step it needs."""

from __future__ import annotations

from llm_remediation.domain.model import Candidate

DEFAULT_WAVES = 3
MOST_WAVES = 12
_KEYS = ("now", "next", "later")

# Level 3 needs 30 d of telemetry, level 4 runs within 90 d, level 5 two quarters (level scale of the
# matrix). Levels 1 and 2 close on the day when the artefact and the configuration exist.
FIRST_OBSERVED_LEVEL = 3


def wave_key(index: int) -> str:
    """Key of wave `index` (from 0): `now`, `next`, `later`, then `wave-4`, `wave-5` …"""
    return _KEYS[index] if index < len(_KEYS) else f"wave-{index + 1}"


def waves_after(prerequisite: Candidate) -> int:
    """How many waves later a step that needs `prerequisite` may start: 0 (same wave) or 1.

    A step to level 1 or 2 may share the wave. A step to level 3 and above is proven only after a window
    of observation, so what builds on it starts one wave later.
    """
    return 1 if prerequisite.to_level >= FIRST_OBSERVED_LEVEL else 0

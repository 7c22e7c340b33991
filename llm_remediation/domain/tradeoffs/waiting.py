"""How the wait in a queue grows with utilisation: a curve through the one point that was measured.

For one queue with the same arrivals' and service times' spread the mean wait is proportional to u / (1 - u)
(Pollaczek-Khinchine), and in heavy traffic the wait is about exponential (Kingman 1962), so its 95th
percentile is too. A model, not a measurement: engines batch, and activity is only close to utilisation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_PERCENT = range(5, 100, 5)


@dataclass(frozen=True, slots=True)
class Wait:
    activity_percent: float
    wait_ms: float


def wait_curve(
    activity_percent: float, wait_ms: float, shown: Iterable[float] = SHOWN_PERCENT
) -> tuple[Wait, ...]:
    """The expected wait at the activities `shown` (0 to below 100), given today's activity and wait.

    Empty where today's activity is not inside 0 to 100: such a point fixes no curve.
    """
    if not 0 < activity_percent < 100:
        return ()
    today = activity_percent / (100 - activity_percent)
    return tuple(Wait(each, wait_ms * (each / (100 - each)) / today) for each in shown)

"""The checkpoint calculator of the API: values by hand, limits, bad input."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from llm_remediation.api import checkpoints

PLACE = "/api/v1/o/north/checkpoint-interval"


def ask(user: Any, **times: Any) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(PLACE, times)


def test_values_by_hand(people: Any) -> None:
    """sqrt(2 * 50 * 3600) = 600; 600 (1 + 1/36 + 1/1296) - 50 = 567.1296.

    useful = exp(-0.05) * 550 / 3600 / (exp(1/6) - 1) = 0.951229 * 0.152778 / 0.181360 = 0.801314;
    save = 0.801314 * 50 / 550 = 0.072847.
    """
    data = ask(people.ben, save_s=50, mtbf_s=3600, restart_s=180, interval_s=550).json()
    assert data["young_s"] == 600 and data["daly_s"] == pytest.approx(567.1296, abs=1e-4)
    used = data["in_use"]
    assert used["waste"] == pytest.approx(0.198686, abs=1e-6)
    assert used["save_share"] == pytest.approx(0.072847, abs=1e-6)
    assert used["waste"] == pytest.approx(used["save_share"] + used["rework_share"], abs=1e-12)
    assert used["deviation"] == pytest.approx(1 / 12) and used["warn"] is False
    assert data["optimum"]["waste"] <= used["waste"]
    assert set(data) == set(checkpoints.CheckpointOut().fields)
    assert set(used) == set(checkpoints.IntervalInUse().fields)
    assert set(data["curve"][0]) == set(checkpoints.WasteOut().fields)


@pytest.mark.parametrize(("interval", "warn"), [(450, False), (449, True), (750, False), (751, True)])
def test_warns_beyond_a_quarter(people: Any, interval: int, warn: bool) -> None:
    data = ask(people.ben, save_s=50, mtbf_s=3600, interval_s=interval).json()
    assert data["in_use"]["warn"] is warn


def test_without_an_interval_in_use(people: Any) -> None:
    assert ask(people.ben, save_s=50, mtbf_s=3600).json()["in_use"] is None


@pytest.mark.parametrize("save", [1e-6, 1.0, 1e10])
@pytest.mark.parametrize("mtbf", [1e-6, 3600.0, 1e10])
@pytest.mark.parametrize("interval", [1e-6, 1e10])
def test_every_time_in_range_has_an_answer(people: Any, save: float, mtbf: float, interval: float) -> None:
    reply = ask(people.ben, save_s=save, mtbf_s=mtbf, restart_s=1e10, interval_s=interval)
    assert reply.status_code == 200
    assert all(0 <= each["waste"] <= 1 for each in reply.json()["curve"])


@pytest.mark.parametrize(
    ("times", "place"),
    [
        ({"mtbf_s": 3600}, "save_s"),
        ({"save_s": 50}, "mtbf_s"),
        ({"save_s": 0, "mtbf_s": 3600}, "save_s"),
        ({"save_s": "nan", "mtbf_s": 3600}, "save_s"),
        ({"save_s": 50, "mtbf_s": "inf"}, "mtbf_s"),
        ({"save_s": 50, "mtbf_s": "soon"}, "mtbf_s"),
        ({"save_s": 50, "mtbf_s": 2e10}, "mtbf_s"),
        ({"save_s": 50, "mtbf_s": 3600, "restart_s": -1}, "restart_s"),
        ({"save_s": 50, "mtbf_s": 3600, "interval_s": 0}, "interval_s"),
        ({"save_s": 50, "mtbf_s": 3600, "interval_s": ""}, "interval_s"),
        ({"save_s": 50, "mtbf_s": 3600, "mtbf_h": 1}, "mtbf_h"),
    ],
)
def test_bad_input_names_its_place(people: Any, times: dict[str, Any], place: str) -> None:
    reply = ask(people.ben, **times)
    assert (reply.status_code, reply.json()["error"]["place"]) == (400, place)


def test_strangers_have_no_calculator_here(people: Any) -> None:
    assert ask(people.eve, save_s=50, mtbf_s=3600).status_code == 404
    assert Client().get(PLACE, {"save_s": 50, "mtbf_s": 3600}).status_code == 401

"""The checkpoint calculator as a page: values by hand, numbers of a cluster, errors at fields, access."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessments.services import kpis
from assessments.services.kpis import Given
from portal.accounts.domain.permissions import TABLE, Action
from portal.clusters import services as clusters

ROLES = ["owner", "admin", "assessor", "reviewer", "operator", "viewer"]
# 50 s to save, 1 h between failures, 180 s to restart, every 550 s: see the test of the API.
BY_HAND = {
    "checkpoint_save_s": "50",
    "job_mtbf_h": "1",
    "checkpoint_restart_s": "180",
    "checkpoint_interval_s": "550",
}


def ask(user: Any, slug: str = "north", **given: Any) -> Any:
    here = Client()
    here.force_login(user)
    return here.get(reverse("roadmaps:checkpoint", kwargs={"slug": slug}), given)


def words(reply: Any) -> str:
    """The page without markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", reply.content.decode()))


@pytest.fixture
def train(people: Any) -> Any:
    """A cluster of north with a service `pretrain` and one `finetune`."""
    call_command("load_matrix", verbosity=0)
    row = clusters.create_cluster(
        organisation_id=people.north.pk,
        actor=people.ada,
        data=clusters.ClusterData(name="华东-T", kinds=("train",)),
    )
    for name in ("pretrain", "finetune"):
        clusters.add_service(
            organisation_id=people.north.pk,
            actor=people.ada,
            cluster_id=row.pk,
            data=clusters.ServiceData(name=name, kind="train"),
        )
    return row


def tell(people: Any, cluster: Any, service: str, *, days_ago: int = 1, **numbers: float) -> None:
    end = timezone.now() - timedelta(days=days_ago)
    kpis.set_numbers(
        cluster=cluster,
        actor=people.ada,
        numbers=[Given(name, value, service) for name, value in numbers.items()],
        start=end - timedelta(days=7),
        end=end,
    )


@pytest.mark.parametrize("role", ROLES)
def test_every_role_that_sees_roadmaps_computes(people: Any, role: str) -> None:
    status = ask(people.by_role[role], **BY_HAND).status_code
    assert status == (200 if role in TABLE[Action.ROADMAPS_VIEW] else 403)


def test_strangers_get_nothing_here_and_no_foreign_cluster_at_home(people: Any, train: Any) -> None:
    tell(people, train, "pretrain", checkpoint_save_s=50, job_mtbf_h=1)
    assert ask(people.eve, **BY_HAND).status_code == 404
    foreign = ask(people.eve, slug="south", cluster=str(train.pk))
    missing = ask(people.eve, slug="south", cluster="00000000-0000-4000-8000-00000000dead")
    assert foreign.status_code == missing.status_code == 404
    assert "华东-T" not in ask(people.eve, slug="south").content.decode()
    assert Client().get(reverse("roadmaps:checkpoint", kwargs={"slug": "north"})).status_code == 302
    assert ask(people.ben, cluster=str(train.pk)).status_code == 200


def test_values_by_hand(people: Any) -> None:
    """Young 600 s, Daly 567.13 s; waste at 550 s: 7.2847 % + 12.5839 % = 19.8686 %.

    On 500 GPUs that is 0.198686 * 500 * 24 = 2384.2 GPU-hours a day.
    """
    reply = ask(people.ben, **BY_HAND, gpus="500")
    page = words(reply)
    assert "567 s 9.45 min" in page and "600 s 10 min" in page
    assert "550 s (9.17 min) 7.28 % 12.6 % 19.9 % 2,384.2" in page
    assert "8.33 % away from the best one (Young): within 25 %" in page
    assert reply.content.decode().count("<svg") >= 2


@pytest.mark.parametrize(
    ("interval", "said"),
    [("450", "within 25"), ("449", "shorter"), ("750", "within 25"), ("751", "longer"), ("1e9", "longer")],
)
def test_more_than_a_quarter_away_is_named(people: Any, interval: str, said: str) -> None:
    page = words(ask(people.ben, **{**BY_HAND, "checkpoint_interval_s": interval}))
    assert f"{said}" in page
    assert (
        "state--warn" in ask(people.ben, **{**BY_HAND, "checkpoint_interval_s": interval}).content.decode()
    ) == (said != "within 25")


def test_without_an_interval_there_is_still_a_best_one(people: Any) -> None:
    page = words(ask(people.ben, checkpoint_save_s="50", job_mtbf_h="1"))
    assert "567 s" in page and "In use beyond the best" not in page


def test_nothing_given_is_no_error(people: Any) -> None:
    reply = ask(people.ben)
    assert reply.status_code == 200 and not reply.context["form"].is_bound
    assert reply.context["result"] is None


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"checkpoint_save_s": ""}, "checkpoint_save_s"),
        ({"checkpoint_save_s": "0"}, "checkpoint_save_s"),
        ({"checkpoint_save_s": "-3"}, "checkpoint_save_s"),
        ({"checkpoint_save_s": "soon"}, "checkpoint_save_s"),
        ({"checkpoint_save_s": "<script>"}, "checkpoint_save_s"),
        ({"job_mtbf_h": "nan"}, "job_mtbf_h"),
        ({"job_mtbf_h": "inf"}, "job_mtbf_h"),
        ({"job_mtbf_h": "1e7"}, "job_mtbf_h"),
        ({"checkpoint_restart_s": "-1"}, "checkpoint_restart_s"),
        ({"checkpoint_interval_s": "0"}, "checkpoint_interval_s"),
        ({"checkpoint_interval_s": "9" * 5000}, "checkpoint_interval_s"),
        ({"gpus": "0"}, "gpus"),
        ({"gpus": "1.5"}, "gpus"),
        ({"gpus": "9" * 5000}, "gpus"),
    ],
)
def test_bad_input_is_refused_at_its_field(people: Any, changes: dict[str, str], field: str) -> None:
    reply = ask(people.ben, **{**BY_HAND, **changes})
    page = reply.content.decode()
    assert reply.status_code == 400 and set(reply.context["form"].errors) == {field}
    assert f'id="id_{field}_error"' in page and f'href="#id_{field}"' in page
    assert "<script>" not in page and reply.context["result"] is None


@pytest.mark.parametrize("save", ["1e-6", "1", "1e10"])
@pytest.mark.parametrize("mtbf", ["1e-9", "1", "2777777.7"])
@pytest.mark.parametrize("interval", ["", "1e-6", "1e10"])
def test_every_time_in_range_has_a_page(people: Any, save: str, mtbf: str, interval: str) -> None:
    times = {"checkpoint_save_s": save, "job_mtbf_h": mtbf, "checkpoint_interval_s": interval}
    assert ask(people.ben, **times, checkpoint_restart_s="1e10", gpus="10000000").status_code == 200


def test_numbers_of_a_job_stand_in_the_fields(people: Any, train: Any) -> None:
    tell(people, train, "pretrain", checkpoint_save_s=50, job_mtbf_h=1, checkpoint_interval_s=550)
    tell(people, train, "finetune", checkpoint_save_s=7)
    reply = ask(people.ben, cluster=str(train.pk))
    page = reply.content.decode()
    assert reply.context["source"].service == "pretrain"
    assert 'value="550"' in page and "567 s" in words(reply)
    assert "service=finetune" in page and 'name="service" value="pretrain"' in page
    other = ask(people.ben, cluster=str(train.pk), service="finetune")
    assert other.context["result"] is None and other.status_code == 200
    assert 'value="7"' in other.content.decode()


def test_what_is_typed_goes_before_what_was_measured(people: Any, train: Any) -> None:
    tell(people, train, "pretrain", checkpoint_save_s=8, job_mtbf_h=3)
    reply = ask(people.ben, cluster=str(train.pk), service="pretrain", **BY_HAND)
    assert "567 s (9.45 min)" in words(reply)
    assert "time to save a checkpoint 8 s" in words(reply)


def test_old_numbers_and_none_are_no_numbers(people: Any, train: Any) -> None:
    tell(people, train, "pretrain", days_ago=91, checkpoint_save_s=50, job_mtbf_h=1)
    reply = ask(people.ben, cluster=str(train.pk))
    assert "Nothing was measured about checkpoints of 华东-T" in words(reply)
    assert reply.context["result"] is None
    assert ask(people.ben, cluster=str(train.pk), service="no such").status_code == 200


def test_the_list_leads_here(people: Any) -> None:
    here = Client()
    here.force_login(people.ben)
    place = reverse("roadmaps:checkpoint", kwargs={"slug": "north"})
    assert f'href="{place}"' in here.get(reverse("roadmaps:list", kwargs={"slug": "north"})).content.decode()

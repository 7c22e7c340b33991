"""Two people change things at the same moment: the chain has no fork and no gap."""

from __future__ import annotations

import threading
import uuid

import pytest
from django.db import connection, transaction

from portal.audit import services
from portal.audit.models import Entry

ORGANISATION = uuid.UUID("0190a000-0000-7000-8000-000000000001")
THREADS, EACH = 2, 15


@pytest.mark.django_db(transaction=True)
def test_two_writers_make_one_chain() -> None:
    start = threading.Barrier(THREADS)
    errors: list[BaseException] = []

    def write(who: str) -> None:
        try:
            start.wait(timeout=30)
            for step in range(EACH):
                with transaction.atomic():
                    services.record(
                        organisation_id=ORGANISATION,
                        actor=who,
                        action="thing.done",
                        object_type="thing",
                        object_id=step,
                    )
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=(f"writer {number}",)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert errors == []
    assert services.verify_chain(ORGANISATION).ok
    written = list(Entry.objects.order_by("sequence").values_list("sequence", "actor_label", "object_id"))
    assert [sequence for sequence, _who, _step in written] == list(range(1, THREADS * EACH + 1))
    for number in range(THREADS):
        own = [step for _sequence, who, step in written if who == f"writer {number}"]
        assert own == [str(step) for step in range(EACH)]

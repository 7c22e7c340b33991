"""Own matrices: uploaded as drafts, released, retired, and unknown to everybody else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assessments import matrix_selectors, selectors
from assessments.domain.tree_reading import UploadErrors
from assessments.models import CustomMatrix, MatrixVersion
from assessments.services import custom_matrices, matrices, openings, responses
from portal.audit.models import Entry
from portal.errors import Conflict, Invalid, NotFound
from tests.assessments.domain.hostile_files import one_file
from tests.assessments.domain.small_matrix import texts, trees

pytestmark = pytest.mark.django_db


def overlay(base: str = "2.3", version: str = "2.3-acme", **changes: Any) -> list[tuple[str, bytes]]:
    body = {
        "format": "ballast-overlay/1",
        "name": "Acme rules",
        "base": base,
        "version": version,
        "provenance": {"by": "Platform team", "source": "RFC 12"},
        **changes,
    }
    return [("acme.json", json.dumps(body).encode())]


IGNORE = {"ignore": [{"practice": "COST-07", "reason": "The provider owns the GPUs."}]}


def upload(people: Any, files: Any, **more: Any) -> CustomMatrix:
    return custom_matrices.upload(organisation=people.north, actor=people.ada, files=files, **more)[0]


def test_an_overlay_becomes_a_draft_and_then_a_version(people: Any, released: None) -> None:
    row = upload(people, overlay(**IGNORE))
    shipped = selectors.newest_matrix_version()
    assert (row.status, row.name, row.version) == ("draft", "Acme rules", "2.3-acme")
    assert row.parent_sha256 == shipped.sha256
    assert row.ignored[0]["reason"] == "The provider owns the GPUs."
    assert [each.sha256 for each in matrix_selectors.versions(people.north)] == [shipped.sha256]
    custom_matrices.release(row=row, actor=people.ada)
    assert "COST-07" not in matrix_selectors.matrix(people.north, row.sha256)
    # New assessments start with the shipped one unless somebody chooses.
    assert selectors.newest_matrix_version() == shipped
    actions = list(Entry.objects.order_by("sequence").values_list("action", flat=True))
    assert actions[-2:] == ["matrix.uploaded", "matrix.released"]


def test_nobody_else_sees_it(people: Any, released: None) -> None:
    row = upload(people, overlay(**IGNORE))
    custom_matrices.release(row=row, actor=people.ada)
    for look in (matrix_selectors.find, matrix_selectors.version, matrix_selectors.matrix):
        with pytest.raises(NotFound):
            look(people.south, row.sha256)
        with pytest.raises(NotFound):
            look(people.south, row.version)
    with pytest.raises(NotFound):
        matrix_selectors.custom(people.south, row.pk)
    assert [each.custom for each in matrix_selectors.versions(people.south)] == [None]
    with pytest.raises(UploadErrors) as refused:
        files = overlay(base=row.sha256, version="x", **IGNORE)
        custom_matrices.upload(organisation=people.south, actor=people.eve, files=files)
    assert refused.value.findings[0].rule == "overlay.base"


def test_two_organisations_with_the_same_content_do_not_meet(people: Any, released: None) -> None:
    mine = upload(people, overlay(**IGNORE))
    theirs, new = custom_matrices.upload(
        organisation=people.south, actor=people.eve, files=overlay(**IGNORE), name="Ours"
    )
    assert new
    assert theirs.pk != mine.pk
    custom_matrices.release(row=mine, actor=people.ada)
    with pytest.raises(NotFound):
        matrix_selectors.find(people.south, theirs.sha256)
    custom_matrices.release(row=theirs, actor=people.eve)
    assert matrix_selectors.find(people.south, theirs.sha256).name == "Ours"
    assert MatrixVersion.objects.filter(pk=mine.sha256).count() == 1


def test_the_same_upload_again_is_the_same_row(people: Any, released: None) -> None:
    first = custom_matrices.upload(organisation=people.north, actor=people.ada, files=overlay(**IGNORE))
    again = custom_matrices.upload(organisation=people.north, actor=people.ada, files=overlay(**IGNORE))
    assert (first[1], again[1]) == (True, False)
    assert first[0].pk == again[0].pk


def test_a_broken_upload_leaves_nothing_and_the_versions_stay_usable(people: Any, released: None) -> None:
    row = upload(people, overlay(**IGNORE))
    custom_matrices.release(row=row, actor=people.ada)
    before = matrix_selectors.versions(people.north)
    broken = overlay(base="2.3-acme", version="3", ignore=[{"practice": "XXX-01", "reason": "x"}])
    with pytest.raises(UploadErrors, match="1 problem"):
        upload(people, broken)
    assert CustomMatrix.objects.count() == 1
    assert matrix_selectors.versions(people.north) == before


def test_comments_of_a_file_are_not_kept(people: Any, released: None) -> None:
    files = [(name, b"# password: hunter2\n" + text.encode()) for name, text in texts().items()]
    row = upload(people, files, name="Small")
    assert "hunter2" not in json.dumps(row.documents)
    assert custom_matrices.release(row=row, actor=people.ada).status == "released"


@pytest.mark.parametrize(("version", "rule"), [("2.3", "version.taken"), ("2.3-acme", "version.taken")])
def test_a_version_name_means_one_content(people: Any, released: None, version: str, rule: str) -> None:
    custom_matrices.release(row=upload(people, overlay(**IGNORE)), actor=people.ada)
    other = overlay(version=version, ignore=[{"practice": "COST-06", "reason": "x"}])
    with pytest.raises(UploadErrors) as refused:
        upload(people, other)
    assert refused.value.findings[0].rule == rule


def test_the_shipped_matrix_itself_is_no_upload(people: Any, released: None) -> None:
    documents = selectors.newest_matrix_version().documents
    with pytest.raises(UploadErrors) as refused:
        upload(people, [(name, text.encode()) for name, text in documents.items()])
    assert refused.value.findings[0].rule == "matrix.same"


def test_shipping_what_somebody_had_uploaded(people: Any, released: None) -> None:
    row = upload(people, [("m.json", one_file(trees()))])
    custom_matrices.release(row=row, actor=people.ada)
    matrices.release(texts())
    assert matrix_selectors.find(people.south, row.sha256).custom is None


def test_a_retired_matrix_is_offered_no_more_but_stays(people: Any, released: None, cluster: Any) -> None:
    row = custom_matrices.release(row=upload(people, overlay(**IGNORE)), actor=people.ada)
    version = matrix_selectors.version(people.north, row.sha256)
    one = openings.open_assessment(
        organisation=people.north,
        cluster=cluster,
        actor=people.ada,
        name="Q1",
        scope="full",
        matrix_version=version,
    )
    custom_matrices.retire(row=row, actor=people.ada)
    with pytest.raises(NotFound):
        matrix_selectors.find(people.north, row.sha256, usable=True)
    responses.answer(
        assessment=one,
        practice_id="REL-01",
        actor=people.ada,
        draft=responses.Draft(level=2),
        expected_version=0,
    )
    with pytest.raises(NotFound):
        responses.asked_practice(one, "COST-07")
    assert selectors.scorecard(one).matrix_version == "2.3-acme"
    with pytest.raises(Conflict):
        custom_matrices.retire(row=row, actor=people.ada)
    assert custom_matrices.release(row=row, actor=people.ada).status == "released"
    with pytest.raises(Conflict):
        custom_matrices.release(row=row, actor=people.ada)


def test_the_name_is_checked(people: Any, released: None) -> None:
    with pytest.raises(Invalid) as refused:
        upload(people, overlay(**IGNORE), name="x" * 121)
    assert refused.value.place == "name"


def test_a_whole_dimension_can_be_left_out(people: Any, released: None, cluster: Any) -> None:
    matrix = selectors.matrix(selectors.newest_matrix_version().sha256)
    cost = [each.id for each in matrix.practices if each.id.startswith("COST")]
    ignore = [{"practice": name, "reason": "Not ours"} for name in cost]
    row = custom_matrices.release(row=upload(people, overlay(ignore=ignore)), actor=people.ada)
    one = openings.open_assessment(
        organisation=people.north,
        cluster=cluster,
        actor=people.ada,
        name="Q1",
        scope="quick",
        matrix_version=matrix_selectors.version(people.north, row.sha256),
    )
    assert selectors.scorecard(one).as_dict()["overall"]["status"] == "incomplete"

"""Pages of matrix versions: list, upload, differences, provenance; who may, and what bad files get."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from assessments import selectors
from assessments.domain.overlays import Provenance
from assessments.models import CustomMatrix
from assessments.services import custom_matrices
from assessments.views import difference_rows
from assessments.views.matrices import OVERLAY
from frontend.templatetags import versions as words
from tests.assessments.domain.hostile_files import corpus

pytestmark = pytest.mark.django_db
ROOT = "/o/north"


def client(person: Any) -> Client:
    made = Client()
    made.force_login(person)
    return made


@pytest.fixture
def ada(people: Any) -> Client:
    return client(people.ada)


def send(who: Client, *files: tuple[str, bytes], **fields: str) -> Any:
    named = [SimpleUploadedFile(name, content) for name, content in files]
    return who.post(f"{ROOT}/matrices/new", {"files": named, **fields})


@pytest.fixture
def own(people: Any, released: None) -> CustomMatrix:
    """The example overlay as a draft."""
    files = [("overlay.yaml", OVERLAY.read_bytes())]
    return custom_matrices.upload(organisation=people.north, actor=people.ada, files=files)[0]


def text(reply: Any) -> str:
    assert reply.status_code == 200, reply.content
    return str(reply.content.decode())


def test_the_example_becomes_a_draft_and_leads_to_the_difference(
    ada: Client, people: Any, released: None
) -> None:
    example = ada.get(f"{ROOT}/matrices/overlay.yaml")
    assert example.headers["Content-Disposition"].startswith("attachment")
    reply = send(ada, ("overlay.yaml", example.content))
    row = CustomMatrix.objects.get()
    shipped = selectors.newest_matrix_version().sha256
    assert (row.status, row.name, row.created_by) == ("draft", "Example rules", people.ada)
    assert reply.headers["Location"] == f"{ROOT}/matrices/difference?a={shipped}&b={row.sha256}"
    body = text(ada.get(reply.headers["Location"]))
    assert "The provider owns the GPUs." in body
    assert "Our caches are larger" in body
    assert "Customer notice" in body
    assert "<del>85</del>" in body
    assert "<ins>92</ins>" in body
    assert f"/o/north/matrices/{row.pk}/release" in body
    assert send(ada, ("overlay.yaml", example.content)).status_code == 302
    assert CustomMatrix.objects.count() == 1


def test_release_and_retire(ada: Client, own: CustomMatrix) -> None:
    for verb, status in (("release", "released"), ("release", "released"), ("retire", "retired")):
        reply = ada.post(f"{ROOT}/matrices/{own.pk}/{verb}", follow=True)
        assert reply.status_code == 200
        own.refresh_from_db()
        assert own.status == status


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("form", ["xlsx", "yaml"])
def test_every_page_and_download(
    ada: Client, own: CustomMatrix, quick: Any, language: str, form: str
) -> None:
    ada.cookies["django_language"] = language
    listed = text(ada.get(f"{ROOT}/matrices"))
    assert own.sha256[:12] in listed
    assert '<td class="num">1</td>' in listed
    text(ada.get(f"{ROOT}/matrices/new"))
    text(ada.get(f"{ROOT}/matrices/difference"))
    swapped = {"a": own.sha256[:12], "b": "2.3"}
    assert "REL-09" in text(ada.get(f"{ROOT}/matrices/difference", swapped))
    same = {"a": "2.3", "b": "2.3"}
    assert 'class="empty"' in text(ada.get(f"{ROOT}/matrices/difference", same))
    made = ada.get(f"{ROOT}/matrices/file", {"version": own.sha256, "form": form})
    assert f"matrix-2.3-example.1.{form}" in made.headers["Content-Disposition"]
    draft = custom_matrices.read(own.organisation, [(f"m.{form}", made.content)])
    assert draft.checked.matrix.sha256 == own.sha256


def test_a_bad_file_is_refused_with_place_and_rule(ada: Client, released: None) -> None:
    body = {
        "format": "ballast-overlay/1",
        "name": "X",
        "base": "2.3",
        "version": "9",
        "provenance": {"by": "<b>Me</b>"},
        "ignore": [{"practice": "REL-99", "reason": "x"}, {"practice": "REL-01"}],
    }
    reply = send(ada, ("x.json", json.dumps(body, indent=1).encode()), name="Kept <name>")
    page = reply.content.decode()
    assert reply.status_code == 400
    assert "x.json:11" in page
    assert "overlay.practice" in page
    assert "schema.missing-key" in page
    assert 'value="Kept &lt;name&gt;"' in page
    assert CustomMatrix.objects.count() == 0


def test_problems_say_what_the_rule_wants_in_the_language_of_the_reader(ada: Client, released: None) -> None:
    bad = ("x.yaml", b"format: ballast-overlay/1\nname: &n X\n")
    own, wanted = "anchors and aliases are not allowed", "不允许使用YAML锚点（&amp;）和别名（*）"
    english = send(ada, bad).content.decode()
    assert f"<td>{own}" in english
    assert "YAML anchors (&amp;)" not in english
    ada.cookies["django_language"] = "zh-hans"
    chinese = send(ada, bad).content.decode()
    assert re.search(rf'<td>{re.escape(wanted)}[^<]*<span class="table__sub" lang="en">{own}</span>', chinese)
    # The reader of workbooks speaks the language of the reader itself: one sentence, not marked as English.
    book = Workbook()
    book.create_sheet("Matrix").append(["=1+1"])
    book.save(sent := io.BytesIO())
    seen = send(ada, ("x.xlsx", sent.getvalue()))
    [problem] = seen.context["problems"]
    assert (problem["rule"], problem["explanation"]) == ("workbook_formula", problem["message"])
    assert f"<td>{problem['message']}" in seen.content.decode()


@pytest.mark.parametrize("name", sorted(corpus()))
def test_hostile_files_get_a_page(ada: Client, released: None, name: str) -> None:
    reply = send(ada, *corpus()[name][0])
    assert reply.status_code in (400, 413)
    assert CustomMatrix.objects.count() == 0


def test_no_file_and_a_name_that_is_too_long(ada: Client, released: None) -> None:
    assert b"files-error" in ada.post(f"{ROOT}/matrices/new", {}).content
    reply = send(ada, ("o.yaml", OVERLAY.read_bytes()), name="n" * 121)
    assert (reply.status_code, b"name-error" in reply.content) == (400, True)
    assert CustomMatrix.objects.count() == 0


@pytest.mark.parametrize("side", ["7", "f" * 64, "'", "\x00", "draft"])
def test_a_side_that_is_not_there(ada: Client, own: CustomMatrix, side: str) -> None:
    assert ada.get(f"{ROOT}/matrices/difference", {"a": side}).status_code == 404
    assert ada.get(f"{ROOT}/matrices/file", {"version": side}).status_code == 404
    assert ada.get(f"{ROOT}/matrix", {"version": side}).status_code == 404


def test_a_practice_says_where_it_comes_from(ada: Client, own: CustomMatrix) -> None:
    version = {"version": own.sha256}
    replaced = text(ada.get(f"{ROOT}/matrix/REL-04", version))
    assert "Our caches are larger" in replaced
    assert "REL-04.L4.b" in replaced
    assert "Platform team" in text(ada.get(f"{ROOT}/matrix/REL-09", version))
    ignored = text(ada.get(f"{ROOT}/matrix/COST-03", version))
    assert "The provider owns the GPUs." in ignored
    shipped = text(ada.get(f"{ROOT}/matrix/COST-03"))
    assert "The provider owns the GPUs." in shipped
    assert ada.get(f"{ROOT}/matrix/REL-09").status_code == 404
    assert ada.get(f"{ROOT}/matrix/XXX-01", version).status_code == 404
    # Links within a chosen version stay within it.
    assert f"REL-04?version={own.sha256}" in text(ada.get(f"{ROOT}/matrix", version))


def test_who_may(people: Any, own: CustomMatrix) -> None:
    """Ada owns north, Ben looks at it, Eve owns another organisation."""
    ben, eve = client(people.ben), client(people.eve)
    assert "Example rules" in text(ben.get(f"{ROOT}/matrices"))
    assert "release" not in text(ben.get(f"{ROOT}/matrices/difference", {"b": own.sha256}))
    assert ben.get(f"{ROOT}/matrices/new").status_code == 403
    assert send(ben, ("o.yaml", OVERLAY.read_bytes())).status_code == 403
    assert ben.post(f"{ROOT}/matrices/{own.pk}/release").status_code == 403
    assert eve.get(f"{ROOT}/matrices").status_code == 404
    assert eve.post(f"/o/south/matrices/{own.pk}/release").status_code == 404
    assert "Example rules" not in text(eve.get("/o/south/matrices"))
    for path in (
        "matrices/difference?b=",
        "matrices/file?version=",
        "matrix?version=",
        "matrix/REL-04?version=",
    ):
        assert eve.get(f"/o/south/{path}{own.sha256}").status_code == 404
    assert "The provider owns the GPUs." not in text(eve.get("/o/south/matrix/COST-03"))
    own.refresh_from_db()
    assert own.status == "draft"


def test_every_code_has_words() -> None:
    from assessments.domain import matrix_diff, migration
    from assessments.domain.overlays import Applied

    texts = {*matrix_diff._TEXTS, *matrix_diff._LISTS, "kpi name", "kpi formula", "kpi unit", "kpi better"}
    matrix = {"levels", "evidence", "quick_scan", "quick_swaps_train", "order", "weight"}
    assert {*texts, *matrix_diff._FIELDS, *matrix} <= set(words.PARTS)
    documented = migration.Outcome.__doc__ or ""
    assert all(f"`{code}`" in documented for code in (*words.REASONS, *words.NOTES))
    assert all(f"`{code}`" in (Applied.__doc__ or "") for code in words.CONSEQUENCES)
    assert all(f"`{code}`" in (Provenance.__doc__ or "") for code in words.ORIGINS)


def test_every_kind_of_value_has_words() -> None:
    from assessments.domain.shipped import v2_3

    matrix = v2_3()
    for value in (matrix.level_scale, matrix.evidence, matrix.quick_swaps_train, matrix.quick_scan):
        assert all("(en=" not in each for each in difference_rows.entries(value))
    for practice in matrix.practices:
        for name in ("effort", "answers_by", "tension", "tags", "kinds", "core"):
            shown = difference_rows.entries(getattr(practice, name))
            assert all("(en=" not in each for each in shown), name


def test_opening_an_assessment_with_an_own_version(
    ada: Client, people: Any, own: CustomMatrix, cluster: Any
) -> None:
    path = f"{ROOT}/assessments/new"
    fields = {"name": "Q1", "cluster": str(cluster.pk), "scope": "quick"}
    assert 'name="matrix"' not in text(ada.get(path))
    custom_matrices.release(row=own, actor=people.ada)
    assert 'name="matrix"' in text(ada.get(path))
    assert ada.post(path, {**fields, "matrix": "f" * 64}).status_code == 400
    assert ada.post(path, {**fields, "matrix": own.sha256}).status_code == 302
    assert ada.post(path, {**fields, "name": "Q2"}).status_code == 302
    found = {each.name: each.matrix_version_id for each in selectors.assessments(people.north)}
    assert found == {"Q1": own.sha256, "Q2": selectors.newest_matrix_version().sha256}

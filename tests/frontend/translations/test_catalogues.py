"""Texts are found, merged without losing anything, checked and compiled."""

from __future__ import annotations

import gettext
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from frontend.translations import areas, catalogues, checks
from frontend.translations.extract import Text, Unreadable, texts_in

TEMPLATE = """
{% load i18n %}
<h1>{% translate "Plain" %}</h1>
   {% translate "With a context" context "verb" as x %}
 {{ _("In a variable") }} {{ name|default:_("In a filter") }}
     {% blocktranslate with n=name count c=many trimmed %}
       {{ n }} has one run
     {% plural %}
       {{ n }} has {{ c }} runs
     {% endblocktranslate %}
{% blocktranslate %}100 % of {{ n }}{% endblocktranslate %}
{% comment %}{% translate "Hidden" %}{% endcomment %}
<p title="don't 'mind' the quotes">"and" these {{ x }}</p>
"""
PYTHON = """
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, npgettext
a = _("Plain")
b = gettext_lazy("Lazy " "joined")
c = ngettext("%(n)d run", "%(n)d runs", 3)
d = pgettext("noun", "Run")
e = npgettext("noun", "%d gate", "%d gates", 2)
f = _(f"not {a} text")
g = "_('in a string')"
"""


@pytest.fixture
def project(tmp_path: Path, settings: Any) -> Path:
    """A small project with one app and one page."""
    for name, content in {
        "frontend/templates/base.html": '{% load i18n %}{% translate "Menu" %}',
        "frontend/templates/clusters/list.html": (
            '{% load i18n %}{% translate "Menu" %}{% translate "Nodes" %}'
        ),
        "frontend/templates/styleguide.html": '{% load i18n %}{% translate "Never" %}',
        "portal/clusters/views.py": 'from x import gettext as _\n_("%(n)s nodes")\n',
        "portal/errors.py": 'from x import gettext as _\n_("Broken")\n',
        "portal/clusters/migrations/0001_initial.py": '_("Not a text")\n',
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    settings.BASE_DIR = tmp_path
    return tmp_path


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("messages", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), f"{err.getvalue()}{error}"
    return out.getvalue(), err.getvalue()


def translate(root: Path, area: str, table: dict[str, str]) -> None:
    path = areas.catalogue_path(root, area)
    text = path.read_text("utf-8")
    for msgid, msgstr in table.items():
        text = text.replace(f'msgid "{msgid}"\nmsgstr ""', f'msgid "{msgid}"\nmsgstr "{msgstr}"')
    path.write_text(text, encoding="utf-8")


def test_templates_give_contexts_plurals_and_filters() -> None:
    assert texts_in(TEMPLATE, template=True, name="t.html") == {
        Text("", "Plain"),
        Text("verb", "With a context"),
        Text("", "In a variable"),
        Text("", "In a filter"),
        Text("", "%(n)s has one run", "%(n)s has %(c)s runs"),
        Text("", "100 %% of %(n)s"),
    }


def test_python_gives_contexts_plurals_and_joined_texts() -> None:
    assert texts_in(PYTHON, template=False, name="m.py") == {
        Text("", "Plain"),
        Text("", "Lazy joined"),
        Text("", "%(n)d run", "%(n)d runs"),
        Text("noun", "Run"),
        Text("noun", "%d gate", "%d gates"),
    }


def test_a_broken_template_is_named() -> None:
    with pytest.raises(Unreadable, match=r"t\.html"):
        texts_in(
            "{% load i18n %}{% blocktranslate %}{% if x %}{% endblocktranslate %}",
            template=True,
            name="t.html",
        )


@pytest.mark.parametrize(
    ("name", "area"),
    [
        ("frontend/templates/base.html", "frontend"),
        ("frontend/templates/components/x.html", "frontend"),
        ("frontend/templates/account/login.html", "accounts"),
        ("frontend/templates/roadmaps/x.html", "llm_remediation"),
        ("frontend/templates/assessments/fill.html", "assessments"),
        ("portal/accounts/forms.py", "accounts"),
        ("portal/api/errors.py", "frontend"),
        ("portal/dashboard/views/home.py", "dashboard"),
        ("assessments/views/fill.py", "assessments"),
    ],
)
def test_every_file_has_one_home(name: str, area: str) -> None:
    assert areas.area_of(name) == area


def test_update_check_and_compile(project: Path) -> None:
    run()
    _out, err = run("--check")
    assert "clusters: 'Nodes': not translated" in err
    assert "frontend: 'Broken': not translated" in err
    assert "Never" not in err
    assert "Not a text" not in err

    translate(project, "frontend", {"Menu": "菜单", "Broken": "出错"})
    translate(project, "clusters", {"Nodes": "节点", "%(n)s nodes": "%(n)s个节点"})
    run()
    out, err = run("--check")
    assert err == ""
    assert "All texts are translated" in out

    with areas.catalogue_path(project, "clusters").with_suffix(".mo").open("rb") as stream:
        compiled = gettext.GNUTranslations(stream)
    assert compiled.gettext("Nodes") == "节点"
    assert compiled.gettext("Menu") == "菜单", "taken over from the look's catalogue"


def test_updating_twice_changes_nothing(project: Path) -> None:
    run()
    path = areas.catalogue_path(project, "clusters")
    once = path.read_bytes()
    run()
    assert path.read_bytes() == once
    assert b"POT-Creation-Date" not in once


def test_only_the_named_areas_are_touched(project: Path) -> None:
    run("clusters")
    assert areas.catalogue_path(project, "clusters").exists()
    assert not areas.catalogue_path(project, "frontend").exists()


def test_a_translation_outlives_its_text(project: Path) -> None:
    run()
    translate(project, "clusters", {"Nodes": "节点"})
    page = project / "frontend/templates/clusters/list.html"
    before = page.read_text("utf-8")
    page.write_text("", encoding="utf-8")
    run()
    assert '#~ msgid "Nodes"' in areas.catalogue_path(project, "clusters").read_text("utf-8")
    page.write_text(before, encoding="utf-8")
    run()
    assert 'msgid "Nodes"\nmsgstr "节点"' in areas.catalogue_path(project, "clusters").read_text("utf-8")
    page.write_text("", encoding="utf-8")
    run("--prune")
    assert "Nodes" not in areas.catalogue_path(project, "clusters").read_text("utf-8")


def test_a_broken_catalogue_is_named_and_left_alone(project: Path) -> None:
    path = areas.catalogue_path(project, "clusters")
    path.parent.mkdir(parents=True)
    path.write_text('msgid "a"\nmsgstr "unfinished\n', encoding="utf-8")
    _out, err = run()
    assert "clusters/locale/zh_Hans/LC_MESSAGES/django.po, line 2" in err
    assert path.read_text("utf-8").endswith("unfinished\n")


@pytest.mark.parametrize(
    ("singular", "plural", "translation", "fault"),
    [
        ("%(n)s nodes", "", "%(m)s个节点", "placeholders"),
        ("%d nodes", "", "个节点", "placeholders"),
        ("{name} is gone", "", "没有了", "placeholders"),
        ("one run", "%(n)d runs", "运行", ""),
        ("one run", "%(n)d runs", "%(n)d次运行", ""),
        ("one run", "%(n)d runs", "%(x)d次运行", "placeholders"),
        ("100 %% of it", "", "100 %%", ""),
        ("Nodes", "", "", "not translated"),
        ("A GPU cluster", "", "GPU 集群", "space between"),
        ("Fine", "", "好", ""),
    ],
)
def test_faults_of_a_translation(singular: str, plural: str, translation: str, fault: str) -> None:
    catalogue = catalogues.empty()
    string: Any = (translation,) if plural else translation
    catalogue.add((singular, plural) if plural else singular, string)
    found = checks.problems(catalogue, [Text("", singular, plural)])
    assert bool(found) == bool(fault)
    assert fault in "".join(found)


def test_fuzzy_entries_are_reported_and_not_compiled(project: Path) -> None:
    run()
    path = areas.catalogue_path(project, "clusters")
    translate(project, "clusters", {"Nodes": "节点"})
    path.write_text(
        path.read_text("utf-8").replace('msgid "Nodes"', '#, fuzzy\nmsgid "Nodes"'), encoding="utf-8"
    )
    run("--compile")
    assert "marked fuzzy" in run("--check")[1]
    with path.with_suffix(".mo").open("rb") as stream:
        assert gettext.GNUTranslations(stream).gettext("Nodes") == "Nodes"


def test_the_texts_of_the_look_are_all_translated() -> None:
    out, err = StringIO(), StringIO()
    call_command("messages", "--check", "frontend", stdout=out, stderr=err)
    assert err.getvalue() == ""

"""Static files: what comes from wheels, what the sheets import, and names that survive hashing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.management import call_command

from frontend.finders import FILES, WheelFinder, WheelStorage

STATIC = Path(__file__).resolve().parents[2] / "frontend" / "static"
LIMIT = 150


def test_the_wheels_still_ship_what_we_serve() -> None:
    assert WheelFinder().check() == []
    for path in FILES:
        found = finders.find(path)
        assert found
        assert Path(found).stat().st_size > 100_000


def test_nothing_beside_the_listed_files_is_served() -> None:
    finder = WheelFinder()
    for path in (
        "vendor/widgetbundle.js",
        "vendor/../package_data/plotly.min.js",
        "vendor/",
        "plotly.min.js",
    ):
        assert finder.find(path) == []
        assert not WheelStorage().exists(path)
    assert [name for name, _storage in finder.list([])] == list(FILES)


def test_the_map_sheet_that_plotly_looks_for_is_the_one_we_name() -> None:
    """Without it Plotly adds a style element, which the content security policy blocks and reports."""
    code = Path(str(finders.find("vendor/plotly.min.js"))).read_text("utf-8")
    wanted = set(re.findall(r'getElementById\("([0-9a-f]{64})"\)', code))
    ours = set(re.findall(r'"([0-9a-f]{64})"', (STATIC / "js" / "lib" / "plotly.js").read_text("utf-8")))
    assert wanted == ours


def test_main_css_only_orders_and_imports() -> None:
    lines = [line for line in (STATIC / "css" / "main.css").read_text("utf-8").splitlines() if line.strip()]
    assert all(line.startswith(("@layer", "@import")) for line in lines)
    imported = set(re.findall(r'url\("([^"]+)"\)', "\n".join(lines)))
    present = {path.relative_to(STATIC / "css").as_posix() for path in (STATIC / "css").rglob("*.css")}
    assert present - {"main.css", "plotly.css"} == imported


def test_islands_are_small_modules_with_one_default_export() -> None:
    for path in (STATIC / "js").rglob("*.js"):
        code = path.read_text("utf-8")
        assert len(code.splitlines()) <= LIMIT, path.name
        assert "innerHTML" not in code, path.name
        assert not re.search(r"\beval\(|new Function\(", code), path.name
        if path.parent.name == "islands":
            assert code.count("export default ") == 1, path.name
        for target in re.findall(r'from "([^"]+)"', code):
            assert target.startswith("."), (path.name, target)
            assert (path.parent / target).is_file(), (path.name, target)


def test_every_island_that_a_template_names_exists() -> None:
    templates = STATIC.parents[0] / "templates"
    named = {
        name
        for path in templates.rglob("*.html")
        for name in re.findall(r'data-island="([a-z0-9-]+)"', path.read_text("utf-8"))
    }
    assert {name for name in named if not (STATIC / "js" / "islands" / f"{name}.js").is_file()} - {
        "NAME"
    } == set()


def test_collected_files_get_hashed_names_and_their_imports_follow(settings: Any, tmp_path: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    (main,) = tmp_path.glob("css/main.*.css")
    imports = re.findall(r'url\("([^"]+)"\)', main.read_text("utf-8"))
    assert imports
    for name in imports:
        assert re.search(r"\.[0-9a-f]{12}\.css$", name), name
        assert (main.parent / name).is_file()
    (fonts,) = tmp_path.glob("css/fonts.*.css")
    assert re.search(r"vendor/inter\.[0-9a-f]{12}\.ttf", fonts.read_text("utf-8"))

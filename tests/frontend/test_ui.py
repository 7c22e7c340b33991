"""What the template tags print."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from django.template import Context, Template
from django.template.exceptions import TemplateSyntaxError
from django.utils import timezone as django_timezone
from django.utils import translation

from frontend import navigation
from frontend.icons import ICONS
from frontend.templatetags import ui

VIEWER = {"organisation.view", "assessments.view", "matrix.view", "activity.view"}


def render(source: str, **context: Any) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


def test_a_level_is_its_number_with_words() -> None:
    assert '<span class="visually-hidden">Level </span>3</span>' in ui.level(3)
    assert 'title="Level 3: Measured"' in ui.level(3)


def test_not_rated_is_never_zero() -> None:
    shown = ui.level(None)
    assert "Not rated" in shown
    assert "0" not in shown


@pytest.mark.parametrize("bad", [-1, 6])
def test_a_level_off_the_scale_is_refused(bad: int) -> None:
    with pytest.raises(ValueError, match="0 to 5"):
        ui.level(bad)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2.8437, "2.84"), (0, "0.00"), (5.0, "5.00"), (2.675, "2.67"), (1234.5, "1,234.50")],
)
def test_scores_have_two_decimals(value: float, shown: str) -> None:
    assert f">{shown}<" in ui.score(value)


def test_no_score_is_a_dash_with_words() -> None:
    assert "—" in ui.score(None)
    assert "No score" in ui.score(None)


@pytest.mark.parametrize(
    ("value", "signed", "shown"),
    [(-0.4, False, "−0.40"), (0.4, True, "+0.40"), (0, True, "0.00"), (-0.001, True, "0.00")],
)
def test_signs_are_real_minus_signs_and_zero_has_none(value: float, signed: bool, shown: str) -> None:
    assert ui.number(value, 2, signed=signed) == shown


def test_percent_has_its_narrow_space() -> None:
    assert ui.percent(0.824, 1) == "82.4\u202f%"


@pytest.mark.parametrize(
    ("hours", "minutes", "zone"), [(8, 0, "UTC+8"), (0, 0, "UTC"), (-3, -30, "UTC−3:30"), (5, 45, "UTC+5:45")]
)
def test_moments_name_their_zone(hours: int, minutes: int, zone: str) -> None:
    moment = datetime(2026, 12, 2, 6, 32, tzinfo=UTC)
    offset = timedelta(hours=hours, minutes=minutes)
    with django_timezone.override(timezone(offset)):
        assert ui.moment_text(moment) == f"{moment + offset:%Y-%m-%d %H:%M} ({zone})"


def test_dates_are_iso() -> None:
    assert ui.moment(date(2026, 12, 2)) == '<time datetime="2026-12-02">2026-12-02</time>'
    assert ui.moment(None) == "—"


@pytest.mark.parametrize(
    ("ago", "english", "chinese"),
    [
        (timedelta(seconds=5), "just now", "刚刚"),
        (timedelta(minutes=1, seconds=5), "1 minute ago", "1分钟前"),
        (timedelta(hours=5), "5 hours ago", "5小时前"),
        (timedelta(days=3), "3 days ago", "3天前"),
    ],
)
def test_since_in_both_languages(ago: timedelta, english: str, chinese: str) -> None:
    then = django_timezone.now() - ago
    assert f">{english}<" in str(ui.since(then))
    with translation.override("zh-hans"):
        assert f">{chinese}<" in str(ui.since(then))


def test_dimensions_in_both_languages() -> None:
    assert ui.dimension_name("RCV") == "Recoverability"
    with translation.override("zh-hans"):
        assert ui.dimension_name("RCV") == "可恢复性"


def test_values_are_escaped() -> None:
    assert "<b>" not in render('{% state "pass" words %}{% series_key 0 words %}', words="<b>x</b>")


def test_an_unknown_icon_is_an_error_and_not_a_hole() -> None:
    with pytest.raises(TemplateSyntaxError, match="no icon"):
        render('{% icon "unicorn" %}')


def test_icons_are_decoration_unless_they_have_a_label() -> None:
    assert 'aria-hidden="true"' in render('{% icon "check" %}')
    assert 'aria-label="Done"' in render('{% icon "check" label="Done" %}')
    assert {"check", "alert", "cross"} <= set(ICONS)


@pytest.mark.urls("tests.frontend.urls")
@pytest.mark.parametrize(
    ("view", "current"),
    [
        ("dashboard:home", "Home"),
        ("dashboard:help", "Help"),
        ("assessments:question", "Assessments"),
        ("assessments:compare", "Compare"),
        ("assessments:practice", "Matrix"),
        ("account_login", None),
    ],
)
def test_one_entry_is_current(view: str, current: str | None) -> None:
    links = [link for group in navigation.groups("demo", view, VIEWER) for link in group.links]
    assert [str(link.label) for link in links if link.current] == ([current] if current else [])


@pytest.mark.urls("tests.frontend.urls")
def test_the_bar_shows_what_the_role_may_see() -> None:
    shown = {str(link.label) for group in navigation.groups("demo", "", VIEWER) for link in group.links}
    assert "Assessments" in shown
    assert "Clusters" not in shown
    assert navigation.groups("demo", "", set()) == []


@pytest.mark.urls("portal.config.site_urls")
def test_entries_without_a_page_are_left_out() -> None:
    assert navigation.groups("demo", "", VIEWER) == []

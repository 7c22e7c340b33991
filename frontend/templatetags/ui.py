"""Tags that every page uses: icons, levels, scores, times, charts, navigation.

All text they print is translated. Everything they print is escaped.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django import template
from django.forms import BoundField, CheckboxInput, RadioSelect
from django.forms.widgets import CheckboxSelectMultiple
from django.template.context import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from frontend import navigation
from frontend.icons import BRAND, ICONS
from frontend.plots import svg
from frontend.plots.dotplot import DotPlot
from frontend.plots.dotplot import dotplot as draw_dotplot
from frontend.plots.slope import SlopeChart
from frontend.plots.slope import slope as draw_slope
from frontend.plots.theme import SERIES_LIMIT, SHAPES

register = template.Library()

NOTHING = "—"
LEVELS = range(6)
LEVEL_NAMES = (
    gettext_lazy("Absent"),
    gettext_lazy("Ad hoc"),
    gettext_lazy("Defined"),
    gettext_lazy("Measured"),
    gettext_lazy("Proven"),
    gettext_lazy("Self-driving"),
)
DIMENSIONS = {
    "REL": gettext_lazy("Reliability"),
    "OBS": gettext_lazy("Observability"),
    "RCV": gettext_lazy("Recoverability"),
    "EVO": gettext_lazy("Evolvability"),
    "SEC": gettext_lazy("Security resilience"),
    "COST": gettext_lazy("Cost elasticity"),
}
STATE_ICONS = {
    "pass": "check",
    "warn": "alert",
    "fail": "cross",
    "running": "running",
    "info": "info",
    "unknown": "question",
    "neutral": "minus",
}
BANNER_ICONS = {**STATE_ICONS, "neutral": "info"}
MESSAGE_KINDS = {"debug": "info", "info": "info", "success": "pass", "warning": "warn", "error": "fail"}


@register.simple_tag
def icon(name: str, label: str = "", size: str = "") -> SafeString:
    """An icon of `frontend.icons`; without `label` it is decoration that nobody reads aloud."""
    if name not in ICONS:
        raise template.TemplateSyntaxError(f"there is no icon {name!r}")
    class_ = f"icon icon--{size}" if size else "icon"
    path = mark_safe(f'<path d="{ICONS[name]}"/>')  # noqa: S308 - a constant of ours
    if label:
        return format_html(
            '<svg class="{}" viewBox="0 0 16 16" role="img" aria-label="{}">{}</svg>', class_, label, path
        )
    return format_html('<svg class="{}" viewBox="0 0 16 16" aria-hidden="true">{}</svg>', class_, path)


@register.simple_tag
def brand_mark() -> SafeString:
    """The product's sign, without its name."""
    return format_html(
        '<svg class="brand__mark" viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        mark_safe(BRAND),  # noqa: S308 - a constant of ours
    )


@register.simple_tag
def level(value: int | None, size: str = "") -> SafeString:
    """A level as a pill; None is "not rated", never 0."""
    extra = f" level--{size}" if size else ""
    if value is None:
        return format_html(
            '<span class="level level--none{}" title="{}"><span class="visually-hidden">{}</span>'
            '<span aria-hidden="true">{}</span></span>',
            extra,
            _("Not rated"),
            _("Not rated"),
            NOTHING,
        )
    number = int(value)
    if number not in LEVELS:
        raise ValueError(f"a level is 0 to 5, not {value!r}")
    return format_html(
        '<span class="level level--{}{}" title="{}"><span class="visually-hidden">{} </span>{}</span>',
        number,
        extra,
        _("Level %(number)d: %(name)s") % {"number": number, "name": LEVEL_NAMES[number]},
        _("Level"),
        number,
    )


@register.simple_tag
def level_name(value: int) -> str:
    """The name of a level: 3 is "Measured"."""
    return str(LEVEL_NAMES[int(value)])


@register.simple_tag
def score(value: float | None, signed: bool = False) -> SafeString:
    """A score with two decimals, or a dash when there is none."""
    if value is None:
        return format_html(
            '<span class="score score--none"><span class="visually-hidden">{}</span>'
            '<span aria-hidden="true">{}</span></span>',
            _("No score"),
            NOTHING,
        )
    return format_html('<span class="score">{}</span>', number(value, 2, signed=signed))


@register.simple_tag
def number(value: float | None, digits: int = 0, signed: bool = False) -> str:
    """A number grouped for the active language, with a real minus sign."""
    if value is None:
        return NOTHING
    # Rounded here, once, so that every surface shows the same; Django would cut floats off, and it groups
    # Chinese numbers by nothing.
    shown = f"{Decimal(f'{abs(value):.{digits}f}'):,.{digits}f}"
    zero = all(char in "0.,\u00a0\u202f" for char in shown)
    sign = "" if zero else ("−" if value < 0 else "+" if signed else "")
    return sign + shown


@register.simple_tag
def percent(share: float | None, digits: int = 0) -> str:
    """A share of 1 as a percentage with the narrow space that both languages want."""
    return NOTHING if share is None else f"{number(100 * share, digits)}\u202f%"


@register.simple_tag
def dimension_name(code: str) -> str:
    """The name of a dimension by its code, in the active language."""
    return str(DIMENSIONS.get(str(code), code))


@register.simple_tag
def dimension(code: str) -> SafeString:
    """Code and name together: colour alone never says which dimension."""
    return format_html(
        '<span class="dimension"><span class="dimension__code">{}</span> {}</span>',
        code,
        dimension_name(code),
    )


@register.simple_tag
def state(kind: str, words: str) -> SafeString:
    """Glyph and words of a state; `kind` is pass, warn, fail, running, info, unknown or neutral."""
    return format_html('<span class="state state--{}">{} {}</span>', kind, icon(STATE_ICONS[kind]), words)


@register.filter
def banner_icon(kind: str) -> str:
    """The icon that goes with a kind of banner."""
    return BANNER_ICONS.get(kind, "info")


@register.filter
def message_kind(message: Any) -> str:
    """The kind of banner for one of Django's messages."""
    return MESSAGE_KINDS.get(message.level_tag, "info")


@register.simple_tag
def moment(value: datetime | date | None) -> SafeString | str:
    """`2026-12-02 14:32 (UTC+8)` in the active time zone, or the date alone for a date."""
    if value is None:
        return NOTHING
    if not isinstance(value, datetime):
        return format_html('<time datetime="{0}">{0}</time>', value.isoformat())
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), moment_text(value))


def moment_text(value: datetime) -> str:
    """The text of `moment`, for places that cannot hold an element."""
    local = timezone.localtime(value) if timezone.is_aware(value) else value
    offset = local.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset is not None else 0
    hours, rest = divmod(abs(minutes), 60)
    sign = "−" if minutes < 0 else "+"
    zone = "UTC" + (f"{sign}{hours}" + (f":{rest:02d}" if rest else "") if minutes else "")
    return f"{local:%Y-%m-%d %H:%M} ({zone})"


@register.simple_tag
def since(value: datetime | None) -> SafeString | str:
    """How long ago, with the exact moment as its title."""
    if value is None:
        return NOTHING
    seconds = max(0, int((timezone.now() - value).total_seconds()))
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', value.isoformat(), moment_text(value), _ago(seconds)
    )


def _ago(seconds: int) -> str:
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if seconds < 60:
        return _("just now")
    if minutes < 60:
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", minutes) % {"count": minutes}
    if hours < 24:
        return ngettext("%(count)d hour ago", "%(count)d hours ago", hours) % {"count": hours}
    return ngettext("%(count)d day ago", "%(count)d days ago", days) % {"count": days}


@register.simple_tag
def dotplot(chart: DotPlot) -> SafeString:
    """A dot plot as SVG; put it into components/plot.html with its table."""
    return mark_safe(draw_dotplot(chart))  # noqa: S308 - our writer escapes every value


@register.simple_tag
def slope(chart: SlopeChart) -> SafeString:
    """A slope chart as SVG; put it into components/plot.html with its table."""
    return mark_safe(draw_slope(chart))  # noqa: S308 - our writer escapes every value


@register.simple_tag
def series_key(index: int, words: str) -> SafeString:
    """The mark of the series at `index` (0-based) before its name, as in the charts."""
    shape = SHAPES[index] if index < SERIES_LIMIT else "circle"
    group = f"series-{index + 1}" if index < SERIES_LIMIT else "series-rest"
    drawn = svg.mark(shape, 7, 7, 5, class_="chart__mark")
    return format_html(
        '<span class="series-key"><svg class="{}" viewBox="0 0 14 14" aria-hidden="true">{}</svg>{}</span>',
        group,
        mark_safe(drawn),  # noqa: S308 - our writer escapes every value
        words,
    )


@register.simple_tag(takes_context=True)
def navigation_groups(context: Context) -> list[navigation.Group]:
    """The left navigation of the request's organisation; empty outside one."""
    request = context.get("request")
    organisation = getattr(request, "organisation", None)
    if organisation is None:
        return []
    match = getattr(request, "resolver_match", None)
    view_name = match.view_name if match else ""
    return navigation.groups(organisation.slug, view_name, context.get("may") or ())


@register.simple_tag
def html_language() -> str:
    """The active language as HTML wants it: en or zh-Hans."""
    active = get_language() or "en"
    return "zh-Hans" if active.startswith("zh") else active.partition("-")[0]


@register.filter
def initial(words: Any) -> str:
    """The first character of a name, for a round mark."""
    return str(words).strip()[:1] or "?"


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """One box with its label behind it."""
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def is_choices(field: BoundField) -> bool:
    """Several radios or boxes: they need a fieldset and a legend."""
    return isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple)

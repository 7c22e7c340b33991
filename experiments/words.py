"""Words for the codes of the signal catalogue."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

BETTER = {
    "up": _("higher is better"),
    "down": _("lower is better"),
    "near": _("to be read against its usual value"),
}
# How sure the names of a row are: state of the badge, words.
CHECKED = {
    "source": ("pass", _("names seen in source code")),
    "docs": ("info", _("names seen in documentation")),
    "contract": ("neutral", _("our own contract for exporters")),
    "unsure": ("warn", _("names not sure")),
}
SERIES = {
    "few": _("a handful of series"),
    "tens": _("a series per namespace, job or edge"),
    "many": _("a series per GPU, secret or layer"),
}
SCOPE = {"cluster": _("cluster"), "namespace": _("namespace")}
INSTANT = _("now")

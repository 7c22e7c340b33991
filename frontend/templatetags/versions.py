"""Template words about matrix versions: what differs, where a practice comes from, what a move does."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from frontend.templatetags.matrix import na_reason

register = template.Library()

# What can differ: texts, fields of a practice, fields of the matrix (assessments.domain.matrix_diff).
PARTS = {
    "title": gettext_lazy("Title"),
    "question": gettext_lazy("Question"),
    "why": gettext_lazy("Why it matters"),
    "proof": gettext_lazy("What to show"),
    "rulings": gettext_lazy("Ruling"),
    "kpi name": gettext_lazy("KPI: name"),
    "kpi formula": gettext_lazy("KPI: formula"),
    "kpi unit": gettext_lazy("KPI: unit"),
    "kpi better": gettext_lazy("KPI: better is"),
    "weight": gettext_lazy("Weight"),
    "core": gettext_lazy("Core practice"),
    "worded": gettext_lazy("Has clauses"),
    "ask": gettext_lazy("Asked of"),
    "kinds": gettext_lazy("Applies to"),
    "tags": gettext_lazy("Only with the traits"),
    "nist": gettext_lazy("NIST controls"),
    "xref": gettext_lazy("Other references"),
    "tension": gettext_lazy("Tension with"),
    "effort": gettext_lazy("Effort (estimate)"),
    "answers_by": gettext_lazy("Answered by"),
    "signals": gettext_lazy("Signals"),
    "levels": gettext_lazy("General rules of the levels"),
    "reading": gettext_lazy("How clauses are read"),
    "evidence": gettext_lazy("Evidence table"),
    "quick_scan": gettext_lazy("Core practices of the quick scan"),
    "quick_swaps_train": gettext_lazy("Swaps for training-only clusters"),
    "order": gettext_lazy("Order of the practices"),
}
# Kinds of assessments.domain.matrix_diff.ClauseChange, and of a part that only one side has.
CHANGES = {
    "added": gettext_lazy("added"),
    "removed": gettext_lazy("removed"),
    "reworded": gettext_lazy("other words"),
    "renamed": gettext_lazy("same words, other id"),
    "changed": gettext_lazy("changed"),
}
# Changes of assessments.domain.overlays.Provenance.
ORIGINS = {
    "base": gettext_lazy("Taken from"),
    "replaced": gettext_lazy("Replaced in"),
    "added": gettext_lazy("Added to"),
}
# Codes of assessments.domain.overlays.Applied.consequences.
CONSEQUENCES = {
    "need_removed": gettext_lazy("A prerequisite went with its practice"),
    "core_removed": gettext_lazy("The practice was in the quick scan"),
    "swap_removed": gettext_lazy("A swap for training-only clusters went"),
    "clause_renamed": gettext_lazy("A clause moved up a letter"),
    "answer_removed": gettext_lazy("An experiment or drill answered only clauses that are gone"),
}
STATUS = {
    "draft": ("info", gettext_lazy("Draft")),
    "released": ("pass", gettext_lazy("Released")),
    "retired": ("neutral", gettext_lazy("Retired")),
}
# Codes of assessments.domain.migration.Outcome.reason.
REASONS = {
    "same": gettext_lazy("Asks the same"),
    "renamed": gettext_lazy("Goes to another practice"),
    "merged": gettext_lazy("Merged with another practice"),
    "split": gettext_lazy("Split into several practices"),
    "confirmed": gettext_lazy("Confirmed by you"),
    "clause_added": gettext_lazy("New clauses that nobody has looked at"),
    "clause_reworded": gettext_lazy("Clauses read otherwise now"),
    "practice_reworded": gettext_lazy("The question, or the rule of the levels, reads otherwise now"),
    "now_has_clauses": gettext_lazy("Has clauses now; the answer only gave a level"),
    "no_clauses_now": gettext_lazy("Has no clauses any more"),
    "merge_conflict": gettext_lazy("The answers that would be merged contradict each other"),
    "source_unanswered": gettext_lazy("A practice that would be merged has no answer"),
    "dropped": gettext_lazy("Dropped by the map"),
    "practice_gone": gettext_lazy("The new version has no such practice"),
    "not_asked": gettext_lazy("The scope or the profile does not ask it"),
    "taken_back": gettext_lazy("Was taken back before"),
    "empty": gettext_lazy("Says nothing"),
    "not_in_matrix": gettext_lazy("Of an earlier version still"),
}
NOTES = {
    "clause_removed": gettext_lazy("a clause is gone"),
    "clause_renamed": gettext_lazy("a clause has another id"),
    "kpi_changed": gettext_lazy("the KPI differs"),
}
RESULTS = {
    "mapped": gettext_lazy("Carried over"),
    "needs_answer": gettext_lazy("Needs an answer"),
    "archived": gettext_lazy("Archived"),
}
# What became of evidence (assessments.services.matrix_migrations).
EVIDENCE = {
    "moved": gettext_lazy("Followed its practice"),
    "kept": gettext_lazy("Stays with the archived answer"),
    "withdrawn": gettext_lazy("Withdrawn: its practice asks something else now"),
}


def _words(words: dict[str, Any], code: str) -> str:
    return str(words.get(code, code))


@register.simple_tag
def part_words(part: str) -> str:
    """What differs, such as `rulings 2`, in words; `REL-04.L3.b` and other names as they are."""
    name, _space, number = part.rpartition(" ")
    if number.isdigit() and name in PARTS:
        return f"{PARTS[name]} {number}"
    return _words(PARTS, part)


@register.simple_tag
def change_words(kind: str) -> str:
    """Kind of a change in words."""
    return _words(CHANGES, kind)


@register.simple_tag
def origin_words(change: str) -> str:
    """How a practice came into a matrix: the words before the name of that matrix."""
    return _words(ORIGINS, change)


@register.simple_tag
def consequence_words(code: str) -> str:
    """What followed from an overlay, in words."""
    return _words(CONSEQUENCES, code)


@register.filter
def status_kind(status: str) -> str:
    """The kind of verdict (for the tag `state`) of an own matrix's status."""
    return STATUS[status][0]


@register.filter
def status_words(status: str) -> str:
    """The status of an own matrix in words."""
    return str(STATUS[status][1])


@register.simple_tag
def reason_words(code: str) -> str:
    """Why an answer is carried over, needs an answer or is archived."""
    return _words(REASONS, code)


@register.simple_tag
def note_words(code: str) -> str:
    """What else differs for an answer that is carried over."""
    return _words(NOTES, code)


@register.simple_tag
def result_words(code: str) -> str:
    """What becomes of an answer."""
    return _words(RESULTS, code)


@register.simple_tag
def evidence_words(code: str) -> str:
    """What became of a piece of evidence."""
    return _words(EVIDENCE, code)


@register.simple_tag
def answer_words(answer: dict[str, Any]) -> str:
    """An archived answer (the JSON of `assessments.services.responses.summary`) in words."""
    if answer.get("na_reason"):
        return _("Not applicable: %(reason)s") % {"reason": na_reason(answer["na_reason"])}
    if answer.get("unsure"):
        return _("Don't know")
    if answer.get("clauses") is not None:
        count = len(answer["clauses"])
        words = ngettext("%(count)d clause", "%(count)d clauses", count) % {"count": count}
        names = ", ".join(each.partition(".")[2] for each in answer["clauses"])
        return f"{words} · {names}" if names else words
    return _("Level %(level)s") % {"level": answer.get("level")}

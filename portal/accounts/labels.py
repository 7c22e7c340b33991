"""What roles and actions are called on pages, in the language of the reader."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from portal.accounts.domain.permissions import Action, Role

ROLE_NAMES: dict[Role, Promise] = {
    Role.OWNER: pgettext_lazy("role", "Owner"),
    Role.ADMIN: pgettext_lazy("role", "Admin"),
    Role.ASSESSOR: pgettext_lazy("role", "Assessor"),
    Role.REVIEWER: pgettext_lazy("role", "Reviewer"),
    Role.OPERATOR: pgettext_lazy("role", "Operator"),
    Role.VIEWER: pgettext_lazy("role", "Viewer"),
}
ROLE_NOTES: dict[Role, Promise] = {
    Role.OWNER: _("Everything, also making and removing owners."),
    Role.ADMIN: _("Everything but owners."),
    Role.ASSESSOR: _("Opens assessments, answers, brings evidence; keeps clusters and roadmaps."),
    Role.REVIEWER: _("Verifies evidence, locks milestones, closes roadmap items; never answers."),
    Role.OPERATOR: _("Keeps clusters and roadmaps, brings evidence; does not answer."),
    Role.VIEWER: _("Reads everything and makes reports."),
}
ACTION_NAMES: dict[Action, Promise] = {
    Action.ORGANISATION_VIEW: _("See the organisation"),
    Action.ORGANISATION_SETTINGS: _("Change the organisation's settings"),
    Action.MEMBERS_VIEW: _("See people"),
    Action.MEMBERS_MANAGE: _("Invite, change and remove people"),
    Action.OWNERS_MANAGE: _("Make and remove owners"),
    Action.TOKENS_MANAGE: _("Make and end own tokens"),
    Action.CLUSTERS_VIEW: _("See clusters"),
    Action.CLUSTERS_EDIT: _("Add and change clusters and services"),
    Action.MATRIX_VIEW: _("Read the matrix"),
    Action.MATRIX_MANAGE: _("Upload, release and retire matrices"),
    Action.ASSESSMENTS_VIEW: _("See assessments and scores"),
    Action.ASSESSMENTS_CREATE: _("Open assessments"),
    Action.ASSESSMENTS_ANSWER: _("Answer practices"),
    Action.ASSESSMENTS_MIGRATE: _("Move assessments to another matrix version"),
    Action.EVIDENCE_ADD: _("Add evidence"),
    Action.EVIDENCE_VERIFY: _("Verify evidence"),
    Action.MILESTONES_LOCK: _("Lock milestones"),
    Action.ROADMAPS_VIEW: _("See roadmaps"),
    Action.ROADMAPS_EDIT: _("Plan and change roadmaps"),
    Action.ROADMAPS_CLOSE: _("Close roadmap items"),
    Action.REPORTS_VIEW: _("See and download reports"),
    Action.REPORTS_CREATE: _("Make reports"),
    Action.ACTIVITY_VIEW: _("See the activity"),
}


def role_name(role: str) -> str:
    """The name of a role; a role nobody knows keeps its code."""
    try:
        return str(ROLE_NAMES[Role(role)])
    except ValueError:
        return role


def action_name(action: str) -> str:
    """The name of an action of the role table; an unknown one keeps its code."""
    try:
        return str(ACTION_NAMES[Action(action)])
    except ValueError:
        return action

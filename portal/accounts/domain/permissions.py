"""The one table: which role may do what. Pages, the API and the access test read it."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a person is in an organisation."""

    OWNER = "owner"
    ADMIN = "admin"
    ASSESSOR = "assessor"
    REVIEWER = "reviewer"
    OPERATOR = "operator"
    VIEWER = "viewer"


class Action(StrEnum):
    """What can be done. A view names exactly one; the API one per method."""

    ORGANISATION_VIEW = "organisation.view"
    ORGANISATION_SETTINGS = "organisation.settings"
    MEMBERS_VIEW = "members.view"
    MEMBERS_MANAGE = "members.manage"
    OWNERS_MANAGE = "owners.manage"
    TOKENS_MANAGE = "tokens.manage"
    CLUSTERS_VIEW = "clusters.view"
    CLUSTERS_EDIT = "clusters.edit"
    MATRIX_VIEW = "matrix.view"
    MATRIX_MANAGE = "matrix.manage"
    ASSESSMENTS_VIEW = "assessments.view"
    ASSESSMENTS_CREATE = "assessments.create"
    ASSESSMENTS_ANSWER = "assessments.answer"
    ASSESSMENTS_MIGRATE = "assessments.migrate"
    EVIDENCE_ADD = "evidence.add"
    EVIDENCE_VERIFY = "evidence.verify"
    MILESTONES_LOCK = "milestones.lock"
    ROADMAPS_VIEW = "roadmaps.view"
    ROADMAPS_EDIT = "roadmaps.edit"
    ROADMAPS_CLOSE = "roadmaps.close"
    REPORTS_VIEW = "reports.view"
    REPORTS_CREATE = "reports.create"
    ACTIVITY_VIEW = "activity.view"


_VIEW = frozenset(
    {
        Action.ORGANISATION_VIEW,
        Action.MEMBERS_VIEW,
        Action.CLUSTERS_VIEW,
        Action.MATRIX_VIEW,
        Action.ASSESSMENTS_VIEW,
        Action.ROADMAPS_VIEW,
        Action.REPORTS_VIEW,
        Action.REPORTS_CREATE,
        Action.ACTIVITY_VIEW,
    }
)
_ANSWER = frozenset({Action.ASSESSMENTS_CREATE, Action.ASSESSMENTS_ANSWER, Action.EVIDENCE_ADD})

# A respondent never verifies evidence: assessors answer, reviewers verify. Owners and admins may do
# both, but `assessments.services.evidence` still refuses that one person verifies what they brought.
ROLES: dict[Role, frozenset[Action]] = {
    Role.VIEWER: _VIEW,
    Role.OPERATOR: _VIEW
    | {Action.CLUSTERS_EDIT, Action.ROADMAPS_EDIT, Action.EVIDENCE_ADD, Action.TOKENS_MANAGE},
    Role.ASSESSOR: _VIEW | _ANSWER | {Action.CLUSTERS_EDIT, Action.ROADMAPS_EDIT, Action.TOKENS_MANAGE},
    Role.REVIEWER: _VIEW
    | {Action.EVIDENCE_VERIFY, Action.MILESTONES_LOCK, Action.ROADMAPS_CLOSE, Action.TOKENS_MANAGE},
    Role.ADMIN: frozenset(Action) - {Action.OWNERS_MANAGE},
    Role.OWNER: frozenset(Action),
}

TABLE: dict[Action, frozenset[Role]] = {
    action: frozenset(role for role, actions in ROLES.items() if action in actions) for action in Action
}


def allowed(role: Role | str, action: Action) -> bool:
    """Whether `role` may do `action`; an unknown role may do nothing."""
    try:
        return action in ROLES[Role(role)]
    except ValueError:
        return False

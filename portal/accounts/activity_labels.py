"""What the record's actions and kinds of objects are called on pages.

Apps above this one bring their own codes; a code without a name here is shown as it is.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CHANGES: dict[str, Promise] = {
    "organisation.created": _("Organisation made"),
    "organisation.changed": _("Settings changed"),
    "invitation.created": _("Invitation made"),
    "invitation.revoked": _("Invitation withdrawn"),
    "invitation.accepted": _("Invitation accepted"),
    "member.role_changed": _("Role changed"),
    "member.removed": _("Member removed"),
    "member.left": _("Member left"),
    "token.issued": _("Token made"),
    "token.revoked": _("Token ended"),
    "cluster.created": _("Cluster added"),
    "cluster.changed": _("Cluster changed"),
    "cluster.archived": _("Cluster archived"),
    "cluster.restored": _("Cluster restored"),
    "service.added": _("Service added"),
    "service.changed": _("Service changed"),
    "service.removed": _("Service removed"),
    "assessment.opened": _("Assessment opened"),
    "assessment.closed": _("Assessment closed"),
    "answers.imported": _("Answers imported"),
    "assessment.reopened": _("Assessment reopened"),
    "assessment.migrated": _("Assessment moved to another matrix version"),
    "matrix.uploaded": _("Matrix uploaded"),
    "matrix.released": _("Matrix released"),
    "matrix.retired": _("Matrix retired"),
    "answer.given": _("Practice answered"),
    "kpis.recorded": _("Numbers of a cluster recorded"),
    "evidence.added": _("Evidence added"),
    "evidence.verified": _("Evidence verified"),
    "evidence.withdrawn": _("Evidence withdrawn"),
    "milestone.locked": _("Milestone locked"),
    "roadmap.drawn_up": _("Roadmap drawn up"),
    "roadmap.step_changed": _("Roadmap step changed"),
    "roadmap.step_confirmed": _("Roadmap step confirmed"),
    "roadmap.step_reopened": _("Roadmap step reopened"),
    "tradeoff.decided": _("Trade-off decided"),
    "tradeoff.withdrawn": _("Trade-off decision withdrawn"),
    "report.requested": _("Report requested"),
    "report.cancelled": _("Report cancelled"),
}
OBJECTS: dict[str, Promise] = {
    "organisation": _("Organisation"),
    "invitation": _("Invitation"),
    "person": _("Person"),
    "token": _("Token"),
    "cluster": _("Cluster"),
    "service": _("Service"),
    "assessment": _("Assessment"),
    "evidence": _("Evidence"),
    "milestone": _("Milestone"),
    "matrix": _("Matrix"),
    "roadmap": _("Roadmap"),
    "roadmap_item": _("Roadmap step"),
    "tradeoff_decision": _("Trade-off decision"),
    "report": _("Report"),
}


def change_name(code: str) -> str:
    """The name of a recorded action."""
    return str(CHANGES.get(code, code))


def object_name(code: str) -> str:
    """The name of a kind of object."""
    return str(OBJECTS.get(code, code))

"""One object of an organisation for every keyword that URLs carry; the access test asks with them.

A new keyword in a URL needs a factory here: `FACTORIES["thing_id"] = make_thing`, a function that takes
the organisation's `World` and the person who will ask, and returns the value for the URL. Make it as
`world.maker`, who is none of the people that ask: some rules forbid touching one's own things.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone

# Keywords that name something every organisation shares; nobody owns a value of theirs.
SHARED = {"practice": "REL-01"}
GONE_UUID = "00000000-0000-4000-8000-00000000dead"
GONE_NUMBER = 987654321


@dataclass
class World:
    """An organisation with one object of everything, made by `maker`, its second owner."""

    organisation: Any
    maker: Any
    made: dict[Any, Any] = field(default_factory=dict)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]


def world_of(organisation: Any) -> World:
    """A world for an organisation that has people but no objects yet."""
    from portal.accounts.models import Membership, User

    maker = User.objects.create_user(f"maker@{organisation.slug}.example", "correct horse", name="Maker")
    Membership.objects.create(organisation=organisation, user=maker, role="owner")
    return World(organisation, maker)


def cluster(world: World, person: Any = None) -> Any:
    from portal.clusters import services

    def make() -> Any:
        return services.create_cluster(
            organisation_id=world.organisation.pk,
            actor=world.maker,
            data=services.ClusterData(name="cn-north-1", kinds=("serve", "train")),
        )

    return world.once("cluster", make)


def service(world: World, person: Any = None) -> Any:
    from portal.clusters import services

    def make() -> Any:
        return services.add_service(
            organisation_id=world.organisation.pk,
            actor=world.maker,
            cluster_id=cluster(world).pk,
            data=services.ServiceData(name="chat"),
        )

    return world.once("service", make)


def member(world: World, person: Any = None) -> Any:
    """Somebody whom every manager of members may change: a viewer who asks for nothing."""
    from portal.accounts.models import Membership, User

    def make() -> Any:
        user = User.objects.create_user(f"bystander@{world.organisation.slug}.example", "correct horse")
        Membership.objects.create(organisation=world.organisation, user=user, role="viewer")
        return user

    return world.once("member", make)


def invitation(world: World, person: Any = None) -> Any:
    from portal.accounts.services import invitations

    def make() -> Any:
        return invitations.invite(organisation=world.organisation, actor=world.maker, role="viewer")[0]

    return world.once("invitation", make)


def token(world: World, person: Any) -> Any:
    """A token of the person who asks, because only managers may end others'."""
    from portal.accounts.models import ApiToken

    owner = person or world.maker

    def make() -> Any:
        return ApiToken.objects.create(
            organisation=world.organisation,
            user=owner,
            name="export",
            prefix="ballast_xxxx",
            token_hash=f"{world.organisation.slug}-{owner.pk}",
            scopes=["clusters.view"],
            expires_at=timezone.now() + timedelta(days=1),
        )

    return world.once(("token", owner.pk), make)


def assessment(world: World, person: Any = None) -> Any:
    """An open quick scan with every practice answered."""
    from assessments import selectors
    from assessments.services import openings, responses

    def make() -> Any:
        one = openings.open_assessment(
            organisation=world.organisation,
            cluster=cluster(world),
            actor=world.maker,
            name="Q4",
            scope="quick",
        )
        asked = selectors.matrix(one.matrix_version_id).in_scope("quick", selectors.profile_of(one))
        for practice in asked:
            responses.answer(
                assessment=one,
                practice_id=practice.id,
                actor=world.maker,
                draft=responses.Draft(level=1),
                expected_version=0,
            )
        return one

    return world.once("assessment", make)


def evidence(world: World, person: Any = None) -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from assessments.services import evidence as services

    def make() -> Any:
        return services.add(
            assessment=assessment(world),
            practice_id="REL-01",
            actor=world.maker,
            submission=services.Submission(
                kind="E1",
                title="Runbook",
                effective_at=timezone.now(),
                file=SimpleUploadedFile("runbook.txt", b"Drain, then restart."),
            ),
        )

    return world.once("evidence", make)


def milestone(world: World, person: Any = None) -> Any:
    from assessments.services import milestones

    return world.once(
        "milestone", lambda: milestones.lock(assessment=assessment(world), actor=world.maker, name="M1")
    )


def answer_import(world: World, person: Any = None) -> Any:
    from assessments.services import imports

    def make() -> Any:
        return imports.prepare(
            assessment=assessment(world),
            actor=world.maker,
            file_name="answers.csv",
            content=b"practice,version,level\nREL-01,1,2\n",
        )

    return world.once("import", make)


def kpi_import(world: World, person: Any = None) -> Any:
    """A file of facts that waits for its confirmation."""
    from assessments.services import kpi_imports

    def make() -> Any:
        return kpi_imports.prepare(
            cluster=cluster(world),
            actor=world.maker,
            file_name="kpis.csv",
            content=b"kind,name,start,end,value\nnumber,changes,2026-11-01,2026-12-01,40\n",
        )

    return world.once("kpi_import", make)


def custom_matrix(world: World, person: Any = None) -> Any:
    """A draft made by an overlay; both organisations send the very same file."""
    import json

    from assessments.services import custom_matrices

    body = {
        "format": "ballast-overlay/1",
        "name": "Own rules",
        "base": "2.3",
        "version": "2.3-own",
        "provenance": {"by": "Maker"},
        "ignore": [{"practice": "COST-07", "reason": "Not ours"}],
    }

    def make() -> Any:
        files = [("own.json", json.dumps(body).encode())]
        return custom_matrices.upload(organisation=world.organisation, actor=world.maker, files=files)[0]

    return world.once("custom_matrix", make)


def migration(world: World, person: Any = None) -> Any:
    """A move of an assessment of its own, so that the other one keeps its matrix."""
    from assessments.services import custom_matrices, matrix_migrations, openings

    def make() -> Any:
        row = custom_matrices.release(row=custom_matrix(world), actor=world.maker)
        one = openings.open_assessment(
            organisation=world.organisation,
            cluster=cluster(world),
            actor=world.maker,
            name="Moved",
            scope="quick",
        )
        seen = matrix_migrations.preview(assessment=one, to=row.sha256)
        return matrix_migrations.apply(
            assessment=one, to=row.sha256, mapping={}, expected=seen.sha256, actor=world.maker
        )

    return world.once("migration", make)


def roadmap(world: World, person: Any = None) -> Any:
    from llm_remediation.domain.roadmap import WaveBudget
    from llm_remediation.services import roadmaps

    def make() -> Any:
        return roadmaps.draw_up(
            organisation=world.organisation,
            assessment=assessment(world),
            actor=world.maker,
            name="2027 H1",
            wishes=roadmaps.Wishes(budgets=[WaveBudget(days=200)], default_target=2),
        )

    return world.once("roadmap", make)


def roadmap_item(world: World, person: Any = None) -> Any:
    return roadmap(world).items.first()


def tradeoff_decision(world: World, person: Any = None) -> Any:
    from llm_remediation.models import TradeoffDecision

    def make() -> Any:
        return TradeoffDecision.objects.create(
            organisation=world.organisation,
            roadmap=roadmap(world),
            rule="T1",
            version=1,
            steps=[],
            kind="dismissed",
            reason="Shared replica",
            seen={},
            decided_by=world.maker,
            decided_at=timezone.now(),
        )

    return world.once("tradeoff_decision", make)


def report(world: World, person: Any = None) -> Any:
    from portal.reports.models import Report

    def make() -> Any:
        return Report.objects.create(
            organisation=world.organisation,
            title="Board pack",
            template="assessment",
            language="en",
            data={},
            state="done",
            pdf=b"%PDF-1.7",
            requested_by=world.maker,
        )

    return world.once("report", make)


FACTORIES: dict[str, Callable[[World, Any], Any]] = {
    "cluster_id": cluster,
    "service_id": service,
    "user_id": member,
    "invitation_id": invitation,
    "token_id": token,
    "assessment_id": assessment,
    "evidence_id": evidence,
    "milestone_id": milestone,
    "import_id": answer_import,
    "kpi_import_id": kpi_import,
    "custom_matrix_id": custom_matrix,
    "migration_id": migration,
    "roadmap_id": roadmap,
    "item_id": roadmap_item,
    "decision_id": tradeoff_decision,
    "report_id": report,
}


def value(world: World, keyword: str, person: Any = None) -> Any:
    """The value of one keyword for a URL of this world's organisation."""
    if keyword in SHARED:
        return SHARED[keyword]
    if keyword not in FACTORIES:
        raise AssertionError(
            f"URLs carry <{keyword}>, which tests/architecture/access_objects.py cannot make: add a factory"
        )
    return FACTORIES[keyword](world, person).pk


def gone(keyword: str) -> Any:
    """A well-formed value that no organisation has."""
    return GONE_NUMBER if keyword == "user_id" else GONE_UUID

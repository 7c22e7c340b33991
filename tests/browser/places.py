"""Every page of the product, read from its routes: a new route joins the browser tests by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

CLUSTER = "华北-A"
WORDED, OTHER = "REL-04", "REL-07"
# Not pages of ours: the REST API and its documentation, which a library draws.
OTHER_ROUTES = ("api/", "healthz")
# Pages that exist only for people who have switched two-factor sign-in on.
ONLY_WITH_TWO_FACTORS = {"mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_download_recovery_codes"}


@dataclass(frozen=True, slots=True)
class Route:
    """A named route with the names of its parameters."""

    name: str
    path: str
    parameters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """A page a browser can open."""

    name: str
    path: str


def routes() -> Iterator[Route]:
    """All routes of the site, without those that are no pages."""
    for route in _walk(get_resolver(), "", "", frozenset()):
        if not route.path.removeprefix("^").startswith(OTHER_ROUTES):
            assert route.name, f"the route {route.path} has no name"
            yield route


def _walk(resolver: URLResolver, path: str, space: str, given: frozenset[str]) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        regex = entry.pattern.regex
        here, names = path + str(entry.pattern), given | set(regex.groupindex)
        if isinstance(entry, URLResolver):
            inner = f"{space}{entry.namespace}:" if entry.namespace else space
            yield from _walk(entry, here, inner, names)
        elif isinstance(entry, URLPattern):
            yield Route(space + (entry.name or ""), here, names)


class Demo:
    """The demo organisation with one of everything that a route may ask for."""

    def __init__(self, organisation: Any) -> None:
        from assessments.models import Assessment

        self.organisation = organisation
        self.ada = self._member("owner").user
        self.assessment = Assessment.objects.get(organisation=organisation, cluster__name=CLUSTER)

    def _member(self, role: str) -> Any:
        from portal.accounts.models import Membership

        return Membership.objects.filter(organisation=self.organisation, role=role).order_by("pk")[0]

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """A value for every parameter of every route; register new ones here."""
        cluster = self.assessment.cluster
        invitation, token = self._invitation()
        return {
            "slug": self.organisation.slug,
            "assessment_id": self.assessment.pk,
            "practice": WORDED,
            "evidence_id": self._file().pk,
            "milestone_id": self.assessment.milestones.order_by("pk")[0].pk,
            "import_id": self._import().pk,
            "kpi_import_id": self._kpi_import().pk,
            "custom_matrix_id": self.own_matrix.pk,
            "migration_id": self.migration.pk,
            "cluster_id": cluster.pk,
            "service_id": cluster.services.order_by("pk")[0].pk,
            "roadmap_id": self.roadmap.pk,
            "item_id": self.roadmap.items.order_by("wave", "position")[0].pk,
            "decision_id": self.decision.pk,
            "report_id": self.reports["done"].pk,
            "user_id": self._member("reviewer").user_id,
            "invitation_id": invitation.pk,
            "token_id": self._token().pk,
            "token": token,
            "uidb36": "1",
            "key": "no-such-key",
        }

    def _invitation(self) -> tuple[Any, str]:
        from portal.accounts.services import invitations

        return invitations.invite(organisation=self.organisation, actor=self.ada, role="assessor")

    def _file(self) -> Any:
        from assessments.services import evidence

        return evidence.add(
            assessment=self.assessment,
            practice_id=WORDED,
            actor=self.ada,
            submission=evidence.Submission(
                kind="E2",
                title="Cache limits",
                effective_at=timezone.now(),
                file=SimpleUploadedFile("limits.md", b"usage <= 0.9"),
            ),
        )

    def _import(self) -> Any:
        """A sheet with a changed answer, and one that somebody answered since."""
        from assessments.services import imports

        return imports.prepare(
            assessment=self.assessment,
            actor=self.ada,
            file_name="answers.csv",
            content=b"practice,version,level\nREL-01,1,2\nREL-02,0,3\n",
        )

    def _kpi_import(self) -> Any:
        """A file with a number that is new and one that replaces another, waiting for its confirmation."""
        from assessments.services import kpi_imports, kpis

        cluster, window = self.assessment.cluster, "2026-09-01,2026-09-30"
        head = "kind,name,start,end,value\n"
        before = f"{head}number,changes,{window},20\n".encode()
        kpis.record_csv(cluster=cluster, actor=self.ada, file_name="kpis.csv", content=before)
        content = f"{head}number,changes,{window},21\nnumber,changes_failed,{window},2\n".encode()
        return kpi_imports.prepare(cluster=cluster, actor=self.ada, file_name="kpis.csv", content=content)

    @cached_property
    def own_matrix(self) -> Any:
        """A draft made by the example of an overlay."""
        from assessments.services import custom_matrices
        from assessments.views.matrices import OVERLAY

        files = [("overlay.yaml", OVERLAY.read_bytes())]
        return custom_matrices.upload(organisation=self.organisation, actor=self.ada, files=files)[0]

    @cached_property
    def migration(self) -> Any:
        """A move of an assessment of its own, with an answer that the other version does not ask."""
        from assessments.services import custom_matrices, matrix_migrations, openings, responses

        matrix = custom_matrices.release(row=self.own_matrix, actor=self.ada)
        one = openings.open_assessment(
            organisation=self.organisation,
            cluster=self.assessment.cluster,
            actor=self.ada,
            name="Moved",
            scope="full",
        )
        for practice in ("COST-03", WORDED, OTHER):
            responses.answer(
                assessment=one,
                practice_id=practice,
                actor=self.ada,
                draft=responses.Draft(level=4),
                expected_version=0,
            )
        seen = matrix_migrations.preview(assessment=one, to=matrix.sha256)
        return matrix_migrations.apply(
            assessment=one, to=matrix.sha256, mapping={}, expected=seen.sha256, actor=self.ada
        )

    def _token(self) -> Any:
        from portal.accounts.services import tokens

        made, _clear = tokens.issue(
            membership=self._member("owner"), name="Nightly", scopes=["assessments.view"], days=30
        )
        return made

    @cached_property
    def roadmap(self) -> Any:
        """A roadmap in three waves, small enough that something is left out."""
        from llm_remediation.domain.model import WaveBudget
        from llm_remediation.services.roadmaps import Wishes, draw_up

        budgets = [WaveBudget(days=days, gpu_hours=None, money=None) for days in (6, 8, 10)]
        return draw_up(
            organisation=self.organisation,
            assessment=self.assessment,
            actor=self.ada,
            name="Winter",
            wishes=Wishes(budgets=budgets),
        )

    @cached_property
    def decision(self) -> Any:
        """The slow recovery (T3) is accepted; a busy service (T8) waits for a decision."""
        from assessments.services import kpis
        from llm_remediation.services import tradeoffs

        now = timezone.now()
        busy = {"engine_activity": 74, "engine_activity_target": 82, "queue_wait_p95_ms": 640}
        phases = {f"drill_{phase}_s": 40 for phase in ("verify", "decrypt", "authenticate", "approve")}
        given = {**busy, "ttft_target_ms": 800, **phases, "drill_total_s": 360, "rto_s": 300}
        kpis.set_numbers(
            cluster=self.assessment.cluster,
            actor=self.ada,
            numbers=[kpis.Given(name, float(value)) for name, value in given.items()],
            start=now - timedelta(hours=12),
            end=now - timedelta(hours=1),
        )
        return tradeoffs.decide(
            roadmap=self.roadmap,
            actor=self.ada,
            rule="T3",
            service="",
            expected_version=0,
            wanted=tradeoffs.Wanted(
                "accepted",
                reason="Keys move next to the nodes in spring",
                owner=self.ada.pk,
                expires_on=timezone.localdate(now) + timedelta(days=90),
            ),
        )

    @cached_property
    def reports(self) -> dict[str, Any]:
        """A finished report beside a waiting and a failed one, by state."""
        from portal.reports.models import Report, ReportState

        return {
            state.value: Report.objects.create(
                organisation=self.organisation,
                title=f"Assessment · {CLUSTER}",
                template="assessment.typ",
                language="en",
                subject_id=str(self.assessment.pk),
                data={},
                state=state,
                error="The typesetter stopped." if state == ReportState.FAILED else "",
                pdf=b"%PDF-1.7" if state == ReportState.DONE else None,
                requested_by=self.ada,
            )
            for state in (ReportState.QUEUED, ReportState.FAILED, ReportState.DONE)
        }

    def path(self, name: str, **given: Any) -> str:
        """The address of a route."""
        wanted = next(route for route in routes() if route.name == name).parameters
        return reverse(name, kwargs={key: given.get(key, self.parameters[key]) for key in wanted})

    def places(self) -> list[Place]:
        """Every page that GET shows to the owner, and the variants that a query or a practice makes."""
        client = Client()
        client.force_login(self.ada)
        found = []
        for route in routes():
            missing = route.parameters - set(self.parameters)
            assert not missing, f"register {sorted(missing)} of {route.name} in tests/browser/places.py"
            if is_page(client, route.name, path := self.path(route.name)):
                found.append(Place(route.name, path))
        return [*found, *self._variants()]

    def _variants(self) -> Iterator[Place]:
        every = type(self.assessment).objects.filter(organisation=self.organisation, scope="full")
        other = every.exclude(pk=self.migration.assessment_id)
        sides = [f"a:{row.pk}" for row in other.order_by("cluster__name")]
        moments = [f"m:{row.pk}" for row in self.assessment.milestones.order_by("as_of")]
        for name, (a, b) in {"two clusters": sides, "two moments": moments}.items():
            yield Place(f"compare {name}", f"{self.path('assessments:compare')}?a={a}&b={b}")
        for state in ("queued", "failed"):
            path = self.path("reports:detail", report_id=self.reports[state].pk)
            yield Place(f"report {state}", path)
        numbers = self.path("assessments:cluster-kpis-numbers")
        yield Place("numbers of a trade-off", f"{numbers}?for=T5&service=chat-main")
        yield Place("matrix found nothing", self.path("assessments:matrix") + "?q=nothing-has-this-name")
        own = f"?version={self.own_matrix.sha256}"
        yield Place("practice replaced", self.path("assessments:practice") + own)
        yield Place("practice left out", self.path("assessments:practice", practice="COST-03") + own)
        yield Place("list filtered", self.path("assessments:questions") + "?show=na")


def is_page(client: Client, name: str, path: str) -> bool:
    """Whether GET answers with HTML; anything but a page, a redirect or "POST only" is a failure."""
    answer = client.get(path)
    if answer.status_code == 200:
        # A piece that htmx fetches is part of a page, and a download is none.
        return answer.headers["Content-Type"].startswith("text/html") and b"<html" in answer.content
    if answer.status_code == 404 and name in ONLY_WITH_TWO_FACTORS:
        return False
    assert answer.status_code in (301, 302, 405), f"{name} ({path}) answers {answer.status_code}"
    return False

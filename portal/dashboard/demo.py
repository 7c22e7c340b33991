"""The demo organisation, told through the same services that people use.

The story itself (clusters, people, dossiers of answers and evidence) lies in assessments/demo/.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from assessments.domain.kpis import csv_reading, csv_writing
from assessments.domain.shipped import v2_3
from assessments.services import evidence as evidence_services
from assessments.services import kpis, milestones, openings, responses
from llm_remediation.domain.model import WaveBudget
from llm_remediation.services import roadmaps
from portal.accounts import selectors as people
from portal.accounts.services import invitations, organisations
from portal.clusters import services as clusters
from portal.errors import NotFound

FOLDER = Path(settings.BASE_DIR) / "assessments" / "demo"
# Engineer-days of the demo roadmaps: now, next, later.
WAVE_DAYS = (10.0, 15.0, 20.0)
# The day on which the windows of the demo's KPI files end; they are moved to the day of loading.
KPIS_END = datetime(2026, 12, 2, tzinfo=UTC)
# Practices of the first demo cluster that stood lower before its last sprint: what the slope chart shows.
RAISED = {"RCV-01": 2, "OBS-05": 2, "SEC-08": 2, "EVO-04": 2, "REL-03": 3}


@dataclass(frozen=True, slots=True)
class SignIn:
    """How to enter the demo; loaded only where nobody else can reach it (see `manage.py up`)."""

    email: str
    password: str


SIGN_IN = SignIn("ada@example.com", "ballast-demo")


def load(language: str) -> bool:
    """Load the story in one language, all or nothing; False where it is there already."""
    story = yaml.safe_load((FOLDER / "story.yaml").read_text(encoding="utf-8"))
    if _exists(story["organisation"]["slug"]):
        return False
    with transaction.atomic():
        Loader(story, "zh" if language.startswith("zh") else "en").run()
    return True


def _exists(slug: str) -> bool:
    try:
        people.organisation_by_slug(slug)
    except NotFound:
        return False
    return True


class Loader:
    """Walks through the story once."""

    def __init__(self, story: dict[str, Any], language: str) -> None:
        self.story = story
        self.language = language
        self.now = timezone.now()
        self.people: dict[str, Any] = {}

    def text(self, value: Any) -> str:
        """The story's text in the chosen language."""
        return str(value.get(self.language, "")) if isinstance(value, dict) else str(value or "")

    def run(self) -> None:
        organisation = self._organisation()
        roles = self.story["roles_in_story"]
        self.assessor = self.people[roles["answers"]]
        self.reviewer = self.people[roles["verifies"]]
        for index, entry in enumerate(self.story["clusters"]):
            cluster = self._cluster(organisation, entry)
            self._numbers(cluster, entry)
            self._assessment(organisation, cluster, entry["assessment"], sprint=index == 0)

    def _person(self, entry: dict[str, Any]) -> Any:
        model = get_user_model()
        person = model.objects.filter(email=entry["email"]).first()
        if person is None:
            person = model.objects.create_user(
                entry["email"],
                SIGN_IN.password if entry["email"] == SIGN_IN.email else None,
                name=entry["name"],
                language="" if entry["role"] == "owner" else entry.get("language", ""),
            )
        self.people[entry["email"]] = person
        return person

    def _organisation(self) -> Any:
        data = self.story["organisation"]
        owner, *others = self.story["people"]
        organisation = organisations.create(
            actor=self._person(owner), name=data["name"], slug=data["slug"], demo=True
        )
        for entry in others:
            _invitation, clear = invitations.invite(
                organisation=organisation,
                actor=self.people[owner["email"]],
                role=entry["role"],
                email=entry["email"],
            )
            invitations.accept(clear=clear, actor=self._person(entry))
        return organisation

    def _cluster(self, organisation: Any, entry: dict[str, Any]) -> Any:
        actor = self.people[SIGN_IN.email]
        cluster = clusters.create_cluster(
            organisation_id=organisation.pk,
            actor=actor,
            data=clusters.ClusterData(
                name=entry["name"],
                gpu_sku=entry["gpu_sku"],
                gpu_count=entry["gpu_count"],
                engine=entry["engine"],
                environment=entry["environment"],
                kinds=tuple(entry["kinds"]),
                tags=tuple(entry["tags"]),
                note=self.text(entry.get("note")),
            ),
        )
        for each in entry["services"]:
            data = clusters.ServiceData(**{**each, "tags": tuple(each["tags"])})
            clusters.add_service(
                organisation_id=organisation.pk, actor=actor, cluster_id=cluster.pk, data=data
            )
        return cluster

    def _numbers(self, cluster: Any, entry: dict[str, Any]) -> None:
        """Record the cluster's facts, as old on the day of loading as on the last day of the file."""
        content = (FOLDER / entry["kpis"]).read_bytes()
        practices = {each.id for each in v2_3().practices}
        services = {each["name"] for each in entry["services"]}
        sheet = csv_reading.read(content, practices=practices, services=services)
        later = self.now.replace(hour=0, minute=0, second=0, microsecond=0) - KPIS_END
        facts = [
            replace(each, start=each.start + later, end=each.end + later if each.end else None)
            for each in sheet.facts
        ]
        kpis.record_csv(
            cluster=cluster,
            actor=self.assessor,
            file_name=entry["kpis"],
            content=csv_writing.write(facts),
        )

    def _assessment(self, organisation: Any, cluster: Any, entry: dict[str, Any], *, sprint: bool) -> None:
        one = openings.open_assessment(
            organisation=organisation,
            cluster=cluster,
            actor=self.assessor,
            name=self.text(entry["name"]),
            scope=entry["scope"],
        )
        dossier = json.loads((FOLDER / entry["dossier"]).read_text(encoding="utf-8"))
        for answer in dossier["answers"]:
            lower = RAISED.get(answer["practice"]) if sprint else None
            self._answer(one, answer, version=0, at_most=lower)
            for item in answer.get("evidence", ()):
                self._evidence(one, answer["practice"], item)
        if sprint:
            milestones.lock(
                assessment=one, actor=self.reviewer, name=self._words("Before the sprint", "冲刺前")
            )
            for answer in dossier["answers"]:
                if answer["practice"] in RAISED:
                    self._answer(one, answer, version=1)
            milestones.lock(
                assessment=one, actor=self.reviewer, name=self._words("After the sprint", "冲刺后")
            )
        if one.scope == "full":
            self._roadmap(organisation, one)

    def _roadmap(self, organisation: Any, one: Any) -> None:
        """Budgets so small that the plan has to choose, and says what it left out."""
        roadmaps.draw_up(
            organisation=organisation,
            assessment=one,
            actor=self.people[SIGN_IN.email],
            name=self._words("Next three waves", "下三个波次"),
            wishes=roadmaps.Wishes(budgets=[WaveBudget(days=days) for days in WAVE_DAYS]),
        )

    def _words(self, english: str, chinese: str) -> str:
        return chinese if self.language == "zh" else english

    def _answer(self, one: Any, answer: dict[str, Any], *, version: int, at_most: int | None = None) -> None:
        clauses = answer.get("clauses")
        if clauses is not None and at_most is not None:
            clauses = [each for each in clauses if int(each.split(".L")[1][0]) <= at_most]
        responses.answer(
            assessment=one,
            practice_id=answer["practice"],
            actor=self.assessor,
            draft=responses.Draft(
                clauses=None if clauses is None else tuple(clauses),
                level=answer.get("level"),
                na_reason=answer.get("na_reason", ""),
                na_text=self.text(answer.get("na_text")),
                unsure=answer.get("unsure", False),
                note=self.text(answer.get("note")),
            ),
            expected_version=version,
        )

    def _evidence(self, one: Any, practice: str, item: dict[str, Any]) -> None:
        row = evidence_services.add(
            assessment=one,
            practice_id=practice,
            actor=self.assessor,
            submission=evidence_services.Submission(
                kind=item["kind"],
                title=self.text(item.get("title")),
                effective_at=self.now - timedelta(days=item["age_days"]),
                clause=item.get("clause") or "",
                url=item.get("url", ""),
            ),
        )
        if item.get("verified", True):
            evidence_services.verify(evidence=row, actor=self.reviewer)

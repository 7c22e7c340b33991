"""Assessments: what was asked, what was answered (append-only), what backs it, what was frozen."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class MatrixVersion(models.Model):
    """An immutable matrix, named by the SHA-256 of its canonical content.

    It belongs to nobody: everybody may use a shipped one, and of others those organisations that have
    released the same content themselves (`CustomMatrix`).
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    version = models.CharField(max_length=20)
    documents = models.JSONField()  # file name -> YAML text, exactly as released
    shipped = models.BooleanField(default=True)
    released_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"V{self.version} {self.sha256[:12]}"


class CustomStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    RELEASED = "released", _("Released")
    RETIRED = "retired", _("Retired")


class CustomMatrix(models.Model):
    """A matrix that an organisation uploaded or made by an overlay; only its members know of it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="matrices"
    )
    name = models.CharField(max_length=120)
    version = models.CharField(max_length=20)
    sha256 = models.CharField(max_length=64)
    documents = models.JSONField()  # file name -> YAML text in canonical layout, without comments
    source_name = models.CharField(max_length=200)  # the file or files that were sent
    parent_sha256 = models.CharField(max_length=64, blank=True)  # base of an overlay
    provenance = models.JSONField(default=dict)  # practice -> list of assessments.domain.overlays.Provenance
    ignored = models.JSONField(default=list)
    consequences = models.JSONField(default=list)  # [code, subject]
    warnings = models.JSONField(default=list)  # findings of the writing rules, at most 200
    warning_count = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=10, choices=CustomStatus.choices, default=CustomStatus.DRAFT)
    matrix_version = models.ForeignKey(MatrixVersion, on_delete=models.PROTECT, null=True, related_name="+")
    created_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    changed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["organisation", "sha256"], name="custom_matrix_content_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} V{self.version}"


class AssessmentStatus(models.TextChoices):
    OPEN = "open", _("Open")
    CLOSED = "closed", _("Closed")


class Assessment(models.Model):
    """One look at one cluster with one matrix version, scope and profile (frozen when it is opened)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="assessments"
    )
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.PROTECT, related_name="assessments")
    matrix_version = models.ForeignKey(MatrixVersion, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    scope = models.CharField(max_length=10)  # quick | full
    kinds = models.JSONField(default=list)
    tags = models.JSONField(default=list)
    status = models.CharField(max_length=10, choices=AssessmentStatus.choices, default=AssessmentStatus.OPEN)
    created_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class ResponseSource(models.TextChoices):
    WEB = "web"
    API = "api"
    IMPORT = "import"
    CARRIED = "carried"
    SUGGESTED = "suggested"
    MIGRATED = "migrated"


class Response(models.Model):
    """One answer as it was given. Never changed: a new answer supersedes it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="responses")
    practice = models.CharField(max_length=10)
    version = models.PositiveIntegerField()  # 1, 2, … per assessment and practice; the etag
    level = models.PositiveSmallIntegerField(null=True)
    clauses = models.JSONField(null=True)  # list of clause ids; null where only a level was given
    na_reason = models.CharField(max_length=30, blank=True)
    na_text = models.CharField(max_length=500, blank=True)
    unsure = models.BooleanField(default=False)
    cleared = models.BooleanField(default=False)  # taken back: the practice counts as unanswered again
    confidence = models.PositiveSmallIntegerField(null=True)  # 1 guess … 5 shown by evidence
    note = models.TextField(blank=True, max_length=10000)
    source = models.CharField(max_length=10, choices=ResponseSource.choices, default=ResponseSource.WEB)
    respondent = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    idempotency_key = models.CharField(max_length=64, blank=True)
    supersedes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assessment", "practice", "version"], name="response_version_once"
            ),
            models.UniqueConstraint(
                fields=["assessment", "practice", "respondent", "idempotency_key"],
                condition=~models.Q(idempotency_key=""),
                name="response_idempotent",
            ),
            models.CheckConstraint(
                condition=models.Q(level__isnull=True) | models.Q(level__lte=5), name="response_level_0_to_5"
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__isnull=True) | models.Q(confidence__gte=1, confidence__lte=5),
                name="response_confidence_1_to_5",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.practice} v{self.version}"


class AnswerHead(models.Model):
    """Which response holds now; its `version` is the etag a writer must know (conditional UPDATE)."""

    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="heads")
    practice = models.CharField(max_length=10)
    version = models.PositiveIntegerField()
    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assessment", "practice"], name="one_head_per_practice"),
        ]

    def __str__(self) -> str:
        return f"{self.practice} @{self.version}"


class Evidence(models.Model):
    """A file or link that backs an answer; dated by what it shows, verified by somebody else."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="evidence")
    practice = models.CharField(max_length=10)
    clause = models.CharField(max_length=20, blank=True)
    kind = models.CharField(max_length=2)  # E0 … E5
    title = models.CharField(max_length=200)
    url = models.URLField(max_length=1000, blank=True)
    file = models.FileField(upload_to="evidence/%Y/%m", blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    file_size = models.PositiveBigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    effective_at = models.DateTimeField()
    added_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)
    verified_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    verified_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    # Whether it counts as verified for the answer it backs, and is too old: selectors.report_source says it.
    vouched = False
    expired = False

    class Meta:
        ordering = ["practice", "-effective_at"]
        indexes = [models.Index(fields=["assessment", "practice"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.title}"


class AnswerImport(models.Model):
    """A filled-in sheet that somebody sent: kept as it was read until, and after, it is applied."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="imports")
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    rows = models.JSONField()  # list of assessments.domain.answer_sheet.SheetAnswer as mappings
    created_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    applied_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True)
    outcome = models.JSONField(null=True)  # practice ids by what happened to them

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.file_name


class Milestone(models.Model):
    """A frozen scorecard with everything it was computed from, chained by hash to the one before."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="milestones")
    name = models.CharField(max_length=120)
    as_of = models.DateTimeField()
    frozen = models.JSONField()
    sha256 = models.CharField(max_length=64)
    previous_sha256 = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(fields=["assessment", "name"], name="milestone_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class MatrixMigration(models.Model):
    """An assessment that moved to another matrix version: by which map, with what result, by whom."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="migrations")
    from_version = models.ForeignKey(MatrixVersion, on_delete=models.PROTECT, related_name="+")
    to_version = models.ForeignKey(MatrixVersion, on_delete=models.PROTECT, related_name="+")
    mapping = models.JSONField()  # assessments.domain.migration_map.MigrationMap
    plan = models.JSONField()  # assessments.domain.migration.Plan
    archived = models.JSONField()  # the old answers as they were, by practice, with the response's id
    evidence = models.JSONField()  # what became of each piece of evidence
    preview_sha256 = models.CharField(max_length=64)
    milestone = models.ForeignKey(Milestone, on_delete=models.PROTECT, related_name="+")
    applied_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    applied_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-applied_at"]
        constraints = [
            models.UniqueConstraint(fields=["assessment", "preview_sha256"], name="migration_once"),
        ]

    def __str__(self) -> str:
        return f"{self.assessment_id}: {self.from_version_id[:12]} → {self.to_version_id[:12]}"


class KpiSource(models.TextChoices):
    CSV = "csv", _("File")
    FORM = "form", _("Form")
    API = "api", _("API")


class KpiUpload(models.Model):
    """Facts about a cluster that somebody gave at once: a file, or numbers in a form or an API call."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.PROTECT, related_name="kpi_uploads")
    sha256 = models.CharField(max_length=64)  # of the file, or of the file that would say the same
    file_name = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=12, choices=KpiSource.choices)
    rows = models.PositiveIntegerField()  # facts that were new or replaced older ones
    uploaded_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at"]
        indexes = [models.Index(fields=["cluster", "-at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["cluster", "sha256"], condition=models.Q(source="csv"), name="kpi_file_once"
            ),
        ]

    def __str__(self) -> str:
        return self.file_name or self.source


class KpiFact(models.Model):
    """A row of assessments.domain.kpis.facts.Fact. Never changed: of equal keys the highest id holds."""

    id = models.BigAutoField(primary_key=True)
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.PROTECT, related_name="kpi_facts")
    upload = models.ForeignKey(KpiUpload, on_delete=models.CASCADE, related_name="facts")
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=200)
    service = models.CharField(max_length=80, blank=True)
    start = models.DateTimeField()
    end = models.DateTimeField(null=True)
    value = models.FloatField(null=True)
    unit = models.CharField(max_length=60, blank=True)
    phase = models.CharField(max_length=10)
    present = models.FloatField(null=True)
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["cluster", "kind", "end"])]
        constraints = [
            models.UniqueConstraint(
                fields=["upload", "kind", "name", "service", "start", "phase"], name="kpi_key_once_per_upload"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class KpiImport(models.Model):
    """A file of facts that somebody sent: kept until it is confirmed, then only what became of it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="+")
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()  # empty once it is confirmed: the facts hold what it said
    created_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    applied_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True)
    outcome = models.JSONField(null=True)  # how many facts were new, replaced, unchanged

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.file_name

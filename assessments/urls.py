"""Routes of the assessment pages, under /o/<slug>/."""

from django.urls import path

from assessments.views import (
    catalogue,
    compare,
    difference,
    export,
    fill,
    imports,
    kpi_imports,
    kpi_numbers,
    kpis,
    listing,
    matrices,
    migrate,
    review,
)

app_name = "assessments"
A = "a/<uuid:assessment_id>/"
KPIS = "clusters/<uuid:cluster_id>/kpis"
KPI_IMPORT = f"{KPIS}/import/<uuid:kpi_import_id>"

urlpatterns = [
    path("assessments/", listing.index, name="list"),
    path("assessments/new", listing.new, name="new"),
    path(A, listing.detail, name="detail"),
    path(f"{A}q/", fill.questions, name="questions"),
    path(f"{A}q/<str:practice>", fill.question, name="question"),
    path(f"{A}q/<str:practice>/evidence", fill.add_evidence, name="evidence-add"),
    path(f"{A}evidence/<uuid:evidence_id>", fill.download_evidence, name="evidence-download"),
    path(f"{A}evidence/<uuid:evidence_id>/verify", fill.verify_evidence, name="evidence-verify"),
    path(f"{A}evidence/<uuid:evidence_id>/withdraw", fill.withdraw_evidence, name="evidence-withdraw"),
    path(f"{A}check", review.check, name="check"),
    path(f"{A}results", review.results, name="results"),
    path(f"{A}status", review.status, name="status"),
    path(f"{A}milestones", review.lock, name="milestones"),
    path("milestones/<uuid:milestone_id>", review.milestone, name="milestone"),
    path(f"{A}answers.csv", export.answers_csv, name="answers-csv"),
    path(f"{A}answers.xlsx", imports.answers_xlsx, name="answers-xlsx"),
    path(f"{A}import", imports.upload, name="import"),
    path(f"{A}import/<uuid:import_id>", imports.preview, name="import-preview"),
    path(f"{A}import/<uuid:import_id>/apply", imports.apply, name="import-apply"),
    path(f"{A}move", migrate.migrate, name="migrate"),
    path(f"{A}moves", migrate.moves, name="migrations"),
    path("moves/<uuid:migration_id>", migrate.migration, name="migration"),
    path(KPIS, kpis.cluster_kpis, name="cluster-kpis"),
    path(f"{KPIS}/kpis.csv", kpis.csv, name="cluster-kpis-csv"),
    path(f"{KPIS}/template.csv", kpis.template, name="cluster-kpis-template"),
    path(f"{KPIS}/numbers", kpi_numbers.numbers, name="cluster-kpis-numbers"),
    path(f"{KPIS}/import", kpi_imports.upload, name="cluster-kpis-import"),
    path(KPI_IMPORT, kpi_imports.preview, name="cluster-kpis-preview"),
    path(f"{KPI_IMPORT}/apply", kpi_imports.apply, name="cluster-kpis-apply"),
    path("compare", compare.compare, name="compare"),
    path("matrices", matrices.index, name="matrix-versions"),
    path("matrices/new", matrices.upload, name="matrix-upload"),
    path("matrices/file", matrices.file, name="matrix-file"),
    path("matrices/overlay.yaml", matrices.overlay, name="matrix-overlay"),
    path("matrices/difference", difference.difference, name="matrix-difference"),
    path("matrices/<uuid:custom_matrix_id>/release", matrices.release, name="matrix-release"),
    path("matrices/<uuid:custom_matrix_id>/retire", matrices.retire, name="matrix-retire"),
    path("matrix", catalogue.index, name="matrix"),
    path("matrix/<str:practice>", catalogue.practice, name="practice"),
]

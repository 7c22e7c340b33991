"""Routes of the assessments API, under /api/v1/o/<slug>/."""

from django.urls import path

from assessments.api import answers, assessments, imports, kpis, matrices

A = "assessments/<uuid:assessment_id>"
C = "clusters/<uuid:cluster_id>"

urlpatterns = [
    path("matrix", assessments.MatrixOne.as_view(), name="api-matrix"),
    path("matrices", matrices.MatrixList.as_view(), name="api-matrices"),
    path("matrices/difference", matrices.MatrixDifference.as_view(), name="api-matrix-difference"),
    path("matrices/<uuid:custom_matrix_id>", matrices.MatrixCustom.as_view(), name="api-custom-matrix"),
    path(
        "matrices/<uuid:custom_matrix_id>/release",
        matrices.MatrixRelease.as_view(),
        name="api-matrix-release",
    ),
    path(
        "matrices/<uuid:custom_matrix_id>/retire", matrices.MatrixRetire.as_view(), name="api-matrix-retire"
    ),
    path("migrations/<uuid:migration_id>", matrices.MigrationOne.as_view(), name="api-migration"),
    path(f"{A}/migrations", matrices.MigrationList.as_view(), name="api-migrations"),
    path(f"{A}/migrations/preview", matrices.MigrationPreview.as_view(), name="api-migration-preview"),
    path("compare", assessments.Compare.as_view(), name="api-compare"),
    path("assessments", assessments.AssessmentList.as_view(), name="api-assessments"),
    path(A, assessments.AssessmentOne.as_view(), name="api-assessment"),
    path(f"{A}/scorecard", assessments.ScorecardOne.as_view(), name="api-scorecard"),
    path(f"{A}/milestones", assessments.MilestoneList.as_view(), name="api-milestones"),
    path("milestones/<uuid:milestone_id>", assessments.MilestoneOne.as_view(), name="api-milestone"),
    path(f"{C}/kpis", kpis.ClusterKpis.as_view(), name="api-kpis"),
    path(f"{C}/kpis/csv", kpis.ClusterKpiCsv.as_view(), name="api-kpis-csv"),
    path(f"{C}/kpis/numbers", kpis.ClusterKpiNumbers.as_view(), name="api-kpis-numbers"),
    path(f"{A}/kpis", kpis.AssessmentKpis.as_view(), name="api-practice-kpis"),
    path(f"{A}/answers", answers.AnswerList.as_view(), name="api-answers"),
    path(f"{A}/imports", imports.ImportList.as_view(), name="api-imports"),
    path(f"{A}/imports/<uuid:import_id>", imports.ImportOne.as_view(), name="api-import"),
    path(f"{A}/imports/<uuid:import_id>/apply", imports.ImportApply.as_view(), name="api-import-apply"),
    path(f"{A}/answers/<str:practice>", answers.AnswerOne.as_view(), name="api-answer"),
    path(f"{A}/answers/<str:practice>/evidence", answers.EvidenceList.as_view(), name="api-evidence"),
    path(f"{A}/evidence/<uuid:evidence_id>/verify", answers.EvidenceVerify.as_view(), name="api-verify"),
    path(
        f"{A}/evidence/<uuid:evidence_id>/withdraw", answers.EvidenceWithdraw.as_view(), name="api-withdraw"
    ),
]

"""Answers and evidence. The questionnaire page uses these very endpoints."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from assessments import selectors
from assessments.api import serializers, shapes
from assessments.models import Assessment, ResponseSource
from assessments.services import evidence as evidence_services
from assessments.services import responses
from frontend.templatetags.matrix import warning_words
from portal.accounts.domain.permissions import Action
from portal.api.preconditions import expected_version, if_match
from portal.api.serializers import checked

IF_MATCH = if_match('The version you saw, quoted: "3"; "0" where nobody has answered yet.')
IDEMPOTENCY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Send the same key again after a lost reply: the answer is stored once. "
    "The same key with another answer is a 409.",
)


def practice_state(one: Assessment, practice: str) -> dict[str, Any]:
    """What the questionnaire shows after an answer: this practice's score and warnings, and the progress."""
    card = selectors.scorecard(one)
    state = card.practices.get(practice)
    return {
        "score": state.as_dict() if state else None,
        "warnings": [
            {"code": each.code, "text": warning_words(each)}
            for each in card.warnings
            if each.practice == practice
        ],
        "progress": {
            "answered": sum(each.answered for each in card.dimensions.values()),
            "applicable": sum(each.applicable for each in card.dimensions.values()),
            "not_applicable": sum(each.not_applicable for each in card.dimensions.values()),
            "unsure": sum(each.unsure for each in card.dimensions.values()),
        },
    }


class AnswerList(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW}

    @extend_schema(operation_id="answers_list", responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any) -> Response:
        """Every answer that holds now."""
        one = selectors.assessment(request.organisation, assessment_id)
        heads = selectors.heads(one)
        return Response({"results": [shapes.answer(heads[key].response) for key in sorted(heads)]})


class AnswerOne(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "PATCH": Action.ASSESSMENTS_ANSWER}

    @extend_schema(responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any, practice: str) -> Response:
        """The answer to one practice and every answer before it."""
        one = selectors.assessment(request.organisation, assessment_id)
        responses.asked_practice(one, practice)
        head = selectors.heads(one).get(practice)
        past = [
            {
                "version": row.version,
                "answer": responses.summary(row),
                "respondent": str(row.respondent),
                "at": row.created_at,
            }
            for row in selectors.history(one, practice)
        ]
        body = {
            "answer": shapes.answer(head.response) if head else None,
            "history": past,
            **practice_state(one, practice),
        }
        return Response(body, headers={"ETag": f'"{head.version if head else 0}"'})

    @extend_schema(
        request=serializers.AnswerChange, parameters=[IF_MATCH, IDEMPOTENCY], responses={200: dict, 409: dict}
    )
    def patch(self, request: Any, slug: str, assessment_id: Any, practice: str) -> Response:
        """Answer one practice; 409 with both values where somebody was faster."""
        one = selectors.assessment(request.organisation, assessment_id)
        version = expected_version(request)
        data = checked(serializers.AnswerChange(data=request.data))
        clauses = data.get("clauses")
        # After a repeated key this is what that key stored, even if somebody has answered since: the next
        # write from here then meets their answer as a conflict instead of covering it.
        stored = responses.answer(
            assessment=one,
            practice_id=practice,
            actor=request.user,
            draft=responses.Draft(
                clauses=None if clauses is None else tuple(clauses),
                level=data.get("level"),
                na_reason=data.get("na_reason") or "",
                na_text=data.get("na_text", ""),
                unsure=data.get("unsure", False),
                cleared=data.get("cleared", False),
                note=data.get("note", ""),
                confidence=data.get("confidence"),
            ),
            expected_version=version,
            idempotency_key=request.headers.get("Idempotency-Key", ""),
            source=ResponseSource.API if request.auth else ResponseSource.WEB,
        )
        body = {"answer": shapes.answer(stored), **practice_state(one, practice)}
        return Response(body, headers={"ETag": f'"{stored.version}"'})


class EvidenceList(APIView):
    required_actions = {"GET": Action.ASSESSMENTS_VIEW, "POST": Action.EVIDENCE_ADD}

    @extend_schema(operation_id="evidence_list", responses={200: dict})
    def get(self, request: Any, slug: str, assessment_id: Any, practice: str) -> Response:
        """The evidence of one practice."""
        one = selectors.assessment(request.organisation, assessment_id)
        responses.asked_practice(one, practice)
        return Response({"results": [shapes.evidence(row) for row in selectors.evidence_of(one, practice)]})

    @extend_schema(request=serializers.EvidenceNew, responses={201: dict})
    def post(self, request: Any, slug: str, assessment_id: Any, practice: str) -> Response:
        """Add a file (multipart) or a link."""
        one = selectors.assessment(request.organisation, assessment_id)
        data = checked(serializers.EvidenceNew(data=request.data))
        row = evidence_services.add(
            assessment=one,
            practice_id=practice,
            actor=request.user,
            submission=evidence_services.Submission(
                kind=data["kind"],
                title=data.get("title", ""),
                effective_at=data["effective_at"],
                clause=data.get("clause", ""),
                url=data.get("url", ""),
                file=data.get("file"),
            ),
        )
        return Response({"evidence": shapes.evidence(row), **practice_state(one, practice)}, status=201)


class EvidenceVerify(APIView):
    required_actions = {"POST": Action.EVIDENCE_VERIFY}

    @extend_schema(request=None, responses={200: dict})
    def post(self, request: Any, slug: str, assessment_id: Any, evidence_id: Any) -> Response:
        """Vouch for evidence that somebody else brought."""
        row = selectors.evidence(request.organisation, assessment_id, evidence_id)
        evidence_services.verify(evidence=row, actor=request.user)
        return Response({"evidence": shapes.evidence(row), **practice_state(row.assessment, row.practice)})


class EvidenceWithdraw(APIView):
    required_actions = {"POST": Action.EVIDENCE_ADD}

    @extend_schema(request=None, responses={200: dict})
    def post(self, request: Any, slug: str, assessment_id: Any, evidence_id: Any) -> Response:
        """Take evidence out of the score; the record stays."""
        row = selectors.evidence(request.organisation, assessment_id, evidence_id)
        evidence_services.withdraw(evidence=row, actor=request.user)
        return Response({"evidence": shapes.evidence(row), **practice_state(row.assessment, row.practice)})

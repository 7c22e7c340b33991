"""The score of a planned state, made by `score` itself: hypothetical answers in, scorecard out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from assessments.domain.answers import Answer
from assessments.domain.evidence import CEILINGS, EvidenceItem
from assessments.domain.matrix import HIGHEST_LEVEL, EvidenceKind, Matrix, Profile, Scope
from assessments.domain.scoring import Scorecard, score
from llm_remediation.domain.refusals import BadPlanInput

PLANNED_SOURCE = "planned"


@dataclass(frozen=True)  # no slots: the card of today is kept
class Situation:
    """Where a roadmap starts: everything that `score` takes, at one moment."""

    matrix: Matrix
    answers: tuple[Answer, ...]
    as_of: datetime
    profile: Profile | None = None
    scope: Scope = Scope.full

    @cached_property
    def today(self) -> Scorecard:
        """The score as it stands."""
        return self._score(self.answers)

    def card_at(self, levels: Mapping[str, int]) -> Scorecard:
        """The score once the practices of `levels` are *current* at these levels, all others unchanged.

        Each of these answers claims the level and gets one piece of verified evidence, dated `as_of`, of
        the lowest kind that carries it. The rest of the answer stays, so a level claimed already stays.

        Raises:
            BadPlanInput: an unknown or unanswered practice, or a level outside 1 to 5.
        """
        if not levels:
            return self.today
        claimed = {name: result.claimed for name, result in self.today.practices.items()}
        for name, level in levels.items():
            place = f"levels[{name}]"
            if claimed.get(name) is None:
                raise BadPlanInput("practice_not_answered", f"{name} has no level to raise", place=place)
            if not 1 <= level <= HIGHEST_LEVEL:
                raise BadPlanInput("level_out_of_range", f"{place} must be 1 to {HIGHEST_LEVEL}", place=place)
        return self._score(
            tuple(
                answer
                if answer.practice not in levels
                else self._raised(answer, levels[answer.practice], claimed[answer.practice] or 0)
                for answer in self.answers
            )
        )

    def _raised(self, answer: Answer, level: int, claimed: int) -> Answer:
        proof = EvidenceItem(proof_of(level), self.as_of, verified=True, source=PLANNED_SOURCE)
        return replace(answer, level=max(level, claimed), clauses=None, evidence=(*answer.evidence, proof))

    def _score(self, answers: tuple[Answer, ...]) -> Scorecard:
        return score(self.matrix, answers, profile=self.profile, scope=self.scope, as_of=self.as_of)


def proof_of(level: int) -> EvidenceKind:
    """The evidence kind that a step to `level` is proven with: the lowest whose ceiling reaches it.

    Level 1 would stand without evidence; the level scale still asks for a dated artefact (E1).
    """
    enough = [kind for kind in EvidenceKind if CEILINGS[kind] >= level and kind is not EvidenceKind.E0]
    return min(enough, key=lambda kind: (CEILINGS[kind], kind.value))

"""What is wrong with a matrix or with a file of answers: every problem, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from portal.errors import Invalid


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A broken rule of the matrix: file, line (from 1; 0 = the file as a whole), rule code, sentence."""

    file: str
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class AnswerProblem:
    """A broken rule in a list of answers: place like `answers[3].evidence[0].kind`, code, sentence."""

    place: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class MatrixErrors(Invalid):
    """The matrix cannot be used; `problems` holds all of them in file and line order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__(
            "matrix.invalid",
            f"The matrix has {len(self.problems)} problem(s).",
            extra={"problems": [str(each) for each in self.problems]},
        )

    def __str__(self) -> str:
        return "\n".join([self.message, *(str(each) for each in self.problems)])


class AnswerErrors(Invalid):
    """The answers cannot be used; `problems` holds all of them in the order of the file."""

    def __init__(self, problems: Iterable[AnswerProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            "answers.invalid",
            f"The answers have {len(self.problems)} problem(s).",
            place=self.problems[0].place if self.problems else None,
            extra={"problems": [str(each) for each in self.problems]},
        )

    def __str__(self) -> str:
        return "\n".join([self.message, *(str(each) for each in self.problems)])

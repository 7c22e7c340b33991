"""The matrix that comes with the product."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from assessments.domain.loader import load_folder
from assessments.domain.matrix import Matrix

FOLDER = Path(__file__).parents[1] / "matrix" / "v2_3"
# Name on the command line to loader; a further version adds a folder and a line.
NAMES = ("v2.3",)


@lru_cache(maxsize=1)
def v2_3() -> Matrix:
    """Matrix V2.3, read once. Raises MatrixErrors where the files have been damaged."""
    return load_folder(FOLDER)

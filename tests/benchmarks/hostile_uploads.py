"""How long hostile uploads take to be refused: `python -m tests.benchmarks.hostile_uploads`; 1 above 2 s."""

from __future__ import annotations

import os
import time

MOST_SECONDS = 2.0


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings_test")
    import django

    django.setup()
    from assessments.domain.checking import check_documents
    from assessments.domain.matrix_files import read_upload
    from assessments.domain.tree_reading import from_yaml
    from assessments.domain.trees import Pairs
    from frontend.workbooks import read_workbook
    from portal.errors import Refused
    from tests.assessments.domain import hostile_files, small_matrix

    defaults = from_yaml("matrix.yaml", small_matrix.texts()["matrix.yaml"])
    assert isinstance(defaults, Pairs)
    slow = 0
    corpus = {
        **hostile_files.corpus(),
        "long clauses": ([("a.json", hostile_files.long_clauses())], "warnings"),
    }
    for name, (files, _rule) in corpus.items():
        start = time.perf_counter()
        try:
            found = read_upload(files, read_workbook, defaults)
            outcome = f"{check_documents(found.documents or {}).warning_count} warnings"
        except Refused as refused:
            outcome = f"{refused.place}: {refused.code}"
        seconds = time.perf_counter() - start
        slow += seconds > MOST_SECONDS
        print(f"{seconds:6.3f} s  {sum(len(data) for _name, data in files):>9} B  {name}: {outcome}")
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())

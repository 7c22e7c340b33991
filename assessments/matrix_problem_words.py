"""What each rule for an uploaded matrix, overlay, workbook or migration map wants, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

# Files, and their texts as YAML, JSON or XLSX.
FILES: dict[str, Any] = {
    "file.missing": gettext_lazy("Every file of the matrix must be there."),
    "file.unknown": gettext_lazy(
        "Only the files of a matrix may be sent, and not the list of NIST controls."
    ),
    "file.unreadable": gettext_lazy("The file must be readable, as text in UTF-8."),
    "file.count": gettext_lazy("At most 12 files are sent at a time."),
    "file.duplicate": gettext_lazy("Every file is sent only once."),
    "file.size": gettext_lazy("The files together have at most 2 MB."),
    "file.empty": gettext_lazy("The file must not be empty."),
    "file.encoding": gettext_lazy("Save the file as UTF-8."),
    "file.values": gettext_lazy("An upload has at most 60,000 values or cells."),
    "file.depth": gettext_lazy("Values are nested at most 14 levels deep."),
    "yaml.syntax": gettext_lazy("The file must be correct YAML."),
    "yaml.empty": gettext_lazy("The YAML file must not be empty."),
    "yaml.size": gettext_lazy("A YAML file has at most 2 MB and 200,000 values."),
    "yaml.depth": gettext_lazy("YAML is nested at most 20 levels deep."),
    "yaml.alias": gettext_lazy("YAML anchors (&) and aliases (*) are not allowed: write the value out."),
    "yaml.tag": gettext_lazy("YAML tags (!) are not allowed: write the plain value."),
    "yaml.duplicate-key": gettext_lazy("A key stands only once in its mapping."),
    "json.syntax": gettext_lazy("The text must be correct JSON."),
    "workbook.size": gettext_lazy(
        "A workbook unpacks to at most 6 MB and has no more cells than a matrix needs."
    ),
    "workbook.entities": gettext_lazy(
        "Parts of the workbook are UTF-8 and declare no document type or entities."
    ),
    "workbook.unreadable": gettext_lazy("The file must be a readable XLSX workbook; save it anew."),
    "workbook.encrypted": gettext_lazy("Remove the password from the workbook."),
    "workbook.parts": gettext_lazy(
        "A workbook has only cells: no macros, external links or embedded objects."
    ),
    "sheet.unknown": gettext_lazy("A workbook has only the sheets of a matrix; check the name of the sheet."),
    "sheet.missing": gettext_lazy("A sheet that every matrix needs is missing from the workbook."),
    "sheet.column": gettext_lazy(
        "Every column has one of the known headers, each only once; the first is needed."
    ),
}

# Keys, values and the index of a matrix.
INDEX: dict[str, Any] = {
    "schema.missing-key": gettext_lazy("Add the key that is needed here."),
    "schema.unknown-key": gettext_lazy("Only known keys stand here; check the spelling."),
    "schema.type": gettext_lazy(
        "The value must be of the kind asked here: text in quotes, number, true or false, list or mapping."
    ),
    "schema.value": gettext_lazy(
        "The value must be one that is allowed here: not empty, in range, known, and not repeated."
    ),
    "text.missing-translation": gettext_lazy("Every text is there in English (en) and in Chinese (zh)."),
    "text.length": gettext_lazy(
        "A text has at most 2,000 characters; name, version and reason of an overlay have at most 120."
    ),
    "text.character": gettext_lazy("A text holds no control characters and none that turn its direction."),
    "matrix.format": gettext_lazy("The file says which format it has, and holds documents of a matrix."),
    "matrix.same": gettext_lazy("The shipped matrix need not be uploaded: it is there already."),
    "version.taken": gettext_lazy("A version name means one content: choose another name."),
    "version.length": gettext_lazy("A version name has at most 20 characters, all of them visible."),
    "levels.steps": gettext_lazy("The levels are 0 to 5, each once and in order."),
    "evidence.kinds": gettext_lazy("The kinds of evidence are E0 to E5, each once and in order."),
    "evidence.rule": gettext_lazy(
        "Ceiling and days of a kind of evidence are those that scoring counts with."
    ),
    "core.mismatch": gettext_lazy("Index, quick scan and practice must agree on which practices are core."),
    "quick.swap": gettext_lazy(
        "A practice of the quick scan is swapped for one of its dimension that the scan does not ask yet."
    ),
    "nist.syntax": gettext_lazy("The id of a NIST control reads like CP-2 or CP-2(8)."),
    "nist.unknown": gettext_lazy("The NIST control must be in the list of controls."),
}

# Practices and their parts.
PRACTICES: dict[str, Any] = {
    "practice.id": gettext_lazy("The id of a practice reads like REL-04."),
    "practice.dimension": gettext_lazy("A practice stands in the file of its own dimension."),
    "practice.duplicate": gettext_lazy("Every practice is there only once."),
    "practice.unknown": gettext_lazy(
        "A practice must be in the index of the matrix, or on the sheet Practices of a workbook."
    ),
    "practice.missing": gettext_lazy("Every practice of the index is defined in the file of its dimension."),
    "clause.id": gettext_lazy(
        "Clause ids read like REL-04.L3.b; the letters of a level run from a without a gap."
    ),
    "clause.order": gettext_lazy("Clauses stand in the order of their levels."),
    "clause.count": gettext_lazy("A level has at most 3 clauses."),
    "clause.level-missing": gettext_lazy("A practice with clauses has one on each of the levels 1 to 5."),
    "clause.tags": gettext_lazy("Every level has at least one clause without tags, which always counts."),
    "rulings.count": gettext_lazy("A practice with clauses has at least 2 rulings on borderline cases."),
    "protocol.days": gettext_lazy("A drill is repeated every 30, 90, 180 or 365 days."),
    "protocol.steps": gettext_lazy("The protocol of a drill has 3 to 7 steps."),
    "kpi.targets": gettext_lazy("A KPI has one target each for the levels 3, 4 and 5."),
    "kpi.target": gettext_lazy(
        "A KPI target has the bounds that its comparison takes; share and window are possible values."
    ),
    "answers_by.source": gettext_lazy(
        "An answer comes from either a fault (such as F2) or a drill; only a drill has a protocol."
    ),
    "answers_by.clause": gettext_lazy("A fault or drill names only clauses of its own practice."),
    "effort.steps": gettext_lazy("The effort has one step to each of the levels 1 to 5, in order."),
    "effort.days": gettext_lazy("Effort in days is low, likely and high, rising; nothing is negative."),
    "needs.unknown": gettext_lazy("A prerequisite must be a practice of this matrix."),
    "needs.duplicate": gettext_lazy("A practice names each prerequisite only once."),
    "needs.cycle": gettext_lazy("No chain of prerequisites may lead back to its start."),
    "needs.count": gettext_lazy("A practice has at most 20 prerequisites."),
}

OVERLAYS: dict[str, Any] = {
    "overlay.format": gettext_lazy("An overlay says format: ballast-overlay/1."),
    "overlay.base": gettext_lazy("The base of the overlay must be a version that this organisation can use."),
    "overlay.provenance": gettext_lazy("Every change says who made it (provenance: by)."),
    "overlay.twice": gettext_lazy("An overlay changes each practice only once."),
    "overlay.practice": gettext_lazy("An overlay ignores and replaces only practices of its base."),
    "overlay.replace": gettext_lazy(
        "A replacement gives a whole practice (with) or parts (set, clauses, targets), and keeps the id."
    ),
    "overlay.add": gettext_lazy("A practice that is added has a new id, such as REL-09."),
    "overlay.clause": gettext_lazy(
        "A change names a clause of the practice and gives either set or remove: true."
    ),
    "overlay.target": gettext_lazy(
        "A change names a KPI target that the practice has, and says what to set."
    ),
    "overlay.size": gettext_lazy("The list is too long: spread the changes over several overlays."),
}

# Writing rules.
WRITING: dict[str, Any] = {
    "lint.length": gettext_lazy("A clause has at most 45 English words and 90 Chinese characters."),
    "lint.vague": gettext_lazy("A clause has a number or a named artefact."),
    "lint.period": gettext_lazy("A period is 30, 90, 180 or 365 days, or 120 or 300 seconds."),
    "lint.banned-word": gettext_lazy("No words that two raters would read differently."),
    "lint.unquantified": gettext_lazy("“Monitored” and “tested” stand only beside a number."),
    "lint.and-or": gettext_lazy("Write “and” or “or”, not “and/or”."),
    "lint.double-negative": gettext_lazy("No double negative: say what is the case."),
    "lint.product": gettext_lazy("A clause names no product; it says what the product does."),
    "lint.number-word": gettext_lazy("Write numbers in digits."),
    "lint.parity": gettext_lazy("English and Chinese hold the same numbers."),
    "lint.feeling": gettext_lazy(
        "Nobody's feeling for what matters: only “in-scope” and “tier-1” are defined."
    ),
    "lint.repeats": gettext_lazy(
        "A clause asks for more than one of a lower level, not the same with a stronger adverb."
    ),
}

# The map of a migration.
MAPS: dict[str, Any] = {
    "type": gettext_lazy(
        "A map is a JSON object: practices and clauses from old id to new id, confirmed as a list of ids."
    ),
    "unknown_key": gettext_lazy("A map has only the keys practices, clauses and confirmed."),
    "size": gettext_lazy("A part of a map has at most 5,000 entries."),
    "practice_unknown_old": gettext_lazy("The map names a practice that the old version does not have."),
    "practice_unknown_new": gettext_lazy("The map goes to a practice that the new version does not have."),
    "clause_unknown_old": gettext_lazy("The map names a clause that the old version does not have."),
    "clause_unknown_new": gettext_lazy("The map goes to a clause that the new version does not have."),
    "clause_foreign": gettext_lazy(
        "A clause goes only to a clause of a practice that its own practice goes to."
    ),
    "confirm_unknown": gettext_lazy("Only clauses and practices of the old version can be confirmed."),
}

WORDS = {**FILES, **INDEX, **PRACTICES, **OVERLAYS, **WRITING, **MAPS}


def explained(problem: Mapping[str, str]) -> dict[str, str]:
    """A problem in its JSON form (`rule` or `code`, `message`) with `explanation`, what its rule wants.

    The reader of workbooks says what it refuses in the reader's language: there both are the same.
    """
    code = problem.get("rule") or problem.get("code", "")
    return {**problem, "explanation": str(WORDS.get(code, problem["message"]))}

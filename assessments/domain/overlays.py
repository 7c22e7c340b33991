"""Overlays: local additions, replacements and omissions over a base matrix, each with its provenance.

An overlay never edits the base. It is applied to the documents of the base and gives a full set of documents,
which the loader and the linter then check like any other; what follows from a change (a prerequisite that
went with its practice, a clause that moved up a letter) is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assessments.domain import overlay_parts as parts
from assessments.domain.dimensions import FILES, Dimension
from assessments.domain.loader import INDEX_FILE
from assessments.domain.tree_reading import Finding, UploadErrors
from assessments.domain.trees import Items, Pairs, Tree, items_of, text_of, tree_of

FORMAT = "ballast-overlay/1"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a practice comes from: `base`, `replaced` or `added`, by whom, on what ground.

    `parts` are the keys or clause ids that a replacement touched; empty where the whole practice changed.
    """

    change: str
    matrix: str
    by: str = ""
    source: str = ""
    why: str = ""
    parts: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "change": self.change,
            "matrix": self.matrix,
            "by": self.by,
            "source": self.source,
            "why": self.why,
            "parts": list(self.parts),
        }


@dataclass(frozen=True, slots=True)
class Ignored:
    """A practice that the overlay leaves out, with the reason."""

    practice: str
    reason: str
    by: str
    source: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The result: documents, provenance by practice (oldest first), what is left out and what followed.

    `consequences` are pairs of code and subject: `need_removed` (`REL-02 → REL-01`), `core_removed`,
    `swap_removed`, `clause_renamed` (`REL-04.L3.c → REL-04.L3.b`), `answer_removed`.
    """

    documents: dict[str, Tree]
    provenance: dict[str, tuple[Provenance, ...]]
    ignored: tuple[Ignored, ...]
    consequences: tuple[tuple[str, str], ...]
    name: str
    version: str
    base: str


@dataclass(slots=True)
class _Work:
    """The base while it is being changed."""

    documents: dict[str, Tree]
    overlay: parts.Entry
    base_name: str
    provenance: dict[str, tuple[Provenance, ...]]
    findings: list[Finding] = field(default_factory=list)
    consequences: list[tuple[str, str]] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    touched: dict[str, str] = field(default_factory=dict)


def is_overlay(tree: Tree) -> bool:
    """Whether a document says that it is an overlay."""
    return isinstance(tree, Pairs) and text_of(tree.get("format")).startswith("ballast-overlay/")


def base_named(tree: Tree) -> str:
    """The version or SHA-256 of the base that an overlay asks for; empty where it names none."""
    return text_of(tree.get("base")) if isinstance(tree, Pairs) else ""


def apply_overlay(
    documents: Mapping[str, Tree],
    overlay: Tree,
    *,
    base_version: str,
    base_sha256: str,
    inherited: Mapping[str, Iterable[Provenance]] | None = None,
) -> Applied:
    """Apply an overlay to the documents (file name to tree) of its base.

    `inherited` is the provenance of the base where it came from an overlay itself. Raises UploadErrors with
    everything that is wrong with the overlay as an overlay; whether the result is a matrix, the loader says.
    """
    findings: list[Finding] = []
    top = parts.Entry.read(overlay, "overlay", findings)
    base_name = f"V{base_version} {base_sha256[:12]}"
    known = {text_of(each.get("id")): each for each in parts.practices(documents)}
    work = _Work(dict(documents), top, base_name, {}, findings)
    for name in known:
        before = tuple((inherited or {}).get(name, ()))
        work.provenance[name] = before or (Provenance("base", base_name),)
    if text_of(top.required("format")) != FORMAT:
        top.report("overlay.format", f"format must be {FORMAT}", "format")
    _check_base(top, base_version, base_sha256)
    name, version = parts.words(top, "name"), parts.words(top, "version")
    shared = parts.provenance(top.optional("provenance"), findings)
    for key, change in (("ignore", _ignore), ("replace", _replace), ("add", _add)):
        for each in parts.listed(top, key, parts.MAX_CHANGES):
            entry = parts.Entry.read(each, key, findings)
            own = parts.provenance(entry.optional("provenance"), findings, shared)
            if not own.get("by") and entry.usable:
                entry.report("overlay.provenance", "says nowhere who made this change (provenance: by)")
            change(work, entry, own)
            entry.finish()
    top.finish()
    if findings:
        raise UploadErrors(findings)
    index = work.documents[INDEX_FILE]
    if isinstance(index, Pairs):
        place = parts.place_of(top.optional("version")) or index.place
        work.documents[INDEX_FILE] = index.with_("version", tree_of(version, place))
    return Applied(
        documents=work.documents,
        provenance=work.provenance,
        ignored=tuple(work.ignored),
        consequences=tuple(work.consequences),
        name=name,
        version=version,
        base=base_sha256,
    )


def _check_base(top: parts.Entry, version: str, sha256: str) -> None:
    wanted = text_of(top.required("base"))
    long_enough = len(wanted) >= 12 and sha256.startswith(wanted)
    if wanted and wanted != version and not long_enough:
        top.report("overlay.base", f"is meant for {wanted}, not for V{version} ({sha256[:12]})", "base")


def _once(work: _Work, entry: parts.Entry, name: str, verb: str) -> bool:
    """Whether this is the first whole change of a practice; a second one is a contradiction."""
    if name in work.touched:
        entry.report("overlay.twice", f"{name} is already {work.touched[name]} by this overlay")
        return False
    work.touched[name] = verb
    return True


def _known(work: _Work, entry: parts.Entry) -> Pairs | None:
    """The practice that an entry names; a finding where the base lacks it."""
    name = text_of(entry.required("practice"))
    found = next((each for each in parts.practices(work.documents) if text_of(each.get("id")) == name), None)
    if found is None and entry.usable and name:
        entry.report("overlay.practice", f"the base has no practice {name}", "practice")
    return found


def _ignore(work: _Work, entry: parts.Entry, own: Mapping[str, str]) -> None:
    reason = parts.words(entry, "reason")
    found = _known(work, entry)
    if found is None:
        return
    name = text_of(found.get("id"))
    if not _once(work, entry, name, "ignored"):
        return
    parts.change_practices(work.documents, name, lambda _old: None)
    work.consequences.extend(parts.drop_references(work.documents, name))
    work.provenance.pop(name, None)
    work.ignored.append(Ignored(name, reason, own.get("by", ""), own.get("source", "")))


def _replace(work: _Work, entry: parts.Entry, own: Mapping[str, str]) -> None:
    found = _known(work, entry)
    whole, some = entry.optional("with"), entry.optional("set")
    clauses, targets = entry.optional("clauses"), entry.optional("targets")
    if found is None:
        return
    name = text_of(found.get("id"))
    touched: list[str] = []
    if not _once(work, entry, name, "replaced"):
        return
    if whole is not None:
        if some is not None or clauses is not None or targets is not None:
            entry.report("overlay.replace", "“with” replaces the whole practice; it stands alone", "with")
        changed = _whole(entry, name, whole)
    elif some is None and clauses is None and targets is None:
        entry.report("overlay.replace", "says nothing to replace: with, set, clauses or targets")
        return
    else:
        patched, touched = parts.patched(found, entry)
        changed, renamed = parts.renumbered(patched)
        work.consequences.extend(renamed)
    parts.change_practices(work.documents, name, lambda _old: changed)
    # What is core is said in three places; a replacement changes none of them.
    parts.keep_core(work.documents, name)
    before = work.provenance[name]
    work.provenance[name] = (*before, _said("replaced", work, own, touched))


def _whole(entry: parts.Entry, name: str, whole: Tree) -> Tree:
    """A replacement of the whole practice; its id may be left out."""
    if isinstance(whole, Pairs) and text_of(whole.get("id")) not in ("", name):
        entry.report("overlay.replace", f"the id of the replacement must stay {name}", "with")
    if isinstance(whole, Pairs) and whole.get("id") is None:
        whole = whole.with_("id", tree_of(name, whole.place))
    return whole


def _said(change: str, work: _Work, own: Mapping[str, str], touched: Iterable[str] = ()) -> Provenance:
    by, source, why = (own.get(key, "") for key in parts.PROVENANCE_KEYS)
    return Provenance(change, work.base_name, by, source, why, tuple(touched))


def _add(work: _Work, entry: parts.Entry, own: Mapping[str, str]) -> None:
    whole = entry.required("practice")
    if not isinstance(whole, Pairs):
        if whole is not None:
            entry.report("schema.type", "practice must be a mapping", "practice")
        return
    name = text_of(whole.get("id"))
    prefix = name.partition("-")[0]
    if prefix not in {each.value for each in Dimension}:
        entry.report("overlay.add", "the new practice needs an id such as REL-09", "practice")
        return
    if name in work.provenance or not _once(work, entry, name, "added"):
        entry.report("overlay.add", f"{name} exists already", "practice")
        return
    file = FILES[Dimension(prefix)]
    document = work.documents[file]
    if isinstance(document, Pairs):
        listed = items_of(document.get("practices"))
        work.documents[file] = document.with_("practices", Items((*listed, whole), document.place))
    parts.list_practice(work.documents, whole, name)
    work.provenance[name] = (_said("added", work, own),)

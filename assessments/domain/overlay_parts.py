"""The pieces of an overlay: entries with known keys, parts of a practice, and where a practice is named."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from assessments.domain.dimensions import FILES
from assessments.domain.loader import INDEX_FILE
from assessments.domain.tree_reading import Finding
from assessments.domain.trees import Items, Leaf, Pairs, Tree, items_of, plain_value, text_of, tree_of

# Keys of a practice that an overlay may set one by one; clauses and targets have their own form.
SETTABLE = (
    *("title", "question", "why", "proof", "rulings", "kpi", "signals", "answers_by", "needs", "tension"),
    *("ask", "for", "tags", "nist", "xref", "effort", "weight"),
)
CLAUSE_KEYS = ("en", "zh", "evidence", "tags")
TARGET_KEYS = ("op", "value", "low", "high", "unit", "window", "share", "text", "also")
PROVENANCE_KEYS = ("by", "source", "why")
# More than anybody would change at a time; a list is read again for every change, so it must be short.
MAX_CHANGES = 500
MAX_PARTS = 60


@dataclass(slots=True)
class Entry:
    """A mapping of an overlay whose keys are known in advance; `finish` reports those nobody asked for."""

    tree: Pairs
    what: str
    findings: list[Finding]
    asked: set[str] = field(default_factory=set)
    usable: bool = True

    @classmethod
    def read(cls, tree: Tree, what: str, findings: list[Finding]) -> Entry:
        """Open a tree as a mapping; anything else, and a key written twice, is a finding."""
        if not isinstance(tree, Pairs):
            findings.append(Finding(tree.place, "schema.type", f"{what} must be a mapping"))
            return cls(Pairs((), tree.place), what, findings, usable=False)
        seen: set[str] = set()
        for name, _value in tree.pairs:
            if name.text in seen:
                message = f"{what}: key {name.text!r:.80} appears more than once"
                findings.append(Finding(name.place, "yaml.duplicate-key", message))
            seen.add(name.text)
        return cls(tree, what, findings)

    def report(self, rule: str, message: str, key: str | None = None) -> None:
        """Note a finding at the place of a key's value, or of the entry."""
        found = self.tree.get(key) if key else None
        place = found.place if found is not None else self.tree.place
        self.findings.append(Finding(place, rule, f"{self.what}: {message}"))

    def optional(self, key: str) -> Tree | None:
        """The value of a key, or None."""
        self.asked.add(key)
        return self.tree.get(key)

    def required(self, key: str) -> Tree | None:
        """The value of a key; absence is a finding."""
        found = self.optional(key)
        if found is None and self.usable:
            self.report("schema.missing-key", f"key {key!r} is missing")
        return found

    def finish(self) -> None:
        """Report keys that nobody asked for."""
        for name, _value in self.tree.pairs:
            if name.text not in self.asked:
                known = ", ".join(sorted(self.asked))
                message = f"{self.what}: unknown key {name.text!r:.80} (known: {known})"
                self.findings.append(Finding(name.place, "schema.unknown-key", message))


def place_of(tree: Tree | None) -> str:
    """The place of a tree, or an empty text."""
    return tree.place if tree is not None else ""


def words(entry: Entry, key: str, *, most: int = 120) -> str:
    """A required text that is not blank; an empty one (and a finding) for anything else."""
    found = entry.required(key)
    if found is None:
        return ""
    if not isinstance(found, Leaf) or found.plain or not found.text.strip():
        entry.report("schema.type", f"{key} must be a text (write it in quotes)", key)
        return ""
    if len(found.text) > most:
        entry.report("text.length", f"{key} has more than {most} characters", key)
    return found.text.strip()


def listed(entry: Entry, key: str, most: int) -> tuple[Tree, ...]:
    """The items of a list that may be absent; anything else, and a longer list, is a finding."""
    found = entry.optional(key)
    if found is not None and not isinstance(found, Items):
        entry.report("schema.type", f"{key} must be a list", key)
    if len(items_of(found)) > most:
        entry.report("overlay.size", f"{key} has more than {most} entries", key)
        return ()
    return items_of(found)


def provenance(
    tree: Tree | None, findings: list[Finding], shared: Mapping[str, str] | None = None
) -> dict[str, str]:
    """`by`, `source` and `why`; what an entry leaves out comes from the overlay as a whole."""
    found = dict(shared or {})
    if tree is None:
        return found
    entry = Entry.read(tree, "provenance", findings)
    for key in PROVENANCE_KEYS:
        value = entry.optional(key)
        if value is None:
            continue
        if not isinstance(value, Leaf) or value.plain or not value.text.strip():
            entry.report("schema.type", f"{key} must be a text (write it in quotes)", key)
        else:
            found[key] = value.text.strip()[:500]
    entry.finish()
    return found


# -- parts of a practice ----------------------------------------------------------------------------------


def patched(practice: Pairs, change: Entry) -> tuple[Pairs, list[str]]:
    """A practice with the parts replaced that `set`, `clauses` and `targets` name, and which those were."""
    some, findings = change.optional("set"), change.findings
    touched: list[str] = []
    if some is not None:
        entry = Entry.read(some, "set", findings)
        for key in SETTABLE:
            value = entry.optional(key)
            if value is not None:
                practice = practice.with_(key, value)
                touched.append(key)
        entry.finish()
    for each in listed(change, "clauses", MAX_PARTS):
        practice = _clause(practice, Entry.read(each, "clauses", findings), touched)
    for each in listed(change, "targets", MAX_PARTS):
        practice = _target(practice, Entry.read(each, "targets", findings), touched)
    return practice, touched


def _clause(practice: Pairs, entry: Entry, touched: list[str]) -> Pairs:
    """One change of the list of clauses: `add`, or `id` with `set` or `remove: true`."""
    old = list(items_of(practice.get("clauses")))
    place = entry.tree.place
    added = entry.optional("add")
    if added is not None:
        entry.finish()
        level = _level(added)
        # Behind the last clause of its level; the order within a level is the order of the letters.
        at = sum(1 for each in old if _level(each) <= level)
        touched.append(text_of(added.get("id")) if isinstance(added, Pairs) else "clauses")
        return practice.with_("clauses", Items((*old[:at], added, *old[at:]), place))
    name = text_of(entry.required("id"))
    changes, remove = entry.optional("set"), entry.optional("remove")
    entry.finish()
    at = next(
        (n for n, each in enumerate(old) if isinstance(each, Pairs) and text_of(each.get("id")) == name), -1
    )
    if at < 0:
        if name:
            entry.report("overlay.clause", f"the practice has no clause {name}", "id")
        return practice
    if (changes is None) == (remove is None) or (remove is not None and plain_value(remove) is not True):
        entry.report("overlay.clause", f"{name}: give either set or remove: true")
        return practice
    touched.append(name)
    if changes is None:
        return practice.with_("clauses", Items((*old[:at], *old[at + 1 :]), place))
    new = _set(old[at], changes, CLAUSE_KEYS, entry.findings)
    return practice.with_("clauses", Items((*old[:at], new, *old[at + 1 :]), place))


def _target(practice: Pairs, entry: Entry, touched: list[str]) -> Pairs:
    """One KPI target: `level` and `set`; a key set to null is taken away."""
    wanted, changes = entry.required("level"), entry.required("set")
    entry.finish()
    kpi = practice.get("kpi")
    old = list(items_of(kpi.get("targets"))) if isinstance(kpi, Pairs) else []
    level = _level(entry.tree)
    at = next((n for n, each in enumerate(old) if _level(each) == level), -1)
    if not isinstance(kpi, Pairs) or at < 0 or wanted is None or changes is None:
        entry.report("overlay.target", f"the practice has no KPI target for level {level}", "level")
        return practice
    touched.append(f"target {level}")
    new = _set(old[at], changes, TARGET_KEYS, entry.findings)
    made = Items((*old[:at], new, *old[at + 1 :]), entry.tree.place)
    return practice.with_("kpi", kpi.with_("targets", made))


def _set(old: Tree, changes: Tree, keys: Iterable[str], findings: list[Finding]) -> Tree:
    entry = Entry.read(changes, "set", findings)
    for key in keys:
        value = entry.optional(key)
        if value is None or not isinstance(old, Pairs):
            continue
        old = old.without(key) if plain_value(value) is None else old.with_(key, value)
    entry.finish()
    return old


def _level(tree: Tree) -> int:
    """The `level` of a clause or target; 0 where it has none that is a whole number."""
    value = plain_value(tree).get("level") if isinstance(tree, Pairs) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def renumbered(practice: Tree) -> tuple[Tree, list[tuple[str, str]]]:
    """The practice with clause letters without a gap, as the format wants it, and what was renamed.

    References in `answers_by` follow; those to a clause that is gone are dropped.
    """
    if not isinstance(practice, Pairs) or not isinstance(practice.get("clauses"), Items):
        return practice, []
    name = text_of(practice.get("id"))
    counts: dict[int, int] = {}
    renamed: dict[str, str] = {}
    kept: list[Tree] = []
    for each in items_of(practice.get("clauses")):
        level = _level(each)
        nth = counts.get(level, 0)
        counts[level] = nth + 1
        if isinstance(each, Pairs) and level and nth < len(string.ascii_lowercase):
            expected = f"{name}.L{level}.{string.ascii_lowercase[nth]}"
            renamed.setdefault(text_of(each.get("id")), expected)
            each = each.with_("id", tree_of(expected, place_of(each.get("id")) or each.place))
        kept.append(each)
    clauses = practice.get("clauses")
    practice = practice.with_("clauses", Items(tuple(kept), place_of(clauses)))
    notes = [("clause_renamed", f"{old} → {new}") for old, new in renamed.items() if old and old != new]
    answers = practice.get("answers_by")
    if isinstance(answers, Items):
        followed, dropped = _follow(answers, renamed, name)
        practice = practice.with_("answers_by", followed)
        notes.extend(dropped)
    return practice, notes


def _follow(answers: Items, renamed: Mapping[str, str], name: str) -> tuple[Items, list[tuple[str, str]]]:
    """`answers_by` with renamed clauses; only clauses of this practice that are gone are dropped."""
    found: list[Tree] = []
    notes = []
    for each in answers.items:
        listed_clauses = each.get("clauses") if isinstance(each, Pairs) else None
        if not isinstance(each, Pairs) or not isinstance(listed_clauses, Items):
            found.append(each)
            continue
        left = tuple(
            tree_of(renamed[text_of(one)], one.place)
            for one in listed_clauses.items
            if text_of(one) in renamed
        )
        if left or not listed_clauses.items:
            found.append(each.with_("clauses", Items(left, listed_clauses.place)))
        else:
            notes.append(("answer_removed", f"{name}: {text_of(each.get('fault')) or 'drill'}"))
    return Items(tuple(found), answers.place), notes


# -- where a practice is named ----------------------------------------------------------------------------


def practices(documents: Mapping[str, Tree]) -> list[Pairs]:
    """Every practice of the documents, by dimension."""
    found: list[Pairs] = []
    for name in FILES.values():
        document = documents.get(name)
        if isinstance(document, Pairs):
            found.extend(each for each in items_of(document.get("practices")) if isinstance(each, Pairs))
    return found


def change_practices(
    documents: dict[str, Tree], name: str | None, change: Callable[[Pairs], Tree | None]
) -> None:
    """Put `change(practice)` in the place of a practice (None: every one); None takes it away."""
    for file in FILES.values():
        document = documents.get(file)
        if not isinstance(document, Pairs) or not isinstance(document.get("practices"), Items):
            continue
        old = items_of(document.get("practices"))
        new: list[Tree] = []
        for each in old:
            hit = isinstance(each, Pairs) and (name is None or text_of(each.get("id")) == name)
            made = change(each) if hit and isinstance(each, Pairs) else each
            if made is not None:
                new.append(made)
        if tuple(new) != old:
            documents[file] = document.with_(
                "practices", Items(tuple(new), place_of(document.get("practices")))
            )


def drop_references(documents: dict[str, Tree], name: str) -> list[tuple[str, str]]:
    """Take a practice out of the index, the quick scan, its swaps and the prerequisites of others."""
    notes: list[tuple[str, str]] = []

    def without_need(practice: Pairs) -> Tree:
        needs = practice.get("needs")
        left = tuple(
            each
            for each in items_of(needs)
            if not (isinstance(each, Pairs) and text_of(each.get("practice")) == name)
        )
        if len(left) == len(items_of(needs)):
            return practice
        notes.append(("need_removed", f"{text_of(practice.get('id'))} → {name}"))
        return practice.with_("needs", Items(left, place_of(needs)))

    change_practices(documents, None, without_need)
    index = documents.get(INDEX_FILE)
    if not isinstance(index, Pairs):
        return notes
    entries = items_of(index.get("practices"))
    left = tuple(
        each for each in entries if not (isinstance(each, Pairs) and text_of(each.get("id")) == name)
    )
    index = index.with_("practices", Items(left, place_of(index.get("practices"))))
    quick = items_of(index.get("quick_scan"))
    if any(text_of(each) == name for each in quick):
        notes.append(("core_removed", name))
        kept = tuple(each for each in quick if text_of(each) != name)
        index = index.with_("quick_scan", Items(kept, place_of(index.get("quick_scan"))))
    swaps = index.get("quick_swaps_train")
    if isinstance(swaps, Pairs):
        gone = [key.text for key, value in swaps.pairs if name in (key.text, text_of(value))]
        for key in gone:
            notes.append(("swap_removed", key))
            swaps = swaps.without(key)
        index = index.with_("quick_swaps_train", swaps)
    documents[INDEX_FILE] = index
    return notes


def list_practice(documents: dict[str, Tree], whole: Pairs, name: str) -> None:
    """Add a new practice to the index, and to the quick scan where it says that it is core."""
    index = documents.get(INDEX_FILE)
    if not isinstance(index, Pairs):
        return
    core = plain_value(whole.get("core") or tree_of(False, whole.place)) is True
    entries = items_of(index.get("practices"))
    entry = tree_of({"id": name, "core": core}, whole.place)
    # Behind the last practice of its dimension.
    prefix = name.partition("-")[0] + "-"
    at = max(
        (
            number + 1
            for number, each in enumerate(entries)
            if isinstance(each, Pairs) and text_of(each.get("id")).startswith(prefix)
        ),
        default=len(entries),
    )
    index = index.with_(
        "practices", Items((*entries[:at], entry, *entries[at:]), place_of(index.get("practices")))
    )
    if core:
        quick = items_of(index.get("quick_scan"))
        made = Items((*quick, tree_of(name, whole.place)), place_of(index.get("quick_scan")))
        index = index.with_("quick_scan", made)
    documents[INDEX_FILE] = index


def keep_core(documents: dict[str, Tree], name: str) -> None:
    """Give a replaced practice the `core` of the index where it says nothing itself."""
    index = documents.get(INDEX_FILE)
    listed_core = next(
        (
            each.get("core")
            for each in items_of(index.get("practices") if isinstance(index, Pairs) else None)
            if isinstance(each, Pairs) and text_of(each.get("id")) == name
        ),
        None,
    )
    core = plain_value(listed_core) is True if listed_core is not None else False

    def with_core(practice: Pairs) -> Tree:
        return (
            practice
            if practice.get("core") is not None
            else practice.with_("core", tree_of(core, practice.place))
        )

    change_practices(documents, name, with_core)

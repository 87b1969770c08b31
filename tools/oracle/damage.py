"""Breaks one operation of a valid module at random and counts the operations that tdls still understands.

Usage, from the folder `tools`: ``python -m oracle.damage --edits 3000``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from oracle.corpus import corpus
from oracle.spelling import tokens
from oracle.tools import run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.diagnostic import Subject
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracle.corpus import CorpusModule
    from tdls.syntax.tree import Operation, Tree

KINDS = ("delete", "insert", "replace", "swap")
_INSERTED = (
    *"(){}[]<>,:=",
    *("->", "%0", "%undefined", "^bb9", "@name", '"text"', "42", "1.5", "i32", "!transform.any_op"),
    *("in", "failures", "transform.print", "attributes", "#map", "-", "*", "!", "loc("),
)
_UNKNOWN_DIALECT = ("not found for custom op", "unregistered dialect", "does not appear to be registered")
_LONGEST = 8000


@dataclass(frozen=True)
class Edit:
    """`text` is the module with `[start, end)` of `original` replaced; both lie in the operation `target`.

    `target` is a span of `original`, `growth` the difference of the lengths.
    """

    original: str
    text: str
    kind: str
    origin: str
    operation: str
    form: str
    target: tuple[int, int]
    start: int
    end: int

    @property
    def growth(self) -> int:
        """Difference of the text's length to the original, in code points."""
        return len(self.text) - len(self.original)


@dataclass
class Damage:
    """The findings of tdls after one edit: whether an error lies in the operation, and the fate of the others.

    `reported` says whether a check says so without settings: in payload only certain errors are reported.
    """

    edit: Edit
    noticed: bool
    reported: bool
    kept: int
    others: int
    lost: list[str]


def damages(count: int, seed: int = 0, *, sample: bool = False) -> list[Damage]:
    """Make `count` edits that MLIR's parser rejects and look at tdls' reaction to each."""
    catalogue = Catalogue.shipped()
    random = Random(seed)
    modules = _modules(seed, sample=sample)
    rejected: list[Edit] = []
    while len(rejected) < count:
        edits = [_edit(random.choice(modules), random, catalogue) for _ in range(min(count, 2000))]
        rejected += _rejected([edit for edit in edits if edit])
    return [_damage(edit, catalogue) for edit in rejected[:count]]


def _modules(seed: int, *, sample: bool) -> list[CorpusModule]:
    """Return modules with dialects that MLIR knows, in the forms people write."""
    chosen = [
        module
        for module in corpus(seed, sample=sample)
        if not module.explicit_locations and "generic" not in module.kind and len(module.text) < _LONGEST
    ]
    scripts = [module for module in chosen if not module.kind.startswith("payload")]
    payload = [module for module in chosen if module.kind.startswith("payload")]
    mixed = [*scripts[:1500], *payload[:1500]]
    outcomes = run([module.text for module in mixed])
    return [module for module, outcome in zip(mixed, outcomes, strict=True) if outcome.text is not None]


def _rejected(edits: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the edits that MLIR cannot parse, verification aside.

    An operation of an unknown dialect is an error for MLIR and none for tdls, which reads any project's
    dialect.
    """
    outcomes = run(
        [edit.text for edit in edits],
        "--mlir-very-unsafe-disable-verifier-on-parsing",
        "--verify-each=false",
    )
    for edit, outcome in zip(edits, outcomes, strict=True):
        messages = [entry.message for entry in outcome.diagnostics if entry.level == "error"]
        unknown = any(text in message for message in messages for text in _UNKNOWN_DIALECT)
        if outcome.text is None and messages and not unknown:
            yield edit


def _edit(module: CorpusModule, random: Random, catalogue: Catalogue) -> Edit | None:
    tree = parse(module.text, catalogue)
    operation = random.choice([each for each in tree.walk() if each.name != "builtin.module"] or [None])
    if operation is None:
        return None
    pieces = _own_tokens(tree, operation)
    if len(pieces) < 2:
        return None
    kind = random.choice(KINDS)
    start, end, new = _replacement(kind, pieces, module.text, random)
    text = module.text[:start] + new + module.text[end:]
    span = operation.span
    form = operation.form.value
    return Edit(module.text, text, kind, module.kind, operation.name, form, (span.start, span.end), start, end)


def _replacement(kind: str, pieces: Sequence[tuple[int, str]], text: str, random: Random) -> tuple[int, int, str]:
    """Return the part of the text to replace, and its replacement."""
    first = random.randrange(len(pieces) - 1)
    start, piece = pieces[first]
    end = start + len(piece)
    other, second = pieces[first + 1]
    if kind == "delete":
        return start, end, ""
    if kind == "insert":
        return other, other, f"{random.choice(_INSERTED)} "
    if kind == "replace":
        return start, end, random.choice((*_INSERTED, random.choice(pieces)[1]))
    between = text[end:other]
    return (start, other + len(second), f"{second}{between}{piece}") if between.isspace() else (start, end, "")


def _own_tokens(tree: Tree, operation: Operation) -> list[tuple[int, str]]:
    """Return the tokens of an operation with their offsets, those inside of its regions excluded."""
    span = operation.span
    regions = [region.span for region in operation.regions]
    position = span.start
    found = []
    for piece in tokens(tree.text[span.start : span.end]):
        inside = any(region.start < position < region.end - 1 for region in regions)
        if not inside and not piece.isspace() and not piece.startswith("//"):
            found.append((position, piece))
        position += len(piece)
    return found


def _damage(edit: Edit, catalogue: Catalogue) -> Damage:
    result = findings_in_file(SourceFile.of(edit.text, catalogue, split=SplitMode.NEVER))
    start, end = edit.target[0], edit.target[1] + edit.growth
    errors = [
        finding
        for finding in result
        if finding.level is Level.ERROR and finding.span.start <= end and finding.span.end >= start
    ]
    reported = any(finding.subject is not Subject.UNREAD_PAYLOAD for finding in errors)
    before = _nodes(parse(edit.original, catalogue))
    after = {(node.start, node.end): node for node in _nodes(parse(edit.text, catalogue))}
    starts = {node.start: node for node in after.values()}
    kept = others = 0
    lost = []
    for node in before:
        if (node.start, node.end) == edit.target:
            continue
        others += 1
        moved = node.moved(edit)
        around = node.start <= edit.start and edit.end <= node.end
        candidate = starts.get(moved.start) if around else after.get((moved.start, moved.end))
        if candidate is not None and candidate.same(moved, around=around):
            kept += 1
        else:
            lost.append(f"{node.name} at {node.start}")
    return Damage(edit, bool(errors), reported, kept, others, lost)


@dataclass(frozen=True)
class _Node:
    start: int
    end: int
    name: str
    results: tuple[str, ...]
    operands: tuple[str, ...]
    text: str

    def moved(self, edit: Edit) -> _Node:
        """Return the node at the place where it should be after the edit."""
        start = self.start + (edit.growth if self.start >= edit.end else 0)
        end = self.end + (edit.growth if self.end >= edit.end else 0)
        return _Node(start, end, self.name, self.results, self.operands, self.text)

    def same(self, other: _Node, *, around: bool) -> bool:
        """Compare nodes; the extent and text of one around the damage may have changed."""
        if around:
            return (self.name, self.results, self.operands) == (other.name, other.results, other.operands)
        return self == other


def _nodes(tree: Tree) -> list[_Node]:
    nodes = []
    for operation in tree.walk():
        span = operation.span
        results = tuple(f"{group.name}:{group.count}" for group in operation.results)
        operands = tuple(f"{use.name}#{use.number}" for use in operation.operands)
        text = tree.text[span.start : span.end]
        nodes.append(_Node(span.start, span.end, operation.name, results, operands, text))
    return nodes


def main() -> int:
    """Print the table; return 0 where the promised shares are met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m oracle.damage", description=__doc__)
    parser.add_argument("--edits", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5, help="how many misses and losses to show")
    arguments = parser.parse_args()
    found = damages(arguments.edits, arguments.seed)
    _print_table(found)
    _print_examples(found, arguments.show)
    noticed, kept = shares(found)
    return 0 if noticed >= 0.95 and kept >= 0.99 and reported_in_scripts(found) >= 0.96 else 1


def shares(found: Sequence[Damage]) -> tuple[float, float]:
    """Return the share of edits noticed in their operation and the share of other operations kept."""
    noticed = sum(damage.noticed for damage in found) / len(found)
    return noticed, sum(damage.kept for damage in found) / sum(damage.others for damage in found)


def reported_in_scripts(found: Sequence[Damage]) -> float:
    """Return the share of edits in transform operations that a check without settings reports."""
    return _reported([damage for damage in found if _is_transform(damage)])


def _is_transform(damage: Damage) -> bool:
    return damage.edit.operation.startswith("transform.")


def _reported(found: Sequence[Damage]) -> float:
    return sum(damage.reported for damage in found) / len(found)


def _print_table(found: Sequence[Damage]) -> None:
    rows: defaultdict[str, list[Damage]] = defaultdict(list)
    for damage in found:
        group = "transform operations" if _is_transform(damage) else "payload operations"
        for key in (damage.edit.kind, group, f"{damage.edit.form} form", "all"):
            rows[key].append(damage)
    print(f"{'':<24}{'edits':>8}{'error in the operation':>26}{'reported by a check':>26}{'other operations kept':>26}")
    forms = sorted(key for key in rows if key.endswith(" form"))
    for key in (*KINDS, *forms, "transform operations", "payload operations", "all"):
        noticed, kept = shares(rows[key])
        reported = _reported(rows[key])
        print(f"{key:<24}{len(rows[key]):>8}{noticed:>26.2%}{reported:>26.2%}{kept:>26.2%}")


def _print_examples(found: Sequence[Damage], show: int) -> None:
    missed = [damage for damage in found if not damage.noticed]
    lossy = sorted((damage for damage in found if damage.lost), key=lambda each: -len(each.lost))
    for title, examples in (("no error in the operation", missed), ("operations lost", lossy)):
        print(f"\n{title}: {len(examples)} edits")
        for damage in examples[:show]:
            edit = damage.edit
            start, end = edit.target
            piece = edit.original[edit.start : edit.end]
            new = edit.text[edit.start : edit.end + edit.growth]
            print(f"--- {edit.kind} {piece!r} -> {new!r}, {edit.form} form, lost: {damage.lost[:3]}")
            print(edit.text[start : end + edit.growth][:300])
    print("\nlost operations:", Counter(len(damage.lost) for damage in lossy).most_common(10))


if __name__ == "__main__":
    sys.exit(main())

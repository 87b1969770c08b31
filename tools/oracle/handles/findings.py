"""Findings of tdls about the handles of a script, use by use."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from oracle.handles.runs import Use
from oracle.handles.silencing import silenced
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.handles.runs import Place
    from oracle.handles.scripts import HandleScript
    from tdls.text.diagnostic import Diagnostic, Note

RULES = frozenset(
    {
        "use-after-free",
        "invalidated-handle",
        "possibly-invalidated-handle",
        "repeated-payload-operation",
        "possibly-repeated-payload-operation",
    }
)
"""The rules that are about invalidated handles."""

_CONSUMES = " consumes "


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings of tdls about the uses of a script; `consumers` are the places that the notes of certain ones name."""

    certain: dict[Use, Diagnostic] = field(default_factory=dict)
    possible: dict[Use, Diagnostic] = field(default_factory=dict)
    consumers: dict[Use, frozenset[Place]] = field(default_factory=dict)
    definitions: dict[Use, str] = field(default_factory=dict)
    """The name of the operation that made the handle of each use, or that of the one whose block has it as argument."""
    values: dict[Use, str] = field(default_factory=dict)
    """The name of the handle of each use."""
    other: list[tuple[Place, Diagnostic]] = field(default_factory=list)
    """Errors and warnings of other rules, with the operations that they are about."""
    sequences: dict[Place, str] = field(default_factory=dict)
    """The named sequence that each operation is in."""
    consumed_in: dict[Use, set[str]] = field(default_factory=dict)
    """The named sequences in which the used handle was consumed."""
    silenced: set[Place] = field(default_factory=set)
    """The operations whose silenceable failures are silenced."""


def findings(script: HandleScript) -> Findings:
    """Return the findings of tdls in `script` and in its library, which are in ASCII."""
    file = file_of(script)
    files = [(each, _Places(each.text, file.catalogue)) for each in (file, *file.libraries)]
    found = Findings()
    for each, places in files:
        _add(found, each, places)
    quiet = {id(operation) for operation in silenced([places.tree for _, places in files])}
    found.silenced.update(place for _, places in files for place in places.of(quiet))
    return found


def file_of(script: HandleScript) -> SourceFile:
    """Return the file of a script, with its library in reach."""
    catalogue = _catalogue()
    libraries = [SourceFile.of(script.placed_library, catalogue, split=SplitMode.NEVER)] if script.library else []
    return SourceFile.of(script.text, catalogue, split=SplitMode.NEVER, libraries=libraries)


def _add(found: Findings, file: SourceFile, places: _Places) -> None:
    """Add the findings in one file."""
    found.definitions.update(places.definitions)
    found.values.update(places.values)
    found.sequences.update(places.sequences)
    for each in findings_in_file(file):
        if each.rule not in RULES:
            about = (places.operation(each.span.start), each)
            found.other.extend([about] if each.level is not Level.HINT else [])
            continue
        use = places.use(each)
        (found.possible if each.level is Level.HINT else found.certain)[use] = each
        noted = frozenset(places.operation(note.span.start) for note in each.notes if note.path is None)
        found.consumers[use] = noted | found.consumers.get(use, frozenset())
        consuming = (note for note in each.notes if _CONSUMES in note.message)
        found.consumed_in[use] = {places.sequence(note) for note in consuming} | found.consumed_in.get(use, set())


@cache
def _catalogue() -> Catalogue:
    return Catalogue.shipped()


class _Places:
    """Finds lines and columns of uses and operations, as MLIR counts them."""

    def __init__(self, text: str, catalogue: Catalogue) -> None:
        self._text = text
        self.tree = tree = parse(text, catalogue)
        self.definitions: dict[Use, str] = {}
        self.values: dict[Use, str] = {}
        self.sequences: dict[Place, str] = {}
        self._sequence = ""
        self._uses: dict[int, Use] = {}
        self._operations: list[tuple[int, int, Place]] = []
        makers: dict[str, str] = {}
        for operation in tree.walk():
            if not operation.name.startswith("transform."):
                continue
            made_by = operation.name.removeprefix("transform.")
            makers.update((group.name, made_by) for group in operation.results)
            arguments = (each for region in operation.regions for block in region.blocks for each in block.arguments)
            makers.update((argument.name, f"argument of {made_by}") for argument in arguments)
            name = self._place(operation.name_span.start)
            span = operation.span
            if operation.symbol_name:
                self._sequence = operation.symbol_name
            self.sequences[name] = self._sequence
            self._operations.append((span.start, span.end, name))
            for number, use in enumerate(operation.operands):
                self._uses[use.start] = Use(name, number)
                self.values[Use(name, number)] = f"{use.name}#{use.number or 0}"
                self.definitions[Use(name, number)] = makers.get(use.name, "?")

    def use(self, diagnostic: Diagnostic) -> Use:
        """Return the use that `diagnostic` underlines; operand 0 of an operation that it underlines as a whole."""
        start = diagnostic.span.start
        return self._uses.get(start) or Use(self.operation(start), 0)

    def sequence(self, note: Note) -> str:
        """Return the name of the sequence that `note` is about, "" for one of another file."""
        return self.sequences.get(self.operation(note.span.start), "") if note.path is None else ""

    def of(self, identities: set[int]) -> Iterator[Place]:
        """Yield the places of operations of the tree with these identities."""
        for operation in self.tree.walk():
            if id(operation) in identities:
                yield self._place(operation.name_span.start)

    def operation(self, offset: int) -> Place:
        """Return the place of the innermost operation at `offset`."""
        around = [entry for entry in self._operations if entry[0] <= offset < entry[1]]
        return min(around, key=lambda entry: entry[1] - entry[0])[2] if around else self._place(offset)

    def _place(self, offset: int) -> Place:
        return self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset)

"""The payload that is written beside a script, as far as the analysis of handles asks about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from tdls.analysis.file.facts import FileFact
from tdls.analysis.file.queries import Query
from tdls.analysis.handles.payload.names import STRUCTURED
from tdls.semantic.transform_dialect import is_transform_name
from tdls.syntax.sections.section_facts import SectionFact
from tdls.syntax.sections.sections import SectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.queries import QueriedFile
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import Operation


def payload_beside(context: Context) -> WrittenPayload:
    """Return what there is of payload in the part of the file that the section is in, or in the file that it is for."""
    return cast("WrittenPayload", context.ask(InlinePayload()))


@dataclass(frozen=True, slots=True)
class InlinePayload(Query):
    """What payload is written in the same part of the file, or in the one that its scripts are run on?"""

    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:  # noqa: D102
        if file.payload is not None:
            file, index = file.payload, 0
        part = file.sections.pieces[index].part
        known = _by_part(file)
        if part not in known:
            pieces = (piece for piece in file.sections.pieces if piece.part == part and piece.begins_section)
            known[part] = payload_in(piece.section for piece in pieces)
        return known[part]


@FileFact
def _by_part(file: QueriedFile) -> dict[int, WrittenPayload]:
    """Return a place for what is written in the parts of a file, as far as that was asked for."""
    del file
    return {}


_MOST_TEXT = 50_000
"""Code points of payload that are read for a script; more is not looked at."""
_SCALAR_DIALECTS = frozenset({"arith", "complex", "math"})
_ENDS_WITH_YIELD = "SingleBlockImplicitTerminator<YieldOp>"
_ROOT = "builtin.module"
_ELEMENT = re.compile(r"(?:(?<![\w%.#@$-])|(?<=[0-9?*]x))(b?f[0-9]+|i[0-9]+|index|complex)(?=[>,)\s])", re.ASCII)
"""A type of elements, alone or behind dimensions."""
_OF_STRUCTURED_BODIES = frozenset({"linalg.index", "linalg.yield"})
"""What MLIR makes bodies of structured operations of that have none of their own, with `_SCALAR_DIALECTS`."""


class Use(NamedTuple):
    """The `user` has a `result` of an operation as an operand, both by their numbers."""

    result: int
    user: int


class WrittenOperation(NamedTuple):
    """A payload operation as it is written, in a list of all in the order of the text; the first is the root."""

    name: str
    parent: int
    """The number of the operation around it; what stands in modules, which have none, is in the root."""
    end: int
    """The number after those of all that is in it."""
    has_more: bool = False
    """True if MLIR makes operations in it that are not written: a body, or terminators."""
    operands: tuple[int, ...] = ()
    """The numbers of the operations that define what it takes, as far as these are operations."""
    uses: tuple[Use, ...] = ()
    """Who takes its results, once for each operand."""
    is_made: bool = False
    """True if it is not written, but made by MLIR, so that it is not known what it takes."""


class WrittenPayload(NamedTuple):
    """What is certain of a payload before a script changes it. Two that are equal tell the same."""

    several: Mapping[str, bool]
    """The names of its operations; true where there is more than one of the name."""
    around: Mapping[str, frozenset[str]]
    """For each of these names, those of operations around each operation of the name. Containers of sections, which are
    modules, are left out."""
    bodies: frozenset[str] | None = None
    """The names around each body that is not written, but made by MLIR; None if there is no such body."""
    above: Mapping[str, frozenset[str]] = MappingProxyType({})
    """For each name, those of all operations around some operation of the name."""
    operations: tuple[WrittenOperation, ...] = ()
    """All that is written, behind a root; empty where that is not known."""

    def found_in(self, scope: frozenset[str] | None, names: frozenset[str]) -> frozenset[str]:
        """Return those of `names` of which an operation is in one of `scope`, or is one; all if these are not known.

        What is around everything, as modules are, has no name here.
        """
        if scope is None or not scope <= self.several.keys():
            return names
        return frozenset(name for name in names if name in scope or not self.above[name].isdisjoint(scope))

    def has_several(self, names: Iterable[str]) -> bool:
        """Tell whether there are two operations at least with some of `names`."""
        known = [self.several[name] for name in names if name in self.several]
        return len(known) > 1 or any(known)

    def is_all_within(self, inner: Iterable[str], outer: frozenset[str]) -> bool:
        """Tell whether there are operations with some of the names `inner`, all nested in ones with some of `outer`."""
        known = [around for name in inner for around in self._all_around(name)]
        return bool(known) and not any(outer.isdisjoint(around) for around in known)

    def is_covered_by(self, outer: frozenset[str]) -> bool:
        """Tell whether everything is nested in an operation with some of the names `outer`, or is such an operation."""
        return self.is_all_within(self.several.keys() - outer, outer)

    def may_be_unwritten(self, names: Iterable[str]) -> bool:
        """Tell whether operations with some of `names` may be in a body that is not written, or stand in a script."""
        return any((is_of_scalars(name) and self.bodies is not None) or is_transform_name(name) for name in names)

    def _all_around(self, name: str) -> Iterator[frozenset[str]]:
        if name in self.around:
            yield self.around[name]
        if self.bodies is not None and is_of_scalars(name):
            yield self.bodies


NOTHING = WrittenPayload({}, {})


def payload_in(sections: Iterable[Section]) -> WrittenPayload:
    """Return what `sections`, all of one part of a file, tell; `NOTHING` where a part of it cannot be read."""
    several_sections = [*sections]
    payload = [section for section in several_sections if not _is_script(section)]
    if sum(len(section.text) for section in payload) > _MOST_TEXT:
        return NOTHING
    several: dict[str, bool] = {}
    around: dict[str, frozenset[str]] = {}
    above: dict[str, frozenset[str]] = {}
    bodies: list[frozenset[str]] = []
    operations: list[WrittenOperation] = []
    for section in payload:
        told = _told_by(section)
        if told is None:
            return NOTHING
        for name, is_several in told.several.items():
            several[name] = is_several or name in several
        for name, outer in told.around.items():
            around[name] = around.get(name, outer) & outer
        for name, outer in told.above.items():
            above[name] = above.get(name, outer) | outer
        bodies += [told.bodies] if told.bodies is not None else []
        before = len(operations)
        operations += [_moved(operation, before) for operation in told.operations]
    frames = sum(section.is_frame for section in several_sections)
    root = WrittenOperation(_ROOT, -1, len(operations) + 1, frames > 1)
    return WrittenPayload(
        several,
        around,
        frozenset.intersection(*bodies) if bodies else None,
        above,
        (root, *operations) if operations else (),
    )


def _moved(operation: WrittenOperation, before: int) -> WrittenOperation:
    """Return an operation of a section as one of all, where so many stand `before` those of the section."""
    around = operation.parent + before if operation.parent else 0
    operands = tuple(number + before for number in operation.operands)
    uses = tuple(Use(use.result, use.user + before) for use in operation.uses)
    return WrittenOperation(
        operation.name, around, operation.end + before, operation.has_more, operands, uses, operation.is_made
    )


def is_of_scalars(name: str) -> bool:
    """Tell whether MLIR may make such operations when it makes bodies of structured ones."""
    return name.partition(".")[0] in _SCALAR_DIALECTS or name in _OF_STRUCTURED_BODIES


def _is_script(section: Section) -> bool:
    """Tell whether a section is a script, or the frame of a container."""
    if section.kind is not SectionKind.PLAIN:
        return section.kind is not SectionKind.IRREGULAR
    return "transform." in section.text and all(is_transform_name(member.name) for member in section.tree.top_level())


@SectionFact
def _told_by(section: Section) -> WrittenPayload | None:
    if any(section.tree.problems()):
        return None
    several: dict[str, bool] = {}
    around: dict[str, frozenset[str]] = {}
    above: dict[str, frozenset[str]] = {}
    bodies: list[frozenset[str]] = []
    for operation, outer in _walk(section.tree.top_level(), frozenset()):
        name = operation.name
        several[name] = name in several
        around[name] = around.get(name, outer) & outer
        above[name] = above.get(name, outer) | outer
        if _has_unwritten_body(operation):
            made = _made_body(operation, section.text)
            if made is None:
                bodies.append(outer | {name})
            for inner in (*made, _end_that_is_made(operation)) if made is not None else ():
                if inner is not None:
                    several[inner] = inner in several
                    around[inner] = around.get(inner, outer | {name}) & (outer | {name})
                    above[inner] = above.get(inner, outer) | outer | {name}
    listing = _Listing(section.text)
    for operation in section.tree.top_level():
        listing.add(operation, 0)
    return WrittenPayload(
        several, around, frozenset.intersection(*bodies) if bodies else None, above, listing.finished()
    )


class _Listing:
    """The operations of a section; numbers begin at one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._operations: list[WrittenOperation] = []
        self._uses: dict[int, list[Use]] = {}
        self._values: dict[str, tuple[int, int]] = {}
        """The operation that defines a value, and the number of its first result with that name."""

    def add(self, operation: Operation, parent: int) -> None:
        """Append an operation with all that is in it."""
        number = len(self._operations) + 1
        operands = self._operands(operation, number)
        self._operations.append(WrittenOperation(operation.name, parent, number))
        for region in operation.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    self._values.pop(argument.name, None)
                for nested in block.operations:
                    self.add(nested, number)
        end = _end_that_is_made(operation)
        made = _made_body(operation, self._text) if _has_unwritten_body(operation) else None
        for name in (*(made or ()), end):
            if name is not None:
                self._operations.append(WrittenOperation(name, number, len(self._operations) + 2, is_made=True))
        has_more = made is None and _has_more(operation, end)
        self._operations[number - 1] = WrittenOperation(
            operation.name, parent, len(self._operations) + 1, has_more, operands
        )
        first = 0
        for group in operation.results:
            self._values[group.name] = number, first
            first += group.count

    def _operands(self, operation: Operation, number: int) -> tuple[int, ...]:
        found: list[int] = []
        for use in operation.operands:
            known = self._values.get(use.name)
            if known is not None:
                maker, first = known
                found.append(maker)
                self._uses.setdefault(maker, []).append(Use(first + (use.number or 0), number))
        return tuple(found)

    def finished(self) -> tuple[WrittenOperation, ...]:
        """Return the operations with who uses them."""
        return tuple(
            operation._replace(uses=tuple(self._uses.get(number, ())))
            for number, operation in enumerate(self._operations, 1)
        )


def _walk(operations: Iterable[Operation], outer: frozenset[str]) -> Iterator[tuple[Operation, frozenset[str]]]:
    """Yield operations with the names of those around them."""
    for operation in operations:
        yield operation, outer
        for region in operation.regions:
            for block in region.blocks:
                yield from _walk(block.operations, outer | {operation.name})


def _has_unwritten_body(operation: Operation) -> bool:
    """Tell whether an operation is a named structured one, whose body MLIR makes."""
    definition = operation.definition
    return definition is not None and STRUCTURED in definition.traits and not operation.regions


def _made_body(operation: Operation, text: str) -> tuple[str, ...] | None:
    """Return the names of what MLIR makes in the body of an operation, but for its end; None if that is not known."""
    definition = operation.definition
    if definition is None or definition.made_body is None or _end_that_is_made(operation) is None:
        return None
    elements = {found[1] for found in _ELEMENT.finditer(text, operation.span.start, operation.span.end)}
    is_one = len(elements) == 1 and next(iter(elements)).startswith(("f", "bf"))
    return definition.made_body if is_one else None


def _has_more(operation: Operation, end: str | None) -> bool:
    """Tell whether MLIR makes operations in `operation` that are neither written nor its `end`."""
    definition = operation.definition
    if definition is None or (definition.regions and not operation.regions):
        return True
    blocks = (block for region in operation.regions for block in region.blocks)
    return end is None and any(not _ends(block.operations) for block in blocks)


def _end_that_is_made(operation: Operation) -> str | None:
    """Return the name of the terminator that MLIR adds to the only block of an operation; None if that is not known."""
    definition = operation.definition
    if definition is None or _ENDS_WITH_YIELD not in definition.traits or len(definition.regions) != 1:
        return None
    blocks = [block for region in operation.regions for block in region.blocks]
    if (
        len(blocks) > 1
        or (blocks and _ends(blocks[0].operations))
        or (not blocks and STRUCTURED not in definition.traits)
    ):
        return None
    return f"{definition.dialect}.yield"


def _ends(operations: Sequence[Operation]) -> bool:
    """Tell whether the last of the operations of a block is a terminator, as far as is known."""
    definition = operations[-1].definition if operations else None
    return definition is not None and "IsTerminator" in definition.traits

"""Lists the payload operations in the script's file, or in its payload file, for the abstract run.

The index of an operation in the list is its place (see `PlaceTree`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from tdls.analysis.file.queries import Query
from tdls.analysis.handles.payload.names import STRUCTURED
from tdls.semantic.transform_dialect import is_transform_name
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sections import SectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.queries import QueriedFile
    from tdls.syntax.sections.sections import Section
    from tdls.syntax.tree import Operation


def inline_payload_of(context: Context) -> tuple[WrittenOperation, ...]:
    """Return the payload in the part of the file with the section, or in the payload file of its scripts.

    The operations are in text order, behind the root; () if they are not known.
    """
    return cast("tuple[WrittenOperation, ...]", context.ask(InlinePayload()))


class InlinePayload(Query):
    """Query for the payload in the same part of the file, or in the payload file of its scripts."""

    rests_on_insides: ClassVar[bool] = True

    def answer(self, file: QueriedFile, index: int) -> object:
        if file.payload is not None:
            file, index = file.payload, 0
        part = file.sections.pieces[index].part
        known = _by_part(file)
        if part not in known:
            pieces = (piece for piece in file.sections.pieces if piece.part == part and piece.begins_section)
            known[part] = operations_in(piece.section for piece in pieces)
        return known[part]


@Fact
def _by_part(file: QueriedFile) -> dict[int, tuple[WrittenOperation, ...]]:
    """Return the memo of payloads by part of the file."""
    del file
    return {}


_MOST_TEXT = 50_000
"""Maximum length of the payload in code points; a longer one is not read."""
_SCALAR_DIALECTS = frozenset({"arith", "complex", "math"})
_ENDS_WITH_YIELD = "SingleBlockImplicitTerminator<YieldOp>"
_ROOT = "builtin.module"
_ELEMENT = re.compile(r"(?:(?<![\w%.#@$-])|(?<=[0-9?*]x))(b?f[0-9]+|i[0-9]+|index|complex)(?=[>,)\s])", re.ASCII)
"""An element type, alone or behind dimensions."""
_OF_STRUCTURED_BODIES = frozenset({"linalg.index", "linalg.yield"})
"""Operations of unwritten structured bodies, in addition to those of `_SCALAR_DIALECTS`."""


class Use(NamedTuple):
    """A use of the result with index `result` by the operation with index `user`."""

    result: int
    user: int


class WrittenOperation(NamedTuple):
    """A written payload operation, in a list of all in text order; the first is the root."""

    name: str
    parent: int
    """The index of the operation around it; the root for operations in modules, which are not listed."""
    end: int
    """The index after the last operation in it."""
    has_more: bool = False
    """True if MLIR adds unlisted operations to it: a body, or terminators."""
    operands: tuple[int, ...] = ()
    """The indices of the operations that define its operands, without block arguments."""
    uses: tuple[Use, ...] = ()
    """The uses of its results, one for each operand."""
    is_made: bool = False
    """True if it is not written, but added by MLIR, so that its operands are not known."""


def operations_in(sections: Iterable[Section]) -> tuple[WrittenOperation, ...]:
    """Return the payload operations in `sections`, all of one part of a file, behind the root.

    Returns () if one of them cannot be read, or if they are too long.
    """
    several_sections = [*sections]
    payload = [section for section in several_sections if not _is_script(section)]
    if sum(len(section.text) for section in payload) > _MOST_TEXT:
        return ()
    operations: list[WrittenOperation] = []
    for section in payload:
        own = _operations_of(section)
        if own is None:
            return ()
        before = len(operations)
        operations += [_moved(operation, before) for operation in own]
    frames = sum(section.is_frame for section in several_sections)
    root = WrittenOperation(_ROOT, -1, len(operations) + 1, frames > 1)
    return (root, *operations) if operations else ()


def _moved(operation: WrittenOperation, before: int) -> WrittenOperation:
    """Return an operation with its indices shifted by the number of operations `before` its section."""
    around = operation.parent + before if operation.parent else 0
    operands = tuple(number + before for number in operation.operands)
    uses = tuple(Use(use.result, use.user + before) for use in operation.uses)
    return WrittenOperation(
        operation.name, around, operation.end + before, operation.has_more, operands, uses, operation.is_made
    )


def is_of_scalars(name: str) -> bool:
    """Tell whether MLIR may add operations called `name` when it builds bodies of structured operations."""
    return name.partition(".")[0] in _SCALAR_DIALECTS or name in _OF_STRUCTURED_BODIES


def _is_script(section: Section) -> bool:
    """Tell whether a section is a script, or the frame of a container."""
    if section.kind is not SectionKind.PLAIN:
        return section.kind is not SectionKind.IRREGULAR
    return "transform." in section.text and all(is_transform_name(member.name) for member in section.tree.top_level())


@Fact
def _operations_of(section: Section) -> tuple[WrittenOperation, ...] | None:
    if any(section.tree.problems()):
        return None
    listing = _Listing(section.text)
    for operation in section.tree.top_level():
        listing.add(operation, 0)
    return listing.finished()


class _Listing:
    """Lists the operations of a section; indices begin at one, behind the root."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._operations: list[WrittenOperation] = []
        self._uses: dict[int, list[Use]] = {}
        self._values: dict[str, tuple[int, int]] = {}
        """By value name, the index of the defining operation, and that of its first result with the name."""

    def add(self, operation: Operation, parent: int) -> None:
        """Append an operation and all operations in it; `parent` is the index of the operation around it."""
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
        """Return the operations with their uses."""
        return tuple(
            operation._replace(uses=tuple(self._uses.get(number, ())))
            for number, operation in enumerate(self._operations, 1)
        )


def added_by_mlir(operation: Operation, text: str) -> tuple[str, ...]:
    """Return the names of the unwritten operations directly in an operation; () if not all of them are known."""
    end = _end_that_is_made(operation)
    body = _made_body(operation, text) if _has_unwritten_body(operation) else ()
    return (*body, *((end,) if end is not None else ())) if body is not None else ()


def _has_unwritten_body(operation: Operation) -> bool:
    """Tell whether an operation is a structured one whose body MLIR builds."""
    definition = operation.definition
    return definition is not None and STRUCTURED in definition.traits and not operation.regions


def _made_body(operation: Operation, text: str) -> tuple[str, ...] | None:
    """Return the names of the operations that MLIR puts in a body, without the terminator; None if not known."""
    definition = operation.definition
    if definition is None or definition.made_body is None or _end_that_is_made(operation) is None:
        return None
    elements = {found[1] for found in _ELEMENT.finditer(text, operation.span.start, operation.span.end)}
    is_one = len(elements) == 1 and next(iter(elements)).startswith(("f", "bf"))
    return definition.made_body if is_one else None


def _has_more(operation: Operation, end: str | None) -> bool:
    """Tell whether MLIR adds operations to `operation` that are neither written nor its terminator `end`."""
    definition = operation.definition
    if definition is None or (definition.regions and not operation.regions):
        return True
    blocks = (block for region in operation.regions for block in region.blocks)
    return end is None and any(not _ends(block.operations) for block in blocks)


def _end_that_is_made(operation: Operation) -> str | None:
    """Return the name of the terminator that MLIR adds to the only block of an operation; None if there is none."""
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

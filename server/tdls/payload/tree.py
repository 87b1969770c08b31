"""The written payload: its operations as a list, what MLIR adds to them, and the names that unread text may have."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from tdls.payload.kinds import SCALARS, STRUCTURED
from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.limits import Budget
    from tdls.payload.operations import PayloadOperation
    from tdls.syntax.tree import Operation

WITHOUT_STRUCTURED = SCALARS | {"affine", "bufferization", "cf", "func", "memref", "scf", "shape", "tensor", "vector"}
"""Dialects without structured operations."""


class Introduced(NamedTuple):
    """Names of operations that a script may have added to the payload."""

    names: frozenset[str] = frozenset()
    dialects: frozenset[str] = frozenset()
    """Dialects any operation of which may have been added."""
    anything: bool = False
    words: frozenset[str] = frozenset()
    """The words of text that cannot be read: names of operations, with or without their dialect."""

    def __or__(self, other: tuple[object, ...]) -> Introduced:
        """Return the union of both."""
        assert isinstance(other, Introduced)
        if self.anything or other.anything:
            return ANY_OPERATION
        return Introduced(self.names | other.names, self.dialects | other.dialects, words=self.words | other.words)

    @property
    def is_nothing(self) -> bool:
        """True if no operation was added."""
        return not (self.names or self.dialects or self.anything or self.words)

    def may_have(self, name: str) -> bool:
        """Whether an operation with this name may have been added."""
        dialect, _, short = name.partition(".")
        is_spelled = name in self.words or short in self.words
        return self.anything or name in self.names or dialect in self.dialects or is_spelled

    def may_have_trait(self, trait: str | None, catalogue: Catalogue) -> bool:
        """Whether an operation with a trait may have been added; None: with any trait that scalar ones lack."""
        dialects = self.dialects - (WITHOUT_STRUCTURED if trait == STRUCTURED else SCALARS)
        if self.anything or self.words or dialects:
            return True
        definitions = (catalogue.operation(name) for name in self.names if name.partition(".")[0] not in SCALARS)
        return any(definition is None or trait is None or trait in definition.traits for definition in definitions)


NOTHING = Introduced()
ANY_OPERATION = Introduced(anything=True)


def bringing(*several: str) -> Introduced:
    """Return the `Introduced` of names: a name with a dot is an operation, another one a whole dialect."""
    return Introduced(
        frozenset(name for name in several if "." in name), frozenset(name for name in several if "." not in name)
    )


# What MLIR adds


_SCALAR_DIALECTS = frozenset({"arith", "complex", "math"})
_ENDS_WITH_YIELD = "SingleBlockImplicitTerminator<YieldOp>"
_ELEMENT = re.compile(r"(?:(?<![\w%.#@$-])|(?<=[0-9?*]x))(b?f[0-9]+|i[0-9]+|index|complex)(?=[>,)\s])", re.ASCII)
"""An element type, alone or behind dimensions."""
_OF_STRUCTURED_BODIES = frozenset({"linalg.index", "linalg.yield"})
"""Operations of unwritten structured bodies, in addition to those of `_SCALAR_DIALECTS`."""


def is_of_scalars(name: str) -> bool:
    """Whether MLIR may add operations called `name` when it builds bodies of structured operations."""
    return name.partition(".")[0] in _SCALAR_DIALECTS or name in _OF_STRUCTURED_BODIES


def added_by_mlir(operation: Operation, text: str) -> tuple[str, ...]:
    """Return the names of the unwritten operations directly in an operation; () if not all of them are known."""
    end = _end_that_is_made(operation)
    body = _made_body(operation, text) if _has_unwritten_body(operation) else ()
    return (*body, *((end,) if end is not None else ())) if body is not None else ()


def _has_unwritten_body(operation: Operation) -> bool:
    """Whether an operation is a structured one whose body MLIR builds."""
    definition = operation.definition
    return definition is not None and STRUCTURED in definition.traits and not operation.regions


def _made_body(operation: Operation, text: str) -> tuple[str, ...] | None:
    """Return the names of the operations that MLIR puts in a body, without the terminator, or None if not known."""
    definition = operation.definition
    if definition is None or definition.made_body is None or _end_that_is_made(operation) is None:
        return None
    elements = {found[1] for found in _ELEMENT.finditer(text, operation.span.start, operation.span.end)}
    is_one = len(elements) == 1 and next(iter(elements)).startswith(("f", "bf"))
    return definition.made_body if is_one else None


def hides_operations(operation: Operation, text: str) -> bool:
    """Whether MLIR adds operations to `operation` that are neither written nor in `added_by_mlir`."""
    definition = operation.definition
    if _has_unwritten_body(operation) and _made_body(operation, text) is not None:
        return False
    if definition is None or (definition.regions and not operation.regions):
        return True
    blocks = (block for region in operation.regions for block in region.blocks)
    return _end_that_is_made(operation) is None and any(not _ends(block.operations) for block in blocks)


def _end_that_is_made(operation: Operation) -> str | None:
    """Return the name of the terminator that MLIR adds to the only block of an operation, or None."""
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
    """Whether the last operation of a block is known to be a terminator."""
    definition = operations[-1].definition if operations else None
    return definition is not None and "IsTerminator" in definition.traits


# A payload as a list


ROOT = 0
"""The place of the root."""
_MODULE = "builtin.module"


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


class Payload(NamedTuple):
    """A payload before a script is run on it."""

    root: PayloadOperation
    by_written: dict[int, PayloadOperation]
    """Its operations, by the identity of the written operations in the sections' models."""
    aliases: Mapping[str, str] = MappingProxyType({})
    """The text of attribute aliases, by name with `#`."""
    unread: Introduced = NOTHING
    """The operations that text in unknown forms, or that is not read, may have in it."""
    is_read: bool = True
    """False if its text is only searched for names, since it is long."""
    may_change: bool = False
    """True if text or operations of a project are in it, whose tool may change it before the script runs."""
    is_script_known: bool = True
    """False if a script beside it has text or operations that are not known, so that it cannot be followed."""

    def listed(self) -> tuple[WrittenOperation, ...]:
        """Number the operations in text order, the root first, and return them; scripts and modules are left out."""
        operations, numbers = [self.root], {self.root: 0}
        todo = [*reversed(self.root.children)]
        while todo:
            operation = todo.pop()
            if operation.name == _MODULE:
                numbers[operation] = 0
            elif is_transform_name(operation.name):
                continue
            else:
                numbers[operation] = len(operations)
                operations.append(operation)
            todo += reversed(operation.children)
        for number, operation in enumerate(operations):
            operation.place = number
        makers: list[list[int]] = [[] for _ in operations]
        uses: list[list[Use]] = [[] for _ in operations]
        for user, operation in enumerate(operations):
            for value in operation.written.operands if operation.written is not None else ():
                maker = self.by_written.get(id(value.operation)) if value is not None else None
                if value is not None and maker is not None and numbers.get(maker):
                    makers[user].append(numbers[maker])
                    uses[numbers[maker]].append(Use(value.index, user))
        parents = [numbers[operation.parent] if operation.parent is not None else -1 for operation in operations]
        ends = [number + 1 for number in range(len(operations))]
        for number in range(len(operations) - 1, 0, -1):
            ends[parents[number]] = max(ends[parents[number]], ends[number])
        return tuple(
            WrittenOperation(
                operation.name,
                parents[number],
                ends[number],
                # of one that no script changed, operations in it may not be known
                (written := operation.written) is not None and hides_operations(written.syntax, operation.text)
                if number
                else len(numbers) > len(operations),
                tuple(makers[number]),
                tuple(uses[number]),
                operation.is_added,
            )
            for number, operation in enumerate(operations)
        )


class PlaceTree:
    """The nesting of the places of one payload."""

    def __init__(self, operations: tuple[WrittenOperation, ...], budget: Budget) -> None:
        self.operations = operations
        self._budget = budget
        self._below: dict[frozenset[int], frozenset[int]] = {}

    def below(self, places: frozenset[int]) -> frozenset[int]:
        """Return `places` and all places nested in them."""
        known = self._below.get(places)
        if known is None:
            if ROOT in places:
                known = frozenset(range(len(self.operations)))
            else:
                known = frozenset(inner for place in places for inner in range(place, self.operations[place].end))
            self._budget.spend(len(known))
            self._below[places] = known
        return known

    def outermost(self, place: int) -> int:
        """Return the outermost operation around `place` below the root, or `ROOT` for the root."""
        while self.operations[place].parent > ROOT:
            place = self.operations[place].parent
        return place

    def around(self, place: int) -> Iterator[int]:
        """Yield the places around `place`, from inside to outside, without the root."""
        while self.operations[place].parent > ROOT:
            place = self.operations[place].parent
            yield place

    def ancestors(self, place: int) -> Iterator[int]:
        """Yield the places around `place`, from inside to outside."""
        yield from self.around(place)
        if place != ROOT:
            yield ROOT

    def in_order_of_walks(self, place: int) -> Iterator[int]:
        """Yield `place` and the places in it in post-order, as MLIR walks."""
        open_places: list[int] = []
        for inner in range(place, self.operations[place].end):
            while open_places and self.operations[open_places[-1]].end <= inner:
                yield open_places.pop()
            open_places.append(inner)
        yield from reversed(open_places)

    def enclosing(self, place: int, nth: int, is_wanted: Callable[[str], bool | None]) -> int | None:
        """Return the `nth` operation around `place` with a wanted name, or None if absent or not known."""
        for outer in self.around(place):
            wanted = is_wanted(self.operations[outer].name)
            if wanted is None:
                return None
            nth -= wanted
            if nth == 0:
                return outer
        return None

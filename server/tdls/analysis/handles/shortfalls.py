"""What a run of a script on a known payload tells: searches without result, failures, and contents of handles."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.analysis.handles.contents import Contents
    from tdls.limits import Limit
    from tdls.payload.tree import WrittenOperation
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute


class ShortfallKind(Enum):
    """The consequence of a search without result."""

    EMPTY = "empty"
    """The result is an empty handle, and the script goes on."""
    UNMET = "unmet"
    """The result is empty, and the operation specifies that case."""
    FAILS = "fails"
    """The operation fails."""
    AROUND = "around"
    """The operation fails since it is applied to one that contains it. The rest is followed, for other payloads."""
    WRONG = "wrong"
    """The payload computes something else afterwards, and the script goes on."""


class Shortfall(NamedTuple):
    """A script operation whose search or condition fails on the payload."""

    operation: Operation
    kind: ShortfallKind
    message: str
    attribute: NamedAttribute | None = None
    """The attribute with the unmet condition."""
    help: str | None = None
    cause: Operation | None = None
    """The script operation that replaced the searched payload operation, or creates it later."""
    is_of_content: bool = False
    """True if a condition on the contents of a payload operation fails, not one on its kind."""
    calls: tuple[Operation, ...] = ()
    """The calls that execute the operation, outer ones first; () where it is in the script itself."""


class Stopped(Exception):  # noqa: N818 - no error: the script ends here
    """Raised when the interpreter ends the script, since an operation fails."""

    def __init__(self, shortfall: Shortfall) -> None:
        super().__init__(shortfall.message)
        self.shortfall = shortfall


class Evaluated(NamedTuple):
    """The result of running the script of a section on its written payload."""

    shortfalls: tuple[Shortfall, ...] = ()
    empty: frozenset[Value] = frozenset()
    """Handles that are always empty."""
    stops: tuple[Operation, ...] = ()
    """Failing operations, at which the script ends."""
    contents: Mapping[Value, KnownContents] = MappingProxyType({})
    """The contents of handles that are defined once and are not empty."""
    written: tuple[WrittenOperation, ...] = ()
    """The operations of the payload before the run."""
    given_up: Limit | None = None
    """The exceeded limit; the results of the run are then empty."""
    is_possible: bool = False
    """True if another tool may change the payload before the script: the shortfalls, all `EMPTY`, are only possible."""
    is_read: bool = True
    """False if the payload is too long to be read, and only searched for names of operations."""


class KnownContents(NamedTuple):
    """The contents of a handle at its definition, with at least one operation."""

    listed: Contents | None
    """Facts about its operations, or None if it may hold others than the known ones."""
    places: tuple[int, ...]
    """The places of those that are written, in order."""
    is_written: bool
    """True if these are all of its operations."""

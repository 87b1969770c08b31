"""Tells operations of a payload apart while a script runs, in the process that runs it.

Each operation gets a location of its own, a *tag*. What MLIR makes in place of an operation gets its location, so that
a tag says what an operation was made from. Whoever has the tag alone, and is called as before, keeps it; others get
tags of their own, with those that they had as *parents*. Locations have no effect on what a script does to a payload.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TAG_FILE: Final = "tdls.operation"
"""The file in which tagged operations are said to be, in the line with the number of the tag."""
TAG: Final = re.compile(rf'"{re.escape(TAG_FILE)}":(\d+):1')
_SCRIPT_DIALECT = "transform."


class Tags:
    """The tags of one run."""

    def __init__(self, ir: Any) -> None:
        """`ir` is the module of the bindings. Raises AttributeError where they cannot change locations."""
        self._ir = ir
        self._names: dict[int, str] = {}
        self._born: list[tuple[int, str, list[int], str]] = []

    def renew(self, module: Any) -> None:
        """Give a tag to each operation of the payload in `module` that has none of its own."""
        operations: list[Any] = []
        self._walk(module, operations.append)
        had = [[int(number) for number in TAG.findall(str(operation.location))] for operation in operations]
        counts: dict[int, int] = {}
        for tags in had:
            for tag in tags:
                counts[tag] = counts.get(tag, 0) + 1
        for operation, tags in zip(operations, had, strict=True):
            if len(tags) != 1 or counts[tags[0]] > 1 or self._names.get(tags[0]) != operation.name:
                self._give(operation, sorted(set(tags)))

    def born(self) -> list[tuple[int, str, list[int], str]]:
        """Return the tags that were given since the last call: names, parents, and the location of one without."""
        born, self._born = self._born, []
        return born

    def _give(self, operation: Any, parents: list[int]) -> None:
        number = len(self._names) + 1
        self._names[number] = operation.name
        self._born.append((number, operation.name, parents, "" if parents else str(operation.location)))
        operation.location = self._ir.Location.file(TAG_FILE, number, 1)

    def _walk(self, module: Any, visit: Callable[[Any], object]) -> None:
        go_on, skip = self._ir.WalkResult.ADVANCE, self._ir.WalkResult.SKIP

        def look(operation: Any) -> Any:
            operation = operation.operation
            if operation.name.startswith(_SCRIPT_DIALECT):
                return skip
            visit(operation)
            return go_on

        module.walk(look, self._ir.WalkOrder.PRE_ORDER)

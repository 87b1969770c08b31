"""One call of a function that parses: its names for the parser, the operation that is being made, and operands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.parsers.operands import UnclearError

if TYPE_CHECKING:
    from collections import ChainMap

    from tdls.catalogue.sources.cpp.effects.statements import Words
    from tdls.catalogue.sources.cpp.parsers.operands import Holder


@dataclass(slots=True)
class ParserFrame:
    """`endings` counts returns before the function's end that may be those of a text that is right."""

    parser: str
    state: str | None
    holders: ChainMap[str, Holder]
    lambdas: dict[str, Words] = field(default_factory=dict)
    """Those that read or use operands."""
    endings: int = 0

    def holder(self, words: Words) -> Holder:
        """Return the variable that ``name``, ``*name`` or ``name.value()`` is. Raises UnclearError for all else."""
        if words[:1] == ("*",):
            words = words[1:]
        elif words[1:] == (".", "value", "(", ")"):
            words = words[:1]
        found = self.holders.get(words[0]) if len(words) == 1 else None
        if found is None:
            raise UnclearError
        return found

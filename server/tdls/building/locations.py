"""The calls behind operations, from the locations that MLIR prints.

With `ir.loc_tracebacks` a location is ``callsite("callee"("file":line:column to :column) at callsite(...))``, innermost
first; MLIR prints each distinct part once, as an alias.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.building.model import Frame
from tdls.interpreter.output.locations import unescaped

if TYPE_CHECKING:
    from tdls.building.model import Stack

_DEFINED = re.compile(r"^(#loc\w*) = loc\(([^\r\n]*)\)$", re.MULTILINE)
_OWN_FILES = str(Path(__file__).parents[1]) + os.sep
"""How the names of files of tdls begin."""
_PIECE = re.compile(
    r"""
    "(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"?
        (?:(?<="):(?P<line>\d{1,9}):(?P<column>\d{1,9})(?:[ ]to[ ](?P<end_line>\d{0,9}):(?P<end_column>\d{1,9}))?)?
    |(?P<alias>\#loc\d{0,9})
    |(?P<word>fused|\[|,)
    """,
    re.VERBOSE | re.DOTALL,
)
"""A string, closed or not, with what makes it a place behind it; and what else counts."""
_MOST_FRAMES = 200
_DEEPEST = 200


class PrintedStacks:
    """The calls behind the locations of one module, which was printed with them."""

    def __init__(self, located: str) -> None:
        self._located = located
        self._known: dict[str, Stack] = {}

    def stack(self, location: str) -> Stack:
        """Return the calls behind what stands in ``loc(...)``, innermost first, without those of tdls; () for none."""
        return self._stack(location, 0)

    def stack_behind(self, location: str) -> Stack:
        """Return the calls behind a location that is printed as a whole, ``loc(...)``."""
        return self.stack(location.removeprefix("loc(").removesuffix(")"))

    @cached_property
    def _definitions(self) -> dict[str, str]:
        return dict(_DEFINED.findall(self._located))

    def _stack(self, location: str, depth: int) -> Stack:
        known = self._known.get(location)
        if known is not None:
            return known
        self._known[location] = ()  # of a location that is defined by itself, which MLIR never prints
        if depth < _DEEPEST:
            self._known[location] = self._read(location, depth)
        return self._known[location]

    def _read(self, location: str, depth: int) -> Stack:
        """Return the frames in the order in which they stand there; of several that are fused, those of the first."""
        frames: list[Frame] = []
        name, is_fused = "", False
        for piece in _PIECE.finditer(location):
            if piece["line"] is not None:
                frames += _frame(piece, name)
                name = ""
            elif piece["alias"] is not None:
                inner = self._stack(self._definitions.get(piece["alias"], ""), depth + 1)
                frames += _named(inner, name) if name else inner
                name = ""
            elif piece["text"] is not None:
                name = unescaped(piece["text"])
            elif piece["word"] == "," and is_fused and frames:
                break
            else:
                is_fused = is_fused or piece["word"] == "fused"
                name = ""
        return tuple(frames[:_MOST_FRAMES])


def is_own(file: str) -> bool:
    """Tell whether a file is one of tdls, which calls the program."""
    return file.startswith(_OWN_FILES)


def _named(frames: Stack, name: str) -> Stack:
    """Return `frames`, of which the innermost one is in the function `name`."""
    return (frames[0]._replace(function=name), *frames[1:]) if frames else ()


def _frame(piece: re.Match[str], name: str) -> tuple[Frame, ...]:
    file, line, column = unescaped(piece["text"]), int(piece["line"]), int(piece["column"])
    if is_own(file):
        return ()
    if piece["end_column"] is None:
        return (Frame(file, name, line),) if column == 0 else (Frame(file, name, line, column),)
    return (Frame(file, name, line, column, int(piece["end_line"] or line), int(piece["end_column"])),)

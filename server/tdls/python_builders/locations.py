"""The calls behind operations, from the locations that MLIR prints.

With `ir.loc_tracebacks` a location is ``callsite("callee"("file":line:column to :column) at callsite(...))``, innermost
first; MLIR prints each distinct part once, as an alias.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.files.reading import text_of
from tdls.interpreter.output.locations import unescaped
from tdls.python_builders.model import Frame
from tdls.text.positions import LineIndex, Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tdls.python_builders.model import BuildResult, Stack

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


_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Folders with packages that somebody else wrote."""


class CallPlace(NamedTuple):
    """Characters of a file."""

    path: Path
    span: FileSpan


class Workspace:
    """The files whose calls people want to see: those below some folders that are not installed packages."""

    def __init__(
        self,
        roots: Iterable[Path],
        bindings: str = "",
        read: Callable[[Path], str | None] = text_of,
    ) -> None:
        """`bindings` is the folder with MLIR's bindings, which may lie below `roots`; `read` gives texts of files.

        Files are named as the roots are, which may be links.
        """
        self._roots = {root.resolve(): root for root in roots}
        self._bindings = Path(bindings) if bindings else None
        self._read = read
        self._files: dict[str, tuple[Path, LineIndex] | None] = {}
        self._texts: dict[Path, str] = {}
        self._lines: dict[Path, LineIndex] = {}

    def files(self, result: BuildResult) -> list[Path]:
        """Return the files whose calls built something, sorted."""
        stacks = (stack for module in result.modules for stack in module.stacks)
        return sorted({place.path for stack in stacks for place in self.places(stack)})

    def line(self, place: CallPlace) -> int:
        """Return the line that a place begins in, from 1."""
        lines = self._lines[place.path]
        return lines.position(place.span.start).line + 1

    @property
    def texts(self) -> Mapping[Path, str]:
        """The files of all places that were given so far, and their texts."""
        return self._texts

    def text(self, path: Path) -> str:
        """Return the text of a file that a place is in."""
        return self._texts[path]

    def places(self, stack: Stack) -> list[CallPlace]:
        """Return where the calls of a stack are that are in the workspace, the innermost one first.

        What goes on within one expression, as a comprehension does, is one place.
        """
        found: list[CallPlace] = []
        for place in self._placed(stack):
            if not (found and _is_around(place, found[-1])):
                found.append(place)
        return found

    def _placed(self, stack: Stack) -> Iterator[CallPlace]:
        for frame in stack:
            file = self._file(frame.file)
            if file is not None and frame.line > 0:
                path, lines = file
                yield CallPlace(path, _span(frame, lines))

    def _file(self, name: str) -> tuple[Path, LineIndex] | None:
        """Return a file of the workspace with its lines, None for all others, and for what cannot be read."""
        if name not in self._files:
            path = self._own_path(Path(name).resolve()) if Path(name).is_absolute() else None
            text = self._read(path) if path is not None else None
            self._files[name] = None
            if path is not None and text is not None:
                self._texts[path] = text
                self._files[name] = path, self._lines.setdefault(path, LineIndex(text))
        return self._files[name]

    def _own_path(self, resolved: Path) -> Path | None:
        """Return the path of a file as the root around it is named, None for a file that is not of the workspace."""
        root = next((root for root in self._roots if resolved.is_relative_to(root)), None)
        is_bindings = self._bindings is not None and resolved.is_relative_to(self._bindings)
        if root is None or is_bindings or _INSTALLED.intersection(resolved.parts):
            return None
        return self._roots[root] / resolved.relative_to(root)


def _is_around(place: CallPlace, inner: CallPlace) -> bool:
    return place.path == inner.path and place.span.start <= inner.span.start and inner.span.end <= place.span.end


def _span(frame: Frame, lines: LineIndex) -> FileSpan:
    """Return the characters of a call; where Python does not know them, the code in its line."""
    row = frame.line - 1
    if row >= lines.line_count:  # the file is not as it was
        return FileSpan(0, 0)
    if frame.end_line:
        return FileSpan(_offset(lines, row, frame.column), _offset(lines, frame.end_line - 1, frame.end_column))
    text = lines.line_text(row)
    code = text.strip()
    start = lines.offset(Position(row, text.index(code) if code else 0))
    return FileSpan(start, start + len(code))


def _offset(lines: LineIndex, row: int, column: int) -> int:
    """Return the offset of a column, in bytes of UTF-8."""
    if row >= lines.line_count:
        return lines.offset(Position(row, 0))
    before = lines.line_text(row).encode("utf-8", "surrogatepass")[:column]
    return lines.offset(Position(row, len(before.decode("utf-8", "ignore"))))

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

from tdls.files.boundary import real_path
from tdls.files.reading import text_of
from tdls.interpreter.runs.locations import unescaped
from tdls.python_builders.model import Frame
from tdls.structs import NamedTuple
from tdls.text.positions import LineIndex, Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tdls.python_builders.model import BuildResult, Stack

_DEFINED = re.compile(r"^(#loc\w*) = loc\(([^\r\n]*)\)$", re.MULTILINE)
_OWN_FILES = str(Path(__file__).parents[1]) + os.sep
"""Prefix of the names of tdls's own files."""
_PIECE = re.compile(
    r"""
    "(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"?
        (?:(?<="):(?P<line>\d{1,9}):(?P<column>\d{1,9})(?:[ ]to[ ](?P<end_line>\d{0,9}):(?P<end_column>\d{1,9}))?)?
    |(?P<alias>\#loc\d{0,9})
    |(?P<word>fused|\[|,)
    """,
    re.VERBOSE | re.DOTALL,
)
"""A string, closed or not, with the line and column that make it a place; an alias; or a word of fused locations."""
_MOST_FRAMES = 200
_DEEPEST = 200


class PrintedStacks:
    """The calls behind the locations in `located`, one module as MLIR prints it with locations."""

    def __init__(self, located: str) -> None:
        self._located = located
        self._known: dict[str, Stack] = {}

    def stack(self, location: str) -> Stack:
        """Return the calls behind the inside of ``loc(...)``, innermost first, without those of tdls; () for none."""
        return self._stack(location, 0)

    def stack_behind(self, location: str) -> Stack:
        """Return the calls behind a whole printed location, ``loc(...)``."""
        return self.stack(location.removeprefix("loc(").removesuffix(")"))

    @cached_property
    def _definitions(self) -> dict[str, str]:
        return dict(_DEFINED.findall(self._located))

    def _stack(self, location: str, depth: int) -> Stack:
        known = self._known.get(location)
        if known is not None:
            return known
        self._known[location] = ()  # ends the recursion of a location defined by itself, which MLIR never prints
        if depth < _DEEPEST:
            self._known[location] = self._read(location, depth)
        return self._known[location]

    def _read(self, location: str, depth: int) -> Stack:
        """Return the frames in the order of the text; of fused locations, those of the first one with frames."""
        frames: list[Frame] = []
        name, is_fused = "", False
        for piece in _PIECE.finditer(location):
            if piece["line"] is not None:
                frames += _frame(piece, name)
                name = ""
            elif piece["alias"] is not None:
                inner = self._stack(self._definitions.get(piece["alias"], ""), depth + 1)
                frames += (inner[0]._replace(function=name), *inner[1:]) if name and inner else inner
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
    """Return whether a file belongs to tdls, which calls the program."""
    return file.startswith(_OWN_FILES)


def _frame(piece: re.Match[str], name: str) -> tuple[Frame, ...]:
    file, line, column = unescaped(piece["text"]), int(piece["line"]), int(piece["column"])
    if is_own(file):
        return ()
    if piece["end_column"] is None:
        return (Frame(file, name, line),) if column == 0 else (Frame(file, name, line, column),)
    return (Frame(file, name, line, column, int(piece["end_line"] or line), int(piece["end_column"])),)


_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Names of folders with installed packages."""


class CallPlace(NamedTuple):
    """The characters of a call in a file."""

    path: Path
    span: FileSpan


class Workspace:
    """The files of the user's own code: those below some folders that are not installed packages."""

    def __init__(self, roots: Iterable[Path], bindings: str = "") -> None:
        """`bindings` is the folder with MLIR's bindings, which may lie below `roots`.

        Paths of files begin with the roots as they are given, which may be links.
        """
        self._roots = {real_path(root): root for root in roots}
        self._bindings = Path(bindings) if bindings else None
        self._files: dict[str, tuple[Path, LineIndex] | None] = {}
        self._texts: dict[Path, str] = {}
        self._lines: dict[Path, LineIndex] = {}

    def files(self, result: BuildResult) -> list[Path]:
        """Return the files with calls that made operations of `result`, sorted."""
        stacks = (stack for module in result.modules for stack in module.stacks)
        return sorted({place.path for stack in stacks for place in self.places(stack)})

    def line(self, place: CallPlace) -> int:
        """Return the line of the start of a place, from 1."""
        lines = self._lines[place.path]
        return lines.position(place.span.start).line + 1

    @property
    def texts(self) -> Mapping[Path, str]:
        """The texts of the files of all places returned so far."""
        return self._texts

    def text(self, path: Path) -> str:
        """Return the text of the file of a returned place."""
        return self._texts[path]

    def places(self, stack: Stack) -> list[CallPlace]:
        """Return the places of the calls of a stack that are in the workspace, the innermost one first.

        Calls within one expression, such as a comprehension, are one place.
        """
        places: list[CallPlace] = []
        for place in self._placed(stack):
            inner = places[-1] if places else None
            if inner is None or inner.path != place.path or not place.span.start <= inner.span.start < place.span.end:
                places.append(place)
        return places

    def is_direct(self, stack: Stack) -> bool:
        """Return whether the innermost call in the workspace is one of the bindings, which made the operation."""
        for frame in stack:
            if self._file(frame.file) is not None:
                return True
            if self._bindings is None or not real_path(frame.file).is_relative_to(real_path(self._bindings)):
                return False
        return False

    def _placed(self, stack: Stack) -> Iterator[CallPlace]:
        for frame in stack:
            file = self._file(frame.file)
            if file is not None and frame.line > 0:
                path, lines = file
                yield CallPlace(path, _span(frame, lines))

    def _file(self, name: str) -> tuple[Path, LineIndex] | None:
        """Return a file of the workspace with its lines, None for other files and for unreadable ones."""
        if name not in self._files:
            path = self._own_path(real_path(name)) if Path(name).is_absolute() else None
            text = text_of(path) if path is not None else None
            self._files[name] = None
            if path is not None and text is not None:
                self._texts[path] = text
                self._files[name] = path, self._lines.setdefault(path, LineIndex(text))
        return self._files[name]

    def _own_path(self, resolved: Path) -> Path | None:
        """Return the path of a file below its root as given, None for a file outside of the workspace."""
        root = next((root for root in self._roots if resolved.is_relative_to(root)), None)
        is_bindings = self._bindings is not None and resolved.is_relative_to(self._bindings)
        if root is None or is_bindings or _INSTALLED.intersection(resolved.parts):
            return None
        return self._roots[root] / resolved.relative_to(root)


def _span(frame: Frame, lines: LineIndex) -> FileSpan:
    """Return the characters of a call; where Python does not know them, the code of its line."""
    row = frame.line - 1
    if row >= lines.line_count:  # the file has changed since the run
        return FileSpan(0, 0)
    if frame.end_line:
        return FileSpan(
            offset_of_column(lines, row, frame.column), offset_of_column(lines, frame.end_line - 1, frame.end_column)
        )
    text = lines.line_text(row)
    code = text.strip()
    start = lines.offset(Position(row, text.index(code) if code else 0))
    return FileSpan(start, start + len(code))


def offset_of_column(lines: LineIndex, row: int, column: int) -> int:
    """Return the offset of a column, in bytes of UTF-8."""
    if row >= lines.line_count:
        return lines.offset(Position(row, 0))
    before = lines.line_text(row).encode("utf-8", "surrogatepass")[:column]
    return lines.offset(Position(row, len(before.decode("utf-8", "ignore"))))

"""What to run for a script: what the caller wants, else what its comments say, else what its project says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.files.boundary import leads_out
from tdls.files.reading import read_text
from tdls.files.selection import library_files
from tdls.interpreter.entry_points import EntryPointKind, entry_points
from tdls.interpreter.model import Emit, Limits, RunRequest, TextFile
from tdls.interpreter.script import Script
from tdls.semantic.run_lines import expand_path, instructions, options_of, run_lines
from tdls.semantic.transform_dialect import ENTRY_POINT, is_transform_name
from tdls.settings.paths import is_file
from tdls.syntax.sections.boundaries import SplitMode, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.interpreter.entry_points import EntryPoint
    from tdls.semantic.model import Operation
    from tdls.semantic.run_lines import Instructions
    from tdls.text.shell_words import Placed

NO_PAYLOAD = "there is no payload, so nothing was transformed"
_OPTIONS = frozenset({"debug-payload-root-tag", "debug-bind-trailing-args", "disable-expensive-checks"})
"""Options of transform-interpreter that change what a script does."""
_DIRECTIVE = "tdls:"
_NAMED = 10
"""Entry points that are named where there are too many."""
_SYMBOL_HEAD = re.compile(r'(?:@"?|\bsym_name\s*=\s*")\Z')
_LONGEST_SYMBOL_HEAD = 40
_MORE_OF_NAME = re.compile(r"[\w$.-]")
_NO_LINE_BREAK = re.compile(r"[^\n]")


class PlanError(Exception):
    """A run cannot be planned: a file cannot be read, or where to begin is not known. One line for people."""


class EntryPointError(PlanError):
    """There is no place to begin that was asked for, or several are there to choose from."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the caller wants of a run, whatever the script says; None and () leave it to the script."""

    payload: Path | None = None
    entry_point: str | None = None
    """The name of an `EntryPoint`."""
    libraries: tuple[Path, ...] = ()
    project_libraries: tuple[Path, ...] = ()
    """Libraries that count where neither the caller nor the script names any."""
    project_payload: Path | None = None
    """What is transformed where neither the caller nor the script names anything, nor has anything itself."""
    part: int | None = None
    """Run only this part of the script, counted from 0."""
    emits: frozenset[Emit] = frozenset({Emit.PAYLOAD})
    observe: bool = False
    until: int | None = None
    """See `RunRequest`; only the part of the script that has this offset is run."""
    limits: Limits = field(default_factory=Limits)
    read: Callable[[Path], str] = read_text
    """How texts of payload and libraries are had; raises what `read_text` raises."""


def has_payload(request: RunRequest) -> bool:
    """Tell whether there is anything to transform but scripts."""
    if request.payload is not None:
        return True
    return any(_are_payload(context.model.operations) for context in request.script.file.contexts)


def _are_payload(operations: Iterable[Operation]) -> bool:
    """Tell whether there is more than scripts among `operations` and in the modules among them."""
    for operation in operations:
        if operation.has_trait("SymbolTable"):
            if any(_are_payload(block.operations) for block in operation.blocks()):
                return True
        elif not is_transform_name(operation.name):
            return True
    return False


def plan(script: Script, path: Path | None, options: RunOptions) -> Iterator[RunRequest]:
    """Return what to run for `script`, which is the file at `path`: one run for each of its parts.

    The parts are those of its source, if it has one. What is known of its operations counts for libraries, too.

    Parts are what ``// -----`` separates; they keep their places, as blanks stand for all that is before them. The
    names of the texts in a request are the paths of the files that the run depends on. Raises PlanError. Where a run of
    one of several parts is to begin that does not tell, MLIR is left to complain, so that the others are run.
    """
    said = _RunComments(script.text, path)
    payload = options.payload or said.payload()
    libraries = options.libraries or said.libraries() or options.project_libraries
    files = chain.from_iterable(map(_files, libraries))
    request = RunRequest(
        script=script,
        payload=TextFile(str(payload), _text_of(payload, options)) if payload is not None else None,
        libraries=tuple(Script(str(file), _text_of(file, options), script.catalogue) for file in _without(path, files)),
        options=said.options(),
        emits=options.emits,
        observe=options.observe,
        until=options.until,
        limits=options.limits,
    )
    mode = SplitMode.ALWAYS if said.splits_input and script.source is None else SplitMode.AUTO
    bounds = parts_of(script.text, mode)
    wanted = _wanted(script.name, bounds, options)
    start = _Start(script, mode, options.entry_point or said.entry_point())
    parts = (replace(request, script=_part(script, *bounds[number]), part=number) for number in wanted)
    return (_with_payload(start.of(part, is_alone=len(wanted) == 1), path, options) for part in parts)


def _with_payload(request: RunRequest, path: Path | None, options: RunOptions) -> RunRequest:
    """Return `request` with the payload of the project, if it has no other one. Raises PlanError."""
    payload = options.project_payload
    if payload is None or has_payload(request) or (path is not None and payload.resolve() == path.resolve()):
        return request
    return replace(request, payload=TextFile(str(payload), _text_of(payload, options)))


def _wanted(name: str, bounds: Sequence[tuple[int, int]], options: RunOptions) -> Sequence[int]:
    """Return the numbers of the parts to run. Raises PlanError for one that is not there."""
    if options.part is not None:
        if not 0 <= options.part < len(bounds):
            raise PlanError(f"{name}: there is no part {options.part + 1}, the last one is part {len(bounds)}")
        return [options.part]
    if options.until is None:
        return range(len(bounds))
    return [max(number for number, (start, _) in enumerate(bounds) if start <= max(options.until, 0))]


def _part(script: Script, start: int, end: int) -> Script:
    """Return the part of `script` from `start` to `end`."""
    if (start, end) == (0, len(script.text)):
        return script
    text = _NO_LINE_BREAK.sub(" ", script.text[:start]) + script.text[start:end]
    return Script(script.name, text, script.catalogue)


class _Start:
    """Finds where runs of a script begin; the script is read for that only if it has to be."""

    def __init__(self, script: Script, mode: SplitMode, wanted: str | None) -> None:
        self._script = script
        self._file = script.source
        self._mode = mode
        self._wanted = wanted

    def of(self, request: RunRequest, *, is_alone: bool) -> RunRequest:
        """Return `request` with its entry point. Raises PlanError if that does not exist, or is one of several.

        MLIR is left to say what is wrong where tdls finds no entry point at all, and in requests that are not alone.
        """
        name = self._wanted or ENTRY_POINT
        if _mentions(request, name):
            return replace(request, entry_point=name)
        points = [point for point in self._points() if point.part == request.part]
        chosen = [point for point in points if point.name == name] if self._wanted is not None else _preferred(points)
        if len(chosen) == 1 and chosen[0].kind is EntryPointKind.OPERATION:
            return replace(request, entry_point=chosen[0].name, operation=chosen[0].span.start)
        if len(chosen) == 1 or not points or not is_alone:
            return replace(request, entry_point=chosen[0].name if len(chosen) == 1 else name)
        raise EntryPointError(f"{self._script.name}: {_choice(self._wanted, points)}")

    def _points(self) -> list[EntryPoint]:
        if self._file is None:
            self._file = SourceFile.of(self._script.text, self._script.catalogue, split=self._mode)
        return entry_points(self._file)


def _mentions(request: RunRequest, name: str) -> bool:
    """Tell whether a symbol may be called `name` in what MLIR reads for `request`."""
    files = (request.script, *request.others)
    return any(_is_symbol(file.text, start, name) for file in files for start in _places(file.text, name))


def _places(text: str, name: str) -> Iterator[int]:
    start = text.find(name)
    while start >= 0:
        yield start
        start = text.find(name, start + 1)


def _is_symbol(text: str, start: int, name: str) -> bool:
    """Tell whether the `name` at `start` is all of a symbol's."""
    head = text[max(0, start - _LONGEST_SYMBOL_HEAD) : start]
    return _SYMBOL_HEAD.search(head) is not None and _MORE_OF_NAME.match(text, start + len(name)) is None


def _preferred(points: Sequence[EntryPoint]) -> Sequence[EntryPoint]:
    """Return the only one that is not private, or else all."""
    public = [point for point in points if not point.is_private]
    return public if len(public) == 1 else points


def _choice(wanted: str | None, points: Sequence[EntryPoint]) -> str:
    known = ", ".join(point.shown for point in points[:_NAMED])
    known += f" and {len(points) - _NAMED} more" if len(points) > _NAMED else ""
    if wanted is not None:
        return f"there is no entry point {wanted}; there are {known}"
    return f"there is no @{ENTRY_POINT}; choose one of the entry points {known}"


class _RunComments:
    """What the comments of a script say of how it runs; a ``// tdls:`` comment wins over RUN lines."""

    def __init__(self, text: str, path: Path | None) -> None:
        self._text = text
        self._path = path
        self._said: Instructions = instructions(text)
        self.splits_input = self._said.splits_input

    def entry_point(self) -> str | None:
        """Return the name of the named sequence to start with."""
        return next((entry.text for entry in self._preferred(self._said.entry_points)), None)

    def payload(self) -> Path | None:
        """Return the payload's file; where a command reads the script as a library, that is the file it names else."""
        named = list(self._paths(self._said.payloads))
        if not named and self._path in self.libraries():
            named = [file for file in self._paths(self._said.files) if is_file(file)]
        return next((file for file in named if file != self._path), None)

    def libraries(self) -> tuple[Path, ...]:
        """Return the files and folders with named sequences."""
        return tuple(dict.fromkeys(self._paths(self._said.libraries)))

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return options of the interpreter as the first command that gives some has them."""
        for line in run_lines(self._text):
            for command in line.commands:
                found = [(o.name.text, o.value.text if o.value else "true") for o in options_of(command)]
                chosen = tuple(option for option in found if option[0] in _OPTIONS)
                if chosen:
                    return chosen
        return ()

    def _preferred(self, items: Sequence[Placed]) -> list[Placed]:
        """Return the items of ``// tdls:`` comments, all items where there are none of them."""
        return [item for item in items if _DIRECTIVE in self._line_before(item)] or list(items)

    def _line_before(self, item: Placed) -> str:
        start = item.span.start
        return self._text[self._text.rfind("\n", 0, start) + 1 : start]

    def _paths(self, items: Sequence[Placed]) -> Iterator[Path]:
        """Expand paths as written, which count from the script's folder. Raises PlanError for paths that lead out."""
        own = self._path if self._path is not None else Path("-")
        for item in self._preferred(items):
            expanded = expand_path(item.text, source=own.name, folder=".")
            if expanded is None:
                continue
            if self._path is not None and leads_out(own, own.parent / expanded):
                advice = "name it yourself where you start the run, or keep it inside"
                raise PlanError(f"`{item.text}`, which the script names, is outside of its repository: {advice}")
            yield own.parent / expanded


def _files(path: Path) -> list[Path]:
    """Return the files that a library is read from. Raises PlanError."""
    try:
        return library_files(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _without(own: Path | None, files: Iterable[Path]) -> Iterator[Path]:
    resolved = own.resolve() if own is not None else None
    return (file for file in files if file.resolve() != resolved)


def _text_of(path: Path, options: RunOptions) -> str:
    """Return the text of a file. Raises PlanError."""
    try:
        return options.read(path)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError | ValueError) -> PlanError:
    if isinstance(error, UnicodeDecodeError):
        return PlanError(f"{path}: not UTF-8 text (byte {error.start})")
    return PlanError(f"{path}: {(error.strerror if isinstance(error, OSError) else None) or error}")

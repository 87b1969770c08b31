"""Plans the runs of a script: settings come from the caller, else from the script's comments, else from its project."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.files.boundary import boundary_of, leads_out, real_path
from tdls.files.reading import BYTECODE, read_text, why_no_text
from tdls.files.selection import library_files
from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.choices import with_values
from tdls.interpreter.runs.entry_points import EntryPointKind, entry_points
from tdls.interpreter.runs.model import Emit, Limits, RunRequest, TextFile
from tdls.interpreter.runs.script import Script
from tdls.semantic.run_lines import expand_path, instructions, options_of, run_lines
from tdls.semantic.transform_dialect import ENTRY_POINT, is_transform_name
from tdls.structs import Struct, field, replace
from tdls.syntax.layout import comments
from tdls.syntax.sections.boundaries import SplitMode, parts_of
from tdls.text.similarity import is_typing_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.interpreter.runs.entry_points import EntryPoint
    from tdls.semantic.model import Operation
    from tdls.semantic.run_lines import Instructions
    from tdls.text.shell_words import Placed

NO_PAYLOAD = "there is no payload, so nothing was transformed"
_OPTIONS = frozenset({"debug-payload-root-tag", "debug-bind-trailing-args", "disable-expensive-checks"})
"""Options of transform-interpreter that change the effect of a script."""
_DIRECTIVE = "tdls:"
_NAMED = 10
"""Maximum number of entry points to list in a message."""
_SYMBOL_HEAD = re.compile(r'(?:@"?|\bsym_name\s*=\s*")\Z')
_LONGEST_SYMBOL_HEAD = 40
_MORE_OF_NAME = re.compile(r"[\w$.-]")
_NO_LINE_BREAK = re.compile(r"[^\n]")


class EntryPointError(PlanError):
    """The requested entry point does not exist, or several exist and none was chosen."""


class RunOptions(Struct, frozen=True):
    """The caller's settings of a run, which override those of the script; None and () leave a setting to the script."""

    payload: Path | None = None
    entry_point: str | None = None
    """The name of an `EntryPoint`."""
    libraries: tuple[Path, ...] = ()
    project_libraries: tuple[Path, ...] = ()
    """Libraries to use if neither the caller nor the script names any."""
    project_payload: Path | None = None
    """Payload to use if neither the caller nor the script names a payload and the script contains none."""
    part: int | None = None
    """Run only this part of the script (0-based)."""
    emits: frozenset[Emit] = frozenset({Emit.PAYLOAD})
    observe: bool = False
    until: int | None = None
    """See `RunRequest`; only the part of the script that contains this offset is run."""
    ends_at_unknown: bool = False
    keeps_names: bool = True
    values: tuple[tuple[str, str], ...] = ()
    """Values of choices by name; see `with_values`."""
    limits: Limits = field(default_factory=Limits)
    read: Callable[[Path], str] = read_text
    """Reads the texts of payload and libraries; raises the errors of `read_text`."""


def has_payload(request: RunRequest) -> bool:
    """Whether the request has a payload besides transform operations."""
    if request.payload is not None:
        return True
    return any(_are_payload(context.model.operations) for context in request.script.file.contexts)


def _are_payload(operations: Iterable[Operation]) -> bool:
    """Whether `operations`, or operations in nested symbol tables, include payload."""
    for operation in operations:
        if operation.has_trait("SymbolTable"):
            if any(_are_payload(block.operations) for block in operation.blocks()):
                return True
        elif not is_transform_name(operation.name):
            return True
    return False


def plan(script: Script, path: Path | None, options: RunOptions) -> Iterator[RunRequest]:
    """Return the runs for `script`, the file at `path`: one for each part between ``// -----`` markers.

    The parts are those of the script's source, if it has one. Parts keep their offsets, since blanks stand for all text
    before them. The script's catalogue is used for libraries, too. The names of the texts in a request are the paths of
    the files that the run depends on.

    Raises PlanError. With several parts, a part without a unique entry point is passed on unchanged, so that MLIR
    reports the error and the other parts still run.
    """
    comments = _RunComments(script.text, path)
    payload = options.payload or comments.payload()
    libraries = options.libraries or comments.libraries() or options.project_libraries
    own = real_path(path) if path is not None else None
    files = (file for file in chain.from_iterable(map(_files, libraries)) if real_path(file) != own)
    request = RunRequest(
        script=script,
        payload=_payload_of(payload, options) if payload is not None else None,
        libraries=tuple(Script(str(file), _text_of(file, options), script.catalogue) for file in files),
        options=comments.options(),
        emits=options.emits,
        observe=options.observe,
        until=options.until,
        ends_at_unknown=options.ends_at_unknown,
        keeps_names=options.keeps_names,
        limits=options.limits,
    )
    mode = SplitMode.ALWAYS if comments.splits_input and script.source is None else SplitMode.AUTO
    bounds = parts_of(script.text, mode)
    numbers = _part_numbers(script.name, bounds, options)
    start = _Start(script, mode, options.entry_point or comments.entry_point())
    parts = (replace(request, script=_part(script, *bounds[number]), part=number) for number in numbers)
    requests = (_with_payload(start.of(part, is_alone=len(numbers) == 1), path, options) for part in parts)
    return (_with_values(each, dict(options.values)) if options.values else each for each in requests)


def _with_payload(request: RunRequest, path: Path | None, options: RunOptions) -> RunRequest:
    """Return `request` with the project's payload, if it has no payload yet. Raises PlanError."""
    payload = options.project_payload
    if payload is None or has_payload(request) or (path is not None and real_path(payload) == real_path(path)):
        return request
    return replace(request, payload=_payload_of(payload, options))


def _with_values(request: RunRequest, values: dict[str, str]) -> RunRequest:
    """Return `request` with values of choices. Raises PlanError."""
    script, *libraries = with_values([request.script, *request.libraries], values)
    return replace(request, script=script, libraries=tuple(libraries))


def _part_numbers(name: str, bounds: Sequence[tuple[int, int]], options: RunOptions) -> Sequence[int]:
    """Return the numbers of the parts to run. Raises PlanError for a missing part."""
    if options.part is not None:
        if not 0 <= options.part < len(bounds):
            raise PlanError(f"{name}: there is no part {options.part + 1}, the last one is part {len(bounds)}")
        return [options.part]
    if options.until is None:
        return range(len(bounds))
    return [max(number for number, (start, _) in enumerate(bounds) if start <= max(options.until, 0))]


def _part(script: Script, start: int, end: int) -> Script:
    if (start, end) == (0, len(script.text)):
        return script
    text = _NO_LINE_BREAK.sub(" ", script.text[:start]) + script.text[start:end]
    return Script(script.name, text, script.catalogue)


class _Start:
    """Determines the entry points of runs; parses the script only if necessary."""

    def __init__(self, script: Script, mode: SplitMode, requested: str | None) -> None:
        self._script = script
        self._file = script.source
        self._mode = mode
        self._requested = requested

    def of(self, request: RunRequest, *, is_alone: bool) -> RunRequest:
        """Return `request` with its entry point. Raises PlanError if that does not exist, or if several exist.

        Requests without any entry point, or with sibling parts, pass unchanged: MLIR reports the error.
        """
        name = self._requested or ENTRY_POINT
        if _mentions(request, name):
            return replace(request, entry_point=name)
        if self._file is None:
            self._file = SourceFile.of(self._script.text, self._script.catalogue, split=self._mode)
        points = [point for point in entry_points(self._file) if point.part == request.part]
        chosen = (
            [point for point in points if point.name == name] if self._requested is not None else _preferred(points)
        )
        if len(chosen) == 1 and chosen[0].kind is EntryPointKind.OPERATION:
            return replace(request, entry_point=chosen[0].name, operation=chosen[0].span.start)
        if len(chosen) == 1 or not points or not is_alone:
            return replace(request, entry_point=chosen[0].name if len(chosen) == 1 else name)
        raise EntryPointError(f"{self._script.name}: {_choice(self._requested, points)}")


def _mentions(request: RunRequest, name: str) -> bool:
    """Whether a symbol may be called `name` in the scripts that MLIR reads for `request`, outside of comments."""
    for file in (request.script, *request.others):
        ends = accumulate(len(piece) + len(name) for piece in file.text.split(name)[:-1])
        starts = [
            start
            for end in ends
            if _SYMBOL_HEAD.search(file.text[max(0, (start := end - len(name)) - _LONGEST_SYMBOL_HEAD) : start])
            and not _MORE_OF_NAME.match(file.text, end)
        ]
        spans = [comment.span for comment in comments(file.text)] if starts else []
        for start in starts:
            before = bisect_right(spans, start, key=lambda span: span.start) - 1
            if before < 0 or start >= spans[before].end:
                return True
    return False


def _preferred(points: Sequence[EntryPoint]) -> Sequence[EntryPoint]:
    """Return the only public entry point, or all if there is not exactly one."""
    public = [point for point in points if not point.is_private]
    return public if len(public) == 1 else points


def _choice(requested: str | None, points: Sequence[EntryPoint]) -> str:
    known = ", ".join(point.shown for point in points[:_NAMED])
    known += f" and {len(points) - _NAMED} more" if len(points) > _NAMED else ""
    if requested is not None:
        meant = [point.shown for point in points if is_typing_error(requested, point.name)]
        there = f"there {'is' if len(points) == 1 else 'are'} {known}"
        advice = f"did you mean {meant[0]}?" if len(meant) == 1 else there
        return f"there is no entry point {requested}; {advice}"
    return f"there is no @{ENTRY_POINT}; choose one of the entry points {known}"


class _RunComments:
    """The run settings in the comments of a script; ``// tdls:`` comments take precedence over RUN lines."""

    def __init__(self, text: str, path: Path | None) -> None:
        self._text = text
        self._path = path
        self._instructions: Instructions = instructions(text)
        self.splits_input = self._instructions.splits_input

    def entry_point(self) -> str | None:
        """Return the name of the named sequence to start with."""
        return next((entry.text for entry in self._preferred(self._instructions.entry_points)), None)

    def payload(self) -> Path | None:
        """Return the payload's file. If a command reads the script as a library, it is the command's input file."""
        named = list(self._paths(self._instructions.payloads))
        if not named and self._path in self.libraries():
            named = [file for file in self._paths(self._instructions.files) if os.path.isfile(file)]
        return next((file for file in named if file != self._path), None)

    def libraries(self) -> tuple[Path, ...]:
        """Return the files and folders with named sequences."""
        return tuple(dict.fromkeys(self._paths(self._instructions.libraries)))

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the interpreter options of the first command that has any."""
        for line in run_lines(self._text):
            for command in line.commands:
                options = [(o.name.text, o.value.text if o.value else "true") for o in options_of(command)]
                chosen = tuple(option for option in options if option[0] in _OPTIONS)
                if chosen:
                    return chosen
        return ()

    def _preferred(self, items: Sequence[Placed]) -> list[Placed]:
        """Return the items of ``// tdls:`` comments, or all items if there are no such comments."""
        heads = (self._text[: item.span.start].rpartition("\n")[2] for item in items)
        return [item for item, head in zip(items, heads, strict=True) if _DIRECTIVE in head] or list(items)

    def _paths(self, items: Sequence[Placed]) -> Iterator[Path]:
        """Expand paths relative to the script's folder. Raises PlanError for paths that leave the repository."""
        own = self._path if self._path is not None else Path("-")
        for item in self._preferred(items):
            expanded = expand_path(item.text, source=own.name, folder=".")
            if expanded is None:
                continue
            if self._path is not None and leads_out(own, expanded):
                boundary = boundary_of(real_path(own).parent)
                advice = "name it yourself where you start the run, or keep it inside"
                raise PlanError(f"`{item.text}`, which the script names, is outside of {boundary}: {advice}")
            named = own.parent / expanded
            plain = Path(os.path.normpath(named))  # as editors and findings name it
            yield plain if real_path(plain) == real_path(named) else named


def _files(path: Path) -> list[Path]:
    """Return the files of a library path. Raises PlanError."""
    try:
        return library_files(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _payload_of(path: Path, options: RunOptions) -> TextFile:
    """Read a file of text or bytecode. Raises PlanError."""
    try:
        return TextFile(str(path), _text_of(path, options))
    except PlanError as error:
        if isinstance(error.__cause__, UnicodeDecodeError) and error.__cause__.object.startswith(BYTECODE):
            return TextFile(str(path), "", is_bytecode=True)
        raise


def _text_of(path: Path, options: RunOptions) -> str:
    """Read a file with the reader of `options`. Raises PlanError."""
    try:
        return options.read(path)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError | ValueError) -> PlanError:
    if isinstance(error, UnicodeDecodeError):
        return PlanError(f"{path}: {why_no_text(error)}")
    return PlanError(f"{path}: {(error.strerror if isinstance(error, OSError) else None) or error}")

"""Make the request for a backend from a run target; documents open in the editor replace files on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.files.reading import read_text
from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.model import Emit, Limits
from tdls.interpreter.runs.plan import RunOptions, plan
from tdls.interpreter.runs.script import Script
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import View
from tdls.settings.paths import named_libraries, named_payload
from tdls.structs import NamedTuple
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection

    from tdls.interpreter.runs.model import RunRequest
    from tdls.lsp.protocol.run_target import RunTarget, TargetOptions
    from tdls.lsp.session.session import Session
    from tdls.settings.model import Settings
    from tdls.text.span import FileSpan


class Planned(NamedTuple):
    """A request, and the open documents among its input files by their names in the request."""

    request: RunRequest
    opened: dict[str, SourceFile]
    entry: FileSpan
    """The name of the entry point in the script."""

    @property
    def script(self) -> SourceFile:
        return self.opened[self.request.script.name]

    @property
    def texts(self) -> dict[str, str]:
        """The texts of all input files of the request, by name."""
        return {file.name: file.text for file in (*self.request.others, self.request.script)}

    def files(self, names: Collection[str]) -> dict[str, SourceFile]:
        """Return the closed input files with one of `names`, and all open ones, by name."""
        catalogue = self.script.catalogue
        closed = {
            name: SourceFile.of(text, catalogue)
            for name, text in self.texts.items()
            if name in names and name not in self.opened
        }
        return {**closed, **self.opened}


class Planner:
    """Makes the request for a target from the session state at construction; `request` may run in another thread."""

    def __init__(self, session: Session, target: RunTarget, settings: Settings, file: SourceFile | None = None) -> None:
        """`file` is run in place of the script's present version.

        Raises PlanError if the script is not open, or has no such entry point.
        """
        file = file or session.file(target.script)
        if file is None:
            raise PlanError(f"{target.script}: this document is not open")
        self._file = file
        self._target = target
        self._settings = settings
        entry = place_of_entry(file, target.entry_point, target.part)
        if entry is None:
            raise PlanError(f"there is no entry point {target.entry_point} (any more) in {target.script}")
        self.entry = entry.span
        self._path = path_of(target.script)
        built = session.built.by_uri.get(target.script)
        self._built_payload = built.payload if built is not None else None
        self._opened = {path: file for uri, file in session.open_files().items() if (path := path_of(uri))}

    def request(self, options: TargetOptions, views: Collection[View]) -> Planned:
        """Return the request. Raises PlanError if an input file cannot be read."""
        script = Script.of(str(self._path) if self._path is not None else self._target.script, self._file)
        emits = {Emit.MODULE if self._settings.run.keep_script else Emit.PAYLOAD}
        if View.BEFORE in views or View.DIFF in views:
            emits.add(Emit.BEFORE)
        if View.DIFF in views:
            emits.add(Emit.PAYLOAD)
        run_options = RunOptions(
            payload=options.payload,
            entry_point=self._target.entry_point,
            libraries=options.libraries,
            project_libraries=tuple(named_libraries(self._settings.libraries)[0]),
            project_payload=self._built_payload or named_payload(self._settings.payload),
            part=self._target.part,
            observe=True,
            until=options.until,
            values=options.values,
            ends_at_unknown=True,
            emits=frozenset(emits),
            limits=Limits.of(self._settings.run),
            read=self._read,
        )
        request = next(iter(plan(script, self._path, run_options)))
        others = ((other.name, self._opened.get(Path(other.name))) for other in request.others)
        opened = {name: file for name, file in others if file is not None}
        return Planned(request, {script.name: self._file, **opened}, self.entry)

    def _read(self, path: Path) -> str:
        """Return the text of a file in the editor, or on disk if it is not open. Raises the errors of `read_text`."""
        opened = self._opened.get(path)
        return opened.text if opened is not None else read_text(path)


class EntryPlace(NamedTuple):
    """The part of a file with an entry point, and the span of its name."""

    part: int
    span: FileSpan


def place_of_entry(file: SourceFile, name: str, part: int | None) -> EntryPlace | None:
    """Return the place of the entry point `name`, in any part if `part` is None.

    A symbol that does not look like an entry point is accepted: MLIR reports the error when it is run.
    """
    points = (point for point in entry_points(file) if point.name == name and part in (None, point.part))
    for point in points:
        return EntryPlace(point.part, point.span)
    for context in file.contexts:
        start = context.section.text.find(f"@{name}") if part in (None, context.part) else -1
        if start >= 0:
            return EntryPlace(context.part, context.to_file(Span(start, start + 1 + len(name))))
    return None

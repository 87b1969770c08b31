"""What to run for a script: what the caller wants, else what its comments say, else what its project says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.interpreter.model import Emit, Limits, RunRequest, TextFile
from tdls.semantic.run_lines import expand_path, instructions, options_of, run_lines
from tdls.settings.paths import is_file
from tdls.syntax.runs import SplitMode, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.semantic.run_lines import Instructions
    from tdls.text.shell_words import Placed

_OPTIONS = frozenset({"debug-payload-root-tag", "debug-bind-trailing-args", "disable-expensive-checks"})
"""Options of transform-interpreter that change what a script does."""
_DIRECTIVE = "tdls:"
_SUFFIX = ".mlir"
_DEFAULT_ENTRY_POINT = "__transform_main"


class PlanError(Exception):
    """A file that a run needs cannot be read; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller wants of a run, whatever the script says; None and () leave it to the script."""

    payload: Path | None = None
    entry_point: str | None = None
    libraries: tuple[Path, ...] = ()
    project_libraries: tuple[Path, ...] = ()
    """Libraries that count where neither the caller nor the script names any."""
    emits: frozenset[Emit] = frozenset({Emit.PAYLOAD})
    limits: Limits = field(default_factory=Limits)


def plan(script: TextFile, path: Path | None, wishes: Wishes) -> list[RunRequest]:
    """Return what to run for `script`, which is the file at `path`: one run for each of its parts.

    Parts are what ``// -----`` separates; each keeps its places by standing behind empty lines. Raises PlanError.
    """
    said = _Said(script.text, path)
    payload = wishes.payload or said.payload()
    libraries = wishes.libraries or said.libraries() or wishes.project_libraries
    request = RunRequest(
        script=script,
        payload=_read(payload) if payload is not None else None,
        entry_point=wishes.entry_point or said.entry_point() or _DEFAULT_ENTRY_POINT,
        libraries=tuple(_read(library) for library in _without(path, _files(libraries))),
        options=said.options(),
        emits=wishes.emits,
        limits=wishes.limits,
    )
    return [replace(request, script=TextFile(script.name, text)) for text in _parts(script.text, said.splits_input)]


def _parts(text: str, is_split: bool) -> list[str]:
    bounds = parts_of(text, SplitMode.ALWAYS if is_split else SplitMode.AUTO)
    return ["\n" * text.count("\n", 0, start) + text[start:end] for start, end in bounds]


class _Said:
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
        """Expand paths as written, which count from the script's folder."""
        own = self._path if self._path is not None else Path("-")
        for item in self._preferred(items):
            expanded = expand_path(item.text, source=own.name, folder=".")
            if expanded is not None:
                yield own.parent / expanded


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """A folder stands for the scripts in it, as for transform-preload-library. Raises PlanError."""
    for path in paths:
        try:
            entries = sorted(path.iterdir()) if path.is_dir() else [path]
        except OSError as error:
            raise PlanError(f"{path}: {error.strerror or error}") from error
        yield from (entry for entry in entries if entry == path or (entry.suffix == _SUFFIX and is_file(entry)))


def _without(own: Path | None, files: Iterable[Path]) -> Iterator[Path]:
    resolved = own.resolve() if own is not None else None
    return (file for file in files if file.resolve() != resolved)


def _read(path: Path) -> TextFile:
    try:
        return TextFile(str(path), path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PlanError(f"{path}: not UTF-8 text (byte {error.start})") from error

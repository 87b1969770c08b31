"""Runs that a command line asks for: the options of ``run`` and ``trace``, and the requests that they make."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdls.cli.checking.configurations import Configurations
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.cli.console.options import grouped, process_options
from tdls.cli.rendering.checked import shown_file
from tdls.files.reading import read_text
from tdls.interpreter.backend import open_backend
from tdls.interpreter.mlir.choice import choose
from tdls.interpreter.runs.model import Emit, Limits
from tdls.interpreter.runs.plan import RunOptions, plan
from tdls.interpreter.runs.script import Script
from tdls.settings.paths import named_libraries, named_payload
from tdls.settings.sources import Overrides
from tdls.structs import NamedTuple, Struct
from tdls.text.positions import LineIndex, Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunRequest
    from tdls.settings.consent import Trust
    from tdls.settings.model import BackendChoice, Settings

_PLACE = re.compile(r"(\d{1,9})(?::(\d{1,9}))?(?:#(\d{1,9}))?", re.ASCII)


class RunArguments(Struct, frozen=True):
    """Options of the command line for a run; None and () where an option is not given."""

    payload: Path | None
    entry_point: str | None
    libraries: tuple[Path, ...]
    part: int | None
    backend: str | None
    python: str | None
    timeout: float | None
    memory: int | None
    until_unknown: bool = False
    no_names: bool = False
    values: tuple[str, ...] = ()
    stdin_filename: str | None = None


run_options = grouped(
    "arguments",
    RunArguments,
    click.option("--payload", type=click.Path(path_type=Path), metavar="FILE", help="Apply the script to this file."),
    click.option(
        "--entry-point",
        metavar="NAME",
        help="Where to begin; else with @__transform_main, or with the only entry point there is.",
    ),
    click.option(
        "--library",
        "libraries",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="A file, or a folder of files, with named sequences that the script includes; may be repeated.",
    ),
    click.option(
        "--until-unknown", is_flag=True, help="End before the first step with operations or types that this MLIR lacks."
    ),
    click.option(
        "--set",
        "values",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set a knob, alternatives or a constant parameter, by its name, its %value or its line; may be repeated.",
    ),
    click.option("--no-names", is_flag=True, help="Let MLIR name all values, rather than as they are in the payload."),
    click.option("--stdin-filename", metavar="NAME", help="What to call standard input; its settings apply."),
    click.option(
        "--part", type=click.IntRange(min=1), metavar="N", help="Run only part N of a file that '// -----' separates."
    ),
    click.option(
        "--backend",
        metavar="NAME",
        help="'bindings', 'bindings:PACKAGE', or a tool that takes the options of mlir-opt; see 'tdls doctor'.",
    ),
    process_options,
)


class CommandRun(Struct, frozen=True):
    """The run of a script that a command line asks for; `path` is None for standard input."""

    script: Script
    path: Path | None
    settings: Settings
    choice: BackendChoice
    arguments: RunArguments
    read: Callable[[Path], str] = read_text
    """Reads payload and libraries, as `RunOptions.read`."""

    @classmethod
    def of(cls, file: str, arguments: RunArguments, trust: Trust) -> CommandRun:
        """Read the script `file`, - for standard input. Raises InputError."""
        text = read_argument(file)
        name = arguments.stdin_filename if file == STANDARD_INPUT else file
        path = Path(name) if name is not None else None
        configured = Configurations((), Overrides(trust=trust)).of(path)
        for complaint in configured.complaints:
            console.complain(complaint, level="warning")
        script = Script("<stdin>" if name is None else name, text, configured.catalogue)
        choice = configured.settings.run.backend_choice.overridden(arguments.backend, arguments.python)
        return cls(script, path, configured.settings, choice, arguments)

    def requests(self, emits: frozenset[Emit], until: int | None = None) -> Iterable[RunRequest]:
        """Return a run request for each part. Raises PlanError."""
        arguments, run = self.arguments, self.settings.run
        entry_point, part = arguments.entry_point, arguments.part
        options = RunOptions(
            payload=arguments.payload,
            entry_point=entry_point.removeprefix("@") if entry_point else None,
            libraries=arguments.libraries,
            project_libraries=tuple(Path(shown_file(path)) for path in named_libraries(self.settings.libraries)[0]),
            project_payload=named_payload(self.settings.payload),
            part=part - 1 if part is not None else None,
            emits=emits,
            until=until,
            ends_at_unknown=arguments.until_unknown,
            keeps_names=not arguments.no_names,
            values=_values(arguments.values),
            limits=Limits.of(run, arguments.timeout, arguments.memory),
            read=self.read,
        )
        return plan(self.script, self.path, options)

    def opened(self) -> Backend:
        """Return the backend, after a note on standard error if users may not expect it. Raises BackendError."""
        backend = open_backend(self.choice)
        advice = choose(self.choice).advice
        if advice:
            console.complain(f"running with {backend.name}; {advice}", level="note")
        return backend


def _values(arguments: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Parse values of ``--set``. Raises BadParameter."""
    for argument in arguments:
        if not all(argument.partition("=")):
            raise click.BadParameter(f"{argument!r} is not NAME=VALUE", param_hint="'--set'")
    return tuple((name.strip(), value.strip()) for name, _, value in (each.partition("=") for each in arguments))


class ScriptPlace(NamedTuple):
    """A place that an option names: an offset in the script, and the number of its execution, from 1."""

    offset: int
    execution: int


def script_place(text: str, place: str, option: str, *, has_execution: bool = False) -> ScriptPlace:
    """Return what ``LINE[:COLUMN]`` means in a script, with ``#N`` if an execution may be named.

    All numbers are from 1. Without a column, it is the first word of the line. Raises BadParameter.
    """
    match = _PLACE.fullmatch(place)
    line, column, execution = map(int, match.groups("1")) if match is not None else (0, 0, 0)
    if match is None or 0 in (line, column, execution) or (match[3] is not None and not has_execution):
        forms = "LINE, LINE:COLUMN or LINE:COLUMN#N" if has_execution else "LINE or LINE:COLUMN"
        raise click.BadParameter(f"{place!r} is not {forms}", param_hint=f"'{option}'")
    lines = LineIndex(text)
    row = min(line, lines.line_count) - 1
    indent = len(lines.line_text(row)) - len(lines.line_text(row).lstrip())
    return ScriptPlace(lines.offset(Position(row, column - 1 if match[2] else indent)), execution)

"""What is run, as the command line, comments, RUN lines and settings say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.checking.configured import Configurations
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.interpreter.backends.choice import choose
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import Emit, Limits
from tdls.interpreter.plan import RunOptions, plan
from tdls.interpreter.script import Script
from tdls.settings.paths import named_libraries, named_payload
from tdls.settings.sources import Overrides
from tdls.text.positions import LineIndex, Position

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.cli.running.options import RunWishes
    from tdls.interpreter.backends.wrapping import WrappingBackend
    from tdls.interpreter.model import RunRequest
    from tdls.settings.consent import Trust
    from tdls.settings.model import BackendChoice, Settings

_MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class ScriptToRun:
    """A script with what its settings say of runs; `path` is None for standard input."""

    script: Script
    path: Path | None
    settings: Settings
    choice: BackendChoice

    @classmethod
    def of(cls, argument: str, wishes: RunWishes, trust: Trust) -> ScriptToRun:
        """Read the script that is `argument` on the command line. Raises InputError."""
        text = read_argument(argument)
        path = None if argument == STANDARD_INPUT else Path(argument)
        configured = Configurations((), Overrides(trust=trust)).of(path)
        for complaint in configured.complaints:
            console.complain(complaint, level="warning")
        script = Script("<stdin>" if path is None else argument, text, configured.catalogue)
        choice = configured.settings.run.backend_choice.overridden(wishes.backend, wishes.python)
        return cls(script, path, configured.settings, choice)

    def requests(self, wishes: RunWishes, emits: frozenset[Emit], until: int | None = None) -> Iterable[RunRequest]:
        """Return what is to be run, a request for each part. Raises PlanError."""
        entry_point, part, run = wishes.entry_point, wishes.part, self.settings.run
        options = RunOptions(
            payload=wishes.payload,
            entry_point=entry_point.removeprefix("@") if entry_point else None,
            libraries=wishes.libraries,
            project_libraries=tuple(named_libraries(self.settings.libraries)[0]),
            project_payload=named_payload(self.settings.payload),
            part=part - 1 if part is not None else None,
            emits=emits,
            until=until,
            limits=Limits(seconds=wishes.timeout or run.timeout, memory=(wishes.memory or run.memory) * _MEBIBYTE),
        )
        return plan(self.script, self.path, options)

    def opened(self) -> WrappingBackend:
        """Return the backend, after telling people if it is one that they may not expect. Raises BackendError."""
        advice = choose(self.choice).advice
        backend = open_backend(self.choice)
        if advice:
            console.complain(f"running with {backend.name}; {advice}", level="note")
        return backend


def offset_of(text: str, line: int, column: int | None) -> int:
    """Return the offset of a place, both from 1; without a column that of the line's first word."""
    lines = LineIndex(text)
    row = min(line, lines.line_count) - 1
    indent = len(lines.line_text(row)) - len(lines.line_text(row).lstrip())
    return lines.offset(Position(row, column - 1 if column else indent))

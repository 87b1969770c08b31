"""What came out of a check, as plain data that every format is made from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tdls.files.reading import read_text
from tdls.text.diagnostic import Diagnostic, Level
from tdls.text.positions import LineIndex
from tdls.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.analysis.checking.fingerprint import Fingerprint


class SourceText:
    """A file's text under the name people know it by; its lines are found when they are first asked for.

    `name` is what the system knows the file by; `shown_name` may be printed.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @property
    def shown_name(self) -> str:
        """The name as it may be printed."""
        return printable(self.name)

    @cached_property
    def lines(self) -> LineIndex:
        """Where each line starts."""
        return LineIndex(self.text)

    def place(self, offset: int) -> str:
        """Return ``NAME:LINE:COLUMN`` of `offset`, 1-based, the column in characters, as it may be printed."""
        line, column = self.lines.position(offset)
        return f"{self.shown_name}:{line + 1}:{column + 1}"


def open_source(path: Path) -> SourceText | None:
    """Return the text of another file that a note points into, None if it cannot be read."""
    try:
        return SourceText(str(path), read_text(path))
    except (OSError, UnicodeDecodeError):
        return None


FAILING_LEVELS = frozenset({Level.ERROR, Level.WARNING})
"""Levels that make a check fail."""


class FingerprintedFinding(NamedTuple):
    """A diagnostic, and what tells it from others of its file when lines have moved."""

    diagnostic: Diagnostic
    fingerprint: Fingerprint


class Hinted(NamedTuple):
    """What hints say of a file that a summary counts, whether or not they are shown."""

    is_template: bool = False
    unknown_operations: tuple[str, ...] = ()
    """Names of transform operations that no source knows."""
    libraries: tuple[str, ...] = ()
    """Files, as settings name them, that define sequences which are called, and are no libraries."""


_NOTHING_HINTED = Hinted()


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What came out of one file, with findings in the order of the text.

    `text` is empty where nothing was found. `complaints` are about the settings of its project.
    `unreadable` says why the file could not be read; `crash` is the traceback of a mistake in tdls.
    """

    name: str
    text: str = ""
    findings: tuple[FingerprintedFinding, ...] = ()
    complaints: tuple[str, ...] = ()
    unreadable: str | None = None
    crash: str | None = None
    is_run: bool | None = None
    """Whether there was something to run; None if nobody asked for runs."""
    unrunnable: str | None = None
    """Why nothing can be run."""
    not_analysed: int = 0
    """In how many sections a limit left something out, whether or not findings say so."""
    hinted: Hinted = _NOTHING_HINTED
    failures: tuple[RuleFailure, ...] = ()
    """The rules that failed, each once; what they would find is missing."""

    @property
    def source(self) -> SourceText:
        """The text that findings point into."""
        return SourceText(self.name, self.text)


class FailedRule(NamedTuple):
    """How a rule failed in the file `name`, the first of so many `files`."""

    failure: RuleFailure
    name: str
    files: int


@dataclass(slots=True)
class Tally:
    """What has been seen so far while files pass by."""

    files: int = 0
    left_out: int = 0
    """How many files were not looked at, since they have no transform operations and nobody named them."""
    files_with_findings: int = 0
    levels: Counter[Level] = field(default_factory=Counter)
    unreadable: dict[str, str] = field(default_factory=dict)
    """Why files could not be read, by name."""
    crashes: dict[str, str] = field(default_factory=dict)
    """Tracebacks of mistakes in tdls, by name of the file."""
    runs: Counter[bool] = field(default_factory=Counter)
    """How many files were run, and how many have nothing to run."""
    unrunnable: dict[str, None] = field(default_factory=dict)
    """Why files could not be run, each reason once."""
    not_analysed: int = 0
    """In how many sections of files a limit left something out."""
    templates: int = 0
    """How many files are templates."""
    unknown_operations: Counter[str] = field(default_factory=Counter)
    """In how many files each operation is used that no source knows."""
    libraries: Counter[str] = field(default_factory=Counter)
    """How many files call sequences of each file that is no library."""
    failures: dict[str, FailedRule] = field(default_factory=dict)
    """What failed, by the name of the rule."""
    complaints: dict[str, None] = field(default_factory=dict)
    """What is wrong with settings, each one once, in the order in which it was met."""

    def add(self, checked: CheckedFile) -> None:
        """Count one more file."""
        if checked.crash is not None:
            self.crashes[checked.name] = checked.crash
        elif checked.unreadable is not None:
            self.unreadable[checked.name] = checked.unreadable
        else:
            self.complaints.update(dict.fromkeys(checked.complaints))
            self.unrunnable.update(dict.fromkeys(filter(None, (checked.unrunnable,))))
            self.runs.update(() if checked.is_run is None else (checked.is_run,))
            self.files += 1
            self.not_analysed += checked.not_analysed
            self.templates += checked.hinted.is_template
            self.unknown_operations.update(checked.hinted.unknown_operations)
            self.libraries.update(checked.hinted.libraries)
            self.add_failures(checked.name, checked.failures)
            self.files_with_findings += bool(checked.findings)
            self.levels.update(finding.diagnostic.level for finding in checked.findings)

    def add_failures(self, name: str, failures: Iterable[RuleFailure]) -> None:
        """Count rules that failed in the file `name`."""
        for failure in failures:
            known = self.failures.get(failure.rule, FailedRule(failure, name, 0))
            self.failures[failure.rule] = known._replace(files=known.files + 1)

    @property
    def has_failures(self) -> bool:
        """True if something was found that makes a check fail."""
        return any(self.levels[level] for level in FAILING_LEVELS)


class RenderOptions(NamedTuple):
    """What formats need besides findings.

    `open_source` gives the text of another file that a note points into, None if that cannot be read.
    """

    open_source: Callable[[Path], SourceText | None]
    coloured: bool = False
    quiet: bool = False
    """Findings only, no summary."""

"""Results of a check, as plain data from which every format is made."""

from __future__ import annotations

import os
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.reading import read_text
from tdls.limits import NOT_ANALYSED
from tdls.settings.selection import with_levels
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.text.level import Level
from tdls.text.positions import LineIndex
from tdls.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.settings.selection import Levels
    from tdls.text.diagnostic import Diagnostic, Fingerprint


class SourceText:
    """A file's name and text; the index of its lines is made on first use.

    `name` is the name for the file system; `shown_name` may be printed.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @property
    def shown_name(self) -> str:
        """The name, escaped for printing."""
        return printable(self.name)

    @cached_property
    def lines(self) -> LineIndex:
        """The index of line starts."""
        return LineIndex(self.text)

    def place(self, offset: int) -> str:
        """Return ``NAME:LINE:COLUMN`` of `offset`, 1-based, the column in characters, escaped for printing."""
        line, column = self.lines.position(offset)
        return f"{self.shown_name}:{line + 1}:{column + 1}"

    def name_of(self, file: Path) -> str:
        """Return the name of a file that a note points into: an absolute path beside one."""
        return str(file) if Path(self.name).is_absolute() else shown_file(file)

    def other(self, file: Path) -> SourceText | None:
        """Return the text of a file that a note points into, None if it cannot be read."""
        try:
            return SourceText(self.name_of(file), read_text(file))
        except (OSError, UnicodeDecodeError):
            return None


def shown_file(file: Path) -> str:
    """Return the path of a file that settings or notes name, from the current folder on if that is shorter."""
    try:
        return min(os.path.relpath(file), str(file), key=len)
    except (OSError, ValueError):  # there is no current folder, or it is on another drive
        return str(file)


FAILING_LEVELS = frozenset({Level.ERROR, Level.WARNING})
"""Levels that make a check fail."""


class FingerprintedFinding(NamedTuple):
    """A diagnostic, and its fingerprint, which identifies it in its file after lines have moved."""

    diagnostic: Diagnostic
    fingerprint: Fingerprint


class Hinted(NamedTuple):
    """Facts from the hints in a file that a summary counts, whether or not the hints are shown."""

    is_template: bool = False
    unknown_operations: tuple[str, ...] = ()
    """Names of transform operations that no source defines."""
    libraries: tuple[str, ...] = ()
    """Files that define called sequences but are not libraries, as settings would name them."""
    is_builder: bool = False
    """Whether it is a program that seems to build a script with MLIR's bindings, which only `check-python` checks."""


_NOTHING_HINTED = Hinted()
OF_SEQUENCES = frozenset({"unknown-symbol", "library-not-named"})
"""As in `tdls.project.sequences`, which takes longer to import."""
_TEMPLATE, _UNKNOWN_OPERATION = "template-placeholder", "unknown-extension-operation"


class CheckedFile(Struct, frozen=True):
    """The result for one file, with findings in the order of the text.

    `text` is empty where there are no findings. `complaints` are problems of the settings of its project.
    `unreadable` says why the file could not be read; `crash` is the traceback of a mistake in tdls.
    """

    name: str
    text: str = ""
    findings: tuple[FingerprintedFinding, ...] = ()
    complaints: tuple[str, ...] = ()
    unreadable: str | None = None
    crash: str | None = None
    is_run: bool | None = None
    """Whether a part of the file was run, or None if runs are off."""
    read_by: str = ""
    """The version of MLIR that read a file without running any of it; "" if none did."""
    unrunnable: str | None = None
    """Why no script can be run."""
    not_analysed: int = 0
    """Number of sections that a limit kept from full analysis, whether or not findings report it."""
    hinted: Hinted = _NOTHING_HINTED
    failures: tuple[RuleFailure, ...] = ()
    """The rules that failed, each once; their findings are missing."""

    @property
    def source(self) -> SourceText:
        """The text that findings point into."""
        return SourceText(self.name, self.text)


def at_levels(
    findings: Iterable[FingerprintedFinding], levels: Levels, *, errors_on_warning: bool = False
) -> list[FingerprintedFinding]:
    """Return `findings` at the levels of `levels`, without those that are off."""
    return [
        finding._replace(diagnostic=warning_as_error(diagnostic) if errors_on_warning else diagnostic)
        for finding in findings
        for diagnostic in with_levels([finding.diagnostic], levels)
    ]


def warning_as_error(finding: Diagnostic) -> Diagnostic:
    """Return `finding`, raised to an error if it is a warning."""
    return replace(finding, level=Level.ERROR) if finding.level is Level.WARNING else finding


def result_for(
    name: str,
    text: str,
    findings: Sequence[FingerprintedFinding],
    shown: Sequence[FingerprintedFinding],
    complaints: tuple[str, ...] = (),
    libraries: tuple[str, ...] = (),
) -> CheckedFile:
    """Return the result for the file `name`: all rules find `findings`, and `shown` of them are reported.

    `complaints` are problems of its settings, `libraries` as in `Hinted`.
    """
    places = [(finding.diagnostic.rule, finding.diagnostic.span) for finding in findings]
    unknown = (text[span.start : span.end].strip('"') for rule, span in places if rule == _UNKNOWN_OPERATION)
    is_template = any(rule == _TEMPLATE for rule, _ in places)
    hinted = Hinted(is_template, tuple(dict.fromkeys(unknown)), libraries)
    not_analysed = sum(rule == NOT_ANALYSED for rule, _ in places)
    text = text if shown else ""
    return CheckedFile(name, text, tuple(shown), complaints, not_analysed=not_analysed, hinted=hinted)


class FailedRule(NamedTuple):
    """The failure of a rule in the file `name`, the first of `files` files in which it failed."""

    failure: RuleFailure
    name: str
    files: int


class Tally(Struct):
    """Counts over the results so far."""

    files: int = 0
    left_out: int = 0
    """Number of files not checked, since they have no transform operations and the command line does not name them."""
    expected: int = 0
    """Number of findings left out, since a negative test expects them."""
    files_with_findings: int = 0
    levels: Counter[Level] = field(default_factory=Counter)
    offers_fixes: bool = False
    """Whether `--fix` applies what is counted as fixable, and is not given."""
    fixable: Counter[bool] = field(default_factory=Counter)
    """Number of findings with a safe fix, and of those with unsafe ones only, which are tried when they are applied."""
    unreadable: dict[str, str] = field(default_factory=dict)
    """Why files could not be read, by name."""
    crashes: dict[str, str] = field(default_factory=dict)
    """Tracebacks of mistakes in tdls, by the name of the file."""
    runs: Counter[bool] = field(default_factory=Counter)
    """Number of files with a part that was run, and of those without one."""
    read_by: Counter[str] = field(default_factory=Counter)
    """Number of the latter that MLIR read, by its version."""
    unrunnable: dict[str, None] = field(default_factory=dict)
    """Why files could not be run, each reason once."""
    not_analysed: int = 0
    """Number of sections that a limit kept from full analysis."""
    templates: int = 0
    """Number of files that are templates."""
    builders: list[str] = field(default_factory=list)
    """Names of programs that seem to build scripts."""
    unknown_operations: Counter[str] = field(default_factory=Counter)
    """Number of files that use each operation that no source defines."""
    libraries: Counter[str] = field(default_factory=Counter)
    """Number of files that call sequences of each file that is not a library."""
    failures: dict[str, FailedRule] = field(default_factory=dict)
    """The failures, by the name of the rule."""
    complaints: dict[str, None] = field(default_factory=dict)
    """Problems of settings, each once, in the order in which they occurred."""

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
            self.read_by.update(filter(None, (checked.read_by,)))
            self.files += 1
            self.not_analysed += checked.not_analysed
            self.templates += checked.hinted.is_template
            self.builders += [checked.name] if checked.hinted.is_builder else []
            self.unknown_operations.update(checked.hinted.unknown_operations)
            self.libraries.update(checked.hinted.libraries)
            self.add_failures(checked.name, checked.failures)
            self.files_with_findings += bool(checked.findings)
            self.levels.update(finding.diagnostic.level for finding in checked.findings)
            fixes = [finding.diagnostic.fixes for finding in checked.findings if self.offers_fixes]
            self.fixable.update(any(fix.safe for fix in each) for each in fixes if each)

    def add_failures(self, name: str, failures: Iterable[RuleFailure]) -> None:
        """Count rules that failed in the file `name`."""
        for failure in failures:
            known = self.failures.get(failure.rule, FailedRule(failure, name, 0))
            self.failures[failure.rule] = known._replace(files=known.files + 1)

    @property
    def has_failures(self) -> bool:
        """True if a finding makes the check fail."""
        return any(self.levels[level] for level in FAILING_LEVELS)


class RenderOptions(NamedTuple):
    """Options of formats."""

    coloured: bool = False
    quiet: bool = False
    """Whether to print findings only, without a summary."""

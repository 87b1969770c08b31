"""Requests for runs of scripts and their results: plain records that pass between processes."""

from __future__ import annotations

import time
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from tdls.limits import RUN_FILES, RUN_OUTPUT
from tdls.semantic.handle_types import HandleKind
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.runs.script import Script
    from tdls.settings.model import RunSettings


class Status(Enum):
    """The outcome of a run."""

    SUCCESS = "success"
    FAILURE = "failure"
    """The script failed, definitely or with an error that was not silenced; or there was no entry point."""
    INVALID = "invalid"
    """MLIR could not parse the script, the payload or a library, so that nothing ran."""
    CRASH = "crash"
    """MLIR ended in an assertion or by a signal."""
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    TOO_MUCH_OUTPUT = "too-much-output"
    CANCELLED = "cancelled"


INTERRUPTED: Final = (Status.CRASH, Status.TIMEOUT, Status.OUT_OF_MEMORY)
"""Statuses of runs that were ended from outside."""
UNFINISHED: Final = (*INTERRUPTED, Status.FAILURE)
"""Statuses of runs that ended while executing an operation."""


class Emit(Enum):
    """A text that a run can return."""

    PAYLOAD = "payload"
    """The payload after the run, without scripts."""
    MODULE = "module"
    """The whole module after the run, with scripts."""
    BEFORE = "before"
    """The payload before the run, as MLIR prints it, without scripts."""


class RunLevel(Enum):
    """Severity of an MLIR diagnostic: the levels of findings (`Level`) that MLIR has, and notes."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"

    @property
    def of_finding(self) -> Level:
        """The corresponding level of a finding; a note without a parent is a remark."""
        return Level.REMARK if self is RunLevel.NOTE else Level(self.value)


class TextFile(Struct, frozen=True):
    """A text without transform operations, and its name in diagnostics; it need not be on disk."""

    name: str
    text: str
    is_bytecode: bool = False
    """True for a file of bytecode, whose `text` MLIR has yet to print (see `Backend.printed`)."""

    @property
    def original(self) -> str:
        """The text; see `Script`."""
        return self.text

    @staticmethod
    def original_column(_line: int, column: int) -> int:
        """Return `column`; see `Script`."""
        return column


class Limits(Struct, frozen=True):
    """Limits of one run: wall time in seconds, memory and output in bytes."""

    seconds: float = 30.0
    """Shared by all runs of the script that one request takes."""
    memory: int = 4 << 30
    """Of each process, where the system limits that, and of all processes together."""
    output: int = RUN_OUTPUT.most
    files: int = RUN_FILES.most
    """All temporary files together, in bytes."""
    deadline: float | None = None
    """When the time is up (`time.monotonic`); None before the first run."""

    @classmethod
    def of(cls, run: RunSettings, seconds: float | None = None, memory: int | None = None) -> Limits:
        """Return the limits of settings, whose memory is in mebibytes; `seconds` and `memory` have precedence."""
        return cls(seconds=seconds or run.timeout, memory=(memory or run.memory) << 20)

    def begun(self) -> Limits:
        """Return the limits with a deadline that counts from now."""
        return replace(self, deadline=time.monotonic() + self.seconds)

    def afresh(self, seconds: float | None = None) -> Limits:
        """Return limits with a time budget of their own: the same number of seconds, or `seconds`."""
        return replace(self, seconds=self.seconds if seconds is None else seconds, deadline=None)

    def for_input(self, length: int) -> Limits:
        """Return the limits of a run that reads `length` bytes; a large input may give several times as much."""
        large = length if length > RUN_OUTPUT.most // 10 else 0
        return replace(self, output=max(self.output, 4 * large), files=max(self.files, 12 * large))

    @property
    def left(self) -> float:
        """Seconds that remain for the next run."""
        return self.seconds if self.deadline is None else max(0.0, self.deadline - time.monotonic())


class RunRequest(Struct, frozen=True):
    """A script to run. Without `payload` the script is applied to the module that contains it.

    Offsets refer to the text as the user wrote it, without later insertions.
    """

    script: Script
    payload: TextFile | None = None
    entry_point: str = ENTRY_POINT
    """The name of a named sequence, or the name of a top-level operation as `entry_points` gives it."""
    operation: int | None = None
    """Offset of that top-level operation's name in code points, or None for a named sequence."""
    part: int = 0
    """Number of the script's part between ``// -----`` markers (0-based); the text has blanks in place of other parts.
    """
    libraries: tuple[Script, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """More options of the pass ``transform-interpreter``, by name."""
    emits: frozenset[Emit] = frozenset({Emit.PAYLOAD})
    observe: bool = False
    """Also collect the contents of each handle, and the origins of the payload's lines."""
    only_remarks: bool = False
    """True if only the run's remarks are used, so that they need not print the operations at which they are reported.
    """
    keeps_names: bool = True
    """Whether the values of payload have the names that the user gave them."""
    until: int | None = None
    """Stop after the operation of the script that contains this offset (code points) or follows it."""
    ends_at_unknown: bool = False
    """If MLIR does not read the script, end before the first step with an operation or a type that it does not have."""
    limits: Limits = Limits()

    @property
    def others(self) -> tuple[TextFile | Script, ...]:
        """The texts that are read besides the script: libraries, and the payload if it has a file of its own."""
        return self.libraries if self.payload is None else (*self.libraries, self.payload)

    @property
    def root(self) -> TextFile | Script:
        """The module that the script is applied to."""
        return self.script if self.payload is None else self.payload

    @property
    def preloaded(self) -> tuple[Script, ...]:
        """The texts that MLIR reads as libraries: first the script, where it is not in the root."""
        return self.libraries if self.payload is None else (self.script, *self.libraries)


def name_of(file: str) -> str:
    """Return the last part of the name of a file in a request; that of a document on no disk has its data behind it."""
    return PurePath(file.partition("?")[0] if "://" in file else file).name


class Place(Struct, frozen=True):
    """A position in the text of a request named `file`, counted as in `RunDiagnostic`."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        """Return the name of the file and the line, for people."""
        return f"{name_of(self.file)}:{self.line}"

    def diagnostic(self, level: RunLevel, message: str, notes: tuple[RunDiagnostic, ...] = ()) -> RunDiagnostic:
        """Return a diagnostic at this position."""
        return RunDiagnostic(level, message, self.file, self.line, self.column, notes)


class Times(NamedTuple):
    """Number of an operation's execution, and of the iteration of the loop directly around it, both from 1.

    The iteration is 0 for an operation outside loops.
    """

    execution: int
    iteration: int


class PayloadItem(Struct, frozen=True):
    """A payload operation, payload value or parameter that a handle is associated with.

    `name` is the name of the operation, of the operation that defines the value or owns the block of the block
    argument, or the text of the parameter; `place` is its location, None where that is not in a file.
    """

    name: str
    place: Place | None = None


class Contents(Struct, frozen=True):
    """The contents of a handle at one moment: `count` items, their number by name, and the first items themselves."""

    count: int
    names: dict[str, int] = field(default_factory=dict)
    items: tuple[PayloadItem, ...] = ()


class HandleContents(Struct, frozen=True):
    """The contents of a handle at each execution of the operation or block that defines it.

    `start` and `end` are the offsets (code points) of the handle's name in its definition, in the request's text named
    `file`. `snapshots` are the contents at the first of the `executions`; without any, it was never reached.
    """

    file: str
    start: int
    end: int
    kind: HandleKind
    executions: int
    snapshots: tuple[Contents, ...] = ()
    number: int | None = None
    """The result number in a group (``%a#1`` of ``%a:2``), if the name is shared with other results."""

    @property
    def is_empty(self) -> bool:
        """True for a handle to operations that was defined, each time without any operation."""
        has_operations = any(snapshot.count for snapshot in self.snapshots)
        return self.kind is HandleKind.OPERATIONS and bool(self.snapshots) and not has_operations


class RunDiagnostic(Struct, frozen=True):
    """A diagnostic of MLIR. Lines and columns count from 1, columns in bytes of UTF-8; 0 if unknown.

    `file` is the name of a text of the request, None if the diagnostic has no position.
    """

    level: RunLevel
    message: str
    file: str | None = None
    line: int = 0
    column: int = 0
    notes: tuple[RunDiagnostic, ...] = ()
    at: float | None = None
    """When it arrived, in seconds of the process's clock; only of probes, and only with MLIR's bindings."""

    @property
    def place(self) -> Place | None:
        """The position, or None if it is unknown."""
        return Place(self.file, self.line, self.column) if self.file is not None else None


class TextsRead(Struct, frozen=True):
    """MLIR's diagnostics of texts that it only parsed and verified, by text; complete if the status is `SUCCESS`.

    Lines and columns are those of the text, the file is `READ_TEXT`; another file is one that a location names.
    """

    status: Status
    mlir: str
    diagnostics: tuple[tuple[RunDiagnostic, ...], ...] = ()
    seconds: float = 0.0
    """Without the start of the backend."""


READ_TEXT = "-"


class RunResult(Struct, frozen=True):
    """The result of a run. `texts` has the requested texts if the run succeeded."""

    status: Status
    backend: str
    mlir: str
    """The version of MLIR that ran, "" if unknown."""
    texts: dict[Emit, str] = field(default_factory=dict)
    diagnostics: tuple[RunDiagnostic, ...] = ()
    printed: str = ""
    """Output of the script, such as ``transform.print`` writes."""
    console: str = ""
    """MLIR's output on standard error other than diagnostics, such as its last lines before a crash."""
    detail: str = ""
    """One line on the end of an interrupted run: the signal, the limit."""
    executing: tuple[Place, ...] = ()
    """The operation of a script that was being executed when the run ended without success, if known, followed by the
    operations that executed it (include, loop over handles), innermost first.
    """
    times: tuple[Times, ...] = ()
    """Execution numbers of each of `executing`, if known."""
    is_partial: bool = False
    """True if MLIR does not read the script, and the run ended before what it does not have."""
    broke_payload: bool = False
    """True if the run came to its end, and `executing` had left payload that MLIR then rejected."""
    handles: tuple[HandleContents, ...] = ()
    """In text order, if the request was to observe them; also of failed runs."""
    origins: Sequence[Place | None] = ()
    """The origin of each line of the payload's text, if the request was to observe it."""
    unobserved: str = ""
    """Why the steps and the contents of handles are not known, though the request was to observe them; else ""."""
    seconds: float = 0.0

    def ended_early(self, warning: RunDiagnostic) -> RunResult:
        """Return the result of a run that ended before what MLIR does not have, with a warning there."""
        return replace(self, diagnostics=(*self.diagnostics, warning), is_partial=True)

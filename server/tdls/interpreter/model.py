"""What is asked of a run of a script, and what comes out of it: plain records that pass between processes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.limits import RUN_FILES, RUN_OUTPUT
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.script import Script
    from tdls.semantic.handle_types import HandleKind


class Status(Enum):
    """How a run ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    """The script failed, definitely or with an error that nothing silenced; or no entry point was found."""
    INVALID = "invalid"
    """MLIR did not read the script, the payload or a library, so that nothing ran."""
    CRASH = "crash"
    """MLIR ended in an assertion or by a signal."""
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    TOO_MUCH_OUTPUT = "too-much-output"
    CANCELLED = "cancelled"


class Emit(Enum):
    """A text that a run can give."""

    PAYLOAD = "payload"
    """The payload after the run, without scripts."""
    MODULE = "module"
    """The module after the run with all that is in it."""
    BEFORE = "before"
    """The payload before the run, as MLIR prints it, without scripts."""


class Mode(Enum):
    """What the worker does with a script."""

    RUN = "run"
    LOCATE = "locate"
    """Run it, and print the module with locations."""
    READ = "read"
    """Read it, without running anything."""


class RunLevel(Enum):
    """How serious MLIR says that something is: the levels of findings (`Level`) that it has, and notes."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"

    @property
    def of_finding(self) -> Level:
        """The level of a finding that says the same; a note that stands by itself is a remark."""
        return Level.REMARK if self is RunLevel.NOTE else Level(self.value)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text that is no script, and the name that diagnostics call it by; it need not be on disk."""

    name: str
    text: str

    @staticmethod
    def original_column(_line: int, column: int) -> int:
        """Return `column`; see `Script`."""
        return column


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may take: wall time in seconds, memory and output in bytes."""

    seconds: float = 30.0
    """For all runs of the script together that one request takes."""
    memory: int = 4 << 30
    """Of each process, where the system limits that, and of all together."""
    output: int = RUN_OUTPUT.most
    files: int = RUN_FILES.most
    """All temporary files together, in bytes."""
    deadline: float | None = None
    """When that time is up (`time.monotonic`); None until the first run begins."""

    def begun(self) -> Limits:
        """Return the limits of runs of which the first begins now."""
        return replace(self, deadline=time.monotonic() + self.seconds)

    def afresh(self, seconds: float | None = None) -> Limits:
        """Return the limits of runs that have time of their own: that of these, or `seconds`."""
        return replace(self, seconds=self.seconds if seconds is None else seconds, deadline=None)

    @property
    def left(self) -> float:
        """The seconds that the next run may take."""
        return self.seconds if self.deadline is None else max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A script to run. Without `payload` the script is applied to the module that it stands in.

    Offsets are those of what people wrote, whatever is inserted into the script on its way to MLIR.
    """

    script: Script
    payload: TextFile | None = None
    entry_point: str = ENTRY_POINT
    """The name of a named sequence, or that of a top-level operation as `entry_points` gives it."""
    operation: int | None = None
    """Where that top-level operation begins (offset of its name in code points); None for a named sequence."""
    part: int = 0
    """Which part of a file between ``// -----`` markers the script is; its text has blanks in place of the others."""
    libraries: tuple[Script, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """More options of the pass ``transform-interpreter``, by name."""
    emits: frozenset[Emit] = frozenset({Emit.PAYLOAD})
    observe: bool = False
    """Also collect what each handle stood for, and where the lines of the payload came from."""
    is_telling: bool = False
    """True if it is run for what it remarks, which then need not show the operations that it is about."""
    until: int | None = None
    """Stop after the operation of the script that this offset (code points) is in, or before which it is."""
    limits: Limits = Limits()

    @property
    def others(self) -> tuple[TextFile | Script, ...]:
        """What is read besides the script: libraries, and the payload if it is a file of its own."""
        return self.libraries if self.payload is None else (*self.libraries, self.payload)

    @property
    def root(self) -> TextFile | Script:
        """The module that the script is applied to."""
        return self.script if self.payload is None else self.payload

    @property
    def preloaded(self) -> tuple[Script, ...]:
        """What MLIR reads as libraries: first the script, where that is not in the root."""
        return self.libraries if self.payload is None else (self.script, *self.libraries)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the text of a request that is called `file`, counted as in `RunDiagnostic`."""

    file: str
    line: int
    column: int


class Times(NamedTuple):
    """Which time an operation was being executed, and in which iteration of a loop directly around it, from 1.

    The iteration is 0 for one that is in no loop.
    """

    execution: int
    iteration: int


@dataclass(frozen=True, slots=True)
class PayloadItem:
    """Something that a handle stood for.

    `name` is that of an operation, of the operation that defines a value or owns the block it is an argument of, or the
    text of a parameter; `place` is its location, None where that is not in a file.
    """

    name: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a handle stood for at one moment: `count` items, how many of each name, and the first ones themselves."""

    count: int
    names: dict[str, int] = field(default_factory=dict)
    items: tuple[PayloadItem, ...] = ()


@dataclass(frozen=True, slots=True)
class HandleContents:
    """What a handle stood for whenever the operation or block that defines it was executed.

    `start` and `end` are the offsets (code points) of its name where it is defined, in the text of the request called
    `file`. `moments` are the first of the `executions`; 0 executions are those of a handle that was never reached.
    """

    file: str
    start: int
    end: int
    kind: HandleKind
    executions: int
    moments: tuple[Contents, ...] = ()
    number: int | None = None
    """The result number in a group (``%a#1`` of ``%a:2``) whose name it shares with others."""


@dataclass(frozen=True, slots=True)
class RunDiagnostic:
    """A diagnostic of MLIR. Lines and columns count from 1, columns in bytes of UTF-8; 0 is for unknown ones.

    `file` is the name of a text of the request, None where MLIR says no place.
    """

    level: RunLevel
    message: str
    file: str | None = None
    line: int = 0
    column: int = 0
    notes: tuple[RunDiagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came out of a run. `texts` has what the request asked for if the run succeeded."""

    status: Status
    backend: str
    mlir: str
    """The version of MLIR that ran, "" if that is not known."""
    texts: dict[Emit, str] = field(default_factory=dict)
    diagnostics: tuple[RunDiagnostic, ...] = ()
    printed: str = ""
    """What the script printed, as ``transform.print`` does."""
    console: str = ""
    """What MLIR wrote to standard error beside diagnostics: its last words in a crash."""
    detail: str = ""
    """One line on how a run ended that did not end by itself: the signal, the limit."""
    executing: tuple[Place, ...] = ()
    """The operation of a script that was being executed when the run ended without success, if that is known; behind it
    those that had it executed, innermost first: an include, a loop over handles.
    """
    times: tuple[Times, ...] = ()
    """How often each of `executing` was begun, if that is known."""
    handles: tuple[HandleContents, ...] = ()
    """In the order of the texts, if the request was to observe them; also of runs that failed."""
    origins: Sequence[Place | None] = ()
    """Where each line of the payload's text came from, if the request was to observe that."""
    seconds: float = 0.0

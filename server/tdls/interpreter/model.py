"""What is asked of a run of a script, and what comes out of it: plain records that pass between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


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


class Severity(Enum):
    """MLIR's kinds of diagnostics."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text and the name that diagnostics call it by; it need not be on disk."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may take: wall time in seconds, memory and output in bytes."""

    seconds: float = 30.0
    memory: int = 4 << 30
    """Enforced on Linux; elsewhere a run may take more."""
    output: int = 256 << 20


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A script to run. Without `payload` the script is applied to the module that it stands in."""

    script: TextFile
    payload: TextFile | None = None
    entry_point: str = "__transform_main"
    libraries: tuple[TextFile, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """More options of the pass ``transform-interpreter``, by name."""
    emits: frozenset[Emit] = frozenset({Emit.PAYLOAD})
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class RunDiagnostic:
    """A diagnostic of MLIR. Lines and columns count from 1, columns in bytes of UTF-8; 0 is for unknown ones.

    `file` is the name of a text of the request, None where MLIR says no place.
    """

    severity: Severity
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
    seconds: float = 0.0

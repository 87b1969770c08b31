"""What is asked of a program that builds scripts, and what came of it: plain, immutable records."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.model import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence


class Frame(NamedTuple):
    """A call in a Python file: what was being executed there. Lines count from 1; 0 is not known.

    Columns count bytes of UTF-8 from 0, as in Python's `co_positions`; an `end_line` of 0 says that only the line is
    known, as with Python 3.10.
    """

    file: str
    function: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0


Stack = tuple[Frame, ...]
"""Calls from the innermost one outward."""


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """A program to run: ``pkg.mod:function``, or the path of a file that is run as ``__main__``.

    `arguments` are those of a command line: a program has them in ``sys.argv``; a function gets each as a Python
    literal where it is one and else as text, ``name=value`` by its name. `folder` is the current folder of the program,
    in which the modules of functions are looked for first. `python` is the interpreter that runs it.
    """

    entry: str
    folder: str
    python: str
    arguments: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    returns_payload: bool = False
    """True for a function that is asked for a payload: a text, a module or another operation."""

    @property
    def is_function(self) -> bool:
        """True if the entry names a function of a module."""
        return is_function(self.entry)


def is_function(entry: str) -> bool:
    """Tell whether `entry` names a function, ``pkg.mod:function``, rather than a file."""
    module, separator, function = entry.partition(":")
    names = [*module.split("."), *function.split(".")]
    return bool(separator) and all(name.isidentifier() for name in names)


@dataclass(frozen=True, slots=True)
class BuiltModule:
    """A module with scripts, as MLIR prints it, and who made each of its operations.

    `rows` has for each line of `text` the index in `stacks` of the operation that begins, goes on or ends there, -1
    where that is not known.
    """

    text: str
    rows: Sequence[int] = ()
    stacks: tuple[Stack, ...] = ()

    def stack_of_row(self, row: int) -> Stack:
        """Return who made the operation in the 0-based line `row`; () where that is not known."""
        index = self.rows[row] if 0 <= row < len(self.rows) else -1
        return self.stacks[index] if index >= 0 else ()


class ProblemKind(Enum):
    """What kept a program from building, or MLIR from accepting what it built."""

    EXCEPTION = "exception"
    """It raised an exception that nobody caught."""
    EXIT = "exit"
    """It ended by itself with a status that is not 0."""
    VERIFIER = "verifier"
    """MLIR's verifier refuses a module."""
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    TOO_MUCH_OUTPUT = "too-much-output"
    CRASH = "crash"
    """The process ended in an assertion or by a signal."""
    NO_ENTRY = "no-entry"
    """There is no such program, module or function."""
    NO_BINDINGS = "no-bindings"
    """The Python cannot be started, or has no bindings that tell who makes an operation."""
    NOTHING_BUILT = "nothing-built"
    """It ended well, and no module with a script came of it."""
    CANCELLED = "cancelled"


class BuildNote(NamedTuple):
    """What else there is to say, and who made the operation that it is about; () without one."""

    message: str
    stack: Stack = ()


@dataclass(frozen=True, slots=True)
class BuildProblem:
    """Something that went wrong; `stack` says where, () where nobody knows."""

    kind: ProblemKind
    message: str
    stack: Stack = ()
    notes: tuple[BuildNote, ...] = ()
    help: str | None = None


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What came of a program: its modules with scripts, in the order in which they were made.

    `is_complete` is False if it did not get to its end, so that modules may lack what would have come. `printed` and
    `console` are what it wrote to its standard output and error. `bindings` is the folder of the Python package with
    the bindings, "" if it imported none; `first` is the first line of the function or program that was run, if known.
    """

    modules: tuple[BuiltModule, ...] = ()
    problems: tuple[BuildProblem, ...] = ()
    is_complete: bool = False
    printed: str = ""
    console: str = ""
    python: str = ""
    bindings: str = ""
    payload: str | None = None
    """What a function returned that was asked for a payload; None if that is none."""
    first: Frame | None = None
    seconds: float = 0.0

"""Requests to run programs that build scripts, and their results: plain, immutable records."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, HandleEffect, PayloadEffect
from tdls.interpreter.runs.model import Limits
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Sequence


class Frame(NamedTuple):
    """A call in a Python file, with the code that was being executed. Lines count from 1; 0 is not known.

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


class BuildRequest(Struct, frozen=True):
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
    """True for a function that has to return a payload: a text, a module or another operation."""
    only_asks: bool = False
    """True to run no entry, but to import the files `arguments`, and ask the operations that they define."""

    @property
    def is_function(self) -> bool:
        """True if the entry names a function of a module."""
        return is_function(self.entry)


def is_function(entry: str) -> bool:
    """Return whether `entry` names a function, ``pkg.mod:function``, rather than a file."""
    module, separator, function = entry.partition(":")
    names = [*module.split("."), *function.split(".")]
    return bool(separator) and all(name.isidentifier() for name in names)


class BuiltModule(Struct, frozen=True):
    """A module with scripts, as MLIR prints it, and the calls that made each of its operations.

    `rows` has for each line of `text` the index in `stacks` of the operation that begins, goes on or ends there, -1
    where that is not known.
    """

    text: str
    rows: Sequence[int] = ()
    stacks: tuple[Stack, ...] = ()

    def stack_of_row(self, row: int) -> Stack:
        """Return the calls that made the operation in the 0-based line `row`; () where they are not known."""
        index = self.rows[row] if 0 <= row < len(self.rows) else -1
        return self.stacks[index] if index >= 0 else ()


class ProblemKind(Enum):
    """Why a program failed to build scripts, or MLIR rejected one that it built."""

    EXCEPTION = "exception"
    """It raised an exception that was not caught."""
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
    """The Python cannot be started, or has no bindings that record the calls that make an operation."""
    NOTHING_BUILT = "nothing-built"
    """It ended well, and no module with a script came of it."""
    CANCELLED = "cancelled"


class BuildNote(Struct, frozen=True):
    """A further message, and the calls that made the operation concerned; () without one."""

    message: str
    stack: Stack = ()


class BuildProblem(Struct, frozen=True):
    """A failure of a program or a rejection by MLIR; `stack` is its place, () where that is not known."""

    kind: ProblemKind
    message: str
    stack: Stack = ()
    notes: tuple[BuildNote, ...] = ()
    help: str | None = None
    is_later: bool = False
    """True if all scripts of the program were complete before."""


class RegisteredGroup(Struct, frozen=True):
    """An operand or result group of a registered operation, and the effects on its values; () for a group of none."""

    name: str
    arity: Arity
    effects: tuple[HandleEffect, ...]


class RegisteredOperation(Struct, frozen=True):
    """An operation that a program defines and registers, and its effects as its ``get_effects`` states them.

    `interfaces` are those that it implements, as Python names them. `problem` is why its effects are not known, "" if
    they are.
    """

    name: str
    interfaces: tuple[str, ...] = ()
    operands: tuple[RegisteredGroup, ...] = ()
    results: tuple[RegisteredGroup, ...] = ()
    payload: PayloadEffect = PayloadEffect.UNKNOWN
    problem: str = ""


class BuildResult(Struct, frozen=True):
    """The result of a program: its modules with scripts, in the order in which they were made.

    `is_complete` is False if it did not get to its end, so that modules may be incomplete. `printed` and
    `console` are its standard output and error. `bindings` is the folder of the Python package with
    the bindings, "" if it imported none; `stand_in` is the package that `mlir` meant, "" if there is one of that
    name; `first` is the first line of the function or program that was run, if known.
    """

    modules: tuple[BuiltModule, ...] = ()
    problems: tuple[BuildProblem, ...] = ()
    is_complete: bool = False
    printed: str = ""
    console: str = ""
    python: str = ""
    bindings: str = ""
    stand_in: str = ""
    payload: str | None = None
    """The payload that a function returned if the request wants one, or None if its value is not a payload."""
    operations: tuple[RegisteredOperation, ...] = ()
    """Effects that the operations defined in Python report, for those in the modules."""
    first: Frame | None = None
    left_out: int = 0
    """The number of modules with scripts that are not in `modules`, since there were too many."""
    seconds: float = 0.0

    @property
    def note(self) -> str:
        """What users should know of the run, "" for nothing."""
        notes = [f"`mlir` is not installed: it means `{self.stand_in}` in this check"] if self.stand_in else []
        if self.left_out:
            notes.append(f"only {len(self.modules)} modules with scripts are checked, {self.left_out} more are not")
        return "; ".join(notes)

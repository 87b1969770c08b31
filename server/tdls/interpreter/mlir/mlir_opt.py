"""One call of ``mlir-opt``: all that tdls asks of MLIR, whether a tool answers or the bindings in a warm worker do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tdls.interpreter.runs.model import Limits, RunDiagnostic, Status, TextFile, TextsRead
    from tdls.interpreter.runs.script import Script
    from tdls.interpreter.runs.source_map import SourceMap


class Call(Struct, frozen=True):
    """Passes to run over the module in `root`, after `libraries` were preloaded. Unregistered dialects are allowed."""

    root: TextFile | Script | Path
    """A text, or a file of text or bytecode."""
    limits: Limits
    libraries: tuple[Script, ...] = ()
    passes: tuple[tuple[str, str], ...] = ()
    """Names of passes, with their options as pipelines spell them."""
    is_located: bool = False
    """Whether to print the module with locations."""
    is_also_located: bool = False
    """Whether to print the module a second time, with locations, and so the states that probes print."""
    is_quiet: bool = False
    """Whether diagnostics may omit their operations, which take long to print."""
    is_printed: bool = True
    """False if the module after the passes is not needed."""


class Output(Struct, frozen=True):
    """The outcome of a call. Positions are MLIR's, which `source_map` maps to those of the user's texts."""

    status: Status
    source_map: SourceMap
    detail: str = ""
    """One line on the end of an interrupted call."""
    module: str = ""
    """The printed module. MLIR's bindings also print that of failed passes, as the failure left it."""
    located: str = ""
    """The module with locations, if the call asked for it, too."""
    diagnostics: tuple[RunDiagnostic, ...] = ()
    printed: str = ""
    located_prints: str = ""
    """What a tool printed with locations; the bindings put states into the remarks of their probes."""
    console: str = ""
    """Lines on standard error other than diagnostics."""


class MlirOpt(ABC):
    """Carries out calls one by one. Nothing is started before the first one."""

    name: str
    """The name shown to users."""
    shows_operations: bool
    """True if diagnostics always show their operation, which takes long."""

    @property
    @abstractmethod
    def version(self) -> str:
        """The version of MLIR, "" if unknown."""

    @abstractmethod
    def call(self, call: Call) -> Output:
        """Carry out `call`; `Status.INVALID` if MLIR cannot read the root or a library.

        Raises BackendError if MLIR does not start.
        """

    @abstractmethod
    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts`, each by itself, in one process. Raises BackendError if MLIR does not start."""

    @abstractmethod
    def begin(self) -> None:
        """Reset a former cancellation."""

    @abstractmethod
    def cancel(self) -> None:
        """End the call that another thread waits for with `Status.CANCELLED`, and start none before `begin`."""

    @abstractmethod
    def close(self) -> None:
        """End all processes, and delete all files."""

"""MLIR's Python bindings in this process: only the worker has them, since MLIR may crash."""

from __future__ import annotations

import contextlib
import gc
import importlib
from typing import TYPE_CHECKING, Any

from tdls.interpreter.observation.observer import Observer, ObserverError
from tdls.interpreter.observation.python_classes import PythonClasses
from tdls.interpreter.output.taken_diagnostics import TakenDiagnostics
from tdls.interpreter.worker.packages import version_of
from tdls.interpreter.worker.script_run import Environment, ScriptRun
from tdls.interpreter.worker.setup_steps import run_setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WRONG = "nothing"
"""What MLIR says something about."""
_FEW_BYTES = 10_000
_WARM_UP = "module attributes {transform.with_named_sequence} {}"


class Bindings:
    """The bindings in a Python package, imported, with a context whose dialects were loaded ahead of runs."""

    def __init__(self, package: str, setup: Iterable[Sequence[str]] = ()) -> None:
        """Import the bindings and carry out `setup`. Raises SetupError, ImportError, or what else importing raises."""
        self._ir: Any = importlib.import_module(f"{package}.ir")
        self._passes: Any = importlib.import_module(f"{package}.passmanager")
        self.version = version_of(package)
        self._context = self._ir.Context()
        self._context.allow_unregistered_dialects = True
        self._context.emit_error_diagnostics = True
        self._context.enable_multithreading(False)
        run_setup(self._ir, self._context, setup)
        with self._context:
            self._ir.Module.parse(_WARM_UP)
            self._warm_up_diagnostics()
        self._classes = PythonClasses(package)
        self._observer = _observer(package, self._context, self._classes)
        gc.collect()
        gc.freeze()  # what is there stays there: a forked process need not look at it, nor copy it for that

    def _warm_up_diagnostics(self) -> None:
        """Let what Python needs for the first diagnostic be there before any run."""
        handler = self._context.attach_diagnostic_handler(TakenDiagnostics(_FEW_BYTES).take)
        with contextlib.suppress(self._ir.MLIRError, ValueError):
            self._ir.Module.parse(_WRONG)
        handler.detach()

    @property
    def observes(self) -> bool:
        """True if Python can define operations for scripts."""
        return self._observer is not None

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Carry out `job` and return status, texts, diagnostics and origins; uses up the context."""
        environment = Environment(self._ir, self._passes, self._context, self._classes, self._observer)
        return ScriptRun(environment, job).answer()


def _observer(package: str, context: Any, classes: PythonClasses) -> Observer | None:
    try:
        return Observer(package, context, classes)
    except ObserverError:
        return None

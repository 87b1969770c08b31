"""MLIR's Python bindings, imported: only the worker process does that, since MLIR may crash."""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import sys
from typing import TYPE_CHECKING, Any

from tdls.interpreter.instrumentation.observer import Observer, ObserverError, PythonClasses
from tdls.interpreter.model import Status
from tdls.interpreter.output.taken_diagnostics import TakenDiagnostics
from tdls.interpreter.worker.packages import version_of
from tdls.interpreter.worker.script_run import Environment, ScriptRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_REGISTRY = "registry"


class SetupError(Exception):
    """A step of the setup failed; the message is one line for users."""


def run_setup(ir: Any, context: Any, steps: Iterable[Sequence[str]]) -> None:
    """Carry out `steps`: pairs of a folder to add to the module search path, and ``module`` or ``module:function``.

    `ir` is the module of the bindings. A function is called with `context`; with an empty ``DialectRegistry`` if its
    first parameter is called ``registry``; without arguments if it has no parameters. A registry that it fills or
    returns is appended to the context, which is the current one during the call. Raises SetupError.
    """
    for folder, name in steps:
        _carry_out(ir, context, folder, name)


def _carry_out(ir: Any, context: Any, folder: str, name: str) -> None:
    try:
        _import_and_call(ir, context, folder, name)
    except Exception as error:
        raise SetupError(f"{name}: {type(error).__name__}: {error}") from error


def _import_and_call(ir: Any, context: Any, folder: str, name: str) -> None:
    module_name, _, function_name = name.partition(":")
    if folder not in sys.path:
        sys.path.append(folder)
    module = importlib.import_module(module_name.strip())
    if function_name:
        _call(ir, context, getattr(module, function_name.strip()))


def _call(ir: Any, context: Any, function: Any) -> None:
    arguments = [context]
    registries: list[Any] = []
    parameters = _parameters(function)
    if parameters is not None and not parameters:
        arguments = []
    elif parameters is not None and parameters[0] == _REGISTRY:
        registries = arguments = [ir.DialectRegistry()]
    with context:
        returned = function(*arguments)
    if isinstance(returned, ir.DialectRegistry):
        registries = [*registries, returned]
    for registry in registries:
        context.append_dialect_registry(registry)


def _parameters(function: Any) -> list[str] | None:
    """Return the names of the positional parameters, None if Python does not know them."""
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [
        parameter.name
        for parameter in known
        if parameter.kind in positional or parameter.kind is inspect.Parameter.VAR_POSITIONAL
    ]


_WRONG = "nothing"
"""Invalid text, to load MLIR's diagnostics ahead of runs."""
_FEW_BYTES = 10_000
_WARM_UP = "module attributes {transform.with_named_sequence} {}"


class Bindings:
    """The imported bindings of a Python package, with a context whose dialects are loaded ahead of runs."""

    def __init__(self, package: str, setup: Iterable[Sequence[str]] = ()) -> None:
        """Import the bindings and carry out `setup`. Raises SetupError, ImportError, or any error of the import."""
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
            handler = self._context.attach_diagnostic_handler(TakenDiagnostics(_FEW_BYTES).take)
            with contextlib.suppress(self._ir.MLIRError, ValueError):
                self._ir.Module.parse(_WRONG)
            handler.detach()
        self._classes = PythonClasses(package)
        self._observer = _observer(package, self._context, self._classes)
        gc.collect()
        gc.freeze()  # a forked process would copy these objects if its collector visited them

    @property
    def observes(self) -> bool:
        """True if Python can define operations for scripts."""
        return self._observer is not None

    def run(self, job: dict[str, Any], log: int | None = None) -> dict[str, Any]:
        """Carry out `job` and return status, texts, diagnostics and origins; the context cannot be used again.

        Diagnostics are also written to the file descriptor `log` at once. A job with texts only reads these.
        """
        if "texts" in job:
            return {"status": Status.SUCCESS.value, "read": [self._diagnostics(text, job) for text in job["texts"]]}
        environment = Environment(self._ir, self._passes, self._context, self._classes, self._observer)
        return ScriptRun(environment, job, log).answer()

    def _diagnostics(self, text: str, job: dict[str, Any]) -> list[dict[str, Any]]:
        """Parse and verify a text, and return what MLIR says."""
        taken = TakenDiagnostics(job["output"] // max(1, len(job["texts"])))
        handler = self._context.attach_diagnostic_handler(taken.take)
        try:
            with self._context:
                self._ir.Module.parse(text)
        except (self._ir.MLIRError, ValueError):
            taken.complain("MLIR cannot parse this")
        finally:
            handler.detach()
        return taken.found


def _observer(package: str, context: Any, classes: PythonClasses) -> Observer | None:
    try:
        return Observer(package, context, classes)
    except ObserverError:
        return None

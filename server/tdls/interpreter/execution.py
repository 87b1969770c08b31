"""Runs a script in this process with MLIR's Python bindings: only the worker does that, since MLIR may crash.

A run is what ``mlir-opt --transform-preload-library=... --transform-interpreter=...`` does, so that texts and
diagnostics are the same: the passes are those of mlir/lib/Dialect/Transform/Transforms.
"""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import TYPE_CHECKING, Any

from tdls.interpreter.endings import too_much_output
from tdls.interpreter.locations import first_place
from tdls.interpreter.model import Emit, Status
from tdls.interpreter.observation.observer import Observer, ObserverError
from tdls.interpreter.observation.operation import NAME
from tdls.interpreter.observation.origins import origins
from tdls.interpreter.pipeline import interpreter_pass, module_pipeline, preload_pass
from tdls.interpreter.python_classes import PythonClasses
from tdls.interpreter.setup_steps import run_setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.locations import Located

_DISTRIBUTIONS = {
    "mlir": "mlir-python-bindings",
    "torch_mlir": "torch-mlir",
    "iree.compiler": "iree-base-compiler",
}
_SCRIPT_MARK = "transform.with_named_sequence"
_METADATA = "fused<"
_WARM_UP = f"module attributes {{{_SCRIPT_MARK}}} {{}}"


class _PipelineError(Exception):
    """The bindings do not have a pass, or the pass does not have an option."""


class Bindings:
    """The bindings in a Python package, imported, with a context whose dialects were loaded ahead of runs."""

    def __init__(self, package: str, setup: Iterable[Sequence[str]] = ()) -> None:
        """Import the bindings and carry out `setup`. Raises SetupError, ImportError, or what else importing raises."""
        self._ir: Any = importlib.import_module(f"{package}.ir")
        self._passes: Any = importlib.import_module(f"{package}.passmanager")
        self.version = _version(package)
        self._context = self._ir.Context()
        self._context.allow_unregistered_dialects = True
        self._context.emit_error_diagnostics = True
        self._context.enable_multithreading(False)
        run_setup(self._ir, self._context, setup)
        with self._context:
            self._ir.Module.parse(_WARM_UP)
        self._classes = PythonClasses(package)
        self._observer = _observer(package, self._context, self._classes)

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Carry out `job` and return status, texts and diagnostics; uses up the context."""
        if job["journal"] is not None and self._observer is not None:
            self._observer.begin(*job["journal"])
        diagnostics = _Diagnostics(job["output"])
        handler = self._context.attach_diagnostic_handler(diagnostics.take)
        texts: dict[str, str] = {}
        came_from: list[Located | None] = []
        try:
            with self._context:
                module = self._parsed(job["text"])
                status = self._run(job, module, texts) if module is not None else Status.INVALID
                if status is not Status.SUCCESS:
                    texts = {}
                elif job["journal"] is not None and Emit.PAYLOAD.value in texts:
                    came_from = origins(
                        texts[Emit.PAYLOAD.value], _printed_with_locations(module.operation, job["text"])
                    )
        except _PipelineError as error:
            status = Status.FAILURE
            diagnostics.complain(str(error))
        finally:
            handler.detach()
        if diagnostics.size + sum(map(len, texts.values())) > job["output"]:
            status, texts = Status.TOO_MUCH_OUTPUT, {}
        if status is Status.INVALID:
            diagnostics.complain("MLIR does not read this")
        detail = too_much_output(job["output"]) if status is Status.TOO_MUCH_OUTPUT else ""
        return {
            "status": status.value,
            "detail": detail,
            "texts": texts,
            "diagnostics": diagnostics.found,
            "origins": came_from,
        }

    def _parsed(self, text: str) -> Any:
        """Return the module in `text`, None if MLIR cannot read it."""
        try:
            return self._ir.Module.parse(text)
        except (self._ir.MLIRError, ValueError):
            return None

    def _run(self, job: dict[str, Any], module: Any, texts: dict[str, str]) -> Status:
        emits = {Emit(name) for name in job["emits"]}
        if Emit.BEFORE in emits:
            texts[Emit.BEFORE.value] = self._without_scripts(module.operation.clone())
        if job["libraries"] and not self._passes_over(module, preload_pass(job["libraries"])):
            return Status.INVALID
        if not self._passes_over(module, interpreter_pass(job["entry_point"], job["options"])):
            return Status.FAILURE
        if job["journal"] is not None:
            with self._classes.not_imported():
                _erase_observers(module.operation)
        if Emit.MODULE in emits:
            texts[Emit.MODULE.value] = _printed(module.operation)
        if Emit.PAYLOAD in emits:
            texts[Emit.PAYLOAD.value] = self._without_scripts(module.operation)
        return Status.SUCCESS

    def _passes_over(self, module: Any, pass_: tuple[str, str]) -> bool:
        """Tell whether the pass succeeds. Raises _PipelineError where the bindings do not take it."""
        try:
            manager = self._passes.PassManager.parse(module_pipeline([pass_]))
        except ValueError as error:
            raise _PipelineError(str(error)) from error
        try:
            manager.run(module.operation)
        except self._ir.MLIRError:
            return False
        return True

    def _without_scripts(self, module: Any) -> str:
        with self._classes.not_imported():
            _strip(module)
        return _printed(module)


def _printed(operation: Any) -> str:
    return f"{operation}".rstrip("\n") + "\n"


def _printed_with_locations(operation: Any, source: str) -> str:
    """Return lines that pair with those of `_printed`.

    It is faster not to look for aliases, but locations with metadata may be of any size, and shared.
    """
    text: str = operation.get_asm(enable_debug_info=True, use_local_scope=_METADATA not in source)
    return text


def _strip(module: Any) -> None:
    """Erase transform operations, and modules that hold nothing else; see `stripping.without_scripts`."""
    if _SCRIPT_MARK in module.attributes:
        del module.attributes[_SCRIPT_MARK]
    for view in list(module.regions[0].blocks[0].operations):
        operation = view.operation
        if operation.name.startswith("transform."):
            operation.erase()
        elif operation.name == "builtin.module" and _SCRIPT_MARK in operation.attributes:
            _strip(operation)
            if not list(operation.regions[0].blocks[0].operations):
                operation.erase()


def _observer(package: str, context: Any, classes: PythonClasses) -> Observer | None:
    try:
        return Observer(package, context, classes)
    except ObserverError:
        return None


def _erase_observers(module: Any) -> None:
    """Erase the operations that were inserted into scripts."""
    for view in list(module.regions[0].blocks[0].operations):
        operation = view.operation
        if operation.name.startswith("transform."):
            for found in _observers_in(operation):
                found.erase()
        elif operation.name == "builtin.module" and operation.regions[0].blocks:
            _erase_observers(operation)


def _observers_in(operation: Any) -> list[Any]:
    nested = [view.operation for region in operation.regions for block in region for view in block]
    return [found for one in nested for found in ([one] if one.name == NAME else _observers_in(one))]


class _Diagnostics:
    """Collects what MLIR says, as JSON, up to a size in characters."""

    def __init__(self, limit: int) -> None:
        self.found: list[dict[str, Any]] = []
        self.size = 0
        self._limit = limit

    def take(self, diagnostic: Any) -> bool:
        """Take a diagnostic of the bindings; never raises, since it is called by C++."""
        if self.size <= self._limit:
            record = _record(diagnostic)
            self.size += len(record["message"]) + sum(len(note["message"]) for note in record["notes"])
            if self.size <= self._limit:
                self.found.append(record)
        return True

    def complain(self, message: str) -> None:
        """Add an error unless MLIR has said one."""
        if not any(record["severity"] == "error" for record in self.found):
            self.found.append(
                {"severity": "error", "message": message, "file": None, "line": 0, "column": 0, "notes": []}
            )


def _record(diagnostic: Any) -> dict[str, Any]:
    place = first_place(str(diagnostic.location))
    return {
        "severity": str(diagnostic.severity).rpartition(".")[2].lower(),
        "message": str(diagnostic.message).rstrip(),
        "file": place.file if place else None,
        "line": place.line if place else 0,
        "column": place.column if place else 0,
        "notes": [_record(note) for note in diagnostic.notes],
    }


def _version(package: str) -> str:
    distribution = _DISTRIBUTIONS.get(package, package)
    try:
        return f"{distribution} {metadata.version(distribution)}"
    except metadata.PackageNotFoundError:
        return package

"""MLIR's Python bindings as an ``mlir-opt`` that is warm: only the worker process imports them, as MLIR may crash.

A job gives the same texts and diagnostics as ``mlir-opt`` with the same passes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.interpreter.mlir.worker.effects import effects_by_name
from tdls.interpreter.mlir.worker.packages import version_of
from tdls.interpreter.output.exit_codes import too_much_output
from tdls.interpreter.output.taken_diagnostics import TakenDiagnostics
from tdls.interpreter.runs.model import Status
from tdls.interpreter.runs.pipeline import module_pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    module_name, _, function_name = name.partition(":")
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        module = importlib.import_module(module_name.strip())
        if function_name:
            _call(ir, context, getattr(module, function_name.strip()))
    except Exception as error:
        raise SetupError(f"{name}: {type(error).__name__}: {error}") from error


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
"""Invalid text, to load MLIR's diagnostics ahead of calls."""
_FEW_BYTES = 10_000
_WARM_UP = "module attributes {transform.with_named_sequence} {}"
_METADATA = "fused<"


class _PipelineError(Exception):
    """The bindings do not have a pass, or the pass does not have an option."""


class _Kept(NamedTuple):
    """A parsed payload, and the diagnostics of its parsing."""

    module: Any
    diagnostics: list[dict[str, Any]]


class Bindings:
    """The imported bindings of a Python package, with a context whose dialects are loaded ahead of calls."""

    def __init__(self, package: str, setup: Iterable[Sequence[str]] = ()) -> None:
        """Import the bindings and carry out `setup`. Raises SetupError, ImportError, or any error of the import."""
        self._ir: Any = importlib.import_module(f"{package}.ir")
        self._passes: Any = importlib.import_module(f"{package}.passmanager")
        self.version = version_of(package)
        self._context = self._ir.Context()
        self._context.allow_unregistered_dialects = True
        self._context.emit_error_diagnostics = True
        self._context.enable_multithreading(False)
        self._kept: dict[str, _Kept] = {}
        run_setup(self._ir, self._context, setup)
        with self._context:
            self._ir.Module.parse(_WARM_UP)
            handler = self._context.attach_diagnostic_handler(TakenDiagnostics(_FEW_BYTES).take)
            with contextlib.suppress(self._ir.MLIRError, ValueError):
                self._ir.Module.parse(_WRONG)
            handler.detach()
        self._freeze()

    @staticmethod
    def _freeze() -> None:
        gc.collect()
        gc.freeze()  # a forked process would copy these objects if its collector visited them

    def keep(self, job: dict[str, Any]) -> None:
        """Parse the payload of `job`, which was read before, so that all later jobs have it parsed."""
        for key in job["drops"]:
            del self._kept[key]
        diagnostics = TakenDiagnostics(job["output"])
        with self._handled(diagnostics):
            self._kept[job["key"]] = _Kept(self._ir.Module.parse(job["text"]), diagnostics.found)
        self._freeze()

    @contextlib.contextmanager
    def _handled(self, diagnostics: TakenDiagnostics) -> Iterator[None]:
        """Collect MLIR's diagnostics during the block, in which the context is the current one."""
        handler = self._context.attach_diagnostic_handler(diagnostics.take)
        try:
            with self._context:
                yield
        finally:
            handler.detach()

    def run(self, job: dict[str, Any], log: int | None = None) -> dict[str, Any]:
        """Carry out `job`, a message of `mlir.bindings`, and return the answer; the context cannot be used again.

        Diagnostics are also written to the file descriptor `log` at once. A job with texts only reads these, one with
        operations asks for their effects.
        """
        if "operations" in job:
            with self._context:
                return {"status": Status.SUCCESS.value, "effects": dict(effects_by_name(self._ir, job["operations"]))}
        if "texts" in job:
            return {"status": Status.SUCCESS.value, "read": [self._diagnostics(text, job) for text in job["texts"]]}
        diagnostics = TakenDiagnostics(job["output"], log)
        module = located = ""
        with self._handled(diagnostics):
            try:
                status, module, located = self._passed(job, diagnostics)
            except _PipelineError as error:
                status = Status.FAILURE
                diagnostics.complain(str(error))
        if diagnostics.size + len(module) + len(located) > job["output"]:
            status, module, located = Status.TOO_MUCH_OUTPUT, "", ""
        if status is Status.INVALID:
            diagnostics.complain("MLIR cannot parse this")
        return {
            "status": status.value,
            "detail": too_much_output(job["output"]) if status is Status.TOO_MUCH_OUTPUT else "",
            "module": module,
            "located": located,
            "diagnostics": diagnostics.found,
        }

    def _passed(self, job: dict[str, Any], diagnostics: TakenDiagnostics) -> tuple[Status, str, str]:
        """Run the passes of `job`; return the status and the printed module, without locations and with them."""
        kept = self._kept.get(job["key"])
        if kept is not None:
            module = kept.module
            diagnostics.found.extend(kept.diagnostics)
        else:
            try:
                module = self._ir.Module.parse(Path(job["file"]).read_bytes() if "file" in job else job["text"])
            except (self._ir.MLIRError, ValueError):
                return Status.INVALID, "", ""
        if job["is_also_located"]:
            diagnostics.print_state = lambda: self._printed(module, job, is_located=True)
        if job["preload"] is not None:
            nothing = self._ir.Module.create(self._ir.Location.unknown())  # a pass makes MLIR verify all of its module
            if not self._succeeds([job["preload"]], nothing):
                return Status.INVALID, "", ""
        status = Status.SUCCESS if not job["passes"] or self._succeeds(job["passes"], module) else Status.FAILURE
        is_valid, is_printed = status is Status.SUCCESS, job["is_printed"]
        text = self._printed(module, job, is_located=job["is_located"], is_valid=is_valid) if is_printed else ""
        also = is_printed and job["is_also_located"]
        return status, text, self._printed(module, job, is_located=True, is_valid=is_valid) if also else ""

    def _succeeds(self, passes: Sequence[Sequence[str]], module: Any) -> bool:
        """Run passes over the module. Raises _PipelineError if the bindings do not accept them."""
        try:
            manager = self._passes.PassManager.parse(module_pipeline((name, options) for name, options in passes))
        except ValueError as error:
            raise _PipelineError(str(error)) from error
        try:
            manager.run(module.operation)
        except self._ir.MLIRError:
            return False
        return True

    @staticmethod
    def _printed(module: Any, job: dict[str, Any], *, is_located: bool, is_valid: bool = False) -> str:
        """Print a module; that of successful passes `is_valid` already.

        With locations, local scope is faster, since no aliases are computed, but locations with metadata may be of any
        size, and shared.
        """
        options = {"enable_debug_info": True, "use_local_scope": _METADATA not in job.get("text", _METADATA)}
        text: str = module.operation.get_asm(assume_verified=is_valid, **(options if is_located else {}))
        return text if text.endswith("}\n") else text.rstrip("\n") + "\n"

    def _diagnostics(self, text: str, job: dict[str, Any]) -> list[dict[str, Any]]:
        """Parse and verify a text, and return what MLIR says."""
        diagnostics = TakenDiagnostics(job["output"] // max(1, len(job["texts"])))
        with self._handled(diagnostics):
            try:
                self._ir.Module.parse(text)
            except (self._ir.MLIRError, ValueError):
                diagnostics.complain("MLIR cannot parse this")
        return diagnostics.found

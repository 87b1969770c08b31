"""One run of a script in this process, with MLIR's Python bindings.

A run is equivalent to ``mlir-opt --transform-preload-library=... --transform-interpreter=...``, so that texts and
diagnostics are the same: the passes are those of mlir/lib/Dialect/Transform/Transforms.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.interpreter.instrumentation.journal import INSERTED
from tdls.interpreter.model import Emit, Mode, Status
from tdls.interpreter.output.exit_codes import too_much_output
from tdls.interpreter.output.taken_diagnostics import TakenDiagnostics
from tdls.interpreter.pipeline import interpreter_pass, module_pipeline, preload_pass
from tdls.interpreter.recording.recorder import Recorder
from tdls.interpreter.recording.stored_states import RECORDING

if TYPE_CHECKING:
    from tdls.interpreter.instrumentation.observer import Observer, PythonClasses

_SCRIPT_MARK = "transform.with_named_sequence"
_SCRIPT_DIALECT = "transform."
_MODULE = "builtin.module"
_METADATA = "fused<"
_GENERIC = f'"{_MODULE}"'


class Environment(NamedTuple):
    """The bindings' modules and state for a run, which uses up the context. `observer` is None where unsupported."""

    ir: Any
    passes: Any
    context: Any
    classes: PythonClasses
    observer: Observer | None


class _PipelineError(Exception):
    """The bindings do not have a pass, or the pass does not have an option."""


class ScriptRun:
    """A run of the script in `job`, a message of `BindingsBackend`."""

    def __init__(self, environment: Environment, job: dict[str, Any], log: int | None = None) -> None:
        """Diagnostics are also written to the file descriptor `log` at once."""
        self._environment = environment
        self._job = job
        self._emits = {Emit(name) for name in job["emits"]}
        self._diagnostics = TakenDiagnostics(job["output"], log)
        self._texts: dict[str, str] = {}
        self._located = ""
        self._module: Any = None
        self._is_stopped = False

    def answer(self) -> dict[str, Any]:
        """Carry out the job and return status, texts, diagnostics, and the payload with locations."""
        handler = self._environment.context.attach_diagnostic_handler(self._diagnostics.take)
        try:
            with self._environment.context:
                status = self._run()
        except _PipelineError as error:
            status = Status.FAILURE
            self._diagnostics.complain(str(error))
        finally:
            handler.detach()
        if self._is_stopped:
            status = Status.SUCCESS
        if self._diagnostics.size + sum(map(len, self._texts.values())) > self._job["output"]:
            status = Status.TOO_MUCH_OUTPUT
        if status is Status.INVALID:
            self._diagnostics.complain("MLIR cannot parse this")
        is_success = status is Status.SUCCESS
        return {
            "status": status.value,
            "detail": too_much_output(self._job["output"]) if status is Status.TOO_MUCH_OUTPUT else "",
            "texts": self._texts if is_success else {},
            "diagnostics": self._diagnostics.found,
            "located": self._located if is_success else "",
            "stopped": self._is_stopped,
        }

    def _run(self) -> Status:
        ir = self._environment.ir
        is_printed = self._job["mode"] == Mode.PRINT.value
        try:
            self._module = ir.Module.parse(Path(self._job["file"]).read_bytes() if is_printed else self._job["text"])
        except (ir.MLIRError, ValueError):
            return Status.INVALID
        if is_printed:
            self._texts[Emit.MODULE.value] = self._printed(self._module.operation)
            return Status.SUCCESS
        if Emit.BEFORE in self._emits:
            self._texts[Emit.BEFORE.value] = self._without_scripts(self._module.operation.clone())
        if self._job["mode"] == Mode.READ.value:
            return Status.SUCCESS
        if self._job["libraries"] and not self._succeeds(preload_pass(self._job["libraries"])):
            return Status.INVALID
        if not self._interpreted():
            return Status.FAILURE
        self._take_texts(self._module.operation)
        return Status.SUCCESS

    def _interpreted(self) -> bool:
        pass_ = interpreter_pass(self._job["entry_point"], self._job["options"])
        observer, journal = self._environment.observer, self._job["journal"]
        if observer is None or journal is None:
            return self._succeeds(pass_)
        with contextlib.ExitStack() as stack:
            recorder = self._recorder(journal)
            if recorder is not None:
                stack.callback(recorder.close)
            writer = stack.enter_context(observer.observing(journal, self._stop, recorder))
            if recorder is not None:
                recorder.leave = writer.leave_files
            succeeded = self._succeeds(pass_)
            if succeeded:
                writer.finish()
            return succeeded

    def _recorder(self, journal: dict[str, Any]) -> Recorder | None:
        if RECORDING not in journal:
            return None
        return Recorder(self._environment.ir, journal, self._payload_now, self._job["output"] // 2)

    def _payload_now(self, is_last: bool) -> str:
        """Return the current payload without scripts, during the run. `is_last` allows removing them in place."""
        module = self._module.operation
        with self._environment.classes.not_imported():
            if _has_scripts(module):
                module = module if is_last else module.clone()
                _strip(module)
        text: str = module.get_asm(assume_verified=False)
        return text.rstrip("\n") + "\n"

    def _stop(self) -> None:
        """Record the current texts and ignore the rest of the run. Called while the script runs."""
        self._is_stopped = True
        self._diagnostics.close()
        if self._emits:
            self._take_texts(self._module.operation.clone())

    def _take_texts(self, module: Any) -> None:
        """Print the requested texts; removes the scripts from `module`."""
        if self._job["journal"] is not None:
            with self._environment.classes.not_imported():
                _erase_inserted(module)
        if Emit.MODULE in self._emits:
            is_located = self._job["mode"] == Mode.LOCATE.value
            self._texts[Emit.MODULE.value] = self._with_locations(module, "") if is_located else self._printed(module)
        if Emit.PAYLOAD in self._emits:
            payload = self._texts[Emit.PAYLOAD.value] = self._without_scripts(module)
            if self._job["journal"] is not None:
                self._located = self._with_locations(module, payload)

    def _succeeds(self, pass_: tuple[str, str]) -> bool:
        """Run a pass over the module. Raises _PipelineError if the bindings do not accept it."""
        try:
            manager = self._environment.passes.PassManager.parse(module_pipeline([pass_]))
        except ValueError as error:
            raise _PipelineError(str(error)) from error
        try:
            manager.run(self._module.operation)
        except self._environment.ir.MLIRError:
            return False
        return True

    def _with_locations(self, module: Any, printed: str) -> str:
        """Return `printed` with locations.

        Local scope is faster, since no aliases are computed, but locations with metadata may be of any size, and
        shared. MLIR prints an invalid module in the generic form; such a module is not verified again.
        """
        text: str = module.get_asm(
            enable_debug_info=True,
            use_local_scope=_METADATA not in self._job["text"],
            assume_verified=not printed.startswith(_GENERIC),
        )
        return text

    def _without_scripts(self, module: Any) -> str:
        with self._environment.classes.not_imported():
            _strip(module)
        return self._printed(module)

    def _printed(self, operation: Any) -> str:
        """Print a module. Parsed modules and pass results are verified already, unlike intermediate states."""
        text: str = operation.get_asm(assume_verified=not self._is_stopped)
        return text.rstrip("\n") + "\n"


def _has_scripts(module: Any) -> bool:
    """Tell whether `_strip` would change anything."""
    return _SCRIPT_MARK in module.attributes or any(
        operation.name.startswith(_SCRIPT_DIALECT)
        or (operation.name == _MODULE and _SCRIPT_MARK in operation.attributes)
        for operation in _members(module)
    )


def _strip(module: Any) -> None:
    """Erase transform operations, and modules that contain nothing else; see `stripping.without_scripts`."""
    if _SCRIPT_MARK in module.attributes:
        del module.attributes[_SCRIPT_MARK]
    for operation in _members(module):
        if operation.name.startswith(_SCRIPT_DIALECT):
            operation.erase()
        elif operation.name == _MODULE and _SCRIPT_MARK in operation.attributes:
            _strip(operation)
            if not _members(operation):
                operation.erase()


def _erase_inserted(module: Any) -> None:
    """Erase the instrumentation from scripts."""
    for operation in _members(module):
        if operation.name.startswith(_SCRIPT_DIALECT):
            for found in _inserted_in(operation):
                found.erase()
        elif operation.name == _MODULE:
            _erase_inserted(operation)


def _inserted_in(operation: Any) -> list[Any]:
    nested = _members(operation)
    return [found for inner in nested for found in ([inner] if inner.name in INSERTED else _inserted_in(inner))]


def _members(operation: Any) -> list[Any]:
    return [view.operation for region in operation.regions for block in region for view in block]

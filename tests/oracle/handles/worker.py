"""Runs scripts with MLIR's Python bindings and says what became of each use of a handle; a process of its own since
MLIR may crash.

Reads a JSON list of texts with options from standard input and prints one line of JSON for each. In front of every
operation of a script, steps are inserted, one for each operand that is no parameter: operations defined here that read
the handle and nothing else. A step fails where the operation behind it would fail because the handle is invalidated.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from types import ModuleType
from typing import IO, Any

from torch_mlir import ir, passmanager

_TRANSFORM: Any = importlib.import_module("torch_mlir._mlir_libs._mlirDialectsTransform")
_IRDL: Any = importlib.import_module("torch_mlir._mlir_libs._mlirDialectsIRDL")
_GLOBALS: Any = importlib.import_module("torch_mlir._mlir_libs._mlir").globals

_DIALECT = "oracle"
_STEP = "oracle.step"
_DEFINITION = "irdl.dialect @oracle { irdl.operation @step { %0 = irdl.any\n irdl.operands(handle: %0) } }"
_PLACE = re.compile(r'loc\("([^"]*)":(\d+):(\d+)\)')
_BODIES = ("transform.named_sequence", "transform.sequence", "transform.foreach", "transform.alternatives")
_MATCHING = ("matcher", "matchers")
_CHECK_USES = "builtin.module(transform-dialect-check-uses)"
_INTERPRETER = "builtin.module(transform-interpreter)"


class _Session:
    """A context in which steps are known, and the record of the script that runs."""

    def __init__(self) -> None:
        self.context = ir.Context()
        self.context.allow_unregistered_dialects = True
        self.context.emit_error_diagnostics = True
        self.context.enable_multithreading(False)
        self.passed: dict[tuple[int, int], list[int]] = {}
        """How often each step was passed, and how often its handle was not empty, by operation and operand."""
        self.diagnostics: list[dict[str, Any]] = []
        # The bindings look for Python code of each dialect, again and again unless there is some.
        sys.modules.setdefault(f"torch_mlir.dialects.{_DIALECT}", ModuleType(_DIALECT))
        with self.context:
            _IRDL.load_dialects(ir.Module.parse(_DEFINITION))
            _step(self._pass).attach(_STEP)
            _effects().attach(_STEP)
        _GLOBALS.dialect_search_modules = []

    def _pass(self, operation: Any, state: Any) -> None:
        _, line, column = _found_place(operation.location)
        (handle,) = operation.operands
        read = state.get_payload_values if _is_value(handle) else state.get_payload_ops
        counts = self.passed.setdefault((line, column), [0, 0])
        counts[0] += 1
        counts[1] += bool(len(read(handle)))

    def run(self, text: str, *, at_yields: bool) -> dict[str, Any]:
        """Check and run the script in `text`; `at_yields` has steps in front of terminators too."""
        self.passed, self.diagnostics = {}, []
        with self.context:
            handler = self.context.attach_diagnostic_handler(self._take)
            try:
                return self._answer(text, at_yields=at_yields)
            finally:
                handler.detach()

    def _answer(self, text: str, *, at_yields: bool) -> dict[str, Any]:
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError:
            return {"status": "invalid", "diagnostics": self.diagnostics}
        passmanager.PassManager.parse(_CHECK_USES).run(module.operation)
        warnings, self.diagnostics = self.diagnostics, []
        operations = _Instrumentation(at_yields=at_yields).insert(module.operation)
        status = "success"
        try:
            passmanager.PassManager.parse(_INTERPRETER).run(module.operation)
        except ir.MLIRError:
            status = "failure"
        return {
            "status": status,
            "warnings": warnings,
            "diagnostics": self.diagnostics,
            "operations": operations,
            "passed": [[*key, *counts] for key, counts in self.passed.items()],
        }

    def _take(self, diagnostic: Any) -> bool:
        self.diagnostics.append(_record(diagnostic))
        return True


class _Instrumentation:
    """Inserts steps; the location of a step is the number of the operation behind it and that of its operand."""

    def __init__(self, *, at_yields: bool) -> None:
        self._at_yields = at_yields
        self._operations: list[tuple[str, list[int]]] = []

    def insert(self, module: Any) -> list[tuple[str, list[int]]]:
        """Return name and place of the operations of the script, in the order in which they are numbered."""
        matchers = _matchers(module)
        for operation in _members(module):
            if operation.name in _BODIES and _symbol(operation) not in matchers:
                self._body(operation)
        return self._operations

    def _body(self, around: Any) -> None:
        for operation in _members(around):
            number = len(self._operations)
            _, line, column = _found_place(operation.location)
            self._operations.append((operation.name, [line, column]))
            if self._at_yields or operation.name != "transform.yield":
                self._steps(operation, number)
            if operation.name in _BODIES:
                self._body(operation)

    def _steps(self, operation: Any, number: int) -> None:
        for index, handle in enumerate(operation.operands):
            if "!transform.param" in str(handle.type) or "any_param" in str(handle.type):
                continue
            location = ir.Location.file(_DIALECT, number, index)
            ir.Operation.create(_STEP, operands=[handle], loc=location, ip=ir.InsertionPoint(operation))


def _step(apply: Any) -> Any:
    class Step(_TRANSFORM.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(operation: Any, _rewriter: Any, _results: Any, state: Any) -> Any:
            apply(operation, state)
            return _TRANSFORM.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_operation: Any) -> bool:
            return True

    return Step


def _effects() -> Any:
    class Effects(ir.MemoryEffectsOpInterface):  # type: ignore[misc]
        @staticmethod
        def get_effects(operation: Any, effects: Any) -> None:
            _TRANSFORM.only_reads_handle(operation.op_operands, effects)
            _TRANSFORM.only_reads_payload(effects)

    return Effects


def _matchers(module: Any) -> set[str]:
    """Return the names of the sequences that are asked whether they match: only matchers may stand in them."""
    found: set[str] = set()
    for operation in _walk(module):
        for name in _MATCHING:
            if operation.name.startswith("transform.") and name in operation.attributes:
                found.update(re.findall(r"@(\w+)", str(operation.attributes[name])))
    return found


def _symbol(operation: Any) -> str:
    return operation.attributes["sym_name"].value if "sym_name" in operation.attributes else ""


def _walk(operation: Any) -> list[Any]:
    return [operation, *(found for member in _members(operation) for found in _walk(member))]


def _members(operation: Any) -> list[Any]:
    return [view.operation for region in operation.regions for block in region for view in block]


def _is_value(handle: Any) -> bool:
    return str(handle.type) == "!transform.any_value"


def _record(diagnostic: Any) -> dict[str, Any]:
    return {
        "severity": str(diagnostic.severity).rpartition(".")[2].lower(),
        "message": str(diagnostic.message).rstrip(),
        "place": _found_place(diagnostic.location),
        "notes": [_record(note) for note in diagnostic.notes],
    }


def _found_place(location: Any) -> tuple[str, int, int]:
    match = _PLACE.search(str(location))
    return (match[1], int(match[2]), int(match[3])) if match else ("", 0, 0)


def _own_output() -> IO[str]:
    """Return what was standard output; MLIR, which prints there, is given nothing in its place."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    return output


def main() -> None:
    """Answer for every text, flushing each so that a crash loses one answer only."""
    jobs = json.load(sys.stdin)
    output = _own_output()
    session = _Session()
    for job in jobs:
        answer = session.run(job["text"], at_yields=job["at_yields"])
        print(json.dumps(answer), file=output, flush=True)


if __name__ == "__main__":
    main()

"""Runs scripts with MLIR's Python bindings and reports the end of each use of a handle; a process of its own since
MLIR may crash.

Reads a JSON list of texts with options from standard input and prints one line of JSON for each. In front of every
operation of a script, steps are inserted, one for each operand that is no parameter: operations defined here that read
the handle and nothing else. A step fails where the operation behind it would fail because the handle is invalidated.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from torch_mlir import ir

from oracle.handles.processes import NOTE
from oracle.handles.steps import (
    DIALECT,
    bodies,
    is_parameter,
    is_value,
    members,
    new_context,
    own_output,
    place,
    run_pass,
)

_CHECK_USES = "transform-dialect-check-uses"
_PRELOAD = "transform-preload-library"
_INTERPRETER = "transform-interpreter"
_STEP = "step"


class _Session:
    """A context in which steps are known, and the record of the script that runs."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output
        self._shared = self._new_context()
        self.passed: dict[tuple[int, int], list[int]] = {}
        """Number of passes of each step, and of those with a handle that was not empty, by operation and operand."""
        self.operations: list[tuple[str, list[int]]] = []
        """Name and place of the operations of the script."""
        self.diagnostics: list[dict[str, Any]] = []

    def _new_context(self) -> Any:
        return new_context({_STEP: self._pass})

    def _pass(self, operation: Any, state: Any) -> None:
        _, number, operand = place(operation.location)
        (handle,) = operation.operands
        name, where = self.operations[number]
        print(NOTE + json.dumps([name, where, operand]), file=self._output, flush=True)
        read = state.get_payload_values if is_value(handle) else state.get_payload_ops
        counts = self.passed.setdefault((number, operand), [0, 0])
        counts[0] += 1
        counts[1] += bool(len(read(handle)))

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Check and run a script: its `text`, a `library` or "", and `watched`, the value of a `Watched`."""
        self.operations, self.passed, self.diagnostics = [], {}, []
        context = self._new_context() if job["library"] else self._shared  # contexts keep loaded dialects
        with context, TemporaryDirectory() as folder:
            handler = context.attach_diagnostic_handler(self._take)
            try:
                return self._answer(job, Path(folder) / "library.mlir")
            finally:
                handler.detach()

    def _answer(self, job: dict[str, Any], library: Path) -> dict[str, Any]:
        try:
            modules = [ir.Module.parse(text) for text in (job["text"], job["library"]) if text]
        except ir.MLIRError:
            return {"status": "invalid", "diagnostics": self.diagnostics}
        for module in modules:
            run_pass(module, _CHECK_USES)
        warnings, self.diagnostics = self.diagnostics, []
        for module in modules:
            _instrument(module.operation, job["watched"], self.operations)
        for module in modules[1:]:
            text = module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
            library.write_text(text, encoding="utf-8")
        preload = f"{_PRELOAD}{{transform-library-paths={library}}}," if job["library"] else ""
        succeeds = run_pass(modules[0], preload + _INTERPRETER)
        return {
            "status": "success" if succeeds else "failure",
            "warnings": warnings,
            "diagnostics": self.diagnostics,
            "operations": self.operations,
            "passed": [[*key, *counts] for key, counts in self.passed.items()],
        }

    def _take(self, diagnostic: Any) -> bool:
        self.diagnostics.append(_record(diagnostic))
        return True


def _instrument(module: Any, watched: str, operations: list[tuple[str, list[int]]]) -> None:
    """Insert steps, and add name and place of the operations of `module` that are executed to `operations`.

    The location of a step is the number of the operation behind it among these, and that of its operand.
    """
    executed = [operation for body in list(bodies(module)) for operation in members(body)]
    first = len(operations)
    operations += [(operation.name, list(place(operation.location)[1:])) for operation in executed]
    for number, operation in enumerate(executed, first):
        if watched == "all" or (watched == "uses" and operation.name != "transform.yield"):
            _insert_steps(operation, number)


def _insert_steps(operation: Any, number: int) -> None:
    for index, handle in enumerate(operation.operands):
        if not is_parameter(handle):
            location = ir.Location.file(DIALECT, number, index)
            point = ir.InsertionPoint(operation)
            ir.Operation.create(f"{DIALECT}.{_STEP}", operands=[handle], loc=location, ip=point)


def _record(diagnostic: Any) -> dict[str, Any]:
    return {
        "severity": str(diagnostic.severity).rpartition(".")[2].lower(),
        "message": str(diagnostic.message).rstrip(),
        "place": place(diagnostic.location),
        "notes": [_record(note) for note in diagnostic.notes],
    }


def main() -> None:
    """Answer for every text, flushing each so that a crash loses one answer only."""
    jobs = json.load(sys.stdin)
    output = own_output()
    session = _Session(output)
    for job in jobs:
        answer = session.run(job)
        print(json.dumps(answer), file=output, flush=True)


if __name__ == "__main__":
    main()

"""A worker that asks MLIR's Python bindings for the effects of operations, as their C++ states them.

An operation is created without being verified, with one value for each operand and result: `getEffects` looks at
nothing else. Bindings since LLVM 24 have the interface; a C++ implementation may crash, which ends the worker.
"""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from tdls.interpreter.confinement.confinement import Confinement
from tdls.interpreter.confinement.watch import limit_written_files
from tdls.interpreter.mlir.worker.messages import receive_job, send, taken_streams
from tdls.interpreter.mlir.worker.packages import NO_THREADS, is_bindings, version_of
from tdls.limits import RUN_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HANDLE = "!transform.any_op"
_KINDS = ("Read", "Write", "Allocate", "Free")


def main(arguments: Sequence[str]) -> int:
    """Serve questions; return the exit status. ``arguments[0]`` is a JSON object: `packages` with bindings."""
    configuration = json.loads(arguments[0])
    with tempfile.TemporaryFile() as printed:
        limit_written_files(RUN_OUTPUT.most)
        Confinement((tempfile.gettempdir(),), ()).confine_thread()
        questions, answers = taken_streams(printed.fileno())
        package = next(filter(is_bindings, configuration["packages"]), None)
        if package is None:
            send(answers, {"error": "no bindings of MLIR are installed"})
            return 1
        os.environ.update(NO_THREADS)
        try:
            ir: Any = importlib.import_module(f"{package}.ir")
            importlib.import_module(f"{package}.dialects.transform")
        except Exception as error:  # a package may raise anything while it is imported
            send(answers, {"error": f"{type(error).__name__}: {error}"})
            return 1
        send(answers, {"mlir": version_of(package), "package": package})
        while (question := receive_job(questions)) is not None:
            send(answers, {"effects": dict(_effects(ir, question["operations"]))})
    return 0


def _effects(ir: Any, operations: dict[str, list[Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names of known operations with kinds of effects: on each operand, on each result, and on the payload.

    `operations` maps names to numbers of operands, results and regions, and to arrays of sizes of groups by name.
    """
    if not hasattr(ir, "MemoryEffectsOpInterface") or not hasattr(ir, "MemoryEffect"):
        return
    context = ir.Context()
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown():
        module = ir.Module.create()
        handle = ir.Type.parse(_HANDLE)
        for name, (operands, results, regions, segments) in operations.items():
            if not context.is_registered_operation(name):
                continue
            with ir.InsertionPoint(module.body):
                made = [ir.Operation.create("tdls.handle", results=[handle]).results[0] for _ in range(operands)]
                sizes = {key: ir.DenseI32ArrayAttr.get(each) for key, each in segments.items()}
                operation = ir.Operation.create(name, [handle] * results, made, sizes, None, regions)
                effects = ir.MemoryEffectsOpInterface(operation).get_effects()
            kinds = [next((k for k in _KINDS if each.effect == getattr(ir.MemoryEffect, k)), "") for each in effects]
            pairs = [(kind, each.value) for kind, each in zip(kinds, effects, strict=True)]
            values = [[kind for kind, value in pairs if value is not None and value == own] for own in made]
            own = [[kind for kind, value in pairs if value is not None and value == each] for each in operation.results]
            yield (
                name,
                {"operands": values, "results": own, "payload": [kind for kind, value in pairs if value is None]},
            )

"""Operations that look at handles, inserted into scripts that MLIR's Python bindings run in this process."""

from __future__ import annotations

import importlib
import os
import re
import sys
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any

from torch_mlir import ir, passmanager

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_TRANSFORM: Any = importlib.import_module("torch_mlir._mlir_libs._mlirDialectsTransform")
_IRDL: Any = importlib.import_module("torch_mlir._mlir_libs._mlirDialectsIRDL")
_GLOBALS: Any = importlib.import_module("torch_mlir._mlir_libs._mlir").globals

DIALECT = "oracle"
_PLACE = re.compile(r'loc\("([^"]*)":(\d+):(\d+)\)')
BODIES = ("transform.named_sequence", "transform.sequence", "transform.foreach", "transform.alternatives")
"""The operations that execute their bodies, one operation after the other."""
_ANY_HANDLES = "%0 = irdl.any\n irdl.operands(handles: variadic %0)"
_MATCHING = ("matcher", "matchers")


def new_context(steps: Mapping[str, Callable[[Any, Any], None]]) -> Any:
    """Return a context that knows an operation ``oracle.NAME`` for each of `steps`, with any handles as operands."""
    context = ir.Context()
    context.allow_unregistered_dialects = True
    context.emit_error_diagnostics = True
    context.enable_multithreading(False)
    # The bindings look for Python code of each dialect, again and again unless there is some.
    sys.modules.setdefault(f"torch_mlir.dialects.{DIALECT}", ModuleType(DIALECT))
    operations = (f"irdl.operation @{name} {{ {_ANY_HANDLES} }}" for name in steps)
    with context:
        _IRDL.load_dialects(ir.Module.parse(f"irdl.dialect @{DIALECT} {{ {' '.join(operations)} }}"))
        for name, step in steps.items():
            _applied(step).attach(f"{DIALECT}.{name}")
            _effects().attach(f"{DIALECT}.{name}")
    _GLOBALS.dialect_search_modules = []
    return context


def _applied(step: Callable[[Any, Any], None]) -> Any:
    class Applied(_TRANSFORM.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(operation: Any, _rewriter: Any, _results: Any, state: Any) -> Any:
            step(operation, state)
            return _TRANSFORM.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_operation: Any) -> bool:
            return True

    return Applied


def _effects() -> Any:
    class Effects(ir.MemoryEffectsOpInterface):  # type: ignore[misc]
        @staticmethod
        def get_effects(operation: Any, effects: Any) -> None:
            if len(operation.operands):  # the bindings crash if there are none
                _TRANSFORM.only_reads_handle(operation.op_operands, effects)
            _TRANSFORM.only_reads_payload(effects)

    return Effects


def run_pass(module: Any, pipeline: str) -> bool:
    """Run a pass over `module`; return whether it succeeded."""
    try:
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    except ir.MLIRError:
        return False
    return True


def bodies(module: Any) -> Iterator[Any]:
    """Yield the operations of `module` whose regions the interpreter executes, apart from those that only match."""
    matchers = _matchers(module)
    for operation in walk(module):
        if operation.name in BODIES and symbol(operation) not in matchers:
            yield operation


def _matchers(module: Any) -> set[str]:
    """Return the names of sequences that operations call as matchers: their bodies may have match operations only."""
    found: set[str] = set()
    for operation in walk(module):
        for name in _MATCHING:
            if operation.name.startswith("transform.") and name in operation.attributes:
                found.update(re.findall(r"@(\w+)", str(operation.attributes[name])))
    return found


def symbol(operation: Any) -> str:
    """Return the symbol that `operation` defines, or ""."""
    return operation.attributes["sym_name"].value if "sym_name" in operation.attributes else ""


def walk(operation: Any) -> Iterator[Any]:
    """Yield `operation` and its nested operations, in the order of the text."""
    yield operation
    for member in members(operation):
        yield from walk(member)


def members(operation: Any) -> list[Any]:
    """Return the operations directly in `operation`."""
    return [view.operation for region in operation.regions for block in region for view in block]


def is_parameter(handle: Any) -> bool:
    """Whether `handle` is a parameter."""
    return ".param<" in str(handle.type) or "any_param" in str(handle.type)


def is_value(handle: Any) -> bool:
    """Whether `handle` stands for values."""
    return str(handle.type) == "!transform.any_value"


def place(location: Any) -> tuple[str, int, int]:
    """Return file, line and column of a location; "" and zeros where it has none."""
    match = _PLACE.search(str(location))
    return (match[1], int(match[2]), int(match[3])) if match else ("", 0, 0)


def own_output() -> IO[str]:
    """Return the former standard output; MLIR, which prints there, gets the null device in its place."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    return output

"""The effects of operations as their C++ states them, which MLIR's Python bindings tell since LLVM 24."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_HANDLE = "!transform.any_op"
_NATIVE = {"Free": "consumes", "Allocate": "produces", "Write": "modifies", "Read": "reads"}
"""Effects by their names in C++, the strongest first: a consumed handle is freed, a new one allocated."""


def stated_effects(ir: Any, operation: Any) -> dict[str, Any] | None:
    """Return the effects on each operand, on each result, and on the payload; None if the bindings `ir` cannot tell.

    The C++ of an operation that does not verify may crash.
    """
    interface: Any = getattr(ir, "MemoryEffectsOpInterface", None)
    if not hasattr(interface, "get_effects"):
        return None
    kinds = {name: getattr(ir.MemoryEffect, name) for name in _NATIVE}
    effects = [(each.effect, each.value) for each in interface(operation).get_effects()]

    def strongest(value: Any, *names: str) -> str:
        own = [kind for kind, other in effects if (other is None) is (value is None) and other == value]
        return next((_NATIVE[name] for name in names if kinds[name] in own), "none")

    on_handle = ("Free", "Allocate", "Read")
    return {
        "operands": [strongest(value, *on_handle) for value in operation.operands],
        "results": [strongest(value, *on_handle) for value in operation.results],
        "payload": strongest(None, "Write", "Read"),
    }


def effects_by_name(ir: Any, operations: dict[str, list[Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names of registered operations with their effects; the current context is that of `ir`.

    `operations` maps names to numbers of operands, results and regions, and to arrays of sizes of groups by name. An
    operation is created without being verified, with one value for each operand and result: `getEffects` looks at
    nothing else.
    """
    with ir.Location.unknown():
        module, handle = ir.Module.create(), ir.Type.parse(_HANDLE)
        for name, (operands, results, regions, segments) in operations.items():
            if not ir.Context.current.is_registered_operation(name):
                continue
            with ir.InsertionPoint(module.body):
                made = [ir.Operation.create("tdls.handle", results=[handle]).results[0] for _ in range(operands)]
                sizes = {key: ir.DenseI32ArrayAttr.get(each) for key, each in segments.items()}
                operation = ir.Operation.create(name, [handle] * results, made, sizes, None, regions)
                if (stated := stated_effects(ir, operation)) is not None:
                    yield name, stated

"""Asks all operations that modules define in Python for their effects, each on instances that are made for that.

The modules are imported, and their dialects loaded. Classes for interfaces are taken from the calls that attach them;
where no import and no loading does so, the functions that attach and need no arguments are called.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from tdls.python_builders.worker.watching import dialects_in_python

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from tdls.python_builders.worker.registered import RegisteredOperations
    from tdls.python_builders.worker.watching import Watching

_TRANSFORM = ".dialects.transform"
_SIZES = (2, 1, 0)
"""Numbers of values of a variadic group; an optional one has at most one."""
_ATTRIBUTES = "attributes"


class Asking:
    """Asks the operations of the Python files `paths`."""

    def __init__(self, paths: Sequence[str], watching: Watching, registered: RegisteredOperations) -> None:
        self._paths = paths
        self._watching = watching
        self._registered = registered
        self._holders: list[Any] = []
        """Operations that hold the instances."""
        self._reads: list[str] = []
        """What an operation looked at, besides its operands and results, to compute its effects."""
        registered.only_asks = True

    def answers(self) -> list[dict[str, Any]]:
        """Return the fields of reports, several for an operation with groups. Raises what the first import raised."""
        with contextlib.ExitStack() as ambience:
            modules, failure = self._imported(ambience)
            operations = list(self._operations())
            if self._watching.ir is not None:
                self._attach(operations, [*operations, *modules])
                self._follow_reads(self._watching.ir)
            answers = [answer for operation in operations for answer in self._answers_of(operation)]
        if failure is not None and not answers:
            raise failure
        return answers

    def _imported(self, ambience: contextlib.ExitStack) -> tuple[list[ModuleType], BaseException | None]:
        """Import the files, and make a context current once there are bindings; a file that fails is tried again."""
        modules: dict[str, ModuleType] = {}
        failures: dict[str, BaseException] = {}
        for path in (*self._paths, *self._paths):
            try:
                modules[path] = _module(path)
            except (Exception, SystemExit) as error:
                failures.setdefault(path, error)
            ir = self._watching.ir
            if ir is not None and ir.Context.current is None:
                context = ambience.enter_context(ir.Context())
                context.allow_unregistered_dialects = True
                ambience.enter_context(ir.Location.unknown(context))
        return list(modules.values()), next((failures[path] for path in self._paths if path not in modules), None)

    def _operations(self) -> Iterator[Any]:
        """Load the dialects that are defined in Python, and yield their operations."""
        for dialect in dialects_in_python():
            if dialect.operations:
                with contextlib.suppress(Exception):  # it may be loaded already
                    dialect.load()
            yield from dialect.operations

    def _attach(self, operations: Sequence[Any], owners: Sequence[Any]) -> None:
        """Call the functions that attach something while operations are left that have no class for effects."""
        for owner in owners:
            left = [owner] if owner in operations else operations
            if not any(self._registered.lacks_effects(operation.OPERATION_NAME) for operation in left):
                continue
            for name, function in inspect.getmembers(owner, inspect.isroutine):
                code = getattr(function, "__code__", None)
                if code is not None and "attach" in code.co_names and not name.startswith("_"):
                    with contextlib.suppress(Exception):  # it needs arguments, or is not meant for this
                        function()

    def _follow_reads(self, ir: Any) -> None:
        """Note where an operation looks at its attributes or regions, which differ between instances."""
        owner = next(base for base in ir.OpView.__mro__ if "attributes" in vars(base))
        attributes, regions = owner.attributes.fget, owner.regions.fget

        def seen_regions(operation: Any) -> Any:
            self._reads.append("regions")
            return regions(operation)

        owner.attributes = property(lambda operation: _Attributes(attributes(operation), self._reads))
        owner.regions = property(seen_regions)

    def _answers_of(self, operation: Any) -> Iterator[dict[str, Any]]:
        several = any(_count(field, 2) != 1 for field in operation._fields)
        for size in _SIZES if several else _SIZES[:1]:
            try:
                instance = self._instance(operation, size)
                self._reads.clear()
                answer = self._registered.answer(instance)
            except Exception:  # it cannot be made
                return
            if answer is None or (answer["problem"] and size != _SIZES[0]):
                continue
            if self._reads:
                yield {**answer, "problem": f"its effects depend on its {self._reads[0]}"}
                return
            yield answer
            if answer["problem"]:
                return

    def _instance(self, operation: Any, size: int) -> Any:
        """Return an operation of a class, without attributes, and with `size` values in each variadic group."""
        ir = self._watching.ir
        kinds = [type(field).__name__ for field in operation._fields]
        counts = {
            kind: [
                (field, _count(field, size)) for field, own in zip(operation._fields, kinds, strict=True) if own == kind
            ]
            for kind in ("OperandDef", "ResultDef")
        }
        operands, results = (
            [self._type(field.constraint) for field, count in group for _ in range(count)] for group in counts.values()
        )
        sizes = {
            f"{kind[:-3].lower()}SegmentSizes": ir.DenseI32ArrayAttr.get([count for _, count in group])
            for kind, group in counts.items()
        }
        holder = ir.Operation.create("tdls.holder", regions=1)
        self._holders.append(holder)
        block = holder.regions[0].blocks.append(*operands)
        with ir.InsertionPoint(block):
            return ir.Operation.create(
                operation.OPERATION_NAME,
                results=results,
                operands=list(block.arguments),
                attributes=sizes,
                regions=kinds.count("RegionDef"),
            )

    def _type(self, constraint: Any) -> Any:
        """Return the type that a constraint names, or that of any handle."""
        transform = sys.modules[self._watching.ir.__name__.rpartition(".")[0] + _TRANSFORM]
        for candidate in (get_origin(constraint), constraint, *get_args(constraint)):
            with contextlib.suppress(Exception):  # it needs parameters, or is not a type
                return candidate.get()
        return transform.AnyOpType.get()


class _Attributes(Mapping[Any, Any]):
    """The attributes of an operation, which notes what is looked at but for the sizes of groups."""

    def __init__(self, attributes: Any, reads: list[str]) -> None:
        self._attributes = attributes
        self._reads = reads

    def __getitem__(self, key: Any) -> Any:
        if not str(key).endswith("SegmentSizes"):
            self._reads.append(_ATTRIBUTES)
        return self._attributes[key]

    def __iter__(self) -> Iterator[Any]:
        self._reads.append(_ATTRIBUTES)
        return iter(self._attributes)

    def __len__(self) -> int:
        self._reads.append(_ATTRIBUTES)
        return len(self._attributes)


def _count(field: Any, size: int) -> int:
    arity = getattr(getattr(field, "variadicity", None), "name", "single")
    return {"variadic": size, "optional": min(size, 1)}.get(arity, 1)


def _module(path: str) -> ModuleType:
    """Import a file as a module of the outermost package around it."""
    file = Path(path)
    packages = [folder for folder in file.parents if os.path.isfile(folder / "__init__.py")]
    base = packages[-1].parent if packages else file.parent
    if str(base) not in sys.path:
        sys.path.insert(0, str(base))
    parts = file.relative_to(base).with_suffix("").parts
    return importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))

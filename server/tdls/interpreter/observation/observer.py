"""An operation of tdls's own for scripts, written in Python, that writes down what handles stand for.

It reads its operands, changes nothing, and always succeeds. Needs bindings in which Python can define transform
operations: mlir/lib/Bindings/Python/DialectTransform.cpp, ``TransformOpInterface``.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tdls.interpreter.observation.journal import Moment, Writer
from tdls.interpreter.observation.operation import (
    DIALECT,
    FIRST,
    KIND,
    NAME,
    OPERATIONS,
    POINT,
    VALUES,
    definition,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.interpreter.python_classes import PythonClasses

MOMENTS = 16
"""The most moments of a handle that are written down."""
ITEMS = 200
"""The most items of a moment that are written down one by one."""
ALL_ITEMS = 10_000
"""The most items of a run that are written down one by one."""


class ObserverError(Exception):
    """The bindings cannot define transform operations."""


class Observer:
    """The operation, registered in a context; does nothing before a run begins that is to be observed."""

    def __init__(self, package: str, context: Any, classes: PythonClasses) -> None:
        """Register it with `context`. Raises ObserverError where the bindings in `package` do not offer that."""
        try:
            self._ir: Any = importlib.import_module(f"{package}.ir")
            self._transform: Any = importlib.import_module(f"{package}._mlir_libs._mlirDialectsTransform")
            self._register(package, context)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise ObserverError(str(error)) from error
        self._classes = classes
        self._writer: Writer | None = None
        self._remaining = ALL_ITEMS

    def begin(self, marks: str, moments: str) -> None:
        """Write the journal of a run to these files from now on. Raises OSError."""
        self._writer = Writer(marks, moments)

    def _register(self, package: str, context: Any) -> None:
        irdl = importlib.import_module(f"{package}._mlir_libs._mlirDialectsIRDL")
        # The bindings look for Python code of each dialect, again and again unless there is some.
        sys.modules.setdefault(f"{package}.dialects.{DIALECT}", ModuleType(DIALECT))
        with context:
            irdl.load_dialects(self._ir.Module.parse(definition()))
            _step(self._transform, self._apply).attach(NAME)
            _effects(self._ir, self._transform).attach(NAME)

    def _apply(self, operation: Any, state: Any) -> None:
        if self._writer is not None:
            with self._classes.not_imported():
                self._pass(operation, state, self._writer)

    def _pass(self, operation: Any, state: Any, writer: Writer) -> None:
        attributes = operation.attributes
        point, first = attributes[POINT].value, attributes[FIRST].value
        before = writer.pass_point(point) if first == 0 else writer.passed(point) - 1
        if before < MOMENTS:
            kind = attributes[KIND].value
            for number, handle in enumerate(operation.operands, first):
                writer.note(self._moment(point, number, handle, kind, state))

    def _moment(self, point: int, number: int, handle: Any, kind: int, state: Any) -> Moment:
        if kind == OPERATIONS:
            operations = [view.operation for view in state.get_payload_ops(handle)]
            return self._noted(point, number, [operation.name for operation in operations], operations)
        if kind == VALUES:
            values = list(state.get_payload_values(handle))
            return self._noted(point, number, [self._owner(value).name for value in values], values)
        return self._noted(point, number, [str(parameter) for parameter in state.get_params(handle)], ())

    def _noted(self, point: int, number: int, names: list[str], located: Iterable[Any]) -> Moment:
        shown = min(ITEMS, self._remaining, len(names))
        self._remaining -= shown
        locations = [str(item.location) for _, item in zip(range(shown), located, strict=False)]
        places = locations or [""] * shown
        counts = dict(Counter(names))
        if NAME in counts and self._writer is not None:
            self._writer.disturb()
        return Moment(point, number, len(names), counts, list(zip(names, places, strict=False)))

    def _owner(self, value: Any) -> Any:
        owner = value.owner
        if isinstance(owner, self._ir.Block):
            owner = owner.owner
        return owner.operation


def _step(transform: Any, apply: Callable[[Any, Any], None]) -> Any:
    class Step(transform.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(operation: Any, _rewriter: Any, _results: Any, state: Any) -> Any:
            apply(operation, state)
            return transform.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_operation: Any) -> bool:
            return True

    return Step


def _effects(ir: Any, transform: Any) -> Any:
    class Effects(ir.MemoryEffectsOpInterface):  # type: ignore[misc]
        @staticmethod
        def get_effects(operation: Any, effects: Any) -> None:
            if len(operation.operands):  # the bindings crash if there are none
                transform.only_reads_handle(operation.op_operands, effects)
            transform.only_reads_payload(effects)

    return Effects

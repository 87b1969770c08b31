"""Operations of tdls's own for scripts, written in Python: one writes down what handles stand for, one ends the run.

The first reads its operands, changes nothing, and always succeeds. Needs bindings in which Python can define transform
operations: mlir/lib/Bindings/Python/DialectTransform.cpp, ``TransformOpInterface``.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections import Counter
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tdls.interpreter.observation.journal import Moment, Writer
from tdls.interpreter.observation.operation import (
    DIALECT,
    FIRST,
    INSERTED,
    KIND,
    OBSERVE,
    OPERATIONS,
    POINT,
    STOP,
    VALUES,
    definition,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.observation.python_classes import PythonClasses

MOMENTS = 16
"""The most moments of a handle that are written down."""
ITEMS = 200
"""The most items of a moment that are written down one by one."""
ALL_ITEMS = 10_000
"""The most items of a run that are written down one by one."""
SMALL = 64
"""Handles that hold more are not looked at any more once all their moments are written down."""
INSERTED_NAMES = frozenset(INSERTED)


class ObserverError(Exception):
    """The bindings cannot define transform operations."""


class Observer:
    """The operations of tdls, registered in a context; they do nothing before a run begins that is to be observed."""

    def __init__(self, package: str, context: Any, classes: PythonClasses) -> None:
        """Register them with `context`. Raises ObserverError where the bindings in `package` do not offer that."""
        try:
            self._ir: Any = importlib.import_module(f"{package}.ir")
            self._transform: Any = importlib.import_module(f"{package}._mlir_libs._mlirDialectsTransform")
            self._register(package, context)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise ObserverError(str(error)) from error
        self._classes = classes
        self._writer: Writer | None = None
        self._stop: Callable[[], None] | None = None
        self._remaining = ALL_ITEMS
        self._sizes: dict[tuple[int, int], int] = {}
        """How much each handle stood for last, by point and number."""

    @contextlib.contextmanager
    def observing(self, journal: dict[str, Any], stop: Callable[[], None]) -> Iterator[Writer]:
        """Write to the journal that gave this message. `stop` is called where the script is to end. Raises OSError."""
        writer = Writer.of(journal)
        self._writer, self._stop = writer, stop
        try:
            yield writer
        finally:
            self._writer = None

    def _register(self, package: str, context: Any) -> None:
        irdl = importlib.import_module(f"{package}._mlir_libs._mlirDialectsIRDL")
        # The bindings look for Python code of each dialect, again and again unless there is some.
        sys.modules.setdefault(f"{package}.dialects.{DIALECT}", ModuleType(DIALECT))
        outcomes = self._transform.DiagnosedSilenceableFailure
        with context:
            irdl.load_dialects(self._ir.Module.parse(definition()))
            for name, apply, outcome in (
                (OBSERVE, self._observe, outcomes.Success),
                (STOP, self._end, outcomes.DefiniteFailure),
            ):
                _step(self._transform, apply, outcome).attach(name)
                _effects(self._ir, self._transform).attach(name)

    def _observe(self, operation: Any, state: Any) -> None:
        if self._writer is None:
            return
        try:
            with self._classes.not_imported():
                self._pass(operation, state, self._writer)
        except Exception:  # MLIR, which calls this, ends the process if anything is raised
            self._writer.disturb()

    def _end(self, _operation: Any, _state: Any) -> None:
        if self._writer is not None and self._stop is not None:
            self._writer.stop()
            self._stop()

    def _pass(self, operation: Any, state: Any, writer: Writer) -> None:
        attributes = operation.attributes
        point, first = attributes[POINT].value, attributes[FIRST].value
        before = writer.pass_point(point) if first == 0 else writer.passed(point) - 1
        kind = attributes[KIND].value
        for number, handle in enumerate(operation.operands, first):
            is_noted = before < MOMENTS
            if is_noted or (kind == OPERATIONS and self._sizes[point, number] <= SMALL):
                names, located = self._items(handle, kind, state)
                self._sizes[point, number] = len(names)
                if not INSERTED_NAMES.isdisjoint(names):
                    writer.disturb()
                if is_noted:
                    writer.note(self._moment(point, number, names, located))

    def _items(self, handle: Any, kind: int, state: Any) -> tuple[list[str], Sequence[Any]]:
        """Return the names of what `handle` stands for, and what of it has a location."""
        if kind == OPERATIONS:
            operations = [view.operation for view in state.get_payload_ops(handle)]
            return [operation.name for operation in operations], operations
        if kind == VALUES:
            values = list(state.get_payload_values(handle))
            return [self._owner(value).name for value in values], values
        return [str(parameter) for parameter in state.get_params(handle)], ()

    def _moment(self, point: int, number: int, names: list[str], located: Sequence[Any]) -> Moment:
        shown = min(ITEMS, self._remaining, len(names))
        self._remaining -= shown
        locations = [str(item.location) for item in located[:shown]] or [""] * shown
        return Moment(point, number, len(names), dict(Counter(names)), list(zip(names, locations, strict=False)))

    def _owner(self, value: Any) -> Any:
        owner = value.owner
        if isinstance(owner, self._ir.Block):
            owner = owner.owner
        return owner.operation


def _step(transform: Any, apply: Callable[[Any, Any], None], outcome: Any) -> Any:
    class Step(transform.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(operation: Any, _rewriter: Any, _results: Any, state: Any) -> Any:
            apply(operation, state)
            return outcome

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

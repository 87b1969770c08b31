"""Operations of tdls's own for scripts, written in Python: one records the contents of handles, one ends the run.

The first reads its operands, changes nothing, and always succeeds. Needs bindings in which Python can define transform
operations: mlir/lib/Bindings/Python/DialectTransform.cpp, ``TransformOpInterface``.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections import Counter
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from tdls.interpreter.instrumentation.journal import (
    DIALECT,
    FIRST,
    INSERTED,
    KIND,
    OBSERVE,
    OPERATIONS,
    POINT,
    STOP,
    VALUES,
    Moment,
    Writer,
    definition,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class PythonClasses:
    """Controls the bindings' automatic imports: the dialect module of each operation that Python sees.

    Some take a tenth of a second, and a forked process would import them for itself alone.
    """

    def __init__(self, package: str) -> None:
        """`package` holds the bindings."""
        try:
            self._globals: Any = importlib.import_module(f"{package}._mlir_libs._mlir").globals
        except (ImportError, AttributeError):
            self._globals = None

    @contextlib.contextmanager
    def not_imported(self) -> Iterator[None]:
        """Prevent imports within the context; operations without an imported module get the generic class."""
        before = getattr(self._globals, "dialect_search_modules", None)
        if before is None:
            yield
            return
        self._globals.dialect_search_modules = []
        try:
            yield
        finally:
            self._globals.dialect_search_modules = before


MOMENTS = 16
"""Maximum number of recorded moments of a handle."""
ITEMS = 200
"""Maximum number of recorded items of a moment."""
ALL_ITEMS = 10_000
"""Maximum number of recorded items of a run."""
SMALL = 64
"""Larger handles are not inspected any more once all their moments are recorded."""
INSERTED_NAMES = frozenset(INSERTED)


class StepRecorder(Protocol):
    """Records a run in place of the journal's moments; see `recording`."""

    def pass_handles(self, point: int, first: int, kind: int, handles: list[Any], state: Any) -> bool:
        """Record the new handles at `point`; return False if the run is to end here."""
        ...


class ObserverError(Exception):
    """The bindings cannot define transform operations."""


class Observer:
    """The operations of tdls, registered in a context; without effect before an observed run begins."""

    def __init__(self, package: str, context: Any, classes: PythonClasses) -> None:
        """Register them with `context`. Raises ObserverError if the bindings in `package` do not support that."""
        try:
            self._ir: Any = importlib.import_module(f"{package}.ir")
            self._transform: Any = importlib.import_module(f"{package}._mlir_libs._mlirDialectsTransform")
            self._register(package, context)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise ObserverError(str(error)) from error
        self._classes = classes
        self._writer: Writer | None = None
        self._stop: Callable[[], None] | None = None
        self._recorder: StepRecorder | None = None
        self._remaining = ALL_ITEMS
        self._sizes: dict[tuple[int, int], int] = {}
        """The last size of each handle, by point and number."""

    @contextlib.contextmanager
    def observing(
        self, journal: dict[str, Any], stop: Callable[[], None], recorder: StepRecorder | None = None
    ) -> Iterator[Writer]:
        """Write to the journal that gave this message. `stop` is called at the requested end of the script. Raises
        OSError.

        A `recorder` records the contents of handles instead of the journal.
        """
        writer = Writer.of(journal)
        self._writer, self._stop, self._recorder = writer, stop, recorder
        try:
            yield writer
        finally:
            self._writer = self._recorder = None

    def _register(self, package: str, context: Any) -> None:
        irdl = importlib.import_module(f"{package}._mlir_libs._mlirDialectsIRDL")
        # The bindings search a Python module of each dialect every time, unless one is registered.
        sys.modules.setdefault(f"{package}.dialects.{DIALECT}", ModuleType(DIALECT))
        with context:
            irdl.load_dialects(self._ir.Module.parse(definition()))
            for name, apply in ((OBSERVE, self._observe), (STOP, self._end)):
                _step(self._transform, apply).attach(name)
                _effects(self._ir, self._transform).attach(name)

    def _observe(self, operation: Any, state: Any) -> bool:
        if self._writer is None:
            return True
        try:
            with self._classes.not_imported():
                goes_on = self._pass(operation, state, self._writer)
        except Exception:  # an exception in this callback would make MLIR end the process
            self._writer.disturb()
            return True
        return goes_on or self._end(operation, state)

    def _end(self, _operation: Any, _state: Any) -> bool:
        if self._writer is not None and self._stop is not None:
            self._writer.stop()
            self._stop()
        return False

    def _pass(self, operation: Any, state: Any, writer: Writer) -> bool:
        """Handle one observing operation; return False if the run is to end there."""
        attributes = operation.attributes
        point, first = attributes[POINT].value, attributes[FIRST].value
        before = writer.pass_point(point) if first == 0 else writer.passed(point) - 1
        kind = attributes[KIND].value
        if self._recorder is not None:
            return self._recorder.pass_handles(point, first, kind, list(operation.operands), state)
        for number, handle in enumerate(operation.operands, first):
            is_noted = before < MOMENTS
            if is_noted or (kind == OPERATIONS and self._sizes[point, number] <= SMALL):
                names, located = self._items(handle, kind, state)
                self._sizes[point, number] = len(names)
                if not INSERTED_NAMES.isdisjoint(names):
                    writer.disturb()
                if is_noted:
                    writer.note(self._moment(point, number, names, located))
        return True

    def _items(self, handle: Any, kind: int, state: Any) -> tuple[list[str], Sequence[Any]]:
        """Return the names of a handle's items, and the items that have locations."""
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


def _step(transform: Any, apply: Callable[[Any, Any], bool]) -> Any:
    """Return the interface of an operation that calls `apply`, and ends the run if that returns False."""
    outcomes = transform.DiagnosedSilenceableFailure

    class Step(transform.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(operation: Any, _rewriter: Any, _results: Any, state: Any) -> Any:
            return outcomes.Success if apply(operation, state) else outcomes.DefiniteFailure

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

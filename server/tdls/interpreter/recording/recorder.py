"""Records a run, in the process that runs the script: each passing of a point, and states.

The contents of a consumed handle must not be queried. Invalidation follows the interpreter: an operation that consumes
a handle invalidates all handles to the same payload operations or to nested ones
(mlir/lib/Dialect/Transform/Interfaces/TransformInterfaces.cpp, `recordOpHandleInvalidation`).
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from tdls.interpreter.instrumentation.execution_trace import Bend, RegionExecutions
from tdls.interpreter.instrumentation.journal import INSERTED, OPERATIONS, PARAMETERS, VALUES
from tdls.interpreter.recording.forks import Forks, StateRequest
from tdls.interpreter.recording.records import Liveness
from tdls.interpreter.recording.stored_states import SAME, compressed, state_line
from tdls.structs import Struct, field
from tdls.system import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PASSINGS = 50_000
"""Maximum number of passings to record, unless a later one is requested."""
ITEMS = 100
"""Maximum number of items of a handle to record."""
ALL_ITEMS = 20_000
"""Maximum number of items of a run to record."""
LOOKED_AT = 16
"""Number of times that a handle with more than `SMALL` items is inspected."""
SMALL = 64
SHARE = 0.3
"""Maximum share of the run's time for recording all states."""
INSERTED_NAMES = frozenset(INSERTED)

_Key = tuple[int, int]


class DisturbedError(Exception):
    """The script encountered instrumentation."""


class _Known(Struct, eq=False):
    """A handle in scope."""

    value: Any
    kind: int
    defined: int
    liveness: Liveness = Liveness.LIVE
    since: int | None = None


class _Handles(Struct, eq=False):
    """The handles of one execution of a region, by point and index."""

    known: dict[_Key, _Known] = field(default_factory=dict)


class Recorder:
    """Records one run."""

    def __init__(self, ir: Any, journal: dict[str, Any], text: Callable[[bool], str], most: int) -> None:
        """`text` prints the present payload; its argument is true if the payload is not used afterwards.

        All states together may take `most` bytes. `ir` is the module of the bindings. `journal` is the message of a
        `RecordingJournal` whose files are open.
        """
        message, opened, slots = journal["recording"], journal["opened"], journal["slots"]
        self._block_class = ir.Block
        self._text = text
        self._left = most
        self._items = ALL_ITEMS
        self._numbers = frozenset(message["numbers"])
        self._all: bool = message["all"]
        self._last: int | None = message["last"]
        self._patience: float = message["seconds"] * SHARE
        self._recording_seconds = 0.0
        self._sizes: list[int] = message["handles"]
        self._consumed: list[list[list[Any]]] = message["consumed"]
        self._executing: RegionExecutions[_Handles] = RegionExecutions(
            [Bend(*bend) for bend in journal["bends"]], lambda _region: _Handles()
        )
        self._passings, self._states = opened["passings"], opened["states"]
        forks = message["checkpoints"]
        self._forks = Forks(forks, opened["checkpoints"], slots, self._leave) if forks is not None else None
        self._request: StateRequest | None = None
        self.leave: Callable[[], None] | None = None
        """Called in checkpoints, to detach from the run's files."""
        self._number = -1
        self._point = -1
        self._entered = 0.0
        self._contents: list[tuple[int, dict[str, int]] | None] = []
        self._looked: Counter[_Key] = Counter()
        self._text_before: bytes | None = None
        self._changing: list[bool] = message["changing"]
        self._is_changed = True
        """True if the payload may have changed since its text was last recorded."""

    @property
    def _tracks(self) -> bool:
        """True if states are requested, so that invalidated handles have to be tracked."""
        return self._all or bool(self._numbers) or self._forks is not None

    def _is_wanted(self) -> bool:
        """Tell whether the present state is requested, and there is time for it."""
        if self._all and self._recording_seconds > self._patience:
            self._all = False
        return self._all or self._number in self._numbers

    def close(self) -> None:
        if self._forks is not None:
            self._forks.close()
        os.close(self._passings)
        os.close(self._states)

    def pass_handles(self, point: int, first: int, kind: int, handles: list[Any], state: Any) -> bool:
        """Record `handles`, new ones of `kind`, the first of which has index `first` at `point`.

        Return False if the run is to end here. Raises DisturbedError.
        """
        if first == 0:
            self._entered = time.perf_counter()
            self._number += 1
            self._contents = []
            self._executing.pass_point(point)
        if self._last is None and self._number >= PASSINGS:
            return True
        here = list(self._executing)[-1].content.known
        for index, handle in enumerate(handles, first):
            known = here[point, index] = _Known(handle, kind, self._number)
            self._contents.append(self._counted((point, index), known, state))
        if first + len(handles) < self._sizes[point]:
            return True
        self._complete(point, state)
        return self._number != self._last

    def _counted(self, key: _Key, known: _Known, state: Any) -> tuple[int, dict[str, int]] | None:
        """Return a handle's size, and the number of items by name; None if it was large too often."""
        self._looked[key] += 1
        if self._looked[key] > LOOKED_AT:
            return None
        names = self._names(self._held(known, state), known.kind)
        if not INSERTED_NAMES.isdisjoint(names):
            raise DisturbedError
        if len(names) <= SMALL:
            self._looked[key] -= 1
        return len(names), dict(Counter(names))

    def _complete(self, point: int, state: Any) -> None:
        """Record the passing, and its state if requested."""
        self._point = point
        self._fork()
        if self._is_wanted():
            self._write_state(state)
        if self._tracks and self._consumed[point]:
            self._consume(point, state)
        self._is_changed |= self._changing[point]
        if self._request is not None:
            return
        left = time.perf_counter()
        self._recording_seconds += left - self._entered
        _append(self._passings, _line([point, self._entered, left, self._contents]))

    def _fork(self) -> None:
        """Make a checkpoint here if one is due; in a process that serves a request, switch to that request."""
        request = self._forks.at(self._number) if self._forks is not None else None
        if request is None:
            return
        self._forks = None
        self._request = request
        self._all = False
        self._numbers, self._last = request.numbers, request.last
        self._items = ALL_ITEMS
        self._text_before = None

    def _leave(self) -> None:
        if self.leave is not None:
            self.leave()

    def _write_state(self, state: Any) -> None:
        handles = [
            [*key, known.defined, known.liveness.value, known.since, self._contents_of(known, state)]
            for key, known in self._visible()
        ]
        if self._request is not None:
            self._answer(self._request, handles)
            return
        line = state_line(self._number, self._point, self._recorded_text(), handles)
        if len(line) <= self._left:
            self._left -= len(line)
            _append(self._states, line)
        else:
            self._text_before = None

    def _answer(self, request: StateRequest, handles: list[list[Any]]) -> None:
        """Send the state of a request, and exit after the last one."""
        text = self._recorded_text() if self._number in request.texts else None
        write_all(request.answers, state_line(self._number, self._point, text, handles))
        if self._number == request.last:
            os._exit(0)

    def _recorded_text(self) -> bytes | str:
        """Return the payload in its recorded form."""
        if not self._is_changed and self._text_before is not None:
            return SAME
        self._is_changed = False
        is_last = self._request is not None and self._number == self._request.last
        data = compressed(self._text(is_last))
        if data == self._text_before:
            return SAME
        self._text_before = data
        return data

    def _visible(self) -> Iterator[tuple[_Key, _Known]]:
        for execution in self._executing.innermost():
            yield from execution.content.known.items()

    def _contents_of(self, known: _Known, state: Any) -> tuple[int, dict[str, int], list[tuple[str, str]]] | None:
        """Return the contents of a handle; None if it must not be queried."""
        if known.liveness is not Liveness.LIVE:
            return None
        held = self._held(known, state)
        names = self._names(held, known.kind)
        shown = min(ITEMS, self._items, len(names))
        self._items -= shown
        places = [str(item.location) if known.kind != PARAMETERS else "" for item in held[:shown]]
        return len(names), dict(Counter(names)), list(zip(names, places, strict=False))

    def _held(self, known: _Known, state: Any) -> list[Any]:
        """Return the payload operations, values or parameters of a live handle."""
        if known.kind == OPERATIONS:
            return [view.operation for view in state.get_payload_ops(known.value)]
        return list(state.get_payload_values(known.value) if known.kind == VALUES else state.get_params(known.value))

    def _names(self, held: list[Any], kind: int) -> list[str]:
        if kind == PARAMETERS:
            return [str(parameter) for parameter in held]
        return [operation.name for operation in self._owners(held, kind)]

    def _owners(self, held: list[Any], kind: int) -> list[Any]:
        """Return the `held` operations, or the operations that define `held` values or own their blocks."""
        if kind == OPERATIONS:
            return held
        owners = (value.owner for value in held)
        return [(owner.owner if isinstance(owner, self._block_class) else owner).operation for owner in owners]

    def _consume(self, point: int, state: Any) -> None:
        """Mark the handles that are invalidated by the operation behind `point`."""
        visible = dict(self._visible())
        held = {
            key: self._held(known, state)
            for key, known in visible.items()
            if known.liveness is Liveness.LIVE and known.kind != PARAMETERS
        }
        for consumed_point, index, is_certain in self._consumed[point]:
            key = (consumed_point, index)
            if key not in visible or visible[key].kind == PARAMETERS:
                continue
            liveness = Liveness.STALE if is_certain else Liveness.UNKNOWN
            lost = self._consumed_operations(held.get(key, []), visible[key].kind)
            values = frozenset(held.get(key, []))
            self._end(visible[key], liveness)
            for other, items in held.items():
                owners = self._owners(items, visible[other].kind)
                if any(_is_in(owner, lost) for owner in owners) or not values.isdisjoint(items):
                    self._end(visible[other], liveness)

    def _consumed_operations(self, held: list[Any], kind: int) -> frozenset[Any]:
        """Return the operations that are invalidated with a consumed handle."""
        if kind == OPERATIONS:
            return frozenset(held)
        owners = [value.owner for value in held]
        found = {owner.operation for owner in owners if not isinstance(owner, self._block_class)}
        blocks = (owner for owner in owners if isinstance(owner, self._block_class))
        return frozenset(found).union(view.operation for block in blocks for view in block)

    def _end(self, known: _Known, liveness: Liveness) -> None:
        """Mark a handle as stale or possibly stale; certainty takes precedence, then the first reason."""
        if known.liveness is Liveness.LIVE or (known.liveness is Liveness.UNKNOWN and liveness is Liveness.STALE):
            known.liveness, known.since = liveness, self._number


def _is_in(operation: Any, others: frozenset[Any]) -> bool:
    """Tell whether `operation` is one of `others`, or nested in one."""
    while operation is not None:
        if operation in others:
            return True
        operation = operation.parent
    return False


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _append(descriptor: int, line: bytes) -> None:
    """Write a whole line at once, since the process may end at any moment."""
    os.write(descriptor, line)

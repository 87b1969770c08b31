"""Tries operations at a place of a script, each in a run of its own that stops behind it.

MLIR's own operations, inserted behind the tried one, report what handles hold, print the payload, and end the run.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.errors import RecordingError
from tdls.interpreter.observing.answers import (
    mark,
    names,
    printed_at_stop,
    read_prints,
    stop,
    stopping_sequence,
    used_at_end,
)
from tdls.interpreter.observing.answers import without_stop as without_probes
from tdls.interpreter.observing.next_operations import handles_in_scope
from tdls.interpreter.observing.points import Handle, outermost, steps_of, stop_at
from tdls.interpreter.observing.probe import SIZE, only_probing, remarks_in, size
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.runs.model import RunLevel, Status
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.interpreter.runs.wrapping import wrapped
from tdls.semantic.handle_types import ANY_OPERATION, HandleKind, kind_of
from tdls.semantic.model import operation_at
from tdls.structs import NamedTuple, Struct, replace
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.runs.model import RunRequest

_GENERIC = '"builtin.module"'
"""The beginning of a module that MLIR prints in generic form, since it is not valid."""
_NOWHERE = FileSpan(0, 0)


class HeldHandle(Struct, frozen=True):
    """A live handle with the number of its items, and the names of its operations; () for other kinds of handles."""

    handle: Handle
    count: int
    names: tuple[str, ...]


class TriedStep(NamedTuple):
    """An operation that succeeded: its changes of the payload, and the new handles."""

    changes: TextChanges
    results: tuple[HeldHandle, ...]
    is_useful: bool
    """True if it changed the payload, or a new handle holds other operations than any live handle."""


class StepTrials:
    """A place between two operations of a script, at which operations can be tried."""

    def __init__(self, request: RunRequest, offset: int, backend: Backend) -> None:
        """Run the script up to the place, which is that of a run that stops at `offset` of the user's text.

        The offset of the brace of a body is the place at its beginning. A place in a loop is that of its first
        iteration. Raises RecordingError if the run does not come there, and BackendError if MLIR does not start.
        """
        self._request = replace(wrapped(request), until=None)
        self.backend = backend
        script = self._request.script
        points = steps_of(script)
        edited = script.edited_offset(offset)
        begun = (each for each, point in enumerate(points) if point.behind is None and point.region.start == edited)
        number = next(begun, stop_at(points, edited))
        if number is None:
            raise RecordingError("no operation of a script is executed here")
        self._point = point = points[number]
        before = (point.behind or point.around).start
        context = script.file.context_at(before)
        operation = operation_at(context.model, context.to_local(before))
        self.preceding = operation.name if operation is not None else ""
        """The name of the operation before the place; at the beginning of a region, of the one around it."""
        self._stop = Insertion(outermost(points, point.offset), stopping_sequence())
        scope = handles_in_scope(points, point)
        output = used_at_end(scope, lambda handles: self._run(mark(0), handles))
        payload = _payload_at_stop(output)
        if payload is None:
            errors = (each.message for each in output.diagnostics if each.level is RunLevel.ERROR)
            raise RecordingError(f"the run does not come here: {next(errors, output.detail)}".partition("\n")[0])
        self.payload = payload
        self.handles: tuple[HeldHandle, ...] = tuple(_held(output, scope))
        """The live handles, the oldest first."""

    def run(self, text: str) -> TriedStep | None:
        """Try operations, written on one line; None unless they succeed and leave a payload that MLIR accepts."""
        catalogue = self._request.script.catalogue
        results = [
            Handle(_NOWHERE, value.number, value.shown, value.type, kind)
            for context in SourceFile.of(text, catalogue).contexts
            for operation in context.model.operations
            for value in operation.results
            if value.type is not None and (kind := kind_of(catalogue, value.type)) is not None
        ]
        output = self._run(f" {text} ", results)
        payload, held = _payload_at_stop(output), _held(output, results)
        if payload is None or len(held) < len(results):
            return None
        change = changes(self.payload, payload)
        is_changed = bool(change.added or change.removed)
        return TriedStep(change, tuple(held), is_changed or (all(it.count for it in held) and self._finds(text, held)))

    def _finds(self, text: str, results: Sequence[HeldHandle]) -> bool:
        """Whether a new handle of an operation does not hold just the operations that a live handle holds."""
        pairs = [
            (new.handle, old.handle)
            for new in results
            for old in self.handles
            if new.handle.kind is old.handle.kind is HandleKind.OPERATIONS
            and (new.count, Counter(new.names)) == (old.count, Counter(old.names))
        ]
        unions = [Handle(_NOWHERE, None, f"%tdls_{n}", ANY_OPERATION, HandleKind.OPERATIONS) for n in range(len(pairs))]
        merges = "".join(
            f"%tdls_{n}_new = transform.cast {new.shown} : {new.type} to {ANY_OPERATION} "
            f"%tdls_{n}_old = transform.cast {old.shown} : {old.type} to {ANY_OPERATION} "
            f"%tdls_{n} = transform.merge_handles deduplicate %tdls_{n}_new, %tdls_{n}_old : {ANY_OPERATION} "
            for n, (new, old) in enumerate(pairs)
        )
        counts = {each.handle.shown: each.count for each in results}
        held = _held(self._run(f" {text} {merges}", unions), unions) if pairs else []
        merged = {n: each.count for n, each in enumerate(held)}
        same = {new.shown for n, (new, _) in enumerate(pairs) if merged.get(n, 0) <= counts[new.shown]}
        return any(new.handle.kind is HandleKind.OPERATIONS and new.handle.shown not in same for new in results)

    def _run(self, text: str, handles: Sequence[Handle]) -> Output:
        queries = "".join(size(0, n, handle) + names(0, n, handle) for n, handle in enumerate(handles))
        step = Insertion(self._point.offset, f"{text}{queries}{stop()}")
        request = only_probing(self._request, [(self._request.script, each) for each in (self._stop, step)])
        return self.backend.raw(request, is_printed=False)


def _payload_at_stop(output: Output) -> str | None:
    """Return the payload at the end of a run that stopped; None for another end, and if the payload is not valid."""
    stopped = printed_at_stop(output.printed) if output.status is Status.FAILURE else None
    if stopped is None or stopped[1].startswith(_GENERIC):
        return None
    return without_scripts(without_probes(stopped[1]))


def _held(output: Output, handles: Sequence[Handle]) -> list[HeldHandle]:
    """Return what the first of `handles` hold, as many as the run has reported."""
    sizes = [answer.number for answer in remarks_in(output.diagnostics, SIZE)]
    printed = {each.handle: tuple(each.names) for each in read_prints(output.printed)}
    return [
        HeldHandle(handle, count, printed.get(n, ()))
        for n, (handle, count) in enumerate(zip(handles, sizes, strict=False))
    ]

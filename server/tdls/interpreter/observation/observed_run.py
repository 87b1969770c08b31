"""Runs a script so that it tells what its handles stand for, and else does what it does without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.model import Emit, Status
from tdls.interpreter.observation.instrumented import Instrumented
from tdls.interpreter.observation.journal import Journal
from tdls.interpreter.observation.operation import DIALECT, spelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.model import Place, RunDiagnostic, RunRequest, RunResult
    from tdls.interpreter.observation.journal import Record

    CarryOut = Callable[[RunRequest, Journal | None], RunResult]

_MENTION = f"{DIALECT}."
_INTERRUPTED = (Status.CRASH, Status.TIMEOUT, Status.OUT_OF_MEMORY)


def run_telling(request: RunRequest, carry_out: CarryOut) -> RunResult:
    """Carry out `request`, and observe what it asks for; `carry_out` does one run, with the journal that it writes.

    A run that is observed and succeeds is the run that was asked for. Where it ends in another way, or anything that
    was inserted comes to light, the script runs once more as it is.
    """
    if not request.observe:
        return carry_out(request, None)
    instrumented = Instrumented.of(request, spelled)
    with Journal(len(instrumented.points)) as journal:
        observed = carry_out(instrumented.request, journal)
        record = journal.record()
    if observed.status is Status.CANCELLED:
        return observed
    result = observed if _is_faithful(observed, record) else carry_out(request, None)
    if result.status in (Status.INVALID, Status.CANCELLED) or result.status is not observed.status:
        return result
    return replace(
        result,
        diagnostics=tuple(map(instrumented.original, result.diagnostics)) if result is observed else result.diagnostics,
        origins=tuple(place and instrumented.original_place(place) for place in _origins(observed, result)),
        handles=instrumented.handles(record, journal.files),
        running=instrumented.running(record) if result.status in _INTERRUPTED else None,
        seconds=result.seconds + (observed.seconds if result is not observed else 0.0),
    )


def _is_faithful(observed: RunResult, record: Record) -> bool:
    """Tell whether the run was that of the script alone, as far as anybody can see."""
    return (
        observed.status is Status.SUCCESS
        and not record.is_disturbed
        and _MENTION not in observed.printed
        and not any(map(_mentions, observed.diagnostics))
    )


def _mentions(diagnostic: RunDiagnostic) -> bool:
    return _MENTION in diagnostic.message or any(map(_mentions, diagnostic.notes))


def _origins(observed: RunResult, result: RunResult) -> tuple[Place | None, ...]:
    """Return the origins of the lines of `result`, which may be of another run than `observed`."""
    is_same = observed.texts.get(Emit.PAYLOAD) == result.texts.get(Emit.PAYLOAD)
    return observed.origins if is_same else ()

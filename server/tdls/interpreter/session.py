"""A payload on which scripts and single steps are tried: the door for programs, ``from tdls import Session``.

A *state* is the payload after some steps, with the handles that are live there. Running more steps from a state gives
an attempt, and the attempt a new state: states branch freely. Each attempt repeats the steps of its state on the parsed
payload, in a process of its own, so that a crash or a time limit costs this attempt and nothing else.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from contextlib import contextmanager
from enum import Enum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import DefiningOperation
from tdls.analysis.meaning.sequences import declaration_of, scripts_of
from tdls.catalogue.catalogue import Catalogue
from tdls.files.reading import read_text
from tdls.interpreter.backend import Backend, open_backend
from tdls.interpreter.observing.answers import POINT, mark, names, read_prints, used_at_end
from tdls.interpreter.observing.likely_reasons import likely_reason
from tdls.interpreter.observing.next_operations import handles_in_scope
from tdls.interpreter.observing.points import steps_of
from tdls.interpreter.observing.probe import SIZE, remark_of, remarks_in, size
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.recording.summary import summary_of_text
from tdls.interpreter.runs.choices import with_values
from tdls.interpreter.runs.model import Limits, RunLevel, RunRequest, Status, TextFile
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.interpreter.runs.script import Script
from tdls.semantic.symbols import spelled_reference, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, YIELD
from tdls.settings.model import BackendChoice
from tdls.structs import NamedTuple, Struct, replace
from tdls.system import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.observing.points import Handle
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.runs.model import RunDiagnostic

    Choices = Mapping[str, int | float | bool | str]
    """Values by name; strings are attributes as scripts spell them."""

_STEPS = "__tdls_steps"
_SILENCED = "__tdls_silenced"
_HEAD = f"""\
module attributes {{transform.with_named_sequence}} {{ @@
  {NAMED_SEQUENCE} @{_STEPS}(%root: !transform.any_op {{transform.consumed}}) {{
"""
_HEAD_LINES = _HEAD.count("\n")
_TAIL = f"    {YIELD}\n  }}\n}}\n"


class PayloadError(Exception):
    """MLIR cannot read the payload; the message is MLIR's first error, or how the attempt to read it ended."""


class Outcome(Enum):
    """The end of an attempt."""

    SUCCESS = "success"
    SILENCEABLE = "silenceable failure"
    """A step failed, and the payload is as the steps before it left it: a script could have gone on."""
    DEFINITE = "definite error"
    INVALID = "invalid"
    """MLIR cannot parse or verify the text."""
    CRASH = "crash"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    OUTPUT_LIMIT = "output limit"
    CANCELLED = "cancelled"


_OUTCOMES = {
    Status.SUCCESS: Outcome.SUCCESS,
    Status.FAILURE: Outcome.DEFINITE,
    Status.INVALID: Outcome.INVALID,
    Status.CRASH: Outcome.CRASH,
    Status.TIMEOUT: Outcome.TIME_LIMIT,
    Status.OUT_OF_MEMORY: Outcome.MEMORY_LIMIT,
    Status.TOO_MUCH_OUTPUT: Outcome.OUTPUT_LIMIT,
    Status.CANCELLED: Outcome.CANCELLED,
}


class Diagnostic(Struct, frozen=True):
    """A diagnostic of MLIR. Lines and columns count from 1, columns in bytes of UTF-8.

    `file` names a library, ``payload``, ``script``, or ``step N`` for the N-th text from the payload to the attempt,
    from 1, or None if MLIR gives no position.
    """

    level: str
    """``error``, ``warning``, ``remark`` or ``note``."""
    message: str
    file: str | None = None
    line: int = 0
    column: int = 0
    notes: tuple[Diagnostic, ...] = ()


class LiveHandle(Struct, frozen=True):
    """A handle or parameter that the next steps may use: `count` associated operations, values or parameters."""

    name: str
    type: str
    count: int


_ROOT: Final = {"%root": LiveHandle("%root", "!transform.any_op", 1)}


class Attempt(Struct, frozen=True):
    """What running a text from a state gave. `state` is the new state after a success, else None."""

    outcome: Outcome
    state: State | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    printed: str = ""
    """What the text printed, such as the output of ``transform.print``."""
    detail: str = ""
    """One line on an attempt that was ended: the signal or the limit."""
    seconds: float = 0.0
    """Wall time."""
    explanation: str = ""
    """The likely reason of a failure for which MLIR gives none, as tdls reads it; only if it was asked for."""

    @property
    def succeeded(self) -> bool:
        return self.outcome is Outcome.SUCCESS

    @property
    def reason(self) -> str:
        """The first line of MLIR's first error, or `detail`; "" after a success."""
        if self.succeeded:
            return ""
        errors = (each.message for each in self.diagnostics if each.level == RunLevel.ERROR.value)
        return next(errors, self.detail).partition("\n")[0]


class State:
    """The payload after some steps, and the handles that are live there. Thread-safe."""

    def __init__(self, session: Session, base: TextFile, handles: Mapping[str, LiveHandle]) -> None:
        self._session = session
        self._base = base
        """The payload that the steps begin with."""
        self._steps: tuple[str, ...] = ()
        self._said = _Said(0, 0)
        """What the steps said, which attempts from here repeat."""
        self.handles = handles
        """The live handles by name; ``%root`` is the root of the payload."""
        self.parent: State | None = None
        """The state that the last text was run from, None for the first one."""

    def run(
        self, text: str, *, choices: Choices | None = None, seconds: float | None = None, explain: bool = False
    ) -> Attempt:
        """Run `text` from here: operations that may use the live handles, or a whole script.

        A script, which has a ``transform.named_sequence @__transform_main``, takes the payload only; no other handle
        than ``%root`` is live after it. `choices` are values of knobs, alternatives and constants of the text, as
        ``tdls run --set`` takes them. `seconds` limits the time of this attempt, by default as the session does. To
        `explain` a failure for which MLIR gives no reason takes a few more runs. Raises BackendError if MLIR cannot be
        started any more, ValueError for a choice that the text does not have, and one that a constraint rules out.
        """
        if choices:
            values = {
                name: str(each).lower() if isinstance(each, bool) else str(each) for name, each in choices.items()
            }
            text = with_values([Script("script", text, self._session._catalogue)], values)[0].text
        return self._session._run(self, text, seconds, explain=explain)

    @cached_property
    def payload(self) -> str:
        """The payload as MLIR prints it; the steps run again for it, once. Raises ReplayError if they cannot."""
        with self._session._lock:
            return self._session._replayed(self, is_printed=True).module

    @cached_property
    def operations(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the operations of each live handle to operations, by the name of the handle, in order.

        The steps run again for it, once. Raises ReplayError if they cannot.
        """
        session = self._session
        with session._lock:
            script = session._with_steps(self._steps)
            handles, end = _handles_of(script, self)
            live = [handle for handle in handles if handle.shown in self.handles]
            prints = "".join(names(0, number, handle) for number, handle in enumerate(live))
            output = session._replayed(self, probe=Insertion(end, prints))
            return {live[each.handle].shown: tuple(each.names) for each in read_prints(output.printed)}

    @property
    def summary(self) -> str:
        """The loops with their trip counts, and the buffers with their sizes, in one line. Raises as `payload` does."""
        return summary_of_text(self.payload, self._session._catalogue)

    @contextmanager
    def place(self) -> Iterator[tuple[RunRequest, int, Backend]]:
        """Yield the run of the steps, the offset of their end, and what carries it out, for this thread alone."""
        with self._session._lock:
            script = self._session._with_steps(self._steps)
            request = self._session._request(self, script, _STEPS)
            yield request, _handles_of(script, self)[1], self._session._backend

    def changes(self, since: State | None = None) -> TextChanges:
        """Return what differs between the payload of another state, by default that of `parent`, and of this one.

        Names of values do not count. Raises ReplayError as `payload` does.
        """
        other = since or self.parent or self
        return changes(other.payload, self.payload)


class ReplayError(Exception):
    """The steps of a state did not end as before, for example for lack of time; the message says how."""


class _Said(NamedTuple):
    """The size of what a run said: the number of diagnostics, and of printed characters."""

    diagnostics: int
    printed: int


class Session:
    """A payload with its libraries, and MLIR to try scripts on it. Thread-safe; attempts are carried out in turn.

    With MLIR's bindings the payload is parsed once, and an attempt costs milliseconds. With a tool such as ``mlir-opt``
    each attempt is a process of it: slower, with the same answers.
    """

    def __init__(
        self,
        payload: str | PathLike[str],
        *,
        libraries: Iterable[str | PathLike[str]] = (),
        backend: str | None = None,
        seconds: float = 10.0,
        memory: int = 4096,
        names: bool = True,
    ) -> None:
        """Read `payload`: the text of a module, or the path of a file with its text or bytecode.

        `libraries` are paths of files with named sequences, which steps may include. `backend` is ``bindings``,
        ``bindings:PACKAGE`` or a tool with its arguments, as the setting `run.backend`; by default what is installed.
        `seconds` and `memory` (mebibytes) limit each attempt. Without `names`, MLIR names the values of payload.

        Raises PayloadError if MLIR cannot read the payload, BackendError without MLIR or if it cannot read the
        bytecode, OSError for a missing file.
        """
        self._catalogue = Catalogue.shipped()
        self._keeps_names = names
        self._limits = Limits(seconds=seconds, memory=memory << 20)
        self._libraries = tuple(Script(str(path), read_text(Path(path)), self._catalogue) for path in libraries)
        self._lock = threading.RLock()
        self._declarations = self._declared()
        self._backend: Backend = open_backend(BackendChoice(backend))
        try:
            text = self._backend.text_of(Path(payload), self._limits) if isinstance(payload, PathLike) else payload
            self.state = State(self, TextFile("payload", text), _ROOT)
            """The state of the payload as it is."""
            output = self._raw(self.state, self._with_steps(()))
            if output.status is not Status.SUCCESS:
                errors = [each.message for each in output.diagnostics if each.level is RunLevel.ERROR]
                raise PayloadError(next(iter(errors), output.detail or output.status.value).partition("\n")[0])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def backend(self) -> str:
        """The name of the MLIR at hand."""
        return self._backend.name

    def run(
        self, text: str, *, choices: Choices | None = None, seconds: float | None = None, explain: bool = False
    ) -> Attempt:
        """Run `text` from the payload as it is; see `State.run`."""
        return self.state.run(text, choices=choices, seconds=seconds, explain=explain)

    def cancel(self) -> None:
        """End the attempt that another thread waits for, with `Outcome.CANCELLED`."""
        self._backend.cancel()

    def close(self) -> None:
        """End MLIR. States keep what they have computed."""
        self._backend.close()

    def _declared(self) -> dict[str, str]:
        """Return the declarations of the libraries' named sequences, by name."""
        declarations: dict[str, str] = {}
        for library in self._libraries:
            for context in library.file.contexts:
                for sequence in scripts_of(context):
                    declaration = declaration_of(DefiningOperation(context, sequence))
                    if declaration is not None:
                        declarations.setdefault(spelled_reference(symbol_name(sequence) or ""), declaration)
        return declarations

    def _with_steps(self, steps: Sequence[str]) -> Script:
        """Return the script that takes `steps`, each on lines of its own, and declares what they include."""
        body = "".join(f"{step}\n" for step in steps)
        declared = [text for name, text in self._declarations.items() if name in body]
        head = _HEAD.replace("@@", " ".join([_silencing(_STEPS), *declared]))
        return Script("steps", head + body + _TAIL, self._catalogue)

    def _raw(
        self,
        state: State,
        script: Script,
        *,
        entry_point: str = _STEPS,
        probe: Insertion | None = None,
        seconds: float | None = None,
        is_printed: bool = False,
    ) -> Output:
        """Run a script on the payload that the steps of `state` begin with."""
        request = self._request(state, script if probe is None else script.inserting([probe]), entry_point)
        if seconds is not None:
            request = replace(request, limits=replace(self._limits, seconds=seconds))
        return self._backend.raw(request, is_printed=is_printed)

    def _request(self, state: State, script: Script, entry_point: str) -> RunRequest:
        return RunRequest(
            script,
            payload=state._base,
            entry_point=entry_point,
            libraries=self._libraries,
            keeps_names=self._keeps_names,
            limits=self._limits,
        )

    def _without_steps(self, state: State) -> State:
        """Return a state with the payload of `state`, and no steps."""
        return state if not state._steps else State(self, TextFile("payload", state.payload), _ROOT)

    def _run(self, state: State, text: str, seconds: float | None, *, explain: bool) -> Attempt:
        with self._lock:
            started = time.perf_counter()
            is_script = NAMED_SEQUENCE in text
            attempt = (self._run_script if is_script else self._run_step)(state, text, seconds)
            if explain and attempt.outcome in (Outcome.SILENCEABLE, Outcome.DEFINITE):
                attempt = replace(attempt, explanation=self._explanation(state, text, is_script=is_script))
            return replace(attempt, seconds=time.perf_counter() - started)

    def _explanation(self, state: State, text: str, *, is_script: bool) -> str:
        """Return the likely reason of a failure, as tdls reads it, "" if MLIR says it or it is not known."""
        base = self._without_steps(state) if is_script else state
        script = Script("script", text, self._catalogue) if is_script else self._with_steps((*state._steps, text))
        request = self._request(base, script, ENTRY_POINT if is_script else _STEPS)
        return likely_reason(self._backend.run(request).diagnostics)

    def _run_step(self, state: State, text: str, seconds: float | None) -> Attempt:
        script = self._with_steps((*state._steps, text))
        handles, end = _handles_of(script, state)

        def run(used: Sequence[Handle]) -> Output:
            queries = mark(0) + "".join(size(0, number, handle) for number, handle in enumerate(used))
            return self._raw(state, script, probe=Insertion(end, queries), seconds=seconds)

        output = used_at_end(handles, run)
        attempt, said = self._attempt(state, text, output)
        if attempt.outcome is Outcome.DEFINITE:
            silenced = self._raw(state, script, entry_point=_SILENCED, seconds=seconds)
            return replace(attempt, outcome=Outcome.SILENCEABLE) if silenced.status is Status.SUCCESS else attempt
        if not attempt.succeeded:
            return attempt
        live = zip(handles, remarks_in(output.diagnostics, SIZE), strict=True)
        held = {handle.shown: LiveHandle(handle.shown, handle.type, size.number) for handle, size in live}
        reached = State(self, state._base, held)
        reached._steps, reached._said, reached.parent = (*state._steps, text), said, state
        return replace(attempt, state=reached)

    def _run_script(self, state: State, text: str, seconds: float | None) -> Attempt:
        base = self._without_steps(state)
        script = Script("script", text, self._catalogue)
        output = self._raw(base, script, entry_point=ENTRY_POINT, seconds=seconds, is_printed=True)
        attempt, _ = self._attempt(base, text, output)
        if attempt.outcome is Outcome.DEFINITE:
            start = text.index(NAMED_SEQUENCE)
            silenced = self._raw(
                base, script, entry_point=_SILENCED, probe=Insertion(start, _silencing(ENTRY_POINT)), seconds=seconds
            )
            return replace(attempt, outcome=Outcome.SILENCEABLE) if silenced.status is Status.SUCCESS else attempt
        if not attempt.succeeded:
            return attempt
        reached = State(self, TextFile("payload", output.module), _ROOT)
        reached.parent = state
        return replace(attempt, state=reached)

    @staticmethod
    def _attempt(state: State, text: str, output: Output) -> tuple[Attempt, _Said]:
        """Return an attempt from `state` without its new state, and what all of its steps said.

        What the steps before it said is left out of the attempt.
        """
        firsts = [_HEAD_LINES + 1]
        for step in (*state._steps, text):
            firsts.append(firsts[-1] + step.count("\n") + 1)
        diagnostics = [
            _diagnostic(each, firsts)
            for each in output.source_map.diagnostics(output.diagnostics)
            if remark_of(each.message, POINT, SIZE) is None and not (each.file == "steps" and each.line <= _HEAD_LINES)
        ]
        known = _Said(0, 0) if output.status is Status.INVALID else state._said
        attempt = Attempt(
            outcome=_OUTCOMES[output.status],
            diagnostics=tuple(diagnostics[known.diagnostics :]),
            printed=output.printed[known.printed :],
            detail=output.detail,
        )
        return attempt, _Said(len(diagnostics), len(output.printed))

    def _replayed(self, state: State, *, probe: Insertion | None = None, is_printed: bool = False) -> Output:
        output = self._raw(state, self._with_steps(state._steps), probe=probe, is_printed=is_printed)
        if output.status is not Status.SUCCESS:
            raise ReplayError(f"the steps did not succeed again: {output.detail or output.status.value}")
        return output


def _handles_of(script: Script, state: State) -> tuple[list[Handle], int]:
    """Return the handles that may be live at the end of the steps, and the offset of that end.

    Those that `state` had, but that are no longer live there, are left out, and those that are certainly consumed.
    """
    points = steps_of(script)
    last = next(point for point in reversed(points) if point.is_last and point.region == points[-1].region)
    before = _HEAD_LINES + sum(step.count("\n") + 1 for step in state._steps)
    handles = [
        handle
        for handle in handles_in_scope(points, last)
        if handle.shown in state.handles or script.text.count("\n", 0, handle.span.start) >= before
    ]
    return handles, last.offset


def _silencing(name: str) -> str:
    """Return a sequence that runs the one called `name`, and goes on after a silenceable failure of it."""
    return (
        f"{NAMED_SEQUENCE} @{_SILENCED}(%root: !transform.any_op {{transform.consumed}}) {{ transform.include "
        f"@{name} failures(suppress) (%root) : (!transform.any_op) -> () transform.yield }} "
    )


def _diagnostic(diagnostic: RunDiagnostic, firsts: Sequence[int]) -> Diagnostic:
    """Return a diagnostic for programs; the N-th text of the steps begins at line ``firsts[N - 1]`` of their script."""
    file, line = diagnostic.file, diagnostic.line
    if file == "steps":
        number = bisect_right(firsts, line)
        file, line = f"step {number}", line - firsts[max(0, number - 1)] + 1
    notes = tuple(_diagnostic(note, firsts) for note in diagnostic.notes)
    return Diagnostic(diagnostic.level.value, diagnostic.message, file, line, diagnostic.column, notes)

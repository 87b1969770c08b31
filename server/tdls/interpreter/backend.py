"""The machine that runs scripts, one by one: observed, recorded and explained, whatever MLIR is at hand."""

from __future__ import annotations

import atexit
import re
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.reading import BYTECODE, read_text
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.choice import BINDINGS, SET_ASIDE, choose, other_backends
from tdls.interpreter.mlir.mlir_opt import Call
from tdls.interpreter.mlir.single_run import SingleRuns
from tdls.interpreter.observing.likely_reasons import with_broken_step, with_likely_reasons
from tdls.interpreter.observing.observed_run import run_observed
from tdls.interpreter.observing.passed_numbers import with_passed_numbers
from tdls.interpreter.observing.recorder import record
from tdls.interpreter.output.permission_errors import bounded, with_reasons
from tdls.interpreter.output.value_names import with_value_names
from tdls.interpreter.runs.model import Emit, RunResult, Status, TextFile
from tdls.interpreter.runs.wrapping import wrapped
from tdls.interpreter.until_unknown import up_to_unknown
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.mlir.choice import Chosen
    from tdls.interpreter.mlir.mlir_opt import MlirOpt, Output
    from tdls.interpreter.observing.records import RunRecord, Wanted
    from tdls.interpreter.runs.model import Limits, RunRequest, TextsRead
    from tdls.settings.model import BackendChoice


_WRITER = re.compile(r"produced by: MLIR([\d.]+)", re.ASCII)


def why_not_read(result: RunResult) -> list[str]:
    """Return why MLIR did not print a file in `Backend.print`, in lines: its words, and what may read it instead."""
    said = [part.message for each in result.diagnostics for part in (each, *each.notes)]
    writer = _WRITER.search("\n".join(said))
    is_other = writer is not None and f" {writer[1]}" not in result.mlir
    others = other_backends(result.backend, writer[1].partition(".")[0]) if writer is not None and is_other else ()
    names = " or ".join(f"`{each}`" for each in others)
    advice = f"{names} at hand may read it: name it with `--backend`, or as `run.backend`" if others else ""
    mlir = " ".join(filter(None, (result.backend, result.mlir)))
    return [*filter(None, (f"{mlir} cannot read it", *said, result.detail, advice))]


class Backend:
    """Runs scripts. Nothing is started before the first run, after which MLIR's bindings stay warm."""

    def __init__(self, mlir: MlirOpt, *, is_kept: bool = False) -> None:
        """`is_kept`: it has other users after one closes it."""
        self._mlir = mlir
        self._is_kept = is_kept
        self._runs = SingleRuns(mlir)

    @property
    def name(self) -> str:
        """The name shown to users."""
        return self._mlir.name

    def run(self, request: RunRequest, is_wanted: Callable[[RunResult], bool] | None = None) -> RunResult:
        """Carry out `request`. Raises BackendError if MLIR does not start, or does not read a payload of bytecode.

        Output and diagnostics for people are cut at their limits, those of a request for remarks are not. Only a result
        that `is_wanted` is observed and explained, which takes more runs.
        """
        request = self.printed(request)
        result = self._run(wrapped(request), is_wanted)
        if is_wanted is not None and not is_wanted(result):
            return result
        if request.ends_at_unknown and result.status is Status.INVALID:
            shorter = up_to_unknown(request, self.read)
            if shorter is not None:
                return self.run(replace(shorter[0], ends_at_unknown=False)).ended_early(shorter[1])
        return with_reasons(result) if request.only_remarks else self._explained(result, request)

    def record(self, request: RunRequest, wanted: Wanted, result: RunResult | None = None) -> RunRecord:
        """Carry out `request`, and record its steps and the states in `wanted`; `result` is that of `run`, if known.

        Raises BackendError as `run` does.
        """
        request = self.printed(request)
        with self._begun(wrapped(request)) as begun:
            recorded = record(begun, wanted, self._runs, result)
        return recorded if result is not None else replace(recorded, result=self._explained(recorded.result, request))

    def raw(self, request: RunRequest, *, is_printed: bool) -> Output:
        """Run a named sequence once, without observations. Raises BackendError as `run` does."""
        with self._begun(request) as begun:
            output = self._runs.raw(begun, is_printed=is_printed)
        module = with_value_names(output.module, output.located, output.source_map)
        return replace(output, module=module, located="")

    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts`, each by itself, and run nothing. Raises BackendError as `run` does."""
        self._mlir.begin()
        return self._mlir.read(texts, limits)

    def print(self, path: Path, limits: Limits) -> RunResult:
        """Return the module in a file of text or bytecode, as MLIR prints it, as the text `Emit.MODULE`.

        Raises BackendError as `run` does.
        """
        self._mlir.begin()
        output = self._mlir.call(Call(path.absolute(), limits.for_input(path.stat().st_size)))
        return RunResult(
            status=output.status,
            backend=self.name,
            mlir=self._mlir.version,
            texts={Emit.MODULE: output.module} if output.module else {},
            diagnostics=output.diagnostics,
            detail=output.detail,
        )

    def printed(self, request: RunRequest) -> RunRequest:
        """Return `request` with the text of its payload, which MLIR prints if it is bytecode.

        Raises BackendError as `run` does.
        """
        payload = request.payload
        if payload is None or not payload.is_bytecode:
            return request
        return replace(request, payload=TextFile(payload.name, self.text_of(Path(payload.name), request.limits)))

    def text_of(self, path: Path, limits: Limits) -> str:
        """Return the text of a file, which MLIR prints if it is bytecode.

        Raises BackendError as `run` does, and the errors of `read_text`.
        """
        try:
            return read_text(path)
        except UnicodeDecodeError as error:
            if not error.object.startswith(BYTECODE):
                raise
        result = self.print(path, limits.afresh())
        if Emit.MODULE not in result.texts:
            reader, *said = why_not_read(result)
            raise BackendError(f"{path}: {reader}: {'; '.join(said)}")
        return result.texts[Emit.MODULE]

    def cancel(self) -> None:
        """End the run that another thread waits for, at once, with status `CANCELLED`."""
        self._mlir.cancel()

    def close(self) -> None:
        """End all processes, and delete all files, unless others use them."""
        if not self._is_kept:
            self.end()

    def end(self) -> None:
        """End all processes, and delete all files, whoever uses them."""
        self._mlir.close()

    def _run(self, request: RunRequest, is_wanted: Callable[[RunResult], bool] | None = None) -> RunResult:
        """Carry out `request`, whose entry point is a named sequence."""
        started = time.perf_counter()
        with self._begun(request) as begun:
            result = run_observed(begun, self._runs, is_wanted)
        return replace(result, seconds=time.perf_counter() - started)

    @contextmanager
    def _begun(self, request: RunRequest) -> Iterator[RunRequest]:
        """Yield `request` with its time running."""
        self._mlir.begin()
        length = sum(len(file.text) for file in (request.script, *request.others))
        yield replace(request, limits=request.limits.for_input(length).begun())

    def _explained(self, result: RunResult, request: RunRequest) -> RunResult:
        result = with_passed_numbers(with_reasons(result), wrapped(request), self._run)
        result = with_broken_step(result, wrapped(request), self._run)
        return bounded(with_likely_reasons(result, request, lambda repeated: self._run(wrapped(repeated))))


_kept: dict[tuple[Chosen, tuple[tuple[str, str], ...]], Backend] | None = None
"""The backends that stay open, by what was chosen, or None where each user ends its own."""


def keep_backends() -> None:
    """Keep what `open_backend` opens in this process, which carries out one command after the other, for the next."""
    global _kept
    _kept = {}
    atexit.register(_end_kept)


def _end_kept() -> None:
    for backend in (_kept or {}).values():
        backend.end()


def open_backend(choice: BackendChoice, *, is_tried: bool = True) -> Backend:
    """Return the backend that `choice` selects. Raises BackendError if there is none or it is refused.

    Bindings that nobody named are started, unless `is_tried` is false: the next ones, or a tool, stand in for those
    that do not start.
    """
    chosen = choose(choice)
    setup = tuple((str(step.base), step.name) for step in choice.setup)
    known = _kept.get((chosen, setup)) if _kept is not None else None
    if known is not None:
        return known
    if chosen.command:
        from tdls.interpreter.mlir.tool import Tool

        return Backend(Tool(chosen.command))
    from tdls.interpreter.mlir.bindings import Bindings

    bindings = Bindings(chosen.package, chosen.python, setup)
    if is_tried and choice.backend in (None, BINDINGS) and choice.python is None and not setup:
        try:
            bindings.start()
        except BackendError as error:
            bindings.close()
            SET_ASIDE[chosen.package or ""] = str(error)
            return open_backend(choice)
    backend = Backend(bindings, is_kept=_kept is not None)
    if _kept is not None:
        _kept[chosen, setup] = backend
    return backend

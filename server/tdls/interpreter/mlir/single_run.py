"""Carries out requests as they are, one call of MLIR for each text that they ask for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tdls.interpreter.mlir.mlir_opt import Call
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.output.value_names import with_value_names
from tdls.interpreter.runs.model import Emit, RunResult, Status, TextFile
from tdls.interpreter.runs.pipeline import interpreter_pass

if TYPE_CHECKING:
    from tdls.interpreter.mlir.mlir_opt import MlirOpt, Output
    from tdls.interpreter.runs.model import RunRequest


_MOST_NAMED = 300_000
"""Maximum length of a payload, in code points, whose values get the user's names."""


class SingleRuns:
    """Single runs of scripts, each without observations: of MLIR's own, or with what a script has to observe itself."""

    def __init__(self, mlir: MlirOpt) -> None:
        self._mlir = mlir

    @property
    def shows_operations(self) -> bool:
        """True if remarks always show their operation, which takes long."""
        return self._mlir.shows_operations

    def plain(self, request: RunRequest) -> RunResult:
        """Run the script, and return the requested texts."""
        started = time.perf_counter()
        is_printed = not request.emits.isdisjoint((Emit.MODULE, Emit.PAYLOAD))
        output = self.raw(request, is_quiet=request.only_remarks, is_printed=is_printed)
        texts = self.texts(request, output) if output.status is Status.SUCCESS else {}
        return RunResult(
            status=output.status,
            backend=self._mlir.name,
            mlir=self._mlir.version,
            texts=texts,
            diagnostics=output.source_map.diagnostics(output.diagnostics),
            printed=output.printed,
            console=output.console,
            detail=output.detail,
            seconds=time.perf_counter() - started,
        )

    def raw(
        self,
        request: RunRequest,
        *,
        is_located: bool = False,
        is_quiet: bool = True,
        is_printed: bool = True,
        has_states: bool = False,
    ) -> Output:
        """Run the script; the parameters are those of `Call`, and `has_states` if probes print the payload."""
        return self._mlir.call(
            Call(
                root=request.root,
                libraries=request.preloaded,
                passes=(interpreter_pass(request.entry_point, request.options),),
                limits=request.limits,
                is_located=is_located,
                is_also_located=not is_located and (is_printed or has_states) and is_named(request),
                is_quiet=is_quiet,
                is_printed=is_printed,
            )
        )

    def texts(self, request: RunRequest, output: Output) -> dict[Emit, str]:
        """Return the requested texts of a successful run."""
        texts: dict[Emit, str] = {}
        if Emit.MODULE in request.emits:
            texts[Emit.MODULE] = with_value_names(output.module, output.located, output.source_map)
        if Emit.PAYLOAD in request.emits:
            texts[Emit.PAYLOAD] = self.payload_in(request, output)
        if Emit.BEFORE in request.emits:
            limits = request.limits.afresh()
            before = Call(request.root, limits, request.preloaded, is_also_located=is_named(request))
            texts[Emit.BEFORE] = self.payload_in(request, self._mlir.call(before))
        return texts

    def payload_in(self, request: RunRequest, output: Output) -> str:
        """Return the printed module without scripts, with the user's names.

        One with aliases is printed again, as some may be unused now.
        """
        payload = without_scripts(output.module)
        if payload != output.module and payload.startswith(("#", "!")):
            again = self._mlir.call(Call(TextFile("", payload), request.limits.afresh()))
            payload = again.module if again.status is Status.SUCCESS else payload
        return with_value_names(payload, without_scripts(output.located), output.source_map)

    def ended_with(self, request: RunRequest, output: Output) -> RunResult:
        """Return the result of a successful run."""
        return RunResult(Status.SUCCESS, self._mlir.name, self._mlir.version, self.texts(request, output))


def is_named(request: RunRequest) -> bool:
    """Whether the values of payload get the user's names."""
    return request.keeps_names and len(request.root.text) <= _MOST_NAMED

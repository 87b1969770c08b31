"""Carries out requests as they are, one call of MLIR for each text that they ask for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tdls.interpreter.mlir.mlir_opt import Call
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.runs.model import Emit, RunResult, Status, TextFile
from tdls.interpreter.runs.pipeline import interpreter_pass

if TYPE_CHECKING:
    from tdls.interpreter.mlir.mlir_opt import MlirOpt, Output
    from tdls.interpreter.runs.model import RunRequest


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
        texts = self.texts(request, output.module) if output.status is Status.SUCCESS else {}
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
        self, request: RunRequest, *, is_located: bool = False, is_quiet: bool = True, is_printed: bool = True
    ) -> Output:
        """Run the script; the parameters are those of `Call`."""
        return self._mlir.call(
            Call(
                root=request.root,
                libraries=request.preloaded,
                passes=(interpreter_pass(request.entry_point, request.options),),
                limits=request.limits,
                is_located=is_located,
                is_quiet=is_quiet,
                is_printed=is_printed,
            )
        )

    def texts(self, request: RunRequest, module: str) -> dict[Emit, str]:
        """Return the requested texts of a successful run that printed `module`."""
        texts: dict[Emit, str] = {}
        if Emit.MODULE in request.emits:
            texts[Emit.MODULE] = module
        if Emit.PAYLOAD in request.emits:
            texts[Emit.PAYLOAD] = self.payload_in(request, module)
        if Emit.BEFORE in request.emits:
            before = self._mlir.call(Call(request.root, request.limits.afresh(), request.preloaded))
            texts[Emit.BEFORE] = self.payload_in(request, before.module)
        return texts

    def payload_in(self, request: RunRequest, module: str) -> str:
        """Return a printed module without scripts; one with aliases is printed again, as some may be unused now."""
        stripped = without_scripts(module)
        if stripped == module or not stripped.startswith(("#", "!")):
            return stripped
        again = self._mlir.call(Call(TextFile("", stripped), request.limits.afresh()))
        return again.module if again.status is Status.SUCCESS else stripped

    def ended_with(self, request: RunRequest, module: str) -> RunResult:
        """Return the result of a successful run that printed `module`."""
        return RunResult(Status.SUCCESS, self._mlir.name, self._mlir.version, self.texts(request, module))

"""Bindings in which Python cannot define transform operations: they are asked as tools are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.jobs.job import Mode
from tdls.interpreter.model import Emit, RunRequest
from tdls.interpreter.observation.tool.told import RawRun
from tdls.interpreter.script import Script

if TYPE_CHECKING:
    from tdls.interpreter.model import RunResult


class _CarryOut(Protocol):
    def __call__(
        self, request: RunRequest, journal: None, mode: Mode = Mode.RUN, names: dict[str, str] | None = None
    ) -> RunResult: ...


class OlderBindings:
    """What such bindings can do; see `ToolRuns`."""

    def __init__(self, carry_out: _CarryOut) -> None:
        """`carry_out` does one run in the given mode, and adds the names of texts by what MLIR calls them."""
        self._carry_out = carry_out

    @property
    def shows_operations(self) -> bool:
        """Nothing keeps remarks from that."""
        return True

    def plain(self, request: RunRequest) -> RunResult:
        """Run the script as it is."""
        return self._carry_out(replace(request, until=None, observe=False), None)

    def raw(self, request: RunRequest, flags: tuple[str, ...]) -> RawRun:
        """Run the script; `flags` are for tools, but where there are some, locations are wanted."""
        names: dict[str, str] = {}
        mode = Mode.LOCATE if flags else Mode.RUN
        result = self._carry_out(replace(request, emits=frozenset({Emit.MODULE})), None, mode, names)
        output = result.texts.get(Emit.MODULE, "")
        return RawRun(result.status, result.diagnostics, result.printed, output, names)

    def ended_with(self, request: RunRequest, module: str) -> RunResult:
        """Return the result of a run that succeeded and gave `module`."""
        emits = frozenset({Emit.BEFORE})
        before = self._carry_out(replace(request, emits=emits), None, Mode.READ)
        written = Script("", module, request.script.catalogue)
        payload = self._carry_out(RunRequest(written, emits=emits), None, Mode.READ)
        texts = {Emit.MODULE: module, **before.texts}
        if Emit.BEFORE in payload.texts:
            texts[Emit.PAYLOAD] = payload.texts[Emit.BEFORE]
        return replace(before, texts={emit: text for emit, text in texts.items() if emit in request.emits})

"""Bindings in which Python cannot define transform operations: they are asked as tools are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tdls.interpreter.model import Emit, Mode, RunRequest
from tdls.interpreter.observation.tool.told import RawRun
from tdls.interpreter.script import Script

if TYPE_CHECKING:
    from tdls.interpreter.jobs.way_back import WayBack
    from tdls.interpreter.model import RunResult


class _CarryOut(Protocol):
    def __call__(self, request: RunRequest, journal: None, mode: Mode = Mode.RUN) -> RunResult: ...


class _Ask(Protocol):
    def __call__(self, request: RunRequest, journal: None, mode: Mode) -> Answer: ...


class Answer(NamedTuple):
    """What bindings said of a run: its result, with places as MLIR names them, and the payload with locations."""

    result: RunResult
    located: str
    way_back: WayBack


class OlderBindings:
    """What such bindings can do; see `ToolRuns`."""

    def __init__(self, carry_out: _CarryOut, ask: _Ask) -> None:
        """`carry_out` and `ask` do one run in the given mode, and tell what came out of it."""
        self._carry_out = carry_out
        self._ask = ask

    @property
    def shows_operations(self) -> bool:
        """Nothing keeps remarks from that."""
        return True

    def plain(self, request: RunRequest) -> RunResult:
        """Run the script as it is."""
        return self._carry_out(replace(request, until=None, observe=False), None)

    def raw(self, request: RunRequest, flags: tuple[str, ...]) -> RawRun:
        """Run the script; `flags` are for tools, but where there are some, locations are wanted."""
        mode = Mode.LOCATE if flags else Mode.RUN
        result, _, way_back = self._ask(replace(request, emits=frozenset({Emit.MODULE})), None, mode)
        output = result.texts.get(Emit.MODULE, "")
        return RawRun(result.status, result.diagnostics, result.printed, output, way_back)

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
